"""Source that writes observations as a log does, for the compiled machine."""

from buckspec.compile import Emitter
from buckspec.rulebook import Observation
from buckspec.types import Type, members


def observation_source(emit: Emitter, observation: Observation) -> str:
    """An expression for the value of an observation: one value, a list by member of its domain, or one that grows."""
    if observation.at is not None:
        return f"[{_coded(emit, observation.type, 'seen')} for seen in o_{observation.name}]"
    if observation.domain is None:
        return _coded(emit, observation.type, emit.named(emit.expression(observation.value, {})))
    domain = emit.rules.book.domains[observation.domain]
    sources = [emit.expression(observation.value, {domain.parameter: str(index)}) for index in range(domain.size)]
    return f"[{', '.join(_coded(emit, observation.type, emit.named(source)) for source in sources)}]"


def _coded(emit: Emitter, kind: Type, source: str) -> str:
    """Source for the code of a value."""
    if kind.base == "bool":
        return f"bool({source})"
    domain = emit.rules.book.domains.get(kind.base)
    if domain is None:
        return source
    one = Type(kind.base)
    codes = tuple(emit.rules.code(one, index) for index in range(domain.size))
    if kind.many:
        name = emit.constant(
            ("codes of", domain.name), "LISTED", lambda: lambda mask: [codes[i] for i in members(mask)]
        )
        return f"{name}({source})"
    return f"{emit.constant(('code', domain.name), 'CODE', lambda: (*codes, None))}[{source}]"
