"""A moment of a recorded game, and what readings make of one, in words."""

from buckspec.evaluate import Missing
from buckspec.rulebook import Definition
from buckspec.rules import Rules
from buckspec.sentences import Sentences
from buckspec.state import Event
from buckspec.verdict import Verdict
from buckspec_tools.examples import Difference, Moment
from buckspec_tools.report.cards import Values
from buckspec_tools.report.columns import indented, labelled


def example(moment: Moment, say: Sentences, *, plain: bool) -> list[str]:
    """Where it is, what happens, and what the clause forbids or gives there."""
    rules = moment.state.rules
    values = Values(rules, say, tuple(moment.log.players or ()), plain)
    hand = str(moment.hand + 1)
    # the deal comes before the first event that a log has
    place = say.report("place", hand=hand, event=str(moment.done)) if moment.done else f"{say.report('hand')} {hand}"
    happens = f": {done(moment.next, values)}" if moment.next else ""
    lines = [f"{moment.file}, {place}{happens}"]
    lines += [f"{say.report('readings-chosen')}: {name} = {chosen}" for name, chosen in moment.readings.items()]
    if moment.refused is not None:
        lines.append(f"{say.report('illegal')}: {done(moment.refused, values)}")
    if moment.of is not None:
        lines.append(_value(moment, *moment.of, values))
    return lines


def difference(found: Difference, question: str, rules: Rules, say: Sentences) -> list[str]:
    """The file, and a line for each verdict on it, with what differs between them."""
    values = Values(rules, say, tuple(found.log.players or ()))
    outcomes = [_outcome(verdict, values) for _, verdict in found.verdicts]
    telling = [key for key in outcomes[0] if len({outcome[key] for outcome in outcomes}) > 1]
    rows = []
    for (readings, verdict), outcome in zip(found.verdicts, outcomes, strict=True):
        label = ", ".join(f"{question}={reading}" for reading in readings)
        parts = [f"{say.report(key)}: {outcome[key]}" for key in telling]
        rows.append((label, "; ".join([_word(verdict, say), *parts])))
    return [found.file, *indented(labelled(rows))]


def _outcome(verdict: Verdict, values: Values) -> dict[str, str]:
    """What a verdict says of the score, by the word for it."""
    return {
        "totals": ", ".join(map(str, verdict.totals)),
        "winners": ", ".join(map(values.player, verdict.winners)) or values.say.report("nobody"),
        "ended": verdict.ended or values.say.report("no"),
    }


def _word(verdict: Verdict, say: Sentences) -> str:
    """The verdict, with the place and the clauses where something is illegal."""
    at, word = verdict.at, say.report(verdict.word)
    if at is None or not verdict.violations:
        return word
    hand = str(at.hand + 1)
    place = f"{say.report('hand')} {hand}"
    if at.event is not None:
        place = say.report("place", hand=hand, event=str(at.event + 1))
    return f"{word}: {place}, {', '.join(broken.clause for broken in verdict.violations)}"


def done(event: Event, values: Values) -> str:
    """What somebody does, in words."""
    rules = values.rules
    rule = rules.book.events[event.id]
    words = {"player": values.player(event.seat)} if event.seat is not None else {}
    if not rule.by_chance:
        for one, value in zip(rule.takes, event.about, strict=True):
            words[one.name] = values.of(rules.book.domains.get(one.type.base), rules.code(one.type, value))
    return values.say.event(event.id, words)


def _value(moment: Moment, definition: Definition, argument: int | None, values: Values) -> str:
    """What a definition is there, such as `standing(J♦) = left bower`."""
    rules, book = values.rules, values.rules.book
    answer = moment.state.value(definition.name, argument)
    code = values.say.report("unknown") if isinstance(answer, Missing) else rules.code(definition.type, answer)
    shown = values.of(book.domains.get(definition.type.base), code)
    if argument is None or definition.domain is None:
        return f"{definition.name} = {shown}"
    domain = book.domains[definition.domain]
    about = values.player(argument) if domain.circular else values.member(domain, domain.values[argument].code)
    return f"{definition.name}({about}) = {shown}"
