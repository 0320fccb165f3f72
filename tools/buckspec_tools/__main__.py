"""The entry point, `buckspec` and `python -m buckspec_tools`: only here can Ctrl-C come while all else is imported."""

import signal
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line. Ctrl-C ends in a word from the first moment to the last."""
    try:
        from buckspec_tools.cli import main as run

        run()
    except KeyboardInterrupt:
        from buckspec_tools import exits

        sys.stderr.write("interrupted\n")
        sys.exit(exits.INTERRUPTED)
    finally:
        # all is said; the interpreter, which may take a moment to end, has nothing to add
        signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    main()
