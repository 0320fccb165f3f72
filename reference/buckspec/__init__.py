"""The rules of Buck Euchre as data, and an interpreter derived from them.

A hand begins with a profile, a first dealer and a pack:

>>> from buckspec import apply, deal, legal, load_profile, start, to_log, from_log, view
>>> rules = load_profile("ohio", parameters={"start_total": 15})
>>> before = start(rules, {"next_dealer": 3})
>>> pack = "9C KC TC 9H JS JH AS JD QS 9S AH QD QC TH QH AC TS AD TD 9D KH KS JC KD".split()
>>> state = deal(before, pack)

The up-card is the king of hearts, and the player left of the dealer speaks first:

>>> [to_log(rules, event) for event in legal(state)]
[{'seat': 0, 'do': 'pass'}, {'seat': 0, 'do': 'order'}]
>>> state = apply(state, from_log(rules, {"seat": 0, "do": "order"}))
>>> rules.code(rules.definitions["trump"].type, state.known("trump"))
'H'

An event that is not legal gives every clause that it breaks, and the state stays as it was:

>>> refused = apply(state, from_log(rules, {"seat": 1, "do": "play", "card": "JS"}))
>>> [violation.clause.id for violation in refused.violations]
['flow.discard']
>>> refused.violations[0].clause.says
'The dealer, with six cards in hand, discards one.'

What one seat may see hides the hands of the others:

>>> sorted(name for name in view(state, 2) if name.startswith("hand"))
['hand(2)']

`replay` judges whole game logs; `buckspec.missing.judge`, as the command `buckspec replay` does, also those in which
cards are missing.
"""

from buckspec.interpret import start, to_act, view
from buckspec.load import load_profile
from buckspec.play import apply, deal, legal
from buckspec.problem import Problem, SpecError
from buckspec.replay import replay, rules_for
from buckspec.rules import Rules
from buckspec.state import Event, Refused, State, Violation
from buckspec.verdict import Source, Verdict
from buckspec.words import from_log, to_log

__all__ = [
    "Event",
    "Problem",
    "Refused",
    "Rules",
    "Source",
    "SpecError",
    "State",
    "Verdict",
    "Violation",
    "apply",
    "deal",
    "from_log",
    "legal",
    "load_profile",
    "replay",
    "rules_for",
    "start",
    "to_act",
    "to_log",
    "view",
]
