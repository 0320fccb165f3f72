"""Things put into places: the same answer as a look at every way, and what is put somewhere is where it may be."""

from collections.abc import Iterator
from itertools import product
from random import Random

from buckspec.matching import Clause, either, matched, opposite, solve, within

EVERY = 0b111
Puzzle = tuple[list[int], list[int], list[Clause]]


def puzzles(count: int) -> Iterator[Puzzle]:
    """Small puzzles: what is open to each thing, the room of each place, and clauses."""
    rnd = Random(1)  # noqa: S311
    for _ in range(count):
        things = rnd.randrange(1, 6)
        places = [rnd.randrange(3) for _ in range(things)]
        options = [rnd.randrange(1, EVERY + 1) for _ in range(things)]
        clauses = []
        for _ in range(rnd.randrange(4)):
            chosen = rnd.sample(range(things), rnd.randrange(1, min(3, things) + 1))
            clauses.append(tuple((thing, rnd.randrange(1, EVERY)) for thing in chosen))
        yield options, [places.count(place) for place in range(3)], clauses


def holds(clause: Clause, where: tuple[int, ...]) -> bool:
    return any(mask >> where[thing] & 1 for thing, mask in clause)


def ways(puzzle: Puzzle) -> list[tuple[int, ...]]:
    options, room, clauses = puzzle
    return [
        where
        for where in product(range(len(room)), repeat=len(options))
        if all(options[thing] >> place & 1 for thing, place in enumerate(where))
        and [where.count(place) for place in range(len(room))] == room
        and all(holds(clause, where) for clause in clauses)
    ]


def test_a_way_is_found_where_there_is_one() -> None:
    answers = {True: 0, False: 0}
    for puzzle in puzzles(800):
        found, every = solve(puzzle[2], puzzle[0], puzzle[1]), ways(puzzle)
        assert (tuple(found) in every) if found is not None else not every, puzzle
        answers[found is not None] += 1
    assert min(answers.values()) > 100


def test_without_conditions() -> None:
    for options, room, _ in puzzles(200):
        found, every = matched(options, room), ways((options, room, []))
        assert (tuple(found) in every) if found is not None else not every


def test_one_of_two_conditions_and_the_opposite() -> None:
    one, other = within(0, 0b001, EVERY), within(1, 0b010, EVERY)
    joined = either(one, other, EVERY)
    for where in product(range(3), repeat=2):
        is_so = where[0] == 0 or where[1] == 1
        assert all(holds(clause, where) for clause in joined) is is_so
        assert all(holds(clause, where) for clause in opposite(joined[0], EVERY)) is not is_so
    assert either(within(0, 0b011, EVERY), within(0, 0b100, EVERY), EVERY) == (), "somewhere it is"
