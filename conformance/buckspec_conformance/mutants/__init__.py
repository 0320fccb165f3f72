"""How much the suite would notice: the rule book with one thing changed, held against the published vectors.

A change is refused by the loader, killed by a vector, or proven to change no game; whatever is left is open.
"""
