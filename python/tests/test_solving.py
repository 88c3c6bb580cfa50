"""Answers: against the rules alone, against the program, with limits, in batches."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from datetime import timedelta
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
from conftest import ENDLESS, LONG, LONG_NODES, ROOT

import solrex
from solrex import Answer, Position, ProofError, Solver, Stopped, check, random_positions, solve_many, values_many
from solrex.progress import _Bar, reporting


@cache
def by_the_rules(position: Position) -> str:
    """Who wins, by trying everything."""
    winner = position.winner()
    if winner is not None:
        return winner
    mover = position.to_move
    after = [by_the_rules(position.play(move)) for move in position.moves()]
    return mover if mover in after else "white" if mover == "black" else "black"


def test_answers_agree_with_the_rules() -> None:
    positions = random_positions("3x3", 150, stones=(0, 5), seed=3)
    positions += [Position("3x3"), Position("2x4"), Position("3x3").play("b2")]
    for position, answer in zip(positions, values_many(positions)):
        assert answer.position == position
        assert answer.winner == by_the_rules(position)
        for move, value in answer.moves.items():
            assert (value == "win") == (by_the_rules(position.play(move)) == position.to_move), (position, move)
        for move, reply in answer.refutations.items():
            after = position.play(move)
            assert by_the_rules(after.play(reply)) == after.to_move
        assert answer.wins == (answer.winner == position.to_move)
        assert set(answer.moves) == set(position.moves())


def test_the_facts_of_4x4() -> None:
    answer = Position("4x4").values()
    assert answer.winner == "black" and sorted(answer.losing) == ["b3", "c2"]
    assert Position("4x4 d1 c1").values().winning == ["a1", "b2", "d4"]
    assert sorted(Position("6x6").values().losing) == ["b5", "c4", "d3", "e2"]


def run(command: str, *arguments: str) -> Any:
    done = subprocess.run([command, *arguments, "--json"], capture_output=True, check=True, text=True)
    return json.loads(done.stdout)


def without_time(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key != "seconds"}


@pytest.mark.parametrize("text", ["4x4 d1", "4x4 d1 a1", "5x5 c3 d2", "1b1w/3w/w2b/2b1 b", "b1/b1 w"])
def test_objects_are_those_of_the_program(command: str, text: str) -> None:
    # What a solver takes for a board of at most 25 cells.
    options = ["--threads", "1", "--no-book", "--memory", "16M"]
    for ask, arguments in [("solve", ["solve"]), ("values", ["moves"]), ("replies", ["moves", "--replies"])]:
        with Solver(memory="128M", threads=1, book=False) as solver:
            position = Position(text)
            if ask == "solve":
                answer = solver.solve(position)
            else:
                answer = solver.values(position, replies=ask == "replies")
        said = run(command, *arguments, text, *options)
        assert without_time(answer.to_dict()) == without_time(said)
    assert Position(text).explain().to_dict() == run(command, "explain", text)


def test_texts_are_those_of_the_program(command: str) -> None:
    text = "1b1w/3w/w2b/2b1 b"
    said = subprocess.run([command, "explain", text], capture_output=True, check=True, text=True).stdout
    assert str(Position(text).explain()) == said
    assert "\x1b" not in said


def test_hard_positions_are_hard() -> None:
    with Solver(memory="64M", threads=1, book=False) as solver:
        assert solver.solve(Position(ENDLESS), nodes=10_000).stopped == "nodes"
        answer = solver.solve(Position(LONG))
    assert answer.winner is not None and answer.nodes >= LONG_NODES


def test_limits_stop_a_search_and_tell_what_is_known() -> None:
    position = Position(ENDLESS)
    for limit, stopped in [({"nodes": 100}, "nodes"), ({"time": 0.05}, "time"), ({"time": "50ms"}, "time")]:
        answer = position.solve(**limit)  # type: ignore[arg-type]
        assert (answer.winner, answer.stopped, answer.wins) == (None, stopped, None)
        assert "not solved" in repr(answer) and "Not solved" in str(answer)
    values = position.values(time=timedelta(seconds=0.1))
    assert values.stopped == "time" and len(values.moves) == 63 and "unknown" in values.moves.values()
    with pytest.raises(Stopped) as caught:
        position.prove(time=0.05)
    assert caught.value.answer is not None and caught.value.answer.stopped == "time"


def test_a_verdict_needs_no_move() -> None:
    answer = Position("8x8").solve(verdict_only=True)
    assert (answer.winner, answer.best, answer.to_dict()["existence"]) == ("black", None, True)
    assert "names no move" in str(answer)


def test_one_thread_counts_the_same_nodes_each_time() -> None:
    def nodes() -> list[int]:
        with Solver(memory="64M", threads=1, book=False) as solver:
            return [solver.solve(Position(text)).nodes for text in [LONG, "6x6 a1 c3"]]

    assert nodes() == nodes()
    with Solver(memory="64M", threads=2, book=False) as solver:
        assert solver.solve(Position(LONG), threads=1).winner == "black"


def test_a_solver_stays_warm() -> None:
    with Solver(memory="64M", threads=1, book=False) as solver:
        cold = solver.solve(Position(LONG))
        assert solver.solve(Position(LONG)).nodes < cold.nodes / 2
    with pytest.raises(ValueError, match="closed"):
        solver.solve(Position("3x3"))
    solver.close()


def test_a_store_outlasts_its_solver(tmp_path: Path) -> None:
    path = tmp_path / "solved.redb"
    with Solver(memory="64M", threads=1, book=False, store=path) as solver:
        cold = solver.solve(Position(LONG))
        with pytest.raises(OSError, match="in use"):
            Solver(store=path)
    assert path.stat().st_size > 0
    with Solver(memory="64M", threads=1, book=False, store=str(path)) as solver:
        warm = solver.solve(Position(LONG))
    assert warm.winner == cold.winner and warm.nodes < cold.nodes / 2
    damaged = tmp_path / "damaged.redb"
    damaged.write_bytes(b"something else" * 1000)
    with pytest.raises(OSError, match="not a store"):
        Solver(store=damaged)


def test_the_book_can_be_left_out() -> None:
    with Solver(memory="64M") as with_book, Solver(memory="64M", book=False) as without:
        assert with_book.solve(Position(LONG)).book
        answer = without.solve(Position(LONG))
        assert not answer.book and answer.nodes > 0


def test_batches_answer_in_order() -> None:
    positions = random_positions("4x4", 300, seed=5) + [Position("2x3"), Position("5x5 a1"), Position("b1/b1 w")]
    for threads in [1, 3]:
        answers = solve_many(positions, threads=threads)
        assert [answer.position for answer in answers] == positions
        assert [answer.winner for answer in answers] == [position.solve().winner for position in positions]
    assert solve_many([]) == [] and solve_many(iter([Position("2x2")]))[0].best in ["a1", "b2"]
    stopped = solve_many([Position(ENDLESS), Position("2x2")], nodes=50)
    assert [answer.stopped for answer in stopped] == ["nodes", None]
    counted = values_many([Position("3x3")], replies=True)[0]
    assert counted.replies[counted.best or ""] == min(counted.replies.values())


def test_the_perfect_player_wins_what_can_be_won() -> None:
    import random

    draw = random.Random(1)
    with Solver(memory="32M") as solver:
        for _ in range(20):
            position = Position("4x4")
            while position.winner() is None:
                move = solver.choose(position).move if position.to_move == "black" else draw.choice(position.moves())
                position = position.play(move)
            assert position.winner() == "black"
        with pytest.raises(ValueError, match="the game is over"):
            solver.choose(position)


def test_proofs_are_written_and_checked(tmp_path: Path, command: str) -> None:
    position = Position("4x4 d1")
    for name in ["d1.cert", "d1.cert.zst"]:
        path = tmp_path / name
        made = position.prove(path, explicit=True)
        found = check(path)
        assert (found.winner, found.position, found.explicit) == ("black", position, True)
        assert found.claims == made.claims and found.data == made.data == path.read_bytes()
        subprocess.run([command, "check", path], check=True, capture_output=True)
        assert "<table>" in found._repr_html_() and "<svg" in found._repr_html_()
    assert made.data.startswith(b"\x28\xb5\x2f\xfd"), "a zstd frame"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["d1.cert", "d1.cert.zst"]
    with pytest.raises(OSError):
        position.prove(tmp_path / "no" / "folder.cert")


def test_what_is_no_proof_is_refused(tmp_path: Path) -> None:
    data = Position("4x4 d1").prove().data
    # The last claim says that the other player wins. A hash and the root come after it.
    lines = data.decode().splitlines(keepends=True)
    number, place, side, _, *rest = lines[-3].split(" ")
    lines[-3] = " ".join([number, place, side, "w", *rest])
    false = "".join(lines).encode()
    for bad, line in [(b"", 1), (b"hello", 1), (data[: len(data) // 2], None), (false, len(lines) - 2)]:
        with pytest.raises(ProofError) as caught:
            check(bad)
        assert caught.value.line == line or (line is None and caught.value.line > 1)
        assert caught.value.reason in str(caught.value)
    with pytest.raises(FileNotFoundError):
        check(tmp_path / "none.cert")


def test_published_certificates_pass() -> None:
    found = check(ROOT / "docs" / "proofs" / "7x7" / "d4.cert")
    assert (found.winner, found.position.rows) == ("white", 7)


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"time": -1}, ValueError, "at least 0"),
        ({"time": float("nan")}, ValueError, "at least 0"),
        ({"time": "soon"}, ValueError, "unit 'soon'"),
        ({"time": [1]}, TypeError, "time is a list"),
        ({"time": True}, TypeError, "time is a bool"),
        ({"nodes": -1}, ValueError, "nodes is -1; expected 0"),
        ({"nodes": 2**64}, ValueError, "nodes is"),
        ({"nodes": 1.5}, TypeError, "nodes is a float"),
        ({"nodes": "many"}, TypeError, "nodes is a str"),
        ({"threads": 0}, ValueError, "threads is 0; expected 1"),
        ({"threads": 5000}, ValueError, "1024"),
        ({"threads": "2"}, TypeError, "threads is a str"),
        ({"progress": 3}, TypeError, "progress is a int"),
        ({"solver": 3}, TypeError, "expected a solrex.Solver"),
        ({"depth": 3}, TypeError, "depth"),
    ],
)
def test_bad_limits_are_refused(arguments: dict[str, Any], error: type[Exception], says: str) -> None:
    asks: list[Callable[..., object]] = [Position("3x3").solve, Position("3x3").values, Position("3x3").prove]
    for ask in asks:
        with pytest.raises(error, match=says):
            ask(**arguments)


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"memory": "much"}, ValueError, "unknown unit 'much'"),
        ({"memory": -1}, ValueError, "memory is -1"),
        ({"memory": 1.5}, TypeError, "memory is a float"),
        ({"memory": 2**62}, MemoryError, "smaller memory"),
        ({"threads": 0}, ValueError, "threads is 0"),
        ({"store": 3}, TypeError, "store is a int"),
        ({"store": "/no/such/folder/x.redb"}, OSError, "/no/such/folder"),
    ],
)
def test_bad_solvers_are_refused(arguments: dict[str, Any], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        Solver(**arguments).solve(Position(ENDLESS), nodes=1)


def test_what_is_no_position_is_refused() -> None:
    solver = Solver(memory="16M")
    bad: Any = "5x5"
    asks: list[Callable[..., object]] = [solver.solve, solver.values, solver.prove, solver.choose]
    for ask in asks:
        with pytest.raises(TypeError, match="a str is not a position; solrex.Position"):
            ask(bad)
    with pytest.raises(TypeError, match="a str is not a position"):
        solver.solve_many(["5x5"])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="int is not a certificate"):
        check(3)  # type: ignore[arg-type]


class Enough(Exception):
    pass


def test_progress_is_told() -> None:
    told: list[tuple[str, int]] = []

    def tell(what: str, count: int) -> None:
        told.append((what, count))
        if len(told) == 3:
            raise Enough("enough")

    with pytest.raises(Enough, match="enough"):
        Position(ENDLESS).solve(progress=tell)
    assert {what for what, _ in told} == {"nodes"} and told == sorted(told)
    with pytest.raises(Enough, match="enough"):
        told.clear()
        solve_many([Position(ENDLESS)] * 3, progress=tell)
    assert set(told) == {("positions", 0)}


def test_a_bar_is_shown_if_wanted(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    show = _Bar.__call__

    def show_once(bar: _Bar, what: str, count: int) -> None:
        show(bar, what, count)
        raise Enough

    monkeypatch.setattr(_Bar, "__call__", show_once)
    for patience, shown in [(3600, False), (0, True)]:
        monkeypatch.setattr("solrex.progress._PATIENCE", patience)
        with pytest.raises(Enough):
            Position(ENDLESS).solve(progress=True)
        assert ("nodes" in capfd.readouterr().err) == shown
    # Here is no terminal.
    with reporting(None, "nodes") as tell:
        assert tell is None


def test_everything_public_is_documented() -> None:
    for name in solrex.__all__:
        thing = getattr(solrex, name)
        if isinstance(thing, (type, FunctionType)):
            assert thing.__doc__, name
    for name, member in vars(Answer).items():
        assert name.startswith("_") or member.__doc__, name
