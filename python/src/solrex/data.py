"""Solved positions as tables, for training and research. All of it needs numpy but :func:`random_positions`."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from . import _native
from .position import Position
from .progress import Progress

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from .solver import Solver

__all__ = ["Table", "random_positions", "solved_positions"]


def random_positions(
    size: str, count: int, *, stones: int | tuple[int, int] | None = None, seed: int = 0
) -> list[Position]:
    """Positions as random games reach them: Black and White in turn, each on a random empty cell.

    They have this many stones, or a number from this range (both ends included); by default any number up to half of
    the cells. No game is over in them. The same seed gives the same positions.

    >>> random_positions("3x3", 2, stones=3, seed=1)
    [Position('bb1/1w1/3 w'), Position('3/2b/1bw w')]
    """
    empty = Position(size)
    if empty.stones:
        raise ValueError(f"the size is {size!r}; expected rows x columns, such as '5x5'")
    if count < 0:
        raise ValueError(f"count is {count}; expected at least 0")
    cells = empty.rows * empty.cols
    fewest, most = (0, cells // 2) if stones is None else (stones, stones) if isinstance(stones, int) else stones
    if not 0 <= fewest <= most < cells:
        raise ValueError(f"stones are {fewest} to {most}; expected a range from 0 to {cells - 1}")
    draw = random.Random(seed)
    found: list[Position] = []
    rejected = 0
    while len(found) < count:
        number = draw.randint(fewest, most)
        places = draw.sample(range(cells), number)
        drawn = bytearray(cells)
        for turn, place in enumerate(places):
            drawn[place] = 1 + turn % 2
        state = _native.State.from_stones(empty.rows, empty.cols, bytes(drawn), number % 2 == 1)
        if state.winner is None:
            found.append(Position._of(state))
            rejected = 0
        elif (rejected := rejected + 1) > 100_000:
            raise ValueError(f"with {fewest} to {most} stones on {size}, nearly every game is over; expected fewer")
    return found


class Table(NamedTuple):
    """Solved positions, one per row of each array.

    >>> table = solved_positions("3x3", 4, stones=2, seed=1)
    >>> table.stones.shape, table.values.shape
    ((4, 3, 3), (4, 3, 3))
    >>> bool(((table.values == 1).any(axis=(1, 2)) == (table.winner == table.to_move)).all())
    True
    """

    stones: npt.NDArray[np.int8]
    """(position, row, column): 0 is empty, 1 is Black, -1 is White."""
    to_move: npt.NDArray[np.int8]
    """(position): 1 is Black, -1 is White."""
    winner: npt.NDArray[np.int8]
    """(position): 1 is Black, -1 is White, 0 if a limit stopped the search."""
    values: npt.NDArray[np.int8]
    """(position, row, column): 1 if the move wins, -1 if it loses, 0 if there is a stone or a limit stopped the search."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the arrays to a compressed .npz file, which numpy.load() reads."""
        import numpy as np

        np.savez_compressed(path, stones=self.stones, to_move=self.to_move, winner=self.winner, values=self.values)


def solved_positions(
    positions: str | Sequence[Position],
    count: int | None = None,
    *,
    stones: int | tuple[int, int] | None = None,
    seed: int = 0,
    threads: int | None = None,
    nodes: int | None = None,
    progress: Progress = None,
    solver: Solver | None = None,
) -> Table:
    """The perfect values of all moves of many positions, on all cores.

    Give positions of one board size; or a size and a count, then they are :func:`random_positions`.

    >>> table = solved_positions("4x4", 10, seed=1)
    >>> int((table.winner == 1).sum() + (table.winner == -1).sum())
    10
    """
    import numpy as np

    from .position import _chosen

    if isinstance(positions, str):
        if count is None:
            raise TypeError("a size comes with a count")
        positions = random_positions(positions, count, stones=stones, seed=seed)
    elif count is not None or stones is not None:
        raise TypeError("count and stones are for random positions; these are given")
    sizes = {(position.rows, position.cols) for position in positions}
    if len(sizes) != 1:
        raise ValueError(f"there are {len(sizes)} board sizes; expected positions of one")
    ((rows, cols),) = sizes
    answers = _chosen(solver).values_many(positions, threads=threads, nodes=nodes, progress=progress)
    colours = {"black": 1, "white": -1, None: 0}
    grids = b"".join(answer._native.grid() for answer in answers)
    placed = np.frombuffer(b"".join(position._state.stones() for position in positions), np.uint8)
    return Table(
        stones=np.array([0, 1, -1], np.int8)[placed].reshape(-1, rows, cols),
        to_move=np.array([colours[position.to_move] for position in positions], np.int8),
        winner=np.array([colours[answer.winner] for answer in answers], np.int8),
        values=np.frombuffer(grids, np.int8).reshape(-1, rows, cols).copy(),
    )
