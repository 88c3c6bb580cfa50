"""What the solver says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal

from . import _native

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from .position import Position

__all__ = ["Answer", "Explanation", "Player", "Value"]

Player = Literal["black", "white"]
"""A player, by colour."""
Value = Literal["win", "loss", "unknown"]
"""What a move is worth to the player who makes it."""


class Answer:
    """Who wins a position, and by which moves. In a notebook it shows itself as a board.

    >>> from solrex import Position
    >>> answer = Position("4x4 d1 a1").values()
    >>> answer.winner, answer.winning
    ('black', ['c1', 'a2'])
    >>> answer.moves["b1"], answer.refutations["b1"]
    ('loss', 'c1')
    >>> answer
    <Answer w2b/4/4/4 b: black wins with c1>
    """

    __slots__ = ("_native",)

    def __init__(self, native: _native.Answer) -> None:
        self._native = native

    @property
    def position(self) -> Position:
        """The position."""
        from .position import Position

        return Position._of(self._native.state)

    @property
    def winner(self) -> Player | None:
        """The player who wins. None if a limit stopped the search."""
        return self._native.winner

    @property
    def wins(self) -> bool | None:
        """Whether the side to move wins. None if that is not known.

        >>> from solrex import Position
        >>> Position("4x4 d1").solve().wins
        False
        """
        winner = self._native.winner
        return None if winner is None else winner == self._native.state.to_move

    @property
    def best(self) -> str | None:
        """The winner's move. If the side to move loses, the move that is hardest to refute.

        None if the game is over, or if only the winner was asked for.
        """
        return self._native.best

    @property
    def line(self) -> list[str]:
        """How the game continues, up to where theory decides it."""
        return self._native.pv

    @property
    def moves(self) -> dict[str, Value]:
        """The value of every empty cell, if :meth:`Position.values` found them."""
        return self._native.values()

    @property
    def winning(self) -> list[str]:
        """The moves that win, if :meth:`Position.values` found them."""
        return [move for move, value in self.moves.items() if value == "win"]

    @property
    def losing(self) -> list[str]:
        """The moves that lose, if :meth:`Position.values` found them."""
        return [move for move, value in self.moves.items() if value == "loss"]

    @property
    def refutations(self) -> dict[str, str]:
        """For each losing move, a reply that wins. A move that connects the mover's own sides needs none."""
        return self._native.refutations()

    @property
    def replies(self) -> dict[str, int]:
        """For each losing move, how many replies win, if they were counted.

        >>> from solrex import Position
        >>> Position("3x3").values(replies=True).replies["a1"]
        7
        """
        return self._native.replies()

    @property
    def nodes(self) -> int:
        """The positions that the search visited."""
        return self._native.nodes

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self._native.seconds

    @property
    def book(self) -> bool:
        """Whether the winner is known from the book of openings."""
        return self._native.book

    @property
    def stopped(self) -> Literal["time", "nodes", "interrupt"] | None:
        """Which limit stopped the search, if one did.

        >>> from solrex import Position
        >>> answer = Position("8x8 e4").solve(nodes=100)
        >>> answer.winner, answer.stopped
        (None, 'nodes')
        """
        return self._native.stopped

    def array(self) -> npt.NDArray[np.int8]:
        """The values of all moves: 1 wins, -1 loses, 0 is a stone or not known. Needs numpy.

        >>> from solrex import Position
        >>> Position("2x2").values().array().tolist()
        [[1, -1], [-1, 1]]
        """
        import numpy as np

        state = self._native.state
        values = np.frombuffer(self._native.grid(), np.int8)
        grid: npt.NDArray[np.int8] = values.reshape(state.rows, state.cols).copy()
        return grid

    def to_dict(self) -> dict[str, Any]:
        """The JSON object that the program prints.

        >>> from solrex import Position
        >>> Position("4x4 c2").solve().to_dict()["winner"]
        'white'
        """
        found: dict[str, Any] = json.loads(self._native.json())
        return found

    def to_svg(self) -> str:
        """A picture: moves that win are green, moves that lose red, and the best move has a ring."""
        return self._native.svg()

    def __str__(self) -> str:
        """What the program prints.

        >>> from solrex import Position
        >>> print(Position("b1/b1 w").solve())
              black
               a b
        white 1 B . 1 white
               2 B . 2
                  a b
                 black
        white to move
        <BLANKLINE>
        White wins: Black has connected her two sides.
        """
        return self._native.text().rstrip("\n")

    def __repr__(self) -> str:
        state, winner, best = self._native.state, self._native.winner, self._native.best
        if winner is None:
            return f"<Answer {state.ren()}: not solved>"
        if winner == state.to_move and best is not None:
            return f"<Answer {state.ren()}: {winner} wins with {best}>"
        return f"<Answer {state.ren()}: {winner} wins>"

    def _repr_svg_(self) -> str:
        return self.to_svg()


class Explanation:
    """What follows about a position without search. In a notebook it shows itself as a board.

    >>> from solrex import Position
    >>> explanation = Position("1b1w/3w/w2b/2b1 b").explain()
    >>> explanation.winner, explanation.reason
    ('black', 'pre-join pairing')
    >>> explanation.dead
    ['a1', 'a2', 'd4']
    """

    __slots__ = ("_object", "_svg", "_text")

    def __init__(self, native: tuple[str, str, str]) -> None:
        text, self._text, self._svg = native
        self._object: dict[str, Any] = json.loads(text)

    @property
    def winner(self) -> Player | None:
        """Who wins, if theory alone decides that."""
        winner: Player | None = self._object["winner"]
        return winner

    @property
    def reason(self) -> str | None:
        """Why: joined, fill-in, symmetry, join pairing, or pre-join pairing."""
        reason: str | None = self._object["reason"]
        return reason

    @property
    def dead(self) -> list[str]:
        """The empty cells whose colour cannot matter."""
        dead: list[str] = self._object["dead"]
        return dead

    @property
    def captured(self) -> dict[Player, list[str]]:
        """The cells that can be filled for a player."""
        captured: dict[Player, list[str]] = self._object["captured"]
        return captured

    @property
    def dominated(self) -> dict[str, str]:
        """For each move that need not be tried, one that is at least as good."""
        return {found["cell"]: found["better"] for found in self._object["dominated"]}

    @property
    def pairings(self) -> list[dict[str, Any]]:
        """Pairings that make a player lose, each with its loser, its pairs and its key.

        If cells are paired with their mirror images, ``mirrored`` lists the cells of that part of the board.

        >>> from solrex import Position
        >>> Position("1b1w/3w/w2b/2b1 b").explain().pairings
        [{'loser': 'white', 'pairs': [['b2', 'b3']], 'key': 'c2'}]
        """
        pairings: list[dict[str, Any]] = self._object["pairings"]
        return pairings

    def to_dict(self) -> dict[str, Any]:
        """The JSON object that the program prints, with all of it."""
        return self._object

    def to_svg(self) -> str:
        """A picture with dead and captured cells, inferior moves and pairings, and a legend."""
        return self._svg

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        verdict = "not decided" if self.winner is None else f"{self.winner} wins, {self.reason}"
        return f"<Explanation {self._object['position']}: {verdict}>"

    def _repr_svg_(self) -> str:
        return self._svg
