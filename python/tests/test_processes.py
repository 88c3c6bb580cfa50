"""Ctrl-C, threads and forks in the middle of a search, each tried in a process of its own."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from solrex import Answer, Position, Solver

posix = pytest.mark.skipif(os.name != "posix", reason="signals and forks are those of POSIX")
LONG = 60
"""No search here may take this many seconds. A search that hangs does."""


def started(code: str) -> subprocess.Popen[str]:
    """A process that runs this, and says "ready" before the part that is to be disturbed."""
    child = subprocess.Popen(
        [sys.executable, "-u", "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stdout is not None and child.stdout.readline() == "ready\n", child.communicate()
    return child


def finished(child: subprocess.Popen[str]) -> tuple[int, str, str]:
    try:
        out, err = child.communicate(timeout=LONG)
    except subprocess.TimeoutExpired:
        child.kill()
        raise
    return child.returncode, out, err


@posix
@pytest.mark.parametrize(
    "search",
    [
        "position.solve()",
        "position.values()",
        "position.solve(threads=1)",
        "position.prove()",
        "solrex.Solver(memory='64M').solve(position)",
    ],
)
def test_ctrl_c_stops_a_search_and_tells_what_is_known(search: str) -> None:
    child = started(
        f"""
import solrex
position = solrex.Position("8x8 a1")
print("ready")
try:
    {search}
except KeyboardInterrupt as stopped:
    assert isinstance(stopped, solrex.Interrupted), type(stopped)
    assert isinstance(stopped.__cause__, KeyboardInterrupt)
    assert stopped.answer.stopped == "interrupt" and stopped.answer.winner is None
    assert stopped.answer.nodes > 0
    print(stopped)
print(solrex.Position("4x4 d1").solve().winner)
"""
    )
    time.sleep(1)
    pressed = time.monotonic()
    child.send_signal(signal.SIGINT)
    status, out, err = finished(child)
    assert status == 0, err
    assert "Not solved after" in out and out.endswith("black\n"), out
    assert time.monotonic() - pressed < 20


@posix
def test_ctrl_c_stops_a_batch_and_keeps_what_is_done() -> None:
    child = started(
        """
import solrex
positions = [solrex.Position("4x4 d1"), solrex.Position("8x8 a1"), solrex.Position("8x8 b2")]
print("ready")
try:
    solrex.solve_many(positions, threads=2)
except solrex.Interrupted as stopped:
    assert stopped.answer is None
    print(stopped, stopped.answers[0].winner)
"""
    )
    time.sleep(1)
    child.send_signal(signal.SIGINT)
    status, out, err = finished(child)
    assert (status, out) == (0, "3 of 3 positions were done black\n"), err


@posix
def test_a_signal_handler_of_the_user_decides_what_is_raised() -> None:
    child = started(
        """
import signal, solrex
def handler(number, frame):
    raise TimeoutError("time is up")
signal.signal(signal.SIGALRM, handler)
print("ready")
signal.setitimer(signal.ITIMER_REAL, 0.5)
try:
    solrex.Position("8x8 a1").solve()
except TimeoutError as error:
    print(error)
"""
    )
    assert finished(child)[:2] == (0, "time is up\n")


def test_other_threads_run_while_it_searches() -> None:
    counted, over = 0, threading.Event()

    def count() -> None:
        nonlocal counted
        while not over.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    with Solver(memory="64M", threads=1) as solver:
        before = counted
        solver.solve(Position("8x8 a1"), time=2)
        during = counted - before
    over.set()
    thread.join()
    assert during > 30, "the interpreter was locked"


def test_threads_share_a_solver() -> None:
    positions = [Position("5x5").play(move) for move in Position("5x5").moves()]
    found: dict[Position, Answer] = {}
    with Solver(memory="128M", threads=2, book=False) as solver:

        def work(mine: list[Position]) -> None:
            for position in mine:
                found[position] = solver.values(position)

        threads = [threading.Thread(target=work, args=(positions[first::4],)) for first in range(4)]
        for thread in threads:
            thread.start()
        # A solver that is closed meanwhile lets its searches finish; there are none of these here.
        for thread in threads:
            thread.join(LONG)
            assert not thread.is_alive()
    for position in positions:
        assert found[position].winner == position.solve().winner


@posix
@pytest.mark.parametrize("ending", ["os._exit(0)", "sys.exit(0)"])
def test_a_fork_in_the_middle_of_a_search_is_safe(ending: str, tmp_path: Path) -> None:
    child = started(
        f"""
import os, sys, threading, time, warnings, solrex
warnings.simplefilter("ignore")
solver = solrex.Solver(memory="64M", threads=2, store={str(tmp_path / "solved.redb")!r})
position = solrex.Position("8x8 a1")
searches = [
    threading.Thread(target=lambda: solver.solve(position, time=3)),
    threading.Thread(target=lambda: position.solve(time=3)),
]
for search in searches:
    search.start()
time.sleep(0.5)
print("ready")
children = []
for _ in range(4):
    time.sleep(0.05)
    number = os.fork()
    if number == 0:
        assert solver.solve(solrex.Position("4x4 d1")).winner == "black"
        assert solrex.Position("5x5 c3").values().winner == "white"
        assert len(solrex.solve_many([solrex.Position("4x4 c2")] * 50)) == 50
        {ending}
    children.append(number)
print([os.waitstatus_to_exitcode(os.waitpid(number, 0)[1]) for number in children])
for search in searches:
    search.join()
print(solver.solve(solrex.Position("4x4 d1")).winner)
"""
    )
    status, out, err = finished(child)
    assert (status, out) == (0, "[0, 0, 0, 0]\nblack\n"), err


def winner(position: Position) -> str | None:
    return position.solve().winner


@posix
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_of_a_pool_solve(method: str) -> None:
    positions = [Position("4x4").play(move) for move in Position("4x4").moves()]
    wanted = [winner(position) for position in positions]
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(winner, positions).get(LONG) == wanted
