"""The conditions and effects of a clause, key by key, however its file has them."""

from collections.abc import Iterator, Mapping

from buckspec.document import Listing, Node, Scalar
from buckspec_tools.report.columns import indented, wrapped


def entries(held: Mapping[str, Node]) -> list[str]:
    """Each entry on lines of its own: what is short beside its key, all else below it."""
    return [line for key, node in held.items() for line in _entry(f"{key}:", node)]


def _entry(label: str, node: Node) -> Iterator[str]:
    if isinstance(node, Scalar):
        first, *more = node.text.strip().splitlines() or [""]
        if more:
            yield label
            yield from indented([first, *more])
        else:
            line, *rest = wrapped(f"{label} {first}")
            yield from (line, *indented(rest))
    elif isinstance(node, Listing):
        yield label
        for item in node.items:
            yield from indented(_entry("-", item))
    else:
        yield label
        yield from indented(entries(node.entries))
