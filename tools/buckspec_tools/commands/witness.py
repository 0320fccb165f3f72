"""`buckspec witness`: can this happen, and in which hand?"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from buckspec_tools import exits
from buckspec_tools.edge import ExcerptError
from buckspec_tools.forms import form
from buckspec_tools.options import (
    FORMATS,
    WHOLE,
    Choice,
    Number,
    ProfileName,
    Seconds,
    choices,
    language,
    output,
    suggestion,
)
from buckspec_tools.output import put, put_json, shows

if TYPE_CHECKING:
    from buckspec.problem import Problem
    from buckspec.rules import Rules
    from buckspec_conformance.possible.find import Answer
    from buckspec_conformance.possible.hand import Hand
    from buckspec_conformance.possible.start import Start
    from buckspec_conformance.possible.unless import Unless
    from buckspec_conformance.possible.wish import Wish

_HELP = """\
Find a hand in which a condition holds, or show that there is none.

\b
  buckspec witness ohio 'tricks(0) == 1 && tricks(1) == 2 && maker == 0'
  buckspec witness ohio 'passes == 8' --at any
  buckspec witness ohio 'swept == 1' --dealt 'JH in hand(0) && upcard == 9C' --dealer 3
  buckspec witness ohio 'totals(0) < 0' --totals 3,25,25,25 --format json > hand.json
  buckspec witness ohio '1 in winners' --totals any --unless ohio+ties=first-seat

A condition may name whatever the rules name (`buckspec explain`), cards as a log does, and seats by their number, from
0. It is asked at the end of a hand; with `--at any` whenever somebody has to act, with `--at EVENT` just after such an
event. What is not fixed may be anything: who deals, and all cards.

The answer is a log that `buckspec replay` accepts, up to the moment at which the condition holds; the simplest that was
found comes first, and it is said whether a simpler one was ruled out. That something cannot happen is proven, and the
parts of the condition that are to blame are named. A search that takes too long is said to be undecided.

