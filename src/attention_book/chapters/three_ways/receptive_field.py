"""ReceptiveField: what one output sees of the inputs, after some layers of each kind.

A layer is drawn as what it is made of: who is computed from whom. What an output sees,
the step in which it can be computed and its path from the first input are read from
these edges, not from formulas.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int

from attention_book.widgets.controls import select, slider
from attention_book.widgets.fields import control, over
from attention_book.widgets.networks import network
from attention_book.widgets.strips import text
from attention_book.widgets.widget import Widget

N, DEPTH = 12, 4  # places, and layers at most
D, LONG = 64, 1024  # what the work is counted for
WAY, LAYERS, OUTPUT = "way", "layers", "output"


@dataclass(frozen=True)
class Way:
    """A kind of layer."""

    # Of the distances i - j and the layer, from 1: which places j below make place i
    sees: Callable[[Int[np.ndarray, "N N"], int], Bool[np.ndarray, "N N"]]
    formula: str
    work: Callable[[int, int], int]  # multiply-adds of n inputs of width d
    recurrent: bool = False  # a place is also made from the one before it


def _convolution(k: int, sees: Callable[[np.ndarray, int], np.ndarray]) -> Way:
    return Way(sees, "k·n·d²", lambda n, d: k * n * d * d)


def _attention(sees: Callable[[np.ndarray, int], np.ndarray]) -> Way:
    return Way(sees, "(2·n²·d + 3·n·d²)", lambda n, d: 2 * n * n * d + 3 * n * d * d)


def restricted(r: int) -> Way:
    """Self-attention to less than `r` places away; a block meets 3 r keys."""
    return Way(
        lambda away, _: abs(away) < r,
        "(6·r·n·d + 3·n·d²)",
        lambda n, d: 6 * r * n * d + 3 * n * d * d,
    )


WAYS = {
    "GRU": Way(lambda away, _: away == 0, "6·n·d²", lambda n, d: 6 * n * d * d, True),
    "convolution, k = 3": _convolution(3, lambda away, _: abs(away) <= 1),
    "convolution, k = 5": _convolution(5, lambda away, _: abs(away) <= 2),
    "causal convolution, k = 3": _convolution(
        3, lambda away, _: (away >= 0) & (away < 3)
    ),
    "dilated convolution, k = 3": _convolution(
        3, lambda away, layer: np.isin(abs(away), [0, 2 ** (layer - 1)])
    ),
    "self-attention": _attention(lambda away, _: abs(away) >= 0),
    "causal self-attention": _attention(lambda away, _: away >= 0),
    "restricted self-attention, r = 3": restricted(3),
}


def edges_of(way: Way) -> Int[np.ndarray, "N_edges 4"]:
    """Which vector is made from which, in the order in which they can be computed.

    Rows (layer, place, layer, place), first of the one that is used; layer 0 are the
    inputs.
    """
    away = np.subtract.outer(np.arange(N), np.arange(N))
    rows = []
    for layer in range(1, DEPTH + 1):
        for i, seen in enumerate(way.sees(away, layer)):
            rows += [(layer - 1, j, layer, i) for j in np.flatnonzero(seen)]
            if way.recurrent and i:
                rows.append((layer, i - 1, layer, i))
    return np.array(rows)


def first_steps(edges: Int[np.ndarray, "N_edges 4"]) -> Int[np.ndarray, "L N"]:
    """The step in which each vector can be computed: one after all that it uses."""
    steps = np.zeros((DEPTH + 1, N), dtype=int)
    for below, j, layer, i in edges:
        steps[layer, i] = max(steps[layer, i], steps[below, j] + 1)
    return steps


def seen_from(
    edges: Int[np.ndarray, "N_edges 4"], layer: int, place: int
) -> Bool[np.ndarray, "L N"]:
    """Which vectors the one at a place of a layer is made from, with itself."""
    seen = np.zeros((DEPTH + 1, N), dtype=bool)
    seen[layer, place] = True
    for below, j, above, i in edges[::-1]:
        seen[below, j] |= seen[above, i]
    return seen


def path_lengths(edges: Int[np.ndarray, "N_edges 4"]) -> np.ndarray:
    """Edges on the shortest way from the first input to each vector; else infinity."""
    length = np.full((DEPTH + 1, N), np.inf)
    length[0, 0] = 0
    for below, j, layer, i in edges:
        length[layer, i] = min(length[layer, i], length[below, j] + 1)
    return length


def receptive_field() -> Widget:
    """Show what an output that the reader picks sees, in each of the ways."""
    edges = {name: edges_of(way) for name, way in WAYS.items()}
    steps = {name: first_steps(each) for name, each in edges.items()}
    paths = {name: path_lengths(each) for name, each in edges.items()}

    def seen(name: str, layers: int, output: int) -> np.ndarray:
        return seen_from(edges[name], layers, output - 1)

    def steps_said(name: str, layers: int, output: int) -> str:
        here, last = steps[name][layers, [output - 1, N - 1]]
        length = paths[name][layers, output - 1]
        every = f" ({last} for all outputs)" if here != last else ""
        path = f"{length:.0f} long" if np.isfinite(length) else "none"
        return f"Steps, as numbered: {here}{every}. Path from input 1: {path}."

    def work_said(name: str, layers: int) -> str:
        way = WAYS[name]
        short, long = (f"{layers * way.work(n, D):,}" for n in (N, LONG))
        return (
            f"Work L·{way.formula} with d = {D}: {short} for n = {N}, {long} for "
            f"n = {LONG:,}."
        )

    def said(name: str, layers: int, output: int) -> str:
        count = int(seen(name, layers, output)[0].sum())
        if count == N:
            return f"Output {output} sees all {N} inputs."
        return f"Output {output} sees {count} of {N} inputs; the others are hatched."

    return Widget(
        title="What one output sees",
        question="Which ways show input 1 to output 9 in four layers? Which in one?",
        controls=[
            select(WAY, list(WAYS), default="convolution, k = 5"),
            slider(LAYERS, range(1, DEPTH + 1), default=2),
            slider(OUTPUT, range(1, N + 1), default=9),
        ],
        panels=[
            network(
                over(WAY, edges.get),
                over(WAY, steps.get),
                over(WAY, LAYERS, OUTPUT, seen),
                depth=control(LAYERS),
                output=control(OUTPUT),
                label="what the output sees",
            ),
            text(over(WAY, LAYERS, OUTPUT, steps_said)),
            text(over(WAY, LAYERS, work_said)),
        ],
        summary=over(WAY, LAYERS, OUTPUT, said),
        link="receptive-field",
    )
