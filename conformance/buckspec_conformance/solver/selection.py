"""Which readings are in force: chosen, or left to the solver."""

from collections.abc import Mapping
from dataclasses import dataclass

import z3

from buckspec.rulebook import RuleBook, Under
from buckspec_conformance.solver.guards import Guard, all_of, any_of, at_most_one, conj, neg


@dataclass(frozen=True)
class Selection:
    """For each question and each of its readings, where it is the one in force; and the numbers of the profile."""

    readings: Mapping[str, Mapping[str, Guard]]
    parameters: Mapping[str, int]

    def under(self, under: Under) -> Guard:
        """Where a clause with these conditions belongs to the rules."""
        return all_of(
            any_of(self.readings[question][reading] for reading in sorted(admitted))
            for question, admitted in under.choices
        )


def fixed(book: RuleBook, readings: Mapping[str, str], parameters: Mapping[str, int]) -> Selection:
    """One reading of each question."""
    return Selection(
        {
            question.id: {reading: reading == readings[question.id] for reading in question.readings}
            for question in book.questions.values()
        },
        parameters,
    )


def free(book: RuleBook, parameters: Mapping[str, int], name: str = "") -> tuple[Selection, Guard]:
    """Any reading of each question, and the condition that the readings can go together."""
    readings: dict[str, Mapping[str, Guard]] = {}
    conditions: list[Guard] = []
    for question in book.questions.values():
        selectors: dict[str, Guard] = {
            reading: z3.Bool(f"{name}{question.id} is {reading}") for reading in question.readings
        }
        readings[question.id] = selectors
        conditions += [any_of(selectors.values()), at_most_one(selectors.values())]
    selection = Selection(readings, parameters)
    conditions += [neg(selection.under(exclusion.under)) for exclusion in book.exclusions]
    return selection, conj(*conditions)


def readings_in(selection: Selection, model: z3.ModelRef) -> dict[str, str]:
    """The readings that a model has chosen."""
    return {
        question: next(name for name, guard in selectors.items() if holds_in(model, guard))
        for question, selectors in selection.readings.items()
    }


def holds_in(model: z3.ModelRef, guard: Guard) -> bool:
    """Whether a guard holds in a model."""
    return guard if isinstance(guard, bool) else z3.is_true(model.eval(guard, model_completion=True))
