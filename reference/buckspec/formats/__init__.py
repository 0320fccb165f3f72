"""The file formats: game logs read, checked against their schemas, and refused with a place and a reason.

`reader` is where to begin; `game_log` is what it gives. What a log may hold stands in `schemas/`, and the
types here are made from it.
"""
