"""What the vectors show of the conditions of the rules, by masking MC/DC.

`decisions` says what is counted, `measure` counts it, `infeasible` proves what cannot be, `reasons` says why, and
`table` joins them.
"""
