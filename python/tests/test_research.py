"""Data sets, environments, the example, and the notebook."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium.utils.env_checker
import nbclient
import nbformat
import numpy as np
import pytest
from conftest import ROOT
from pettingzoo.test.api_test import api_test
from pettingzoo.test.seed_test import seed_test

from solrex import Position, random_positions, solved_positions
from solrex.environment import AgainstPerfect, env, raw_env


def test_random_positions_are_those_of_games() -> None:
    positions = random_positions("4x5", 200, stones=(3, 8), seed=7)
    assert positions == random_positions("4x5", 200, stones=(3, 8), seed=7)
    assert positions != random_positions("4x5", 200, stones=(3, 8), seed=8)
    assert {position.stones for position in positions} == set(range(3, 9))
    for position in positions:
        black, white = ((position.array() == colour).sum() for colour in (1, -1))
        assert black - white == (position.to_move == "white")
        assert position.winner() is None
    for arguments, says in [
        ({"size": "5x5 a1", "count": 1}, "rows x columns"),
        ({"size": "5x5", "count": -1}, "count is -1"),
        ({"size": "5x5", "count": 1, "stones": 25}, "0 to 24"),
        ({"size": "5x5", "count": 1, "stones": (4, 3)}, "4 to 3"),
        ({"size": "1x4", "count": 1, "stones": 2}, "nearly every game is over"),
    ]:
        with pytest.raises(ValueError, match=says):
            random_positions(**arguments)  # type: ignore[arg-type]


def test_a_table_has_the_values_of_all_moves(tmp_path: Path) -> None:
    table = solved_positions("4x4", 100, seed=2)
    for number, position in enumerate(random_positions("4x4", 100, seed=2)):
        answer = position.values()
        assert (table.stones[number] == position.array()).all()
        assert (table.values[number] == answer.array()).all()
        assert ("white", "", "black")[table.winner[number] + 1] == answer.winner
        assert ("white", "", "black")[table.to_move[number] + 1] == position.to_move
    assert all(array.dtype == np.int8 for array in table)
    path = tmp_path / "table.npz"
    table.save(path)
    with np.load(path) as loaded:
        assert all((loaded[name] == array).all() for name, array in table._asdict().items())
    given = solved_positions([Position("2x2"), Position("2x2 a1")])
    assert given.values.tolist() == [[[1, -1], [-1, 1]], [[0, -1], [-1, -1]]]
    bad: list[tuple[tuple[Any, ...], type[Exception], str]] = [
        (("5x5",), TypeError, "comes with a count"),
        (([Position("2x2"), Position("3x3")],), ValueError, "2 board sizes"),
        (([],), ValueError, "0 board sizes"),
        (([Position("2x2")], 5), TypeError, "these are given"),
    ]
    for arguments, error, says in bad:
        with pytest.raises(error, match=says):
            solved_positions(*arguments)


@pytest.mark.filterwarnings("ignore:.*")
@pytest.mark.parametrize("size", ["3x3", "3x4"])
def test_the_game_of_two_has_the_shape_of_pettingzoo(size: str) -> None:
    api_test(env(size), num_cycles=200)
    seed_test(lambda: env(size), num_cycles=50)


@pytest.mark.filterwarnings("ignore:.*")
@pytest.mark.parametrize("agent", ["black", "white"])
def test_the_game_of_one_has_the_shape_of_gymnasium(agent: Any) -> None:
    for opponent in ["perfect", "expert", "novice"]:
        game = AgainstPerfect("4x4", agent, opponent, render_mode="ansi")
        gymnasium.utils.env_checker.check_env(game, skip_render_check=True)


def test_both_agents_see_themselves_as_black() -> None:
    game = raw_env("3x3")
    game.reset()
    game.step(1)  # b1 of Black
    seen = game.observe("white")
    # For White b1 is turned over to a2, which is the opponent's.
    assert seen["observation"][1, 0].tolist() == [0, 1] and seen["action_mask"][3] == 0
    assert game.observe("black")["action_mask"].sum() == 0, "it is not her turn"
    game.step(1)  # White means a2.
    assert game.position == Position("3x3 b1 a2")
    long = raw_env("2x3")
    long.reset()
    long.step(2)
    assert long.observe("white")["observation"].shape == (2, 3, 3)
    assert long.observe("white")["observation"][0, 2].tolist() == [0, 1, 1]


def test_whoever_connects_loses() -> None:
    game = raw_env("2x2")
    game.reset()
    for action in [0, 2]:  # a1; White means b1.
        game.step(action)
    game.step(2)  # a2 connects top and bottom.
    assert game.position.winner() == "white"
    assert game.rewards == {"black": -1, "white": 1} and all(game.terminations.values())


def test_the_perfect_player_beats_a_careless_agent() -> None:
    draw = np.random.default_rng(3)
    game = AgainstPerfect("3x3", "black", values=True)  # Black loses with every opening.
    for number in range(10):
        seen, info = game.reset(seed=number)
        assert (info["values"] == np.where(seen["action_mask"] == 1, -1, 0)).all()
        over, reward = False, 0.0
        while not over:
            seen, reward, over, _, _ = game.step(int(draw.choice(np.flatnonzero(seen["action_mask"]))))
        assert reward == -1
    game = AgainstPerfect("4x4", "black", values=True)
    seen, info = game.reset()
    over = False
    while not over:
        seen, reward, over, _, info = game.step(int(info["values"].argmax()))
    assert reward == 1, "perfect play wins from a position that is won"


def test_bad_games_are_refused() -> None:
    with pytest.raises(ValueError, match="the game is over"):
        raw_env("b1/b1 w")
    with pytest.raises(ValueError, match="'black' or 'white'"):
        AgainstPerfect("3x3", "red")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="novice, casual, skilled, expert, perfect"):
        AgainstPerfect("3x3", opponent="strong")
    with pytest.raises(TypeError, match="int is not a position"):
        raw_env(3)  # type: ignore[arg-type]
    game = AgainstPerfect("3x3")
    game.reset()
    with pytest.raises(ValueError, match="expected 0 to 8"):
        game.step(9)


def test_the_example_learns() -> None:
    example = ROOT / "python" / "examples" / "train_policy.py"
    arguments = ["--size", "4x4", "--positions", "3000", "--epochs", "15", "--games", "10"]
    done = subprocess.run([sys.executable, example, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = re.search(r"unseen positions: ([\d.]+)% \(random moves: ([\d.]+)%\)", done.stdout)
    assert found is not None, done.stdout
    thrown, at_random = map(float, found.groups())
    assert thrown < at_random / 3, done.stdout
    assert "against the perfect player" in done.stdout


@pytest.mark.filterwarnings("ignore:.*")
def test_the_notebook_runs_and_shows_what_it_shows() -> None:
    path = ROOT / "docs" / "notebook.ipynb"
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    shown = [kinds(cell) for cell in notebook.cells]
    client = nbclient.NotebookClient(
        notebook, timeout=None, kernel_name="python3", record_timing=False, coalesce_streams=True
    )
    client.execute()
    if os.environ.get("NOTEBOOK") == "overwrite":
        notebook.metadata["language_info"] = {"name": "python"}
        nbformat.write(notebook, path)
    else:
        assert [kinds(cell) for cell in notebook.cells] == shown, "look at it, and run NOTEBOOK=overwrite scripts/test-python"


CHOSEN = [r"(?<=\d\.)\d+(?= s)", r"(?<=wins with )[a-h][1-8]", r"(?<=try is )[a-h][1-8]", r"\d+(?= claims)", r"(?<=line )\d+"]
"""What another search may choose or count otherwise: seconds, one of several best moves, the claims of a proof."""


def kinds(cell: Any) -> list[str]:
    """What a cell shows, without what a search may choose."""
    found = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        text = output.get("text", data.get("text/plain", ""))
        text = "svg" if "image/svg+xml" in data or "text/html" in data else re.sub("|".join(CHOSEN), "*", text)
        found.append(f"{output['output_type']}: {text}")
    return found
