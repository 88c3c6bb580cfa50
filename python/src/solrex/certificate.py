"""Certificates: proofs that anyone can check."""

from __future__ import annotations

import html
import json
import os
from typing import Any

from . import _native
from .answer import Player
from .position import Position
from .progress import Progress, reporting

__all__ = ["Certificate", "check"]


class Certificate:
    """What a proof says, and the proof itself.

    >>> certificate = Position("4x4 d1").prove()
    >>> certificate.position
    Position('3b/4/4/4 w')
    >>> check(certificate.data).winner
    'black'
    """

    __slots__ = ("_object", "data")
    data: bytes
    """The file: text, or a zstd frame of it."""

    def __init__(self, object: str, data: bytes) -> None:
        self._object: dict[str, Any] = json.loads(object)
        self.data = data

    @property
    def position(self) -> Position:
        """The position that it is about."""
        return Position(self._object["position"])

    @property
    def winner(self) -> Player:
        """Who wins it."""
        winner: Player = self._object["winner"]
        return winner

    @property
    def explicit(self) -> bool:
        """Whether it names every move of the winner, and uses the fewest theorems."""
        return bool(self._object["rules"] == "explicit")

    @property
    def claims(self) -> int:
        """How many claims it has."""
        return int(self._object["claims"])

    def to_dict(self) -> dict[str, Any]:
        """The JSON object that the program prints."""
        return self._object

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it to a file, whole or not at all."""
        part = f"{os.fspath(path)}.part"
        try:
            with open(part, "wb") as file:
                file.write(self.data)
            os.replace(part, path)
        except OSError:
            if os.path.exists(part):
                os.remove(part)
            raise

    def __repr__(self) -> str:
        return f"<Certificate {self._object['position']}: {self.winner} wins, {self.claims:,} claims>"

    def _repr_html_(self) -> str:
        rules = ", ".join(f"{rule} {count:,}" for rule, count in self._object["by_rule"].items())
        facts = [
            ("winner", self.winner),
            ("rules", self._object["rules"]),
            ("claims", f"{self.claims:,} ({rules})"),
            ("size", f"{len(self.data):,} bytes"),
            ("checked in", f"{self._object['check_seconds']:.3f} s"),
        ]
        cells = (f"<tr><th>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>" for name, value in facts)
        return f"{self.position.to_svg()}<table>{''.join(cells)}</table>"


def check(certificate: str | os.PathLike[str] | bytes, *, progress: Progress = None) -> Certificate:
    """Checks a certificate, given by its path or its bytes, and returns what it proves.

    Raises a :class:`ProofError` if it is not a proof. The checker knows the rules of the game, and shares nothing else
    with the solver.

    >>> check(Position("3x3").prove(explicit=True).data).explicit
    True
    """
    if isinstance(certificate, (bytes, bytearray, memoryview)):
        data = bytes(certificate)
    elif isinstance(certificate, (str, os.PathLike)):
        with open(certificate, "rb") as file:
            data = file.read()
    else:
        raise TypeError(f"a {type(certificate).__name__} is not a certificate; expected a path or bytes")
    with reporting(progress, "claims") as tell:
        return Certificate(_native.check(data, tell), data)
