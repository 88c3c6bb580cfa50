"""Solvers."""

from __future__ import annotations

import os
import warnings
import weakref
from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING, Literal, NamedTuple

from . import _native
from .answer import Answer, Player
from .position import Position
from .progress import Progress, reporting

if TYPE_CHECKING:
    from .certificate import Certificate

__all__ = ["Choice", "Solver", "default_solver", "solve_many", "values_many"]

_MOST_THREADS = 1024


class Choice(NamedTuple):
    """A move of the perfect player."""

    move: str
    """The move."""
    winner: Player | None
    """Who wins after it, if that was found out in time."""
    replies: int | None
    """In a lost position, how many of the opponent's replies win."""


class Solver:
    """A solver that keeps what it found from call to call.

    `memory` is bytes, or a text such as "1G"; by default a quarter of the machine's, at most 4 GiB. `threads` are all
    cores by default. `store` is a file of solved positions, made if it is missing: what is in it need not be searched
    again. Without the `book`, openings are searched too. Proofs have a table of their own, of the same size.

    >>> with Solver(memory="64M", threads=1) as solver:
    ...     solver.solve(Position("4x4 d1")).winner
    'black'

    Threads may share a solver. After a fork the child goes on with an empty one.
    """

    def __init__(
        self,
        *,
        memory: int | str | None = None,
        threads: int | None = None,
        store: str | os.PathLike[str] | None = None,
        book: bool = True,
    ) -> None:
        if isinstance(memory, str):
            memory = _native.read_bytes(memory)
        _whole(memory, "memory", 0)
        _threads(threads)
        if store is not None and not isinstance(store, (str, os.PathLike)):
            raise TypeError(f"the store is a {type(store).__name__}; expected a path")
        self._engine = _native.Engine(memory, threads, store, bool(book))
        # What is to be stored is written even if nobody closes the solver.
        self._finalizer = weakref.finalize(self, self._engine.close)

    @property
    def memory(self) -> int:
        """The bytes it may use for its tables."""
        return self._engine.memory

    @property
    def threads(self) -> int:
        """The most threads it searches with."""
        return self._engine.threads

    def close(self) -> None:
        """Frees the memory, and writes what is to be stored. The solver cannot be used after that."""
        self._finalizer()
        _warn()

    def __enter__(self) -> Solver:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Solver, {self.threads} threads, {self.memory >> 20} MiB>"

    def solve(
        self,
        position: Position,
        *,
        time: float | str | timedelta | None = None,
        nodes: int | None = None,
        threads: int | None = None,
        verdict_only: bool = False,
        progress: Progress = None,
    ) -> Answer:
        """Who wins, and with which move; see :meth:`Position.solve`."""
        question: Literal["verdict", "solve"] = "verdict" if verdict_only else "solve"
        limits = _limits(time, nodes, threads)
        with reporting(progress, "nodes") as tell:
            return self._said(self._engine.ask(question, _state(position), *limits, tell))

    def values(
        self,
        position: Position,
        *,
        replies: bool = False,
        time: float | str | timedelta | None = None,
        nodes: int | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Answer:
        """The value of every move; see :meth:`Position.values`."""
        question: Literal["replies", "values"] = "replies" if replies else "values"
        limits = _limits(time, nodes, threads)
        state = _state(position)
        with reporting(progress, "moves", state.rows * state.cols - position.stones) as tell:
            return self._said(self._engine.ask(question, state, *limits, tell))

    def prove(
        self,
        position: Position,
        path: str | os.PathLike[str] | None = None,
        *,
        explicit: bool = False,
        time: float | str | timedelta | None = None,
        nodes: int | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Certificate:
        """Makes a proof that anyone can check; see :meth:`Position.prove`."""
        from .certificate import Certificate

        compressed = path is not None and os.fspath(path).endswith(".zst")
        limits = _limits(time, nodes, threads)
        with reporting(progress, "claims") as tell:
            data, object = self._engine.prove(_state(position), bool(explicit), compressed, *limits, tell)
        certificate = Certificate(object, data)
        if path is not None:
            certificate.save(path)
        return certificate

    def choose(
        self,
        position: Position,
        level: str = "perfect",
        *,
        seed: int = 0,
        time: float | str | timedelta | None = None,
        nodes: int | None = None,
    ) -> Choice:
        """The move of a player of this level: "novice", "casual", "skilled", "expert" or "perfect". The perfect player wins
        if she can, and otherwise leaves the fewest replies that win. What the others leave to chance follows from `seed`.

        >>> Solver(memory="16M").choose(Position("3x3"))
        Choice(move='a1', winner='white', replies=7)
        """
        seconds, nodes, _ = _limits(time, nodes, None)
        chosen = self._engine.choose(_state(position), level, seed, seconds, nodes)
        _warn()
        if chosen is None:
            raise ValueError(f"the game is over in {position.to_ren()}; expected a position with a move")
        return Choice(*chosen)

    def solve_many(
        self,
        positions: Iterable[Position],
        *,
        time: float | str | timedelta | None = None,
        nodes: int | None = None,
        threads: int | None = None,
        verdict_only: bool = False,
        progress: Progress = None,
    ) -> list[Answer]:
        """Solves many positions, each on one thread. The limits are for each of them."""
        return self._many("verdict" if verdict_only else "solve", positions, time, nodes, threads, progress)

    def values_many(
        self,
        positions: Iterable[Position],
        *,
        replies: bool = False,
        time: float | str | timedelta | None = None,
        nodes: int | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> list[Answer]:
        """The values of all moves of many positions, each on one thread. The limits are for each of them."""
        return self._many("replies" if replies else "values", positions, time, nodes, threads, progress)

    def _many(
        self,
        question: Literal["solve", "verdict", "values", "replies"],
        positions: Iterable[Position],
        time: float | str | timedelta | None,
        nodes: int | None,
        threads: int | None,
        progress: Progress,
    ) -> list[Answer]:
        limits = _limits(time, nodes, threads)
        states = [_state(position) for position in positions]
        with reporting(progress, "positions", len(states)) as tell:
            answers = self._engine.ask_many(question, states, *limits, tell)
        _warn()
        return [Answer(answer) for answer in answers]

    def _said(self, answer: _native.Answer) -> Answer:
        _warn()
        return Answer(answer)


_default: Solver | None = None


def default_solver() -> Solver:
    """The solver of all calls that name none. It has no store."""
    global _default
    if _default is None:
        _default = Solver()
    return _default


def solve_many(
    positions: Iterable[Position],
    *,
    time: float | str | timedelta | None = None,
    nodes: int | None = None,
    threads: int | None = None,
    verdict_only: bool = False,
    progress: Progress = None,
) -> list[Answer]:
    """Solves many positions on all cores. The limits are for each of them.

    >>> [answer.winner for answer in solve_many([Position("4x4 c2"), Position("4x4 d1")])]
    ['white', 'black']
    """
    return default_solver().solve_many(
        positions, time=time, nodes=nodes, threads=threads, verdict_only=verdict_only, progress=progress
    )


def values_many(
    positions: Iterable[Position],
    *,
    replies: bool = False,
    time: float | str | timedelta | None = None,
    nodes: int | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> list[Answer]:
    """The values of all moves of many positions, on all cores. The limits are for each of them.

    >>> [len(answer.winning) for answer in values_many([Position("2x2"), Position("4x4")])]
    [2, 14]
    """
    return default_solver().values_many(
        positions, replies=replies, time=time, nodes=nodes, threads=threads, progress=progress
    )


def _state(position: Position) -> _native.State:
    if not isinstance(position, Position):
        hint = "; solrex.Position(text) makes one" if isinstance(position, str) else ""
        raise TypeError(f"a {type(position).__name__} is not a position{hint}")
    return position._state


def _limits(
    time: float | str | timedelta | None, nodes: int | None, threads: int | None
) -> tuple[float | None, int | None, int | None]:
    """The limits in the units of the native module."""
    _whole(nodes, "nodes", 0)
    _threads(threads)
    if time is None:
        return None, nodes, threads
    if isinstance(time, str):
        return _native.read_seconds(time), nodes, threads
    if isinstance(time, timedelta):
        time = time.total_seconds()
    if isinstance(time, bool) or not hasattr(time, "__float__"):
        raise TypeError(f"the time is a {type(time).__name__}; expected seconds, or a text such as '2m'")
    seconds = float(time)
    if not seconds >= 0:
        raise ValueError(f"the time is {time}; expected seconds, at least 0")
    return seconds, nodes, threads


def _whole(value: int | None, what: str, least: int, most: int = 2**64 - 1) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{what} is a {type(value).__name__}; expected a whole number")
    if not least <= value <= most:
        raise ValueError(f"{what} is {value}; expected {least} to {most}")


def _threads(threads: int | None) -> None:
    _whole(threads, "threads", 1, _MOST_THREADS)


def _warn() -> None:
    """Shows what the threads that write stores have to say."""
    for notice in _native.notices():
        warnings.warn(notice, RuntimeWarning, stacklevel=3)
