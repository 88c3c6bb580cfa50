"""Positions."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from . import _native
from .answer import Answer, Explanation, Player
from .progress import Progress

if TYPE_CHECKING:
    from datetime import timedelta

    import numpy as np
    import numpy.typing as npt

    from .certificate import Certificate
    from .solver import Solver

__all__ = ["Position"]


def _a_text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{what} is a {type(value).__name__}; expected a str")
    return value


class Position:
    """Stones on a board, and the side to move. It never changes.

    The text is a size and moves (Black first), rows and the side to move, a HexWorld or trmph link, SGF, or a drawn
    board. Cells are named by column letter and row number, starting from the upper left.

    >>> Position("3x4 b2 c1")
    Position('2w1/1b2/4 b')
    >>> Position("2w1/1b2/4 b") == Position("https://hexworld.org/board/#4x3,b2c1")
    True
    >>> Position("(;GM[11]SZ[4:3];B[b2];W[c1])").to_move
    'black'
    >>> print(Position("3x4 b2 c1"))
           black
          a b c d
         1 . . W . 1
    white 2 . B . . 2 white
           3 . . . . 3
              a b c d
               black
    black to move
    """

    __slots__ = ("__weakref__", "_state")
    _state: _native.State

    def __init__(self, text: str) -> None:
        object.__setattr__(self, "_state", _native.State.parse(_a_text(text, "the position")))

    @classmethod
    def _of(cls, state: _native.State) -> Position:
        position = cls.__new__(cls)
        object.__setattr__(position, "_state", state)
        return position

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Position:
        """Reads a file with any of these texts: an SGF file with one game, for instance."""
        with open(path, encoding="utf-8", errors="replace") as file:
            return cls(file.read())

    @classmethod
    def from_array(cls, array: Any, to_move: Player) -> Position:
        """Sets up stones from an array, or rows in a list: 0 is empty, 1 is Black, -1 is White.

        >>> Position.from_array([[0, 1, 0], [-1, 0, 0]], to_move="black")
        Position('1b1/w2 b')
        """
        if to_move not in ("black", "white"):
            raise ValueError(f"to_move is {to_move!r}; expected 'black' or 'white'")
        try:
            rows = [list(row) for row in array]
        except TypeError:
            raise TypeError(f"a {type(array).__name__} is not an array of two dimensions") from None
        if not rows or any(len(row) != len(rows[0]) for row in rows):
            raise ValueError("the rows are not of one length; expected an array of two dimensions")
        stones = bytearray()
        for number, row in enumerate(rows):
            for column, value in enumerate(row):
                try:
                    stones.append((0, 1, -1).index(value))
                except ValueError:
                    place = f"row {number + 1}, column {column + 1}"
                    raise ValueError(
                        f"{place} has {value!r}; expected 0 (empty), 1 (black) or -1 (white)"
                    ) from None
        state = _native.State.from_stones(len(rows), len(rows[0]), bytes(stones), to_move == "white")
        return cls._of(state)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self._state.rows

    @property
    def cols(self) -> int:
        """The number of columns."""
        return self._state.cols

    @property
    def to_move(self) -> Player:
        """The player who moves next."""
        return self._state.to_move

    @property
    def cells(self) -> list[str]:
        """The names of all cells, row by row from the top.

        >>> Position("2x3").cells
        ['a1', 'b1', 'c1', 'a2', 'b2', 'c2']
        """
        return self._state.cells()

    @property
    def stones(self) -> int:
        """The number of stones.

        >>> Position("5x5 a1 d2").stones
        2
        """
        stones = self._state.stones()
        return len(stones) - stones.count(0)

    def moves(self) -> list[str]:
        """The cells that can be coloured: all empty ones, or none when somebody has connected.

        >>> Position("2x2 a1").moves()
        ['b1', 'a2', 'b2']
        """
        return self._state.moves()

    def winner(self) -> Player | None:
        """The player who has won, because the other one has connected. None while the game goes on.

        >>> Position("b1/b1 w").winner()
        'white'
        """
        return self._state.winner

    def play(self, moves: str) -> Position:
        """The position after a move, or after several with spaces between.

        >>> Position("5x5").play("a1").play("d2 c3")
        Position('b4/3w1/2b2/5/5 w')
        """
        return Position._of(self._state.play(_a_text(moves, "the move")))

    def array(self) -> npt.NDArray[np.int8]:
        """The stones: 0 is empty, 1 is Black, -1 is White. Needs numpy.

        >>> Position("2x2 a1 b1").array().tolist()
        [[1, -1], [0, 0]]
        """
        import numpy as np

        values = np.array([0, 1, -1], np.int8)
        stones = np.frombuffer(self._state.stones(), np.uint8)
        return values[stones].reshape(self.rows, self.cols)

    def to_ren(self) -> str:
        """Rows from the top and the side to move: the shortest text that says everything.

        >>> Position("4x4 d1").to_ren()
        '3b/4/4/4 w'
        """
        return self._state.ren()

    def to_sgf(self) -> str:
        """The position as SGF."""
        return self._state.sgf()

    def to_hexworld(self) -> str:
        """A link to HexWorld's board (Red is Black)."""
        return self._state.hexworld()

    def to_svg(self) -> str:
        """A picture."""
        return self._state.svg(self._state.ren())

    def solve(
        self,
        *,
        time: float | str | timedelta | None = None,
        nodes: int | None = None,
        threads: int | None = None,
        verdict_only: bool = False,
        progress: Progress = None,
        solver: Solver | None = None,
    ) -> Answer:
        """Who wins, and with which move.

        The limits are seconds (or a text such as "2m") and nodes; without them it searches until it knows. With
        `verdict_only` an argument by symmetry is enough, which names no move. It uses a solver that all calls share,
        unless you give it another one.

        >>> Position("5x5 a1 d2").solve().winner
        'black'
        >>> Position("8x8").solve(verdict_only=True).winner
        'black'
        """
        return _chosen(solver).solve(
            self, time=time, nodes=nodes, threads=threads, verdict_only=verdict_only, progress=progress
        )

    def values(
        self,
        *,
        replies: bool = False,
        time: float | str | timedelta | None = None,
        nodes: int | None = None,
        threads: int | None = None,
        progress: Progress = None,
        solver: Solver | None = None,
    ) -> Answer:
        """The value of every move. With `replies` it also counts the replies that refute each losing move.

        >>> Position("3x3").values().losing == Position("3x3").moves()
        True
        """
        return _chosen(solver).values(
            self, replies=replies, time=time, nodes=nodes, threads=threads, progress=progress
        )

    def explain(self) -> Explanation:
        """What follows without search: dead and captured cells, moves that need not be tried, pairings.

        >>> Position("4x4 c2 a1").explain().reason
        'join pairing'
        """
        return Explanation(self._state.explain())

    def prove(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        explicit: bool = False,
        time: float | str | timedelta | None = None,
        nodes: int | None = None,
        threads: int | None = None,
        progress: Progress = None,
        solver: Solver | None = None,
    ) -> Certificate:
        """Solves it, and makes a proof that anyone can check. The proof is checked, and written to `path` if given.

        With `explicit` it uses the fewest theorems, and names every move of the winner.

        >>> certificate = Position("4x4 d1").prove()
        >>> certificate.winner, certificate.explicit
        ('black', False)
        """
        return _chosen(solver).prove(
            self, path, explicit=explicit, time=time, nodes=nodes, threads=threads, progress=progress
        )

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a position never changes; play() returns another one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a position never changes; play() returns another one")

    def __eq__(self, other: object) -> bool:
        return self._state == other._state if isinstance(other, Position) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._state)

    def __repr__(self) -> str:
        return f"Position({self._state.ren()!r})"

    def __str__(self) -> str:
        return self._state.diagram().rstrip("\n")

    def __reduce__(self) -> tuple[type[Position], tuple[str]]:
        return Position, (self._state.ren(),)

    def _repr_svg_(self) -> str:
        return self.to_svg()


def _chosen(solver: Solver | None) -> Solver:
    from .solver import Solver, default_solver

    if solver is None:
        return default_solver()
    if not isinstance(solver, Solver):
        raise TypeError(f"the solver is a {type(solver).__name__}; expected a solrex.Solver")
    return solver
