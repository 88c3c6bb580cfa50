"""How far a search is: a bar if tqdm is installed and somebody can see it, or whatever the caller wants."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Union

__all__ = ["Progress"]

Progress = Union[bool, Callable[[str, int], object], None]
"""True shows a bar, False does not, None does if somebody can see it. A function is called a few times a second, with what
is counted (nodes, moves, positions or claims) and how many there are."""

_PATIENCE = 1.0
"""A search that takes less than this many seconds shows nothing."""


@contextmanager
def reporting(progress: Progress, unit: str, total: int | None = None) -> Iterator[Callable[[str, int], object] | None]:
    """What a search reports to."""
    if progress is False or (progress is None and not _visible()):
        yield None
    elif progress is None or progress is True:
        bar = _Bar(unit, total, wanted=progress is True)
        try:
            yield bar
        finally:
            bar.close()
    elif callable(progress):
        yield progress
    else:
        raise TypeError(f"progress is a {type(progress).__name__}; expected a bool, a function or None")


def _visible() -> bool:
    """Whether somebody looks: a terminal, or a notebook."""
    if "IPython" in sys.modules and hasattr(sys.modules["IPython"].get_ipython(), "kernel"):
        return True
    return sys.stderr is not None and sys.stderr.isatty()


class _Bar:
    """A bar that appears when a search takes a while."""

    def __init__(self, unit: str, total: int | None, wanted: bool) -> None:
        self._unit, self._total, self._wanted = unit, total, wanted
        self._started = time.monotonic()
        self._bar: Any = None

    def __call__(self, what: str, count: int) -> None:
        if self._bar is None:
            if self._unit is None or time.monotonic() - self._started < _PATIENCE:
                return
            self._bar = self._make()
            if self._bar is None:
                self._unit = None  # type: ignore[assignment]
                return
        if what == self._unit:
            self._bar.update(count - self._bar.n)
        else:
            self._bar.set_postfix({what: f"{count:,}"})

    def _make(self) -> Any:
        try:
            with warnings.catch_warnings():
                # In a notebook without widgets, tqdm warns and draws its bar as text.
                warnings.simplefilter("ignore")
                from tqdm.auto import tqdm
        except ImportError:
            if self._wanted:
                raise ImportError("a bar needs tqdm: pip install tqdm") from None
            return None
        return tqdm(total=self._total, unit=f" {self._unit}", unit_scale=self._total is None, leave=False)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
