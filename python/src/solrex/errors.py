"""What can go wrong. Wrong arguments are TypeErrors and ValueErrors, and files that cannot be read OSErrors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .answer import Answer

__all__ = ["Interrupted", "PositionError", "ProofError", "Stopped"]


class PositionError(ValueError):
    """A text that is not a position, or not a move.

    >>> from solrex import Position
    >>> try:
    ...     Position("1b1w/3x/w2b/2b1 b")
    ... except PositionError as error:
    ...     print(error)
    ...     print(error.text[error.start:error.end])
    unknown letter 'x' in row 2; expected 'b', 'w', a number or '/'
      1b1w/3x/w2b/2b1 b
            ^
    x
    """

    text: str
    """The text that was read."""
    start: int
    """Where the bad part starts."""
    end: int
    """Where it ends. The same place if something is missing there."""

    def __init__(self, message: str, text: str, start: int, end: int) -> None:
        super().__init__(message, text, start, end)
        self.text, self.start, self.end = text, start, end

    def __str__(self) -> str:
        return str(self.args[0])


class ProofError(ValueError):
    """A file that is not a proof.

    >>> from solrex import check
    >>> try:
    ...     check(b"something else")
    ... except ProofError as error:
    ...     print(error.line)
    1
    """

    line: int
    """The first line that is wrong, counted from one."""
    reason: str
    """What is wrong with it."""

    def __init__(self, message: str, line: int, reason: str) -> None:
        super().__init__(message, line, reason)
        self.line, self.reason = line, reason

    def __str__(self) -> str:
        return str(self.args[0])


class _WithAnswer:
    """What is known when a search ends early."""

    answer: Answer | None
    """What was found out until then, if one position was asked about."""
    answers: list[Answer]
    """The same if many were: those that were finished."""

    def _know(self, known: Any) -> None:
        from .answer import Answer

        self.answers = [Answer(one) for one in known] if isinstance(known, list) else []
        self.answer = None if known is None or isinstance(known, list) else Answer(known)


class Stopped(_WithAnswer, RuntimeError):
    """A limit stopped the search before there was anything to return.

    A proof is whole or nothing, so :meth:`Position.prove` raises this. :meth:`Position.solve` and the others return an
    answer that says how far they came.

    >>> from solrex import Position
    >>> try:
    ...     Position("8x8 e4").prove(nodes=10)
    ... except Stopped as stopped:
    ...     print(stopped.answer.stopped)
    nodes
    """

    def __init__(self, message: str, known: Any = None) -> None:
        super().__init__(message)
        self._know(known)


class Interrupted(_WithAnswer, KeyboardInterrupt):
    """Ctrl-C stopped the search; `answer` is what it knew."""

    def __init__(self, message: str, known: Any = None) -> None:
        super().__init__(message)
        self._know(known)
