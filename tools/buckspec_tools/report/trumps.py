"""What is trumps in a hand, how that came about, and who made them."""

from buckspec.observe import observed
from buckspec.state import State
from buckspec_tools.report.cards import Values


def trumps(state: State, values: Values) -> str | None:
    """Such as `♥ (ordered up), maker: Bo`; None as long as it is open."""
    contract, trump, maker = (observed(state, name) for name in ("contract", "trump", "maker"))
    if contract is None:
        return None
    book = values.rules.book
    how = values.of(book.domains.get(book.observations["contract"].type.base), contract)
    shown = how if trump is None else f"{values.named('trump', trump)} ({how})"
    return shown if maker is None else f"{shown}, {values.say.report('maker')}: {values.named('maker', maker)}"
