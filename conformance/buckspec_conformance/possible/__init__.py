"""Hands in which a condition holds: found by a solver, or shown to be none."""
