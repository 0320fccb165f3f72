"""The pytest plugin: the suite as tests, one item for each clause and each property.

    pytest --pyargs buckspec_conformance --buck-engine "node adapter.js"

Without `--buck-engine` it does nothing: it adds three options and two fixtures, loads nothing else of this package,
and keeps the tests that ship in it from being collected.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from buckspec_conformance.piped import Piped
    from buckspec_conformance.stream import Run

_TESTS = Path(__file__).with_name("test_conformance.py")
_ENGINE, _LEVEL, _SEED = "buck_engine", "buck_level", "buck_seed"
_LEVELS = ("smoke", "standard", "exhaustive")
_CLAUSE, _PROPERTY = "buck_clause", "buck_property"
_KNOWN = pytest.StashKey[tuple[tuple[str, ...], tuple[str, ...]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the suite."""
    group = parser.getgroup("buckspec", "conformance of a Buck Euchre engine")
    group.addoption("--buck-engine", metavar="COMMAND", help="what starts the engine, in one argument")
    group.addoption(
        "--buck-level", choices=_LEVELS, default="standard", help="how much is asked (default: %(default)s)"
    )
    group.addoption("--buck-seed", type=int, default=0, metavar="N", help="where random games begin (default: 0)")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the tests of the suite alone where no engine is named."""
    if collection_path == _TESTS and not config.getoption(_ENGINE):
        return True
    return None


def pytest_report_header(config: pytest.Config) -> str | None:
    """Whom is tested, if anybody."""
    command = config.getoption(_ENGINE)
    if not command:
        return None
    return f"buckspec: {command}, level {config.getoption(_LEVEL)}, seed {config.getoption(_SEED)}"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One item for each clause by which the engine is judged, and for each property that can be asked of it."""
    asks = (name for name in (_CLAUSE, _PROPERTY) if name in metafunc.fixturenames)
    for name in asks:
        config = metafunc.config
        if _KNOWN not in config.stash:
            config.stash[_KNOWN] = _asked_of(config)
        metafunc.parametrize(name, config.stash[_KNOWN][name == _PROPERTY])


def _asked_of(config: pytest.Config) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The clauses and the properties, by what the engine says of itself; none if it says nothing."""
    from contextlib import closing

    from buckspec_conformance.asking import Failure
    from buckspec_conformance.plan import Planner
    from buckspec_conformance.suite import AMOUNTS, shipped

    if not config.getoption(_ENGINE):
        return (), ()
    with closing(_engine(config)) as engine:
        hello = engine.start()
    planner = None if isinstance(hello, Failure) else Planner(hello)
    if planner is None or not planner.profiles:
        return (), ()
    rules = planner.rules(planner.profiles[0], {}, {})
    level = AMOUNTS[_option(config, _LEVEL)]
    properties = [one.id for one in shipped().properties(rules)] if level.tries else []
    return planner.in_force(), tuple(properties)


def _engine(config: pytest.Config) -> "Piped":
    from buckspec_conformance.piped import Piped

    return Piped(_command(config))


def _option(config: pytest.Config, name: str) -> Any:
    return config.getoption(name)


def _command(config: pytest.Config) -> tuple[str, ...]:
    import shlex

    return tuple(shlex.split(_option(config, _ENGINE)))


@pytest.fixture(scope="session")
def buck_engine(request: pytest.FixtureRequest) -> "Iterator[Piped]":
    """A way to the engine under test, which is started when it is first asked. Skips where no engine is named."""
    if not request.config.getoption(_ENGINE):
        pytest.skip("no --buck-engine is named")
    from contextlib import closing

    with closing(_engine(request.config)) as engine:
        yield engine


@pytest.fixture(scope="session")
def buck_run(request: pytest.FixtureRequest) -> "Run":
    """The whole run of the suite against the engine, made when it is first asked for. Skips where none is named."""
    config = request.config
    if not config.getoption(_ENGINE):
        pytest.skip("no --buck-engine is named")
    from buckspec_conformance.runner import Options, run
    from buckspec_conformance.stream import run_of

    options = Options(level=_option(config, _LEVEL), seed=_option(config, _SEED), command=_command(config))
    return run_of(run(lambda: _engine(config), options))
