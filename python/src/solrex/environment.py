"""Reverse Hex for reinforcement learning, in the shape of PettingZoo and of Gymnasium.

:func:`env` is a game of two agents, "black" and "white" (PettingZoo's AEC). :class:`AgainstPerfect` is a game of one
agent against the perfect player, or a weaker one (Gymnasium). Both need ``pip install 'solrex[environment]'``.

An action is the number of a cell, row by row from the top. An observation is a dictionary:

- ``observation``: int8 of shape (rows, columns, 2), the stones of the agent and of her opponent. She always sees
  herself as Black, who owns the top and bottom sides: White's board is turned over (rows become columns).
- ``action_mask``: int8, 1 for every legal action. For White it is turned over too, and so are her actions.

On a board that is not square nothing is turned over, and there is a third plane: ones if the agent is White.

The reward is 1 for the winner and -1 for the loser, when somebody connects. A move that is not legal loses at once.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from .answer import Player
from .position import Position
from .solver import Solver, default_solver

__all__ = ["AgainstPerfect", "RexEnv", "env", "raw_env"]

Observation = dict[str, npt.NDArray[np.int8]]

_OTHER: dict[Player, Player] = {"black": "white", "white": "black"}
#: The opponents, the weakest first.
LEVELS = ("novice", "casual", "skilled", "expert", "perfect")


class View:
    """What an agent sees of a board of some size, and what her actions mean."""

    def __init__(self, rows: int, cols: int) -> None:
        self.rows, self.cols, self.square = rows, cols, rows == cols
        self.cells = rows * cols
        self.planes = 2 if self.square else 3

    def observation_space(self) -> gymnasium.spaces.Dict:
        """The space of observations."""
        return gymnasium.spaces.Dict(
            {
                "observation": gymnasium.spaces.Box(0, 1, (self.rows, self.cols, self.planes), np.int8),
                "action_mask": gymnasium.spaces.Box(0, 1, (self.cells,), np.int8),
            }
        )

    def action_space(self) -> gymnasium.spaces.Discrete[np.int64]:
        """The space of actions."""
        return gymnasium.spaces.Discrete(self.cells)

    def turned(self, agent: Player, grid: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
        """An array as the agent sees it, or back: turning twice changes nothing."""
        return grid.T if agent == "white" and self.square else grid

    def observe(self, position: Position, agent: Player) -> Observation:
        """What the agent sees."""
        stones = self.turned(agent, position.array())
        own = 1 if agent == "black" else -1
        planes = [stones == own, stones == -own]
        if not self.square:
            planes.append(np.full(stones.shape, agent == "white"))
        over = position.winner() is not None
        mask = np.zeros(self.cells, np.int8) if over else (stones == 0).astype(np.int8).ravel()
        return {"observation": np.stack(planes, -1).astype(np.int8), "action_mask": mask}

    def cell(self, agent: Player, action: int) -> int:
        """The number of the cell that an action of the agent means."""
        row, col = divmod(action, self.cols)
        return col * self.cols + row if agent == "white" and self.square else action

    action = cell
    """The action of the agent that means this cell: turning twice changes nothing."""


def _start(position: str | Position) -> Position:
    start = Position(position) if isinstance(position, str) else position
    if not isinstance(start, Position):
        raise TypeError(f"a {type(position).__name__} is not a position; expected a size such as '5x5'")
    if start.winner() is not None:
        raise ValueError(f"the game is over in {start.to_ren()}; expected a position to start from")
    return start


class RexEnv(AECEnv[str, Any, Any]):
    """Two agents, "black" and "white", take turns.

    >>> from solrex.environment import env
    >>> game = env("3x3")
    >>> game.reset(seed=1)
    >>> game.agent_selection
    'black'
    >>> game.step(4)
    >>> print(game.render())
          black
          a b c
         1 . . . 1
    white 2 . B . 2 white
           3 . . . 3
              a b c
              black
    white to move
    """

    metadata = {"name": "reverse_hex_v0", "render_modes": ["ansi", "svg"], "is_parallelizable": False}

    def __init__(self, position: str | Position = "5x5", render_mode: str | None = "ansi") -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.start = self.position = _start(position)
        self.view = View(self.start.rows, self.start.cols)
        self.render_mode = render_mode
        self.possible_agents = ["black", "white"]
        self.agents: list[str] = []
        self.observation_spaces = {agent: self.view.observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: self.view.action_space() for agent in self.possible_agents}

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game. The seed changes nothing: there is no chance in this game."""
        self.position = self.start
        self.agents = self.possible_agents[:]
        self.agent_selection = self.position.to_move
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}

    def observe(self, agent: str) -> Observation:
        seen = self.view.observe(self.position, "white" if agent == "white" else "black")
        if agent != self.position.to_move:
            seen["action_mask"][:] = 0
        return seen

    def step(self, action: int) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        agent: Player = self.position.to_move
        self._cumulative_rewards[agent] = 0
        loser = _play(self, agent, action)
        if loser is not None:
            for one in self.agents:
                self.rewards[one] = -1 if one == loser else 1
                self.terminations[one] = True
        self.agent_selection = _OTHER[agent]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The board as text, or as a picture."""
        if self.render_mode is None:
            return None
        return self.position.to_svg() if self.render_mode == "svg" else str(self.position)

    def close(self) -> None:
        """There is nothing to close."""


def _play(game: RexEnv | AgainstPerfect, agent: Player, action: int) -> Player | None:
    """Plays an action, and returns who lost by it, if somebody did."""
    number = int(action)
    if not 0 <= number < game.view.cells:
        raise ValueError(f"action {action!r} is no cell; expected 0 to {game.view.cells - 1}")
    name = game.position.cells[game.view.cell(agent, number)]
    if name not in game.position.moves():
        return agent
    game.position = game.position.play(name)
    winner = game.position.winner()
    return None if winner is None else _OTHER[winner]


def raw_env(position: str | Position = "5x5", render_mode: str | None = "ansi") -> RexEnv:
    """The game of two agents, without checks."""
    return RexEnv(position, render_mode)


def env(position: str | Position = "5x5", render_mode: str | None = "ansi") -> AECEnv[str, Any, Any]:
    """The game of two agents, with PettingZoo's usual checks: a move that is not legal ends the game."""
    game: AECEnv[str, Any, Any] = raw_env(position, render_mode)
    game = wrappers.TerminateIllegalWrapper(game, illegal_reward=-1)
    game = wrappers.AssertOutOfBoundsWrapper(game)
    return wrappers.OrderEnforcingWrapper(game)


