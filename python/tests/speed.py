"""Speed of the package against the command line, in seconds of processor time, which a busy machine disturbs least.

    python python/tests/speed.py

The values of all moves of the 5x5 suite (the 24 replies to a1), with one thread and without the book: by the command, all in
one run, and by `Solver.values`. Then the values of 10,000 random positions of 5x5 on one thread and on two.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time

import solrex


def used(who: int) -> float:
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    start = solrex.Position("5x5 a1")
    suite = [start.play(move) for move in start.moves()]
    lines = "".join(f"{position.to_ren()}\n" for position in suite)
    command = os.path.join(os.path.dirname(sys.executable), "solrex")
    program = [os.environ.get("SOLREX", command), "moves", "-", "--json", "--threads", "1", "--no-book", "--no-db"]
    program += ["--memory", "128M"]
    rounds = 20
    best = {"program": float("inf"), "package": float("inf")}
    for _ in range(rounds):
        before = used(resource.RUSAGE_CHILDREN)
        subprocess.run(program, input=lines, text=True, check=True, stdout=subprocess.DEVNULL)
        best["program"] = min(best["program"], used(resource.RUSAGE_CHILDREN) - before)
        with solrex.Solver(memory="256M", threads=1, book=False) as solver:
            before = used(resource.RUSAGE_SELF)
            answers = [solver.values(solrex.Position(line)).to_dict() for line in lines.splitlines()]
            best["package"] = min(best["package"], used(resource.RUSAGE_SELF) - before)
    assert len(answers) == len(suite)
    for name, seconds in best.items():
        print(f"5x5 suite, {name}: {seconds:.4f} s of processor time, the best of {rounds}")

    positions = solrex.random_positions("5x5", 10_000, seed=1)
    for threads in [1, 2]:
        wall, spent = batch(positions, threads)
        print(f"10,000 positions, {threads} threads: {wall:.2f} s, {spent:.2f} s of processor time")
    # Short enough to find a moment in which nobody else needs the machine.
    few = positions[:500]
    walls = {1: float("inf"), 2: float("inf")}
    for _ in range(2 * rounds):
        for threads in walls:
            walls[threads] = min(walls[threads], batch(few, threads)[0])
    print(f"500 positions, the best of {2 * rounds}: {walls[1]:.3f} s with one thread, {walls[2]:.3f} s with two")


def batch(positions: list[solrex.Position], threads: int) -> tuple[float, float]:
    """Seconds, and seconds of processor time, for a batch with empty tables."""
    with solrex.Solver(memory="256M", threads=2, book=False) as solver:
        before, started = used(resource.RUSAGE_SELF), time.perf_counter()
        solver.values_many(positions, threads=threads)
        return time.perf_counter() - started, used(resource.RUSAGE_SELF) - before


if __name__ == "__main__":
    main()
