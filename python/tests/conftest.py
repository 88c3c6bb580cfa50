"""What several tests need: hard positions, processes, and the guard of every wait."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

# Tests never use the user's store.
os.environ["SOLREX_DB"] = "none"

ROOT = Path(__file__).resolve().parents[2]

ENDLESS = "8x8 e4"
"""No test lives to see the end of this search. Tests end it. test_solving.py holds that it is hard."""

LONG, LONG_NODES = "6x6 a1", 100
"""This search takes so many nodes or more, and ends. The opening is in the book. test_solving.py holds this, too."""

GUARD = 300
"""No test may take this many seconds. One that hangs does."""

# A shell starts what runs in the background deaf to Ctrl-C, and so are its children.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

_children: list[subprocess.Popen[str]] = []


@pytest.fixture(autouse=True)
def guard() -> Iterator[None]:
    """Ends a test that hangs, and the processes that it has left behind."""

    def fail(number: int, frame: object) -> None:
        pytest.fail(f"waited {GUARD} s in vain: something hangs")

    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, fail)
        signal.alarm(GUARD)
    yield
    if hasattr(signal, "SIGALRM"):
        signal.alarm(0)
    while _children:
        _children.pop().kill()


def start(*arguments: str) -> subprocess.Popen[str]:
    """A process that runs beside the test."""
    child = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    _children.append(child)
    return child


def finished(child: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Waits for its end: its exit status, and what it said."""
    out, err = child.communicate()
    return child.returncode, out, err


@pytest.fixture(scope="session")
def command() -> str:
    """The command that the wheel installs, of the environment in which the tests run."""
    found = shutil.which("solrex", path=os.path.dirname(sys.executable))
    assert found is not None, "the package is not installed here"
    return found