Exit code: 0 found, 1 cannot happen, 2 no such condition, 4 undecided.
"""
FORMAT = "buckspec-witness/1"
_ANY = "any"


@click.command(name="witness", help=_HELP, short_help="Find a hand in which a condition holds, or show that none is.")
@click.argument("wanted", metavar="NAME|FILE", type=ProfileName())
@click.argument("condition")
@click.option("--at", default="end", show_default=True, metavar="end|any|EVENT", help="When the condition is asked.")
@click.option("--dealt", metavar="CONDITION", help="What has to hold just after the deal.")
@click.option("--dealer", type=Number(min=0), metavar="SEAT", help="Who deals.  [default: anybody]")
@click.option("--totals", metavar="NUMBERS|any", help="The totals before the hand.  [default: those of a new game]")
@choices("Set a number of the profile.", "Choose a reading of an open question.")
@click.option("--readings", "every", type=Choice([_ANY]), help="Leave all readings open.")
@click.option(
    "--unless", metavar="FORM", help="By this other form, as in `buckspec diff`, it must not hold in the hand."
)
@click.option("--count", type=Number(min=1), default=1, show_default=True, help="How many different hands.")
@click.option(
    "--timeout", type=Seconds(), default=60.0, show_default=True,
    help="Time for the search.",
)  # fmt: skip
@click.option("--seed", type=Number(min=0), default=0, show_default=True, help="Another seed finds other hands.")
@language
@output
@click.pass_context
def command(
    ctx: click.Context, wanted: str, condition: str, at: str, dealt: str | None, dealer: int | None,
    totals: str | None, parameters: dict[str, int], readings: dict[str, str], every: str | None, unless: str | None,
    count: int, timeout: float, seed: int, lang: str, shape: str,
) -> int:  # fmt: skip
    from buckspec.load import load_profile
    from buckspec_conformance.possible.find import find

    rules = load_profile(wanted, parameters, readings)
    condition = " ".join(condition.splitlines())
    wish = _wish(ctx, rules, condition, at, dealt)
    start = _start(rules, dealer, totals)
    spared = None if unless is None else _unless(ctx, rules, form(unless, "--unless"), condition, at)
    answer = find(
        rules, wish, start, count=count, timeout=timeout, every_reading=every == _ANY, seed=seed, unless=spared
    )
    if shape == FORMATS[0]:
        put("\n".join(_told(answer, rules, lang)))
    else:
        for value in _as_json(answer, rules, parameters):
            put_json(value)
    if answer.hands:
        return exits.FINE
    return exits.WRONG if answer.because is not None else exits.UNDECIDED


def _unless(ctx: click.Context, rules: "Rules", other: "Rules", condition: str, at: str) -> "Unless":
    from buckspec_conformance.partings import comparable
    from buckspec_conformance.possible.unless import Unless

    if not comparable(rules, other):
        said = "it is played with other cards, or by another number of players"
        raise click.BadParameter(said, param_hint="--unless")
    return Unless(other, _wish(ctx, other, condition, at, None))


def _wish(ctx: click.Context, rules: "Rules", condition: str, at: str, dealt: str | None) -> "Wish":
    from buckspec.problem import SpecError
    from buckspec_conformance.possible.wish import moments, wish

    try:
        return wish(rules, condition, at, dealt)
    except LookupError:
        known = moments(rules)
        said = f"found {at}; expected {', '.join(known[:-1])} or {known[-1]}{suggestion(at, known)}"
        raise click.BadParameter(said, param_hint="--at") from None
    except SpecError as error:
        raise _pointed(error.problems[0], {"the condition": condition, "--dealt": dealt or ""}, ctx) from None


def _pointed(problem: "Problem", texts: Mapping[str, str], ctx: click.Context) -> ExcerptError:
    """A fault in a condition, with a caret below its place."""
    from buckspec.formats.wording import WIDEST, harmless

    at = problem.place.column - 1
    line = (texts[problem.place.file].splitlines() or [""])[problem.place.line - 1]
    first = max(0, at - WIDEST // 2)
    shown = line[first : first + WIDEST]
    excerpt = [f"  {shown}", f"  {' ' * (at - first)}^"] if harmless(shown) == shown else []
    return ExcerptError(str(problem), excerpt, ctx)


def _start(rules: "Rules", dealer: int | None, totals: str | None) -> "Start":
    from buckspec_conformance.possible.start import Start, can_be_dealt

    seats = rules.seats.size
    if dealer is not None and dealer >= seats:
        raise click.BadParameter(f"found {dealer}; expected a seat, 0 to {seats - 1}", param_hint="--dealer")
    if totals is None or totals == _ANY:
        return Start(dealer, None, any_totals=totals == _ANY)
    numbers = tuple(int(part) for part in totals.split(",") if WHOLE.fullmatch(part))
    if len(numbers) != seats or totals.count(",") != seats - 1:
        raise click.BadParameter(
            f"found {totals}; expected {seats} whole numbers of 18 digits at most, with commas between, or {_ANY}",
            param_hint="--totals",
        )
    start = Start(dealer, numbers)
    if not can_be_dealt(rules, start):
        said = f"found {totals}; expected totals with which a hand can be dealt: the game is over"
        raise click.BadParameter(said, param_hint="--totals")
    return start


# ---------------------------------------------------------------------- the answer


def _told(answer: "Answer", rules: "Rules", lang: str) -> Iterator[str]:
    from buckspec.sentences import load_sentences
    from buckspec_tools.report.cards import signs
    from buckspec_tools.report.hand import hand

    if answer.because is not None:
        yield from _cannot(answer, rules)
        return
    if not answer.hands:
        yield f"undecided: no hand was found, and none was ruled out; {answer.undecided}"
        return
    say, plain = load_sentences(lang), not shows(signs(rules))
    for number, found in enumerate(answer.hands, 1):
        events = "1 event" if found.size == 1 else f"{found.size} events"
        yield (
            f"{number}. A hand of {events} after the deal:"
            if len(answer.hands) > 1
            else f"A hand of {events} after the deal:"
        )
        yield from (f"  {name} = {reading}" for name, reading in _other_readings(found))
        yield from (f"  {line}" for line in hand(found.before, found.events, found.after, say, plain=plain))
    yield "No hand has fewer events." if answer.is_simplest else "A hand with fewer events was not ruled out."


def _other_readings(found: "Hand") -> Iterator[tuple[str, str]]:
    rules = found.before.rules
    yield from ((name, one) for name, one in rules.readings.items() if rules.book.readings[name] != one)


def _cannot(answer: "Answer", rules: "Rules") -> Iterator[str]:
    assert answer.because is not None  # noqa: S101
    parts = [part.text for part in answer.because.parts]
    yield "cannot happen: " + ("; ".join(parts) if len(parts) == 1 else " and ".join(parts) + " do not go together")
    for name in answer.because.invariants:
        yield f"  {name}: {rules.book.invariants[name].clause.says}"
    if not answer.because.invariants:
        yield "  In every hand that can be played it does not hold."


def _as_json(answer: "Answer", rules: "Rules", parameters: dict[str, int]) -> Iterator[dict[str, Any]]:
    """The hands as logs; or one line that says why there is none."""
    from buckspec_conformance.logs import log_of

    if answer.hands:
        yield from (log_of(found.game(), rules.name, parameters) for found in answer.hands)
    elif answer.because is not None:
        parts = [part.text for part in answer.because.parts]
        yield {"format": FORMAT, "answer": "cannot happen", "parts": parts, "invariants": [*answer.because.invariants]}
    else:
        yield {"format": FORMAT, "answer": "undecided", "message": answer.undecided}
