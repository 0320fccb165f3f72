"""Small questions to ask a YAML node, each with its own clear refusal."""

from collections.abc import Iterator
from contextlib import contextmanager

from buckspec.document import Listing, Node, Scalar, Table
from buckspec.problem import Place, Problem, SpecError, listed, nearest


class Collector:
    """Gathers the faults of many declarations, so that one run shows them all."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """Keep the faults of what happens inside, and go on."""
        try:
            yield
        except SpecError as error:
            self.problems += error.problems

    def finish(self) -> None:
        """Raise all that was collected, if anything was."""
        if self.problems:
            raise SpecError(self.problems)


def kind(node: Node) -> str:
    """What a person would call the node."""
    if isinstance(node, Table):
        return "a mapping"
    if isinstance(node, Listing):
        return "a list"
    return repr(node.value) if isinstance(node.value, str) else str(node.text)


def _said(what: str) -> str:
    """A description such as “a reading” as it is, and a key, which is one word, in quotes."""
    return what if " " in what else f"“{what}”"


def refuse(
    place: Place, what: str, found: str | None = None, expected: str | None = None, meant: str | None = None
) -> SpecError:
    """One fault, ready to be raised."""
    return SpecError([Problem(place, what, found, expected, meant)])


def table(node: Node | None, what: str) -> Table:
    """The node as a mapping; an absent one is empty."""
    if node is None:
        return Table({}, {}, Place(""))
    if not isinstance(node, Table):
        raise refuse(node.place, f"{_said(what)} is a mapping", kind(node))
    return node


def fields(node: Node, what: str, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> Table:
    """The node as a mapping with just these keys. Every unknown and every missing key is reported."""
    held = table(node, what)
    problems = [
        Problem(
            held.keys[key],
            f"{what} has no such key",
            key,
            listed((*required, *optional)),
            nearest(key, (*required, *optional)),
        )
        for key in held
        if key not in required and key not in optional
    ]
    problems += [
        Problem(held.place, f"{what} lacks a key", expected=key) for key in required if key not in held.entries
    ]
    if problems:
        raise SpecError(problems)
    return held


def text(node: Node, what: str) -> str:
    """The node as text."""
    if not isinstance(node, Scalar) or not isinstance(node.value, str):
        raise refuse(node.place, f"{_said(what)} is a text", kind(node), "text, in quotes if need be")
    return node.value


def integer(node: Node, what: str) -> int:
    """The node as a whole number."""
    if not isinstance(node, Scalar) or not isinstance(node.value, int) or isinstance(node.value, bool):
        raise refuse(node.place, f"{_said(what)} is a whole number", kind(node))
    return node.value


def scalar(node: Node, what: str) -> Scalar:
    """The node as a single value, such as an expression."""
    if not isinstance(node, Scalar):
        expected = "quotes around an expression that begins with [ or {"
        raise refuse(node.place, f"{_said(what)} is an expression", kind(node), expected)
    if node.value is None:
        raise refuse(node.place, f"{_said(what)} is empty", expected="an expression")
    return node


def listing(node: Node | None) -> tuple[Node, ...]:
    """The items of a list; a single item may stand for itself, and nothing for none."""
    if node is None:
        return ()
    return node.items if isinstance(node, Listing) else (node,)


def texts(node: Node | None, what: str) -> tuple[str, ...]:
    """The texts of a list of them, or the one text."""
    return tuple(text(item, what) for item in listing(node))
