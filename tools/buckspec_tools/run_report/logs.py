"""The games of failed cases as files that `buckspec replay` opens."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from buckspec_conformance.stream import Run
from buckspec_tools.options import typed
from buckspec_tools.run_report.game import log_of
from buckspec_tools.run_report.view import View

_EACH = 3
"""How many games are written for each clause."""
_UNFIT = re.compile(r"[^A-Za-z0-9._-]+")


def folder_of(stream: Path) -> Path:
    """The folder of the games beside the record of a run."""
    return stream.with_name(f"{stream.stem}-failures")


def write(view: View, stream: Path) -> Mapping[str, str]:
    """Write the smallest games of each clause; the files, by case. Raises OSError."""
    folder = folder_of(stream)
    written: dict[str, str] = {}
    for group in view.failures:
        for case in group.cases[:_EACH]:
            log = log_of(view, case)
            if log is None:
                continue
            folder.mkdir(exist_ok=True)
            file = _file(stream, case.id)
            file.write_text(json.dumps(log, ensure_ascii=False) + "\n", encoding="utf-8")
            written[case.id] = typed(str(file))
    return written


def known(run: Run, stream: Path) -> Mapping[str, str]:
    """The files that were written beside the record of a run, by case."""
    files = {case.id: _file(stream, case.id) for case in run.cases if case.found is not None}
    return {case: typed(str(file)) for case, file in files.items() if file.exists()}


def _file(stream: Path, case: str) -> Path:
    return folder_of(stream) / f"{_UNFIT.sub('-', case)}.json"
