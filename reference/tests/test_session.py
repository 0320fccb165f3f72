"""The worked session in the docstring of the package is what happens."""

import doctest

import buckspec


def test_the_session_that_the_package_tells_of_goes_as_it_says() -> None:
    outcome = doctest.testmod(buckspec, optionflags=doctest.FAIL_FAST)
    assert outcome.attempted > 8, "the docstring has lost its session"
    assert outcome.failed == 0
