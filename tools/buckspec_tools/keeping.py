"""What is lost if the record of a run is written to a file."""

from pathlib import Path


def lost(file: Path) -> str | None:
    """What stands in a file that nobody would want to lose unasked, and what to do; None if there is nothing.

    The record of a run that came to its end can be had again, so it may be replaced, as any report is.
    """
    if not file.is_file() or not file.stat().st_size:
        return None  # also a device
    from buckspec_conformance.stream import RunError, read_run

    try:
        run = read_run(file)
    except RunError:
        return "is something else than the record of a run; name another file, or say --overwrite"
    if run.is_complete or not run.cases:
        return None
    return f"holds a run that was ended early; go on with it by --resume {file}, or say --overwrite"
