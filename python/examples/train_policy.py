"""Trains a small policy on solved positions, and measures what it loses against perfect play.

    pip install 'solrex[environment]'
    python train_policy.py --size 5x5 --positions 20000

The policy is a net with one hidden layer, in numpy. It sees the board as the side to move does (as Black), and learns to
play moves that win. Two figures judge it: how often its move throws away a win in positions it has never seen, and how
many won games it still wins when the perfect player is the opponent. Random moves are measured the same way.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

import solrex
from solrex.environment import AgainstPerfect

Floats = npt.NDArray[np.float32]


def as_black(grids: npt.NDArray[np.int8], to_move: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """Boards as the side to move sees them: White's are turned over, so that her sides are top and bottom."""
    return np.where(to_move[:, None, None] == 1, grids, grids.transpose(0, 2, 1))


def lessons(table: solrex.Table) -> tuple[Floats, npt.NDArray[np.int8]]:
    """What the policy sees of won positions (own stones, the opponent's), and the value of every move."""
    won = table.winner == table.to_move
    stones = as_black(table.stones * table.to_move[:, None, None], table.to_move)[won]
    seen = np.stack([stones == 1, stones == -1], -1).reshape(len(stones), -1).astype(np.float32)
    return seen, as_black(table.values, table.to_move)[won].reshape(len(stones), -1)


class Policy:
    """A net with one hidden layer, trained by Adam."""

    def __init__(self, cells: int, hidden: int, draw: np.random.Generator) -> None:
        def weights(rows: int, cols: int) -> Floats:
            return (draw.standard_normal((rows, cols)) * np.sqrt(2 / rows)).astype(np.float32)

        self.weights = [weights(2 * cells, hidden), np.zeros(hidden, np.float32)]
        self.weights += [weights(hidden, cells), np.zeros(cells, np.float32)]
        self.means = [np.zeros_like(weight) for weight in self.weights]
        self.squares = [np.zeros_like(weight) for weight in self.weights]
        self.steps = 0

    def logits(self, seen: Floats) -> tuple[Floats, Floats]:
        first, bias, second, offset = self.weights
        hidden = np.maximum(seen @ first + bias, 0)
        return hidden, hidden @ second + offset

    def learn(self, seen: Floats, values: npt.NDArray[np.int8], rate: float) -> float:
        """One step towards giving all its weight to moves that win. Returns the loss before it."""
        hidden, logits = self.logits(seen)
        logits = np.where(values == 0, -1e9, logits)
        exponents = np.exp(logits - logits.max(1, keepdims=True))
        chances = exponents / exponents.sum(1, keepdims=True)
        winning = chances * (values == 1)
        total = winning.sum(1, keepdims=True) + 1e-9
        # The loss is minus the logarithm of the chance to play a winning move.
        slope = (chances - winning / total) / len(seen)
        back = (slope @ self.weights[2].T) * (hidden > 0)
        slopes = [seen.T @ back, back.sum(0), hidden.T @ slope, slope.sum(0)]
        self.steps += 1
        for number, gradient in enumerate(slopes):
            mean, square = self.means[number], self.squares[number]
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            scale = rate * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
            self.weights[number] -= (scale * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)
        return float(-np.log(total).mean())

    def choose(self, seen: Floats, legal: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
        return np.where(legal, self.logits(seen)[1], -np.inf).argmax(-1)


def games_won(size: str, games: int, choose: Callable[[Floats, npt.NDArray[np.bool_]], int]) -> float:
    """The share of won games: Black's openings on a board of even size, White's replies on one of odd size."""
    agent: solrex.Player = "black" if int(size.split("x")[0]) % 2 == 0 else "white"
    game = AgainstPerfect(size, agent)
    won = 0
    for number in range(games):
        seen, _ = game.reset(seed=number)
        reward, over = 0.0, False
        while not over:
            board = seen["observation"].reshape(-1).astype(np.float32)
            seen, reward, over, _, _ = game.step(choose(board, seen["action_mask"] == 1))
        won += reward > 0
    return won / games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="5x5", help="a square board")
    parser.add_argument("--positions", type=int, default=20000, help="solved positions, nine tenths to learn from")
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    draw = np.random.default_rng(arguments.seed)
    table = solrex.solved_positions(arguments.size, arguments.positions, seed=arguments.seed)
    seen, values = lessons(table)
    split = len(seen) * 9 // 10
    print(f"{len(table.winner)} positions solved, {len(seen)} of them won by the side to move")

    policy = Policy(values.shape[1], arguments.hidden, draw)
    for epoch in range(arguments.epochs):
        order = draw.permutation(split)
        rate = 0.003 * (1 - epoch / arguments.epochs)
        losses = [policy.learn(seen[batch], values[batch], rate) for batch in np.array_split(order, max(split // 64, 1))]
    print(f"loss after {arguments.epochs} epochs: {np.mean(losses):.3f}")

    unseen, truth = seen[split:], values[split:]
    chosen = policy.choose(unseen, truth != 0)
    thrown = float((truth[np.arange(len(truth)), chosen] == -1).mean())
    at_random = float(((truth == -1).sum(1) / (truth != 0).sum(1)).mean())
    print(f"wins thrown away in {len(truth)} unseen positions: {thrown:.1%} (random moves: {at_random:.1%})")

    def random_move(_: Floats, legal: npt.NDArray[np.bool_]) -> int:
        return int(draw.choice(np.flatnonzero(legal)))

    def policy_move(board: Floats, legal: npt.NDArray[np.bool_]) -> int:
        # A little chance, so that the games differ: one of the best two.
        order = np.argsort(np.where(legal, policy.logits(board)[1], -np.inf))[::-1]
        return int(order[0] if legal.sum() == 1 or draw.random() < 0.8 else order[1])

    for name, choose in [("policy", policy_move), ("random moves", random_move)]:
        share = games_won(arguments.size, arguments.games, choose)
        print(f"{name} against the perfect player: won {share:.0%} of {arguments.games} games that can be won")


if __name__ == "__main__":
    main()
