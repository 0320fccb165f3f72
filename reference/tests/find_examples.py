"""Finds and writes the examples of spec/examples, from a fixed seed: hands played with some sense, with all claims.

    python reference/tests/find_examples.py

The worked examples of the sources (000, 04 and 08) are found by playing until a hand contains them.
"""

import json
import random
from pathlib import Path
from typing import Any

from find_readings import shown

from buckspec.interpret import start
from buckspec.load import load_profile
from buckspec.observe import observed
from buckspec.play import legal
from buckspec.replay import is_between_hands, quick
from buckspec.rules import Rules
from buckspec.state import Event, State
from buckspec.words import to_log, words_of

EXAMPLES = Path(__file__).parents[2] / "spec" / "examples"
CONTRACT = Path(__file__).with_name("cases") / "contract"
SEED = 1948
MOST_HANDS = 8  # in the whole game, that it can be read
PLAYERS = ["Ana", "Bo", "Cy", "Di"]
HAND_CLAIMS = ("maker", "trump", "contract", "active", "trick_winners", "tricks", "points", "totals")
GAME_CLAIMS = ("totals", "winners", "ended")
Log = dict[str, Any]


def main() -> None:
    left_bower_wins()
    maker_set()
    left_bower_follows()
    whole_game()
    for name, source in (("revoke", "log-revoke"), ("wrong-claim", "log-wrong-claim")):
        log = json.loads((CONTRACT / f"{source}.json").read_text())
        write(name, {**log, "id": name})


# ---------------------------------------------------------------------- the examples


def left_bower_wins() -> None:
    """Source 000, 08: hearts are trumps, all stayed; of king, left bower, ace and ten the second takes the trick."""
    trick = ["KH", "JD", "AH", "TH"]

    def wanted(hand: Log) -> bool:
        plays = [event["card"] for event in hand["events"] if event["do"] == "play"]
        claims = hand["claims"]
        all_stayed = claims["trump"] == "H" and claims["active"] == [True] * 4
        return plays[:4] == trick and all_stayed and claims["contract"] == "named"

    rules = load_profile("ohio")
    chance = random.Random(f"{SEED} left bower wins")  # noqa: S311
    while True:
        pack = dealt_with(rules, chance, 3, {0: trick[:1], 1: trick[1:2], 2: trick[2:3], 3: trick[3:]})
        log = game(rules, chance, 3, [pack], "left-bower-wins", lead=trick)
        if wanted(log["hands"][0]):
            return write("left-bower-wins", log)


def maker_set() -> None:
    """Source 000, 08: the maker takes two tricks and is set; the others take two, one and none."""
    rules = load_profile("ohio")
    chance = random.Random(f"{SEED} maker set")  # noqa: S311
    while True:
        log = game(rules, chance, 3, [shuffled(rules, chance)], "maker-set")
        claims = log["hands"][0]["claims"]
        if claims["maker"] == 0 and claims["tricks"] == [2, 2, 1, 0] and all(claims["active"]):
            return write("maker-set", log)


def left_bower_follows() -> None:
    """Source 000, 04: with hearts as trumps the jack of diamonds follows hearts and does not follow diamonds.

    One seat is asked for both, in this order: diamonds while it holds another diamond, then hearts when that jack is
    its only heart. The twins break one rule each.
    """
    rules = load_profile("ohio")
    chance = random.Random(f"{SEED} left bower follows")  # noqa: S311
    while True:
        log = game(rules, chance, 3, [shuffled(rules, chance)], "left-bower-follows")
        hand = log["hands"][0]
        if hand["claims"]["trump"] != "H":
            continue
        places = both_asked(rules, log)
        if places is None:
            continue
        write("left-bower-follows", log)
        on_diamonds, on_hearts, other = places
        twin("left-bower-on-diamonds", log, on_diamonds, "JD")
        twin("left-bower-kept-back", log, on_hearts, other)
        return


