"""Profiles: what they choose, and how they differ."""

from collections.abc import Iterator, Mapping, Sequence

from buckspec.rules import Rules
from buckspec.sentences import Sentences
from buckspec_tools.report.columns import indented, labelled


def differences(profiles: Sequence[Rules], usual: Rules, say: Sentences) -> list[str]:
    """Each profile with its title, and below it what it chooses otherwise than the usual one."""
    lines = []
    for rules in sorted(profiles, key=lambda rules: rules.name != usual.name):
        lines += [f"{rules.name}  {say.profile(rules.book.profile, rules.book.title)}"]
        lines += indented(labelled(list(_different(rules, usual, say))))
    return lines


def _different(rules: Rules, usual: Rules, say: Sentences) -> Iterator[tuple[str, str]]:
    for name, parameter in rules.book.parameters.items():
        if usual.parameters.get(name) != rules.parameters[name]:
            yield f"{name}={rules.parameters[name]}", parameter.means
    for name, question in rules.book.questions.items():
        reading = rules.readings[name]
        if usual.readings.get(name) != reading:
            yield f"{name}={reading}", say.reading(question, reading, rules.parameters)


def in_full(rules: Rules, say: Sentences) -> list[str]:
    """Every parameter and every reading of one profile, with their sentences."""
    parameters = [(f"{name}={rules.parameters[name]}", held.means) for name, held in rules.book.parameters.items()]
    readings = []
    for name, question in rules.book.questions.items():
        reading = rules.readings[name]
        asks, says = say.question(question, rules.parameters), say.reading(question, reading, rules.parameters)
        readings.append((f"{name}={reading}", f"{asks} {says}"))
    chapters = [(chapter.id, say.chapter(chapter)) for chapter in rules.book.chapters]
    return [
        f"{rules.name}  {say.profile(rules.book.profile, rules.book.title)}",
        "", say.report("explain-chapter"), *indented(labelled(chapters)),
        "", say.report("parameters"), *indented(labelled(parameters)),
        "", say.report("explain-readings"), *indented(labelled(readings)),
    ]  # fmt: skip


def as_json(rules: Rules, usual: Rules) -> dict[str, object]:
    """A profile as plain values."""

    def other(chosen: Mapping[str, object], of_usual: Mapping[str, object]) -> dict[str, object]:
        return {key: value for key, value in chosen.items() if of_usual.get(key) != value}

    return {
        "profile": rules.name,
        "title": rules.book.title,
        "chapters": [chapter.id for chapter in rules.book.chapters],
        "parameters": {
            name: {"value": rules.parameters[name], "low": held.low, "high": held.high, "means": held.means}
            for name, held in rules.book.parameters.items()
        },
        "readings": dict(rules.readings),
        "differs": {
            "parameters": other(rules.parameters, usual.parameters),
            "readings": other(rules.readings, usual.readings),
        },
    }
