"""Positions: every notation in and out, values that never change, and what is said about bad input."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solrex import Position, PositionError

REN = "2w1/1b2/4 b"


@pytest.mark.parametrize(
    "text",
    [
        REN,
        "3x4 b2 c1",
        "3x4 b2, c1",
        "https://hexworld.org/board/#4x3,b2c1",
        "(;GM[11]SZ[4:3];B[b2];W[c1])",
        ". . W .\n . B . .\n  . . . .\nblack to move",
        str(Position(REN)),
        Position(REN).to_ren(),
        Position(REN).to_sgf(),
        Position(REN).to_hexworld(),
    ],
)
def test_every_notation_is_read(text: str) -> None:
    assert Position(text).to_ren() == REN


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[11]SZ[4];B[d1];W[a1])", encoding="utf-8")
    assert Position.from_file(path).to_ren() == "w2b/4/4/4 b"
    with pytest.raises(FileNotFoundError):
        Position.from_file(tmp_path / "none.sgf")


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.float32])
def test_arrays_come_in_and_go_out(dtype: Any) -> None:
    position = Position("1b1w/3w/w2b/2b1 w")
    array = position.array()
    assert array.dtype == np.int8 and array.shape == (4, 4)
    assert array.tolist() == [[0, 1, 0, -1], [0, 0, 0, -1], [-1, 0, 0, 1], [0, 0, 1, 0]]
    assert Position.from_array(array.astype(dtype), "white") == position
    assert Position.from_array(array.tolist(), "black") != position


def test_positions_are_values() -> None:
    one, other = Position("3x3 a1"), Position("b2/3/3 w")
    assert one == other and hash(one) == hash(other) and len({one, other}) == 1
    assert one != Position("b2/3/3 b") and one != "b2/3/3 w"
    assert repr(one) == "Position('b2/3/3 w')" and eval(repr(one)) == one
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(one, protocol)) == one
    assert copy.deepcopy(one) == one
    for name in ["rows", "_state", "x"]:
        with pytest.raises(AttributeError, match="never changes"):
            setattr(one, name, 4)
    with pytest.raises(AttributeError, match="never changes"):
        del one._state


def test_a_game_is_played_to_its_end() -> None:
    position = Position("2x2")
    assert (position.rows, position.cols, position.to_move, position.winner()) == (2, 2, "black", None)
    after = position.play("a1").play("b1")
    assert position.stones == 0, "the old position is as it was"
    assert after.moves() == ["a2", "b2"]
    over = after.play("a2")
    # Black has connected top and bottom, and has lost.
    assert (over.winner(), over.moves()) == ("white", [])
    with pytest.raises(ValueError, match="black is connected"):
        over.play("b2")
    with pytest.raises(ValueError, match="comes after the end"):
        after.play("a2 b2")


@pytest.mark.parametrize(
    ("text", "bad", "says"),
    [
        ("1b1w/3x/w2b/2b1 b", "x", "unknown letter 'x' in row 2"),
        ("5x5 a1 z9", "z9", "off the 5x5 board"),
        ("5x5 a1 a1", "a1", "on a black stone"),
        ("9x9", "9x9", "at most 64"),
        ("", "", "no position"),
        ("hello", "hello", "not a position"),
        ("3/3/3", "", "expected"),
        ("5x5 ä1", "ä1", "ä1"),
        ("5x5 a1 ü ä1", "ü", "expected"),
        ("(;GM[11]SZ[4];B[z9])", None, "expected"),
    ],
)
def test_bad_text_is_shown_with_its_place(text: str, bad: str | None, says: str) -> None:
    with pytest.raises(PositionError, match=says) as caught:
        Position(text)
    error = caught.value
    assert isinstance(error, ValueError) and error.text == text
    assert 0 <= error.start <= error.end <= len(text)
    if bad is not None:
        assert text[error.start : error.end] == bad
    assert "^" in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.start, again.end) == (str(error), error.start, error.end)


def test_bad_moves_are_shown_with_their_place() -> None:
    with pytest.raises(PositionError, match="off the 3x3 board") as caught:
        Position("3x3").play("a1 e5")
    assert (caught.value.start, caught.value.end) == (3, 5)


@pytest.mark.parametrize(
    ("array", "error", "says"),
    [
        ([[0, 1], [0]], ValueError, "one length"),
        ([], ValueError, "one length"),
        ([[]], ValueError, "at least one row"),
        ([[0, 2], [0, 0]], ValueError, "row 1, column 2 has 2; expected 0"),
        ([[0, 0.5], [0, 0]], ValueError, "row 1, column 2"),
        ([[0, None], [0, 0]], ValueError, "row 1, column 2"),
        (7, TypeError, "int is not an array"),
        ([1, 2], TypeError, "not an array of two"),
        (np.zeros((9, 9)), ValueError, "64"),
        (np.zeros((2, 2, 2)), ValueError, "row 1, column 1"),
        (np.zeros((1, 30)), ValueError, "26"),
    ],
)
def test_bad_arrays_are_refused(array: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        Position.from_array(array, "black")


@pytest.mark.parametrize("bad", [None, 5, b"5x5", ["5x5"], Position("2x2")])
def test_what_is_no_text_is_a_type_error(bad: Any) -> None:
    with pytest.raises(TypeError, match="expected a str"):
        Position(bad)
    with pytest.raises(TypeError, match="expected a str"):
        Position("5x5").play(bad)


def test_a_side_to_move_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="'black' or 'white'"):
        Position.from_array([[0]], "red")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="2 games"):
        Position("(;GM[11]SZ[4];B[d1])(;GM[11]SZ[4];B[d2])")


def test_pictures_are_svg() -> None:
    import xml.etree.ElementTree as xml

    position = Position("4x4 d1 a1")
    for picture in [
        position._repr_svg_(),
        position.solve()._repr_svg_(),
        position.values()._repr_svg_(),
        position.explain()._repr_svg_(),
    ]:
        assert xml.fromstring(picture).tag == "{http://www.w3.org/2000/svg}svg"
    green, red = "#7cc47f", "#e39a92"
    values = position.values().to_svg()
    assert (values.count(green), values.count(red)) == (2, 12)
    assert (position.to_svg().count(green), position.solve().to_svg().count(green)) == (0, 1)