class AgainstPerfect(gymnasium.Env[Any, Any]):
    """One agent against the perfect player: the opponent wins wherever she can.

    The agent plays "black" or "white". Weaker opponents are "novice", "casual", "skilled" and "expert".
    ``info["values"]`` has the value of every action of the agent (1 wins, -1 loses, 0 is not legal) if `values` is set.

    >>> import gymnasium
    >>> game = AgainstPerfect("4x4", agent="black")
    >>> seen, info = game.reset(seed=1)
    >>> game.position
    Position('4/4/4/4 b')
    >>> seen, reward, over, _, info = game.step(0)
    >>> game.position.stones, reward, over
    (2, 0.0, False)
    """

    metadata = {"render_modes": ["ansi", "svg"]}

    def __init__(
        self,
        position: str | Position = "5x5",
        agent: Player = "black",
        opponent: str = "perfect",
        *,
        values: bool = False,
        render_mode: str | None = None,
        solver: Solver | None = None,
    ) -> None:
        if agent not in _OTHER:
            raise ValueError(f"the agent is {agent!r}; expected 'black' or 'white'")
        if opponent not in LEVELS:
            raise ValueError(f"the opponent is {opponent!r}; expected one of {', '.join(LEVELS)}")
        self.start = self.position = _start(position)
        self.agent: Player = agent
        self.opponent = opponent
        self.values = values
        self.render_mode = render_mode
        self.solver = solver or default_solver()
        self.view = View(self.start.rows, self.start.cols)
        self.observation_space = self.view.observation_space()
        self.action_space = self.view.action_space()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts a game. If the opponent moves first, she has moved."""
        super().reset(seed=seed)
        self.position = self.start
        if self.position.to_move != self.agent:
            self._answer()
        return self._seen()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays a move of the agent, and the opponent's reply."""
        loser = _play(self, self.agent, action)
        if loser is None:
            self._answer()
            winner = self.position.winner()
            loser = None if winner is None else _OTHER[winner]
        reward = 0.0 if loser is None else -1.0 if loser == self.agent else 1.0
        seen, info = self._seen()
        return seen, reward, loser is not None, False, info

    def render(self) -> str | None:
        """The board as text, or as a picture."""
        if self.render_mode is None:
            return None
        return self.position.to_svg() if self.render_mode == "svg" else str(self.position)

    def _answer(self) -> None:
        if self.position.winner() is None:
            seed = int(self.np_random.integers(2**63))
            self.position = self.position.play(self.solver.choose(self.position, self.opponent, seed=seed).move)

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        info: dict[str, Any] = {"position": self.position.to_ren()}
        if self.values:
            values = self.solver.values(self.position).array()
            info["values"] = self.view.turned(self.agent, values).ravel().copy()
        return self.view.observe(self.position, self.agent), info
