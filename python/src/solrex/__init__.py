"""Solves Reverse Hex exactly: who wins a position, with which moves, and why.

Reverse Hex (Rex) is played on a Hex board. Black owns the top and bottom sides, White the left and right sides. The
players take turns colouring one empty cell, and whoever connects their own two sides loses.

>>> import solrex
>>> position = solrex.Position("4x4 d1 a1")
>>> position.solve().winner
'black'
>>> position.values().winning
['c1', 'a2']

Start with :class:`Position`. A :class:`Solver` of your own has its memory, threads and store as you like them.
"""

from __future__ import annotations

from ._processor import require_processor

require_processor()

from ._native import VERSION as __version__  # noqa: E402
from .answer import Answer, Explanation, Player, Value  # noqa: E402
from .certificate import Certificate, check  # noqa: E402
from .data import Table, random_positions, solved_positions  # noqa: E402
from .errors import Interrupted, PositionError, ProofError, Stopped  # noqa: E402
from .position import Position  # noqa: E402
from .solver import Choice, Solver, solve_many, values_many  # noqa: E402

__all__ = [
    "Answer",
    "Certificate",
    "Choice",
    "Explanation",
    "Interrupted",
    "Player",
    "Position",
    "PositionError",
    "ProofError",
    "Solver",
    "Stopped",
    "Table",
    "Value",
    "__version__",
    "check",
    "random_positions",
    "solve_many",
    "solved_positions",
    "values_many",
]