def both_asked(rules: Rules, log: Log) -> tuple[int, int, str] | None:
    """The two events, and a card that the seat could wrongly play at the second."""
    state, cards = opened(rules, log), words_of(rules).cards
    asked: dict[str, int] = {}
    other = None
    for place, event in enumerate(log["hands"][0]["events"]):
        if event["do"] == "play" and state.value("led") != -1:
            held = {code for code, card in cards.items() if state.known("hand", event["seat"]) >> card & 1}
            led = rules.code(rules.definitions["led"].type, state.known("led"))
            hearts = {card for card in held if card[1] == "H"}
            diamonds = {card for card in held if card[1] == "D"} - {"JD"}
            if "JD" in held and led == "D" and diamonds and event["card"] in diamonds:
                asked.setdefault("D", place)
            if "JD" in held and led == "H" and not hearts and len(held) > 1 and "D" in asked:
                asked["H"], other = place, min(held - {"JD"})
        state = played(rules, state, event)
    if set(asked) != {"D", "H"} or other is None:
        return None
    return asked["D"], asked["H"], other


def twin(name: str, log: Log, place: int, card: str) -> None:
    """The same log up to a place, where another card is played."""
    hand = log["hands"][0]
    events = [dict(event) for event in hand["events"][: place + 1]]
    events[place]["card"] = card
    bare = {key: value for key, value in hand.items() if key not in ("claims", "events")}
    rest = {key: value for key, value in log.items() if key not in ("claims", "hands")}
    write(name, {**rest, "id": name, "hands": [{**bare, "events": events}]})


def whole_game() -> None:
    """A short game with some of everything, won at zero by one player."""
    rules = load_profile("ohio-15")
    chance = random.Random(f"{SEED} whole game")  # noqa: S311
    while True:
        log = game(rules, chance, 2, [shuffled(rules, chance) for _ in range(MOST_HANDS)], "whole-game")
        contracts = {hand["claims"]["contract"] for hand in log["hands"]}
        dropped = any(not all(hand["claims"]["active"]) for hand in log["hands"])
        if (
            log["claims"]["ended"] == "zero"
            and {"ordered", "named", "automatic", "no-trump"} <= contracts
            and dropped
            and len(log["claims"]["winners"]) == 1
            and any(5 in hand["claims"]["points"] for hand in log["hands"])
        ):
            return write("whole-game", log)


# ---------------------------------------------------------------------- playing


def shuffled(rules: Rules, chance: random.Random) -> list[str]:
    pack = list(words_of(rules).codes)
    chance.shuffle(pack)
    return pack


def dealt_with(rules: Rules, chance: random.Random, dealer: int, held: dict[int, list[str]]) -> list[str]:
    """A pack that gives each seat these cards, among others, in batches of three and two."""
    while True:
        pack = shuffled(rules, chance)
        seats = [(dealer + 1 + turn) % 4 for turn in range(4)]
        hands = {
            seat: pack[3 * turn : 3 * turn + 3] + pack[12 + 2 * turn : 14 + 2 * turn] for turn, seat in enumerate(seats)
        }
        if all(set(cards) <= set(hands[seat]) for seat, cards in held.items()):
            return pack


def opened(rules: Rules, log: Log) -> State:
    hand = log["hands"][0]
    cards = words_of(rules).cards
    state = start(rules, {"next_dealer": hand["dealer"]})
    return quick(state, [Event("deal", None, tuple(cards[card] for card in hand["deck"]))])[0]


def played(rules: Rules, state: State, event: Log) -> State:
    known = words_of(rules).events[event["seat"], event["do"], event.get("card"), event.get("suit")]
    return quick(state, [known])[0]


