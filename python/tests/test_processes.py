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
from conftest import ENDLESS, finished, start

from solrex import Answer, Position, Solver

posix = pytest.mark.skipif(os.name != "posix", reason="signals and forks are those of POSIX")


PRELUDE = f"""
import solrex
endless = solrex.Position({ENDLESS!r})
said = []
def tell(what, count):
    if count and not said:
        said.append(print("searching"))
"""


def run(code: str) -> subprocess.Popen[str]:
    """A process that runs this."""
    return start(sys.executable, "-u", "-c", PRELUDE + code)


def searching(code: str) -> subprocess.Popen[str]:
    """The same, in the middle of its search, which calls `tell`."""
    child = run(code)
    assert child.stdout is not None and child.stdout.readline() == "searching\n", finished(child)
    return child


@posix
@pytest.mark.parametrize(
    "search",
    [
        "endless.solve(progress=tell)",
        "endless.values(progress=tell)",
        "endless.solve(threads=1, progress=tell)",
        "endless.prove(progress=tell)",
        "solrex.Solver(memory='64M').solve(endless, progress=tell)",
    ],
)
def test_ctrl_c_stops_a_search_and_tells_what_is_known(search: str) -> None:
    child = searching(
        f"""
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
    child.send_signal(signal.SIGINT)
    status, out, err = finished(child)
    assert status == 0, err
    assert "Not solved after" in out and out.endswith("black\n"), out


@posix
def test_ctrl_c_stops_a_batch_and_keeps_what_is_done() -> None:
    # It counts the positions that are done.
    child = searching(
        """
try:
    solrex.solve_many([solrex.Position("4x4 d1"), endless, endless], threads=2, progress=tell)
except solrex.Interrupted as stopped:
    assert stopped.answer is None
    print(stopped, stopped.answers[0].winner)
"""
    )
    child.send_signal(signal.SIGINT)
    status, out, err = finished(child)
    assert status == 0 and out.endswith(" of 3 positions were done black\n"), out + err


@posix
def test_a_signal_handler_of_the_user_decides_what_is_raised() -> None:
    child = run(
        """
import signal
def handler(number, frame):
    if frame.f_code.co_name == "solve":
        raise TimeoutError("time is up")
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
try:
    endless.solve()
except TimeoutError as error:
    print(error)
"""
    )
    assert finished(child)[:2] == (0, "time is up\n")


def test_other_threads_run_while_it_searches() -> None:
    class Enough(Exception):
        pass

    counted, seen, over = 0, 0, threading.Event()

    def count() -> None:
        nonlocal counted
        while not over.is_set():
            counted += 1
            time.sleep(0)

    def tell(what: str, nodes: int) -> None:
        nonlocal seen
        if counted > seen > 0:
            raise Enough
        seen = counted

    thread = threading.Thread(target=count, daemon=True)
    thread.start()
    # The other thread has counted since it was told the last time.
    with Solver(memory="64M", threads=1) as solver, pytest.raises(Enough):
        solver.solve(Position(ENDLESS), progress=tell)
    over.set()
    thread.join()


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
            thread.join()
    for position in positions:
        assert found[position].winner == position.solve().winner


@posix
@pytest.mark.parametrize("ending", ["os._exit(0)", "sys.exit(0)"])
def test_a_fork_in_the_middle_of_a_search_is_safe(ending: str, tmp_path: Path) -> None:
    child = run(
        f"""
import os, sys, threading, warnings
warnings.simplefilter("ignore")
solver = solrex.Solver(memory="64M", threads=2, store={str(tmp_path / "solved.redb")!r})
over = threading.Event()
class Search(threading.Thread):
    def __init__(self, solver):
        super().__init__()
        self.solver, self.running = solver, threading.Event()
    def run(self):
        try:
            endless.solve(solver=self.solver, progress=self.look)
        except TimeoutError:
            pass
    def look(self, what, count):
        self.running.set()
        if over.is_set():
            raise TimeoutError
searches = [Search(solver), Search(None)]
for search in searches:
    search.start()
for search in searches:
    search.running.wait()
children = []
for _ in range(4):
    number = os.fork()
    if number == 0:
        assert solver.solve(solrex.Position("4x4 d1")).winner == "black"
        assert solrex.Position("5x5 c3").values().winner == "white"
        assert len(solrex.solve_many([solrex.Position("4x4 c2")] * 50)) == 50
        {ending}
    children.append(number)
print([os.waitstatus_to_exitcode(os.waitpid(number, 0)[1]) for number in children])
over.set()
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
        assert pool.map(winner, positions) == wanted
