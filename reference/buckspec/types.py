"""The types of the rule language: domains of named values, and sets and options of them.

Every value is a whole number at run time: a member of a domain is its index, a set is a bit mask over its domain,
`none` is NONE.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

NONE = -1
"""The value of an option that is absent, and of a variable that has not been given yet."""


@dataclass(frozen=True)
class Value:
    """A member of a domain: its name in expressions, its code in logs, its sign for people.

    `reads` are codes that are read too; `attributes` say what it has of other domains, such as a card its suit.
    """

    name: str
    code: str
    symbol: str | None = None
    reads: tuple[str, ...] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Domain:
    """A finite type. `plural` names the set of all its values; `circular` says that `left` goes round it."""

    name: str
    values: tuple[Value, ...]
    plural: str | None = None
    circular: bool = False
    means: str = ""

    @property
    def parameter(self) -> str:
        """What a definition calls its argument of this type: the name with a small first letter."""
        return self.name[0].lower() + self.name[1:]

    @property
    def size(self) -> int:
        return len(self.values)

    @property
    def full(self) -> int:
        """The set of all values, as a bit mask."""
        return (1 << len(self.values)) - 1

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The index of a value by its name."""
        return {value.name: index for index, value in enumerate(self.values)}

    @cached_property
    def by_code(self) -> Mapping[str, int]:
        """The index of a value by its code in a log."""
        return {value.code: index for index, value in enumerate(self.values)}


def domain_called(parameter: str) -> str:
    """The name of the domain that calls its arguments, and what is an attribute of others, by this parameter."""
    return parameter[0].upper() + parameter[1:]


@dataclass(frozen=True)
class Type:
    """`base` is a domain's name, `bool` or `int`; `many` makes a set of it, `optional` admits `none`."""

    base: str
    many: bool = False
    optional: bool = False

    def __str__(self) -> str:
        if self == EMPTY:
            return "an empty set"
        if self == NOTHING:
            return "none"
        return ("set of " if self.many else "") + self.base + (" or none" if self.optional else "")

    @property
    def certain(self) -> "Type":
        """The same type without `none`."""
        return Type(self.base, self.many)

    def accepts(self, other: "Type") -> bool:
        """Whether a value of the other type can stand where this type is asked for."""
        if other == EMPTY:
            return self.many
        if other == NOTHING:
            return self.optional
        return self.base == other.base and self.many == other.many and (self.optional or not other.optional)


BOOL = Type("bool")
INT = Type("int")
EMPTY = Type("", many=True)
NOTHING = Type("", optional=True)


def members(mask: int) -> list[int]:
    """The indexes in a set, ascending."""
    return [index for index in range(mask.bit_length()) if mask >> index & 1]
