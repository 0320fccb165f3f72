"""Random hands, replayed: by the compiled rules of buckspec, and OpenSpiel's euchre driven from Python."""

from functools import partial
from operator import itemgetter
from random import Random
from typing import Any

from measure import alternated

from buckspec import load_profile
from buckspec.machine import Machine, Move, machine
from buckspec.state import State
from buckspec_conformance.random_hands import UNIFORM, game

HANDS = 20_000
SEED = 2026

Prepared = tuple[tuple[object, ...], int, list[Move]]
"""What a hand starts from (values and phase), and its moves."""


def ours(count: int = HANDS) -> tuple[Machine, list[Prepared]]:
    """Uniformly random legal hands by the profile `ohio`, and the machine that plays them."""
    rules = load_profile("ohio")
    compiled, rng = machine(rules), Random(SEED)
    drawn = (game(rng, rules, UNIFORM) for _ in range(count))
    return compiled, [
        (one.before.values, one.before.phase, [compiled.move(event) for event in one.hands[0]]) for one in drawn
    ]


def played(compiled: Machine, hands: list[Prepared]) -> None:
    """Replay hands one at a time, checking every event."""
    for values, phase, moves in hands:
        done, _, _ = compiled.run(values, phase, moves)
        if done < len(moves):
            raise AssertionError(f"a legal hand was refused at {moves[done]}")


def theirs(count: int = HANDS) -> tuple[Any, list[list[int]]]:
    """OpenSpiel's game, and uniformly random action lists of it, chance included."""
    import pyspiel

    peer, rng = pyspiel.load_game("euchre"), Random(SEED)
    recorded = []
    for _ in range(count):
        state, actions = peer.new_initial_state(), []
        while not state.is_terminal():
            actions.append(rng.choice(state.legal_actions()))
            state.apply_action(actions[-1])
        recorded.append(actions)
    return peer, recorded


def their_replay(peer: Any, recorded: list[list[int]]) -> None:
    for actions in recorded:
        state = peer.new_initial_state()
        for action in actions:
            state.apply_action_with_legality_check(action)


def compare() -> float:
    """Print hands per second of both, and give the ratio."""
    compiled, hands = ours()
    peer, recorded = theirs()
    spent = alternated(
        {"buckspec": lambda: played(compiled, hands), "OpenSpiel": lambda: their_replay(peer, recorded)},
    )
    events = {
        "buckspec": sum(len(moves) for _, _, moves in hands) / HANDS,
        "OpenSpiel": sum(map(len, recorded)) / HANDS,
    }
    for name, seconds in spent.items():
        each = seconds / HANDS / events[name] * 1e9
        print(f"{name:10} {HANDS / seconds:9,.0f} hands/s, {events[name]:.1f} events a hand, {each:,.0f} ns an event")
    ratio = spent["OpenSpiel"] / spent["buckspec"]
    print(f"per event  {ratio * events['buckspec'] / events['OpenSpiel']:9.2f} (OpenSpiel's time ÷ ours)")
    return ratio


def where() -> None:
    """Print where the time of a hand goes, by replaying beginnings of hands.

    For every move of a kind, a run up to and with it less a run up to it is what it costs, with everything that
    follows from it by itself. A run of no moves is what a call costs: the values taken apart and put together. The
    beginnings are shuffled, since a hand that was played just before goes quicker.
    """
    compiled, hands = ours(HANDS // 10)
    names = {number: name for name, number in compiled.numbers.items()}
    with_it: dict[str, list[Prepared]] = {}
    without: dict[str, list[Prepared]] = {}
    places = [(hand, place) for hand in hands for place in range(len(hand[2]))]
    Random(SEED).shuffle(places)
    for hand, place in places:
        values, phase, moves = hand
        kind = label(names, compiled, hand, place)
        with_it.setdefault(kind, []).append((values, phase, moves[: place + 1]))
        without.setdefault(kind, []).append((values, phase, moves[:place]))
    runs = {f"+{kind}": part for kind, part in with_it.items()} | {f"-{kind}": part for kind, part in without.items()}
    runs |= {"all": hands, "none": [(values, phase, []) for values, phase, _ in hands]}
    spent = alternated({name: partial(played, compiled, part) for name, part in runs.items()})
    costs = {kind: spent[f"+{kind}"] - spent[f"-{kind}"] for kind in with_it} | {"(the call)": spent["none"]}
    counts = {kind: len(part) for kind, part in with_it.items()} | {"(the call)": len(hands)}
    for kind, seconds in sorted(costs.items(), key=itemgetter(1), reverse=True):
        print(f"  {kind:28} {seconds / spent['all']:6.1%}  {seconds / counts[kind] * 1e9:6,.0f} ns each")
    print(f"  {'all of it':28} {sum(costs.values()) / spent['all']:6.1%}")


def label(names: dict[int, str], compiled: Machine, hand: Prepared, place: int) -> str:
    """The kind of a move, and of what follows from it by itself."""
    values, phase, moves = hand
    _, phase, after = compiled.run(values, phase, moves[: place + 1])
    name = names[moves[place][0]]
    slots = compiled.rules.slots
    lists = [slots[observation.name].offset for observation in compiled.rules.lists]
    _, _, before = compiled.run(values, hand[1], moves[:place])
    grown = any(len(after[offset]) > len(before[offset]) for offset in lists)  # type: ignore[arg-type]
    over = State(compiled.rules, after, phase).known("dealt") == 0  # type: ignore[arg-type]
    return f"{name} and what ends the hand" if over else f"{name} and the trick" if grown else name
