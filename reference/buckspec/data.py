"""Where the rule book lies. No other module knows.

An installed package carries `spec/` and `schemas/` inside itself, as `buckspec/_data/`. In a checkout, and so
in an editable installation, they stand at the top, beside `reference/`: what is edited there is what the next
run reads.
"""

from importlib.resources import files
from pathlib import Path


def spec_dir() -> Path:
    """The folder of the rule book: domains, chapters, questions, profiles, examples.

    Raises FileNotFoundError, naming both places looked at, if it is in neither.
    """
    return _find("spec")


def schema_dir() -> Path:
    """The folder of the JSON Schemas of every file format.

    Raises FileNotFoundError, naming both places looked at, if it is in neither.
    """
    return _find("schemas")


def _find(kind: str) -> Path:
    # A wheel is installed unpacked, so its resources are real paths. An editable installation leaves a copy
    # of the data in site-packages/buckspec/_data, but no __init__.py beside it: "buckspec" is then the
    # package of the checkout, and the copy is never seen.
    packaged = Path(str(files("buckspec"))) / "_data" / kind
    if packaged.is_dir():
        return packaged
    checkout = Path(__file__).resolve().parents[2] / kind
    if checkout.is_dir():
        return checkout
    raise FileNotFoundError(
        f"the folder {kind}/ of buckspec is missing: it is neither in the package, {packaged}, "
        f"nor in a checkout, {checkout}; install buckspec again, or restore the folder"
    )