def game(
    rules: Rules, chance: random.Random, dealer: int, packs: list[list[str]], name: str, lead: list[str] | None = None
) -> Log:
    """A game with these packs, until it is won or they are used up; `lead` is played to the first trick if possible."""
    state = start(rules, {"next_dealer": dealer})
    cards = words_of(rules).cards
    hands = []
    for number, pack in enumerate(packs):
        state, done = quick(state, [Event("deal", None, tuple(cards[card] for card in pack))])
        if not done:
            break
        first: Log = {"dealer": dealer} if number == 0 else {}
        events: list[Log] = []
        while not is_between_hands(state):
            event = choice(rules, state, chance, lead or [])
            events.append(to_log(rules, event))
            state, _ = quick(state, [event])
        hands.append(
            {**first, "deck": pack, "events": events, "claims": {key: observed(state, key) for key in HAND_CLAIMS}}
        )
    return {
        "format": "buckspec-log/1", "profile": rules.name, "spec": "1.0.0", "id": name, "players": PLAYERS,
        "hands": hands, "claims": {key: observed(state, key) for key in GAME_CLAIMS},
    }  # fmt: skip


def choice(rules: Rules, state: State, chance: random.Random, lead: list[str]) -> Event:
    """What a player of some sense would do, now and then something else."""
    events = legal(state)
    codes = words_of(rules).codes
    for event in events:
        if event.id == "play" and codes[event.about[0]] in lead and not observed_tricks(state):
            return event
    by_word: dict[str, list[Event]] = {}
    for event in events:
        by_word.setdefault(event.id, []).append(event)
    hand = [codes[card] for card in range(len(codes)) if state.known("hand", events[0].seat) >> card & 1]
    enough = chance.choice([3, 3, 4])
    match set(by_word):
        case words if "order" in words:
            turned = codes[state.known("upcard")][1]
            return by_word["order" if strength(hand, turned) >= enough else "pass"][0]
        case words if "name" in words:
            best = max(by_word["name"], key=lambda event: strength(hand, suit(rules, event)))
            return best if strength(hand, suit(rules, best)) >= enough else by_word["pass"][0]
        case words if "stay" in words:
            trump = rules.code(rules.definitions["trump"].type, state.known("trump"))
            good = strength(hand, str(trump)) > 0 or any(card[0] == "A" for card in hand)
            return by_word["stay" if good and chance.random() < 0.9 else "drop"][0]
    lowest = max(events, key=lambda event: worth(rules, state, event.about[0]))
    if events[0].id == "discard":
        return lowest
    if state.value("led") == -1:
        return min(events, key=lambda event: worth(rules, state, event.about[0]))
    winning = [event for event in events if takes(state, event)]
    return max(winning, key=lambda event: worth(rules, state, event.about[0])) if winning else lowest


def observed_tricks(state: State) -> int:
    return sum(state.known("tricks", seat) for seat in range(4))


def suit(rules: Rules, event: Event) -> str:
    return str(to_log(rules, event)["suit"])


def strength(hand: list[str], trump: str) -> int:
    """How many trumps, and one more for each ace beside them."""
    pairs = {"C": "S", "S": "C", "H": "D", "D": "H"}
    trumps = [card for card in hand if card[1] == trump or card == "J" + pairs[trump]]
    return len(trumps) + (1 if trumps and any(card[0] == "A" and card not in trumps for card in hand) else 0)


def worth(rules: Rules, state: State, card: int) -> tuple[bool, int, int]:
    """How low a card is: trumps before others, then by its place in its suit."""
    return state.known("suit_of", card) != state.value("trump"), state.known("place", card), card


def takes(state: State, event: Event) -> bool:
    """The seat would have the best card on the table."""
    card = event.about[0]
    suits, trump = state.known("suit_of", card), state.value("trump")
    for seat in range(4):
        other = state.known("table", seat)
        if other == -1:
            continue
        mine = (suits == trump, suits == state.value("led"), -state.known("place", card))
        theirs_suit = state.known("suit_of", other)
        if (theirs_suit == trump, theirs_suit == state.value("led"), -state.known("place", other)) > mine:
            return False
    return True


def write(name: str, log: Log) -> None:
    (EXAMPLES / f"{name}.json").write_text(shown(log) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
