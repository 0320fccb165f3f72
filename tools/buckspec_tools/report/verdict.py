"""A verdict in words, as a referee could read it out."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from buckspec.formats.game_log import GameLog
from buckspec.formats.wording import harmless
from buckspec.interpret import to_act
from buckspec.observe import observed
from buckspec.replay import is_between_hands
from buckspec.rulebook import Observation
from buckspec.rules import Rules
from buckspec.sentences import Sentences
from buckspec.state import State
from buckspec.verdict import ILLEGAL, INCOMPLETE, LEGAL, UNREADABLE, At, Broken, Verdict
from buckspec.words import words_of
from buckspec_tools.report import open_game
from buckspec_tools.report.cards import Values
from buckspec_tools.report.columns import aligned, indented, labelled, wrapped
from buckspec_tools.report.sheet import rows, sheet
from buckspec_tools.report.trumps import trumps

_UPCARD = "upcard"
_MOST = 5


def told(verdict: Verdict, say: Sentences, *, plain: bool) -> list[str]:
    """The report of one log, its heading first."""
    heading = f"{place(verdict)}: {say.report(verdict.word)}"
    if verdict.word == UNREADABLE or verdict.rules is None or verdict.log is None:
        return [heading, *indented(wrapped(harmless(verdict.message or "")))]
    return [heading, *indented(_Report(verdict, say, plain).lines())]


def place(verdict: Verdict) -> str:
    """The file, the line at which the log begins or where it cannot be read on, and the id of the log."""
    source, column = verdict.source, verdict.problem.get("column")
    parts = [harmless(source.file)]
    # a file that is missing has no lines
    if verdict.word != UNREADABLE or column or source.line != 1:
        parts += [str(part) for part in (source.line, column) if part]
    return ":".join(parts) + (f"  {harmless(source.id)}" if source.id else "")


class _Report:
    """One verdict on a log that could be read."""

    def __init__(self, verdict: Verdict, say: Sentences, plain: bool):
        self.verdict, self.say = verdict, say
        self.rules, self.log, self.state = _held(verdict)
        self.values = Values(self.rules, say, tuple(self.log.players or ()), plain)

    def lines(self) -> list[str]:
        blocks = [
            [] if self.verdict.word == LEGAL else [self.say.report(f"{self.verdict.word}-means")],
            list(self._choices()),
            self._wrong() if self.verdict.word == ILLEGAL else [],
            self._claims(),
            open_game.conflict(self),
            self._missing(),
            open_game.completions(self),
            open_game.readings(self),
            open_game.let_stand(self),
            self._next() if self.verdict.word == INCOMPLETE and self.verdict.legal else [],
            self._sheet(),
        ]
        return [line for block in blocks if block for line in ["", *block]][1:]

    # ------------------------------------------------------------------ by which rules

    def _choices(self) -> Iterator[str]:
        """The profile, where it is not the one that the log names, and everything that differs from the profile."""
        own, verdict = self.verdict.overrides, self.verdict
        if own.profile:
            yield f"{self.say.report('profile')}: {harmless(own.profile)} ({self.say.report('asked-for')})"
        numbers = {name: parameter.value for name, parameter in self.rules.book.parameters.items()}
        for key, chosen, asked, usual in (
            ("parameters", verdict.parameters, own.parameters, numbers),
            ("readings-chosen", verdict.readings, own.readings, self.rules.book.readings),
        ):
            for name, value in chosen.items():
                if usual[name] == value:
                    continue
                mark = f" ({self.say.report('asked-for')})" if name in asked else ""
                yield f"{self.say.report(key)}: {name} = {value}{mark}"

    # ------------------------------------------------------------------ what is wrong

    def _wrong(self) -> list[str]:
        at = self.verdict.at or At(0)
        broken = [line for one in self.verdict.violations for line in self._broken(one)]
        lines = [self.where(at), *indented(broken)]
        # what the players hold is an assumption where cards are missing
        table = [] if self.verdict.missing else list(self._table(at))
        return [*lines, *([""] if table else []), *table]

    def where(self, at: At) -> str:
        """The place, with numbers from 1 as people count and the path as the log has it, and what was done there."""
        report, hand = self.say.report, str(at.hand + 1)
        path = f"hands[{at.hand}]"
        if at.event is None:
            return f"{report('hand')} {hand} ({path})"
        events = self.log.hands[at.hand].events or ()
        place = report("place", hand=hand, event=str(at.event + 1))
        if at.event >= len(events):
            return f"{place} ({path}.events[{at.event}]): {report('end-of-hand')}"
        return f"{place} ({path}.events[{at.event}]): {self._logged(events[at.event])}"

    def _logged(self, event: object) -> str:
        """What a log says that somebody did."""
        held = {name: value for name in ("seat", "do", "card", "suit") if (value := getattr(event, name)) is not None}
        return self._done([held])

    def _done(self, events: Sequence[Mapping[str, object]]) -> str:
        """What one player does, and with which cards: events that differ in what they are about only."""
        first, words = events[0], words_of(self.rules)
        seat, do = int(str(first["seat"])), str(first["do"])
        about = {name: [str(event[name]) for event in events] for name in ("card", "suit") if name in first}
        key = (seat, do, *(about[name][0] if name in about else None for name in ("card", "suit")))
        event = words.events.get(key)  # type: ignore[arg-type]
        shown = {name: self._either([self.values.named(name, code) for code in codes]) for name, codes in about.items()}
        return self.say.event(event.id if event else do, {"player": self.values.player(seat), **shown})

    def _either(self, words: Sequence[str]) -> str:
        *most, last = words
        return f"{', '.join(most)} {self.say.report('or')} {last}" if most else last

    def _broken(self, broken: Broken) -> list[str]:
        clause = self.rules.book.clauses().get(broken.clause)
        sentence = self.say.clause(clause, self.rules.parameters) if clause else broken.says
        lines = labelled([(broken.clause, sentence)])
        if broken.found:
            shown = ", ".join(f"{name} = {self.values.named(name, value)}" for name, value in broken.found.items())
            lines += indented([f"{self.say.report('found')}: {shown}"])
        return lines

    # ------------------------------------------------------------------ the table

    def _table(self, at: At) -> Iterator[str]:
        """What lies on the table, what the player holds, and what would have been legal."""
        entries = list(self._situation(at))
        legal = self._legal()
        if legal or at.event is not None:
            entries.append((self.say.report("legal-here"), legal[0] if legal else self.say.report("nothing")))
            entries += [("", line) for line in legal[1:]]
        yield from labelled(entries)

    def _situation(self, at: At) -> Iterator[tuple[str, str]]:
        report, values, state = self.say.report, self.values, self.state
        if at.event is None:
            return
        hands = _listed(observed(state, "hands"))
        if not any(hands):
            return
        yield report("to-act"), ", ".join(map(values.player_at, to_act(state))) or report("nobody")
        yield report("dealer"), values.named("dealer", observed(state, "dealer"))
        made = trumps(state, values)
        if made is not None:
            yield report("trumps"), made
        elif _UPCARD in self.rules.book.variables:
            upcard = self.rules.book.variables[_UPCARD]
            yield report("up-card"), values.named(_UPCARD, self.rules.code(upcard.type, state.known(_UPCARD)))
        table = _listed(observed(state, "table"))
        seat = at.seat if at.seat is not None else 0
        # a trick goes round to the one who acts: who sits next has played first
        order = [(seat + step) % len(table) for step in range(1, len(table) + 1)]
        shown = [f"{values.player(one)} {values.card(str(table[one]))}" for one in order if table[one] is not None]
        if made is not None:
            yield report("table"), ", ".join(shown) or report("nothing")
        if at.seat is not None:
            held = values.cards(map(str, _listed(hands[at.seat])))
            yield report("holds", player=values.player(at.seat)), held or report("nothing")

    def _legal(self) -> list[str]:
        """What can be done, a line for each thing that a player can say or do."""
        groups: dict[tuple[object, object], list[Mapping[str, object]]] = {}
        for event in self.verdict.legal:
            groups.setdefault((event["seat"], event["do"]), []).append(event)
        return [self._done(group) for group in groups.values()]

    def _missing(self) -> list[str]:
        """What is not known; of many things the first."""
        told = [f"{self.say.report('missing')}: {harmless(thing)}" for thing in self.verdict.missing]
        more = len(told) - _MOST
        return [*told[:_MOST], *([f"… (+{more})"] if more > 0 else [])]

    def _next(self) -> list[str]:
        heads = [self.say.report("legal-next")]
        return labelled(list(zip_longest(heads, self._legal(), fillvalue="")))

    # ------------------------------------------------------------------ claims and scores

    def _claims(self) -> list[str]:
        if not self.verdict.claims:
            return []
        report = self.say.report
        head = [report("claim"), report("claimed"), report("computed")]
        table = [
            [self._claim(claim.path), *(self._claimed(claim.path, value) for value in (claim.claimed, claim.computed))]
            for claim in self.verdict.claims
        ]
        return aligned([head, *table])

    def _claim(self, path: str) -> str:
        """Where a claim stands, with the player whom it is about."""
        observation, seat = self._about(path)
        if observation is None or seat is None or observation.domain is None:
            return path
        return f"{path} ({self.values.player(seat)})"

    def _claimed(self, path: str, value: object) -> str:
        observation, _ = self._about(path)
        return self.values.of(self.rules.book.domains.get(observation.type.base) if observation else None, value)

    def _about(self, path: str) -> tuple[Observation | None, int | None]:
        word, _, rest = path.rpartition(".")[2].partition("[")
        index = rest.removesuffix("]")
        return self.rules.book.observations.get(word), int(index) if index.isdecimal() else None

    def _sheet(self) -> list[str]:
        found = rows([state for state in self.verdict.hands if is_between_hands(state)])
        opening = found[0].opening if found else self.verdict.totals
        lines = sheet(found, opening, self.values)
        return [*lines, *([""] if lines else []), self.winners(self.verdict.winners, self.verdict.ended)]

    def winners(self, winners: Sequence[int], ended: str | None) -> str:
        """Who has won, and how."""
        report = self.say.report
        if not winners:
            return report("no-winner")
        names = [self.values.player(seat) for seat in winners]
        *most, last = names
        players = f"{', '.join(most)} {report('and')} {last}" if most else last
        sentence = report("share" if most else "wins", players=players)
        ending = self.rules.book.observations["ended"].type.base
        how = self.values.of(self.rules.book.domains.get(ending), ended)
        return f"{sentence} ({how})"


def _held(verdict: Verdict) -> tuple[Rules, GameLog, State]:
    if verdict.rules is None or verdict.log is None or verdict.state is None:
        raise ValueError("a verdict on a log that cannot be read has no report")
    return verdict.rules, verdict.log, verdict.state


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else []
