"""The names that expressions of one rule book can use, with their types."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from buckspec.types import Domain, Type


@dataclass(frozen=True)
class Signature:
    """A variable or definition: what it is a function of (a domain's name, or None) and what it is."""

    domain: str | None
    type: Type


@dataclass
class Symbols:
    """Filled by the loader from the heads of all declarations, before any expression is checked."""

    domains: dict[str, Domain] = field(default_factory=dict)
    parameters: dict[str, int] = field(default_factory=dict)
    variables: dict[str, Signature] = field(default_factory=dict)
    definitions: dict[str, Signature] = field(default_factory=dict)
    tables: dict[str, tuple[Signature, tuple[int, ...]]] = field(default_factory=dict)

    @property
    def plurals(self) -> Mapping[str, Domain]:
        """The domains by the name of the set of all their values."""
        return {domain.plural: domain for domain in self.domains.values() if domain.plural}

    def values(self) -> list[str]:
        """Every name that stands alone."""
        plain = [
            name for held in (self.variables, self.definitions) for name, sign in held.items() if sign.domain is None
        ]
        return [*plain, *self.parameters, *self.plurals, "none", "empty"]

    def functions(self) -> list[str]:
        """Every name that takes an argument."""
        return [name for held in (self.variables, self.definitions) for name, sign in held.items() if sign.domain] + [
            *self.tables,
            "left",
            "sum",
        ]
