"""The suite measured: every small change of the rules, and whether the vectors notice it.

A change that no vector notices has to be one that nothing could: the solver proves that in every state that play can
lead to the changed rules say the same.
"""
