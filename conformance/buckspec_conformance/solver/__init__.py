"""The rules for a solver: the same text, translated to Z3.

Nothing here knows a card or a score; all of it comes from the rule book. `symbolic` has the cases of `evaluate`, in the
same order.
"""
