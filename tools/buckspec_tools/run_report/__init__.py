"""Reports on a run of the conformance suite. Each is a pure function of the record of the run."""

from collections.abc import Callable
from importlib import import_module

from buckspec_tools.run_report.view import View

FORMATS = ("text", "junit", "html", "markdown", "badge", "github")
"""What a run can be told as. Each is a module of this package, with one function `render`."""

MARKUP = ("junit", "html")
"""Those in which a sign can be written in ASCII."""


def renderer(form: str) -> Callable[[View], str]:
    """The function that tells a run in one of the forms; it is loaded only now."""
    found: Callable[[View], str] = import_module(f"{__name__}.{form}").render
    return found
