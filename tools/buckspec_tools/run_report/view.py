"""What every report on a run looks at: the run, the rules by which it was judged, and the words to tell it in."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from buckspec.formats.wording import harmless
from buckspec.problem import SpecError
from buckspec.rules import Rules
from buckspec.sentences import Sentences, load_sentences
from buckspec_conformance.plan import rules_of
from buckspec_conformance.stream import BROKEN, CaseRecord, Run
from buckspec_conformance.table import STALE, Group, Row, failures, rows
from buckspec_tools.report.cards import Values

_LEVEL, _SEED = "standard", 0
"""What `conform` takes where nothing is said."""
_FEW = 2
"""How many cases are needed to say that none is answered."""
PROMISED = "hello promises an answer to this, but: "
_UNANSWERED = ("protocol-error", "crashed", "timeout")
_UNNAMED = ("invariant", "known")
"""How the ids of cases begin that cannot be asked for by their name."""


@dataclass(frozen=True)
class View:
    """A run as it is to be told. `logs` are the files into which games of failed cases were written, by case.

    `plain` leaves out the signs of suits; `verbose` tells everything.
    """

    run: Run
    language: str = "en"
    plain: bool = False
    verbose: bool = False
    logs: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def say(self) -> Sentences:
        return load_sentences(self.language)

    # ------------------------------------------------------------------ the rules

    @cached_property
    def rules(self) -> Rules | None:
        """The rules of the first profile that the engine plays; None if this rule book does not have them."""
        hello = self.run.header.hello or {}
        for profile in hello.get("profiles", ()):
            found = self.rules_for({"profile": profile})
            if found is not None:
                return found
        return None

    def rules_for(self, request: Mapping[str, object]) -> Rules | None:
        """The rules by which a request was judged; None if this rule book does not have them."""
        hello = self.run.header.hello or {}
        readings = {**hello.get("readings", {}), **_mapping(request.get("readings"))}
        parameters = _mapping(request.get("parameters"))
        try:
            chosen = tuple(sorted(parameters.items())), tuple(sorted(readings.items()))
            return rules_of(str(request.get("profile")), *chosen)
        except SpecError:
            return None

    def values(self, rules: Rules) -> Values:
        """How values of these rules are shown."""
        return Values(rules, self.say, (), self.plain)

    def sentence(self, clause: str, rules: Rules | None = None) -> str:
        """What a clause says; nothing if this rule book does not have it."""
        by = rules or self.rules
        known = by.book.clauses().get(clause) if by else None
        return self.say.clause(known, by.parameters) if known and by else ""

    # ------------------------------------------------------------------ the engine

    @cached_property
    def engine(self) -> str:
        """Who was tested, in a few words."""
        about = (self.run.header.hello or {}).get("engine", {})
        name = " ".join(harmless(str(about[key])) for key in ("name", "version") if about.get(key))
        language = f" ({harmless(str(about['language']))})" if about.get("language") else ""
        return (name or "an engine that did not say its name") + language

    @cached_property
    def command(self) -> str:
        """The command that starts the engine, as one can type it."""
        return harmless(shlex.join(self.run.header.command)) or "CMD"

    def reproduce(self, case: CaseRecord) -> str:
        """The command that asks this case again, alone where that can be, as one can type it."""
        if case.found is not None and case.found.reproduce is not None:
            return harmless(case.found.reproduce)
        header = self.run.header
        level = f" --level {header.level}" if header.level != _LEVEL else ""
        seed = f" --seed {header.seed}" if header.seed != _SEED else ""
        named = case.layer not in _UNNAMED and case.id.partition("/")[0] not in (*_UNNAMED, "hello")
        only = f" --only {shlex.quote(case.id)}" if named else ""
        return f"buckspec conform{level}{seed}{only} -- {self.command}"

    # ------------------------------------------------------------------ what came of it

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Every clause. One of another reading is not in force, though cases ask whether the engine can play that."""
        header = self.run.header
        ours, found = set(header.in_force), rows(self.run)
        return tuple(
            row if row.clause in ours or row.standing != "not-covered"
            else replace(row, standing="not-in-force", why=header.elsewhere.get(row.clause, row.why))
            for row in found
        )  # fmt: skip

    @cached_property
    def blamed(self) -> frozenset[str]:
        """The clauses that failures go back to."""
        return frozenset(group.clause for group in self.failures if group.clause)

    @cached_property
    def unanswered(self) -> frozenset[str]:
        """The clauses whose cases do not fail by what was answered, but because nothing was."""
        broken = [case for case in self.run.cases if case.outcome in BROKEN and case.outcome != STALE]
        answered = {clause for case in broken if case.outcome not in _UNANSWERED for clause in case.clauses}
        return frozenset(clause for case in broken for clause in case.clauses if clause not in answered)

    @cached_property
    def failures(self) -> tuple[Group, ...]:
        return failures(self.run)

    @cached_property
    def next_step(self) -> str | None:
        """What to do first, if one and the same thing keeps the engine from answering anything at all."""
        asked = [case for case in self.run.cases if case.outcome != "unsupported" and case.layer != "invariant"]
        if any(case.outcome not in _UNANSWERED for case in asked):
            return None
        said = {case.found.message if case.found else "" for case in asked}
        if len(said) != 1 or len(asked) < _FEW:
            return None
        return harmless(said.pop()).removeprefix(PROMISED) or None

    def chapters(self) -> Iterator[tuple[str, list[Row]]]:
        """The clauses in force, by the chapter in which they stand."""
        found: dict[str, list[Row]] = {}
        for row in self.rows:
            if row.standing != "not-in-force":
                found.setdefault(row.clause.partition(".")[0], []).append(row)
        yield from found.items()


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
