"""The exit codes that all commands share. Those of `replay` for its verdicts come from `buckspec.verdict`."""

FINE = 0
WRONG = 1
USAGE = 2
UNDECIDED = 4
INTERNAL = 70
INTERRUPTED = 130
CLOSED = 141
