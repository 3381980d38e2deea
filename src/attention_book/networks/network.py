"""A trained model with its program: what a figure needs to run it, in a page or here.

In Python the calls are made by torch, on the model itself. That gives a figure's first
state, and is what the page's engine is held against.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from zlib import crc32

import numpy as np
import torch
from torch import Tensor, nn

from attention_book import decoding
from attention_book.data import TextPieces
from attention_book.networks.changes import change_of
from attention_book.networks.program import (
    Named,
    Program,
    Traced,
    pack,
    readable,
    trace,
)
from attention_book.networks.taps import Changes, Taps
from attention_book.shapes import START, STOP, check_choice

Given = Mapping[str, Any]
Arrays = dict[str, np.ndarray]
Answer = tuple[Arrays, Arrays]


@dataclass(frozen=True)
class Network:
    """A model that can run in a page.

    Attributes
    ----------
    name : str
        What a page calls it.
    model : nn.Module
        Its weights are read when the network is packed or run.
    calls : mapping
        By name (call, [example, example]), as for `trace`.
    precision : str
        Of the weights that travel, as for `pack`.
    recorded : dict or None
        The program, if it was traced before.
    pieces : TextPieces or None
        What cuts a text that a reader types, for a model that goes on with texts.
    """

    name: str
    model: nn.Module
    calls: Mapping[str, Traced]
    precision: str = "float16"
    recorded: Program | None = None
    pieces: TextPieces | None = None

    @cached_property
    def program(self) -> Program:
        """The program, traced when it is first asked for."""
        return self.recorded or trace(self.model, **self.calls)

    @cached_property
    def _readable(self) -> nn.Module:
        return readable(self.model)

    def packed(self) -> tuple[Program, bytes]:
        """The program with its weights' places and checksum, and their bytes."""
        state = self.model.state_dict()
        places, data = pack(self.program, state, self.precision)
        packed = {**self.program, "weights": places, "crc32": crc32(data)}
        if self.pieces:
            longest = self.model.config.N_positions
            packed["pieces"] = {"merges": self.pieces.merges, "longest": longest}
        return packed, data

    def of(self, model: nn.Module) -> "Network":
        """The same network with another model's weights, such as one trained anew.

        A model of another make is traced, which takes some seconds.
        """
        ours, theirs = _shapes(self.model), _shapes(model)
        for name in self.program["weights"]:
            if theirs.get(name) != ours[name]:
                raise ValueError(
                    f"model has {name} of shape {theirs.get(name, 'none')}, expected "
                    f"{ours[name]} as {self.name!r}, which this figure runs"
                )
        if _make(model) != _make(self.model):
            made = trace(model, **self.calls)
            if made != self.program and made != trace(self.model, **self.calls):
                raise ValueError(
                    f"model computes something else than {self.name!r}, which this "
                    "figure runs: expected one made with the same settings"
                )
        return replace(self, model=model, recorded=self.program)

    def answer(self, call: str, inputs: Given, change: Given, options: Given) -> Answer:
        """Answer what a page would ask: `run`, or `write` where call is "write".

        Parameters
        ----------
        change : mapping
            By tap, a list of changes as for `change_of`.
        options : mapping
            Of `write`: "most" words, "width" of the beam, "sample".
        """
        changes = {tap: change_of(told) for tap, told in change.items()}
        if call != "write":
            return self.run(call, inputs, changes)
        told = {"max_words" if k == "most" else k: v for k, v in options.items()}
        return self.write(inputs, changes, **told)

    def run(self, call: str, inputs: Given, change: Changes | None = None) -> Answer:
        """Make a call.

        Parameters
        ----------
        inputs : mapping
            By name, arrays with the shapes and kinds of the examples.
        change : mapping, optional
            By tap, what gives the weights to use; see `Taps`.

        Returns
        -------
        outputs, taps : dict of arrays
            By name, without the batch axis, which has one entry.
        """
        outputs, taps = self.compute(call, inputs, change)
        return plain(outputs), self._known(change, plain(taps))

    def write(
        self,
        inputs: Given,
        change: Changes | None = None,
        *,
        width: int = 1,
        sample: Given | None = None,
        max_words: int = 40,
    ) -> Answer:
        """Write a sentence: by greedy decoding, with a beam of `width`, or drawn, by
        the seed and the settings in `sample` (see `decoding.sample`).

        Returns
        -------
        outputs : dict of arrays
            "ids" (N_Y,), [STOP] included where it was written; "logits"; "attention"
            (N_Y, N_X), if the model looks; where words are drawn, "chances" (N_Y,
            N_words), with which each was, and "kept" (N_Y, 1), of how many; else
            "tree_words", "tree_parents" and "tree_scores" (N_steps, width), as
            `decoding.BeamTree` has them, the parent of what is empty -1.
        taps : dict of arrays
            Of `encode` as `run` gives them; of the steps (N_Y, N_heads, N_Z), or all
            rows of a step that reads everything again; filled up with 0.
        """
        writer, given = _Decodable(self, change), self._given("encode", inputs)
        source, seen = given["source"], given.get("visible")
        most, tree = {"max_words": max_words}, {}
        if sample:
            found = decoding.sample(writer, source, seen, **sample, **most)
        else:
            found = decoding.beam(writer, source, seen, width=width, **most)
            there = found.tree.log_probability.isfinite()
            tree = {
                "tree_words": found.tree.words * there,
                "tree_parents": found.tree.parents.where(there, -1),
                "tree_scores": found.tree.log_probability.where(there, 0),
            }
        ids = found.ids[0] + [STOP] * bool(found.finished[0])
        outputs, taps = self._along(inputs, ids, change)
        if sample:
            how = {name: value for name, value in sample.items() if name != "seed"}
            logits = torch.tensor(outputs["logits"], dtype=torch.double)  # no underflow
            chances = decoding.chances(logits, **how)
            kept = (chances > 0).sum(dim=-1, keepdim=True)
            outputs |= {"chances": chances.float().numpy(), "kept": kept.numpy()}
        return outputs | plain(tree), self._known(change, taps)

    def compute(
        self, call: str, inputs: Given, change: Changes | None = None, step: int = 0
    ) -> tuple[Named, Named]:
        """As `run`, in tensors, with the batch axis; a tap of another call may be
        changed.
        """
        given = self._given(call, inputs)
        with torch.no_grad(), Taps(self._readable, change, step) as taps:
            return self.calls[call][0](self._readable, **given), taps.seen

    def _given(self, call: str, inputs: Given) -> Named:
        check_choice(f"call of {self.name}", call, self.calls)
        given = {}
        for name, like in self.calls[call][1][0].items():
            if name not in inputs:
                raise ValueError(f"{call} of {self.name}: input {name!r} is missing")
            given[name] = torch.as_tensor(inputs[name]).to(like.dtype)
        return given

    def step(
        self, kept: Named, token: Any, change: Changes | None, t: int
    ) -> tuple[Named, Named]:
        """Write one word, after what `encode` and the step before gave."""
        said, taps = self.compute("step", {**kept, "token": token}, change, t)
        for name in _states(kept):
            if name not in said:
                raise ValueError(f"step of {self.name} gives no {name}, as encode does")
        return said, taps

    def _known(self, change: Changes | None, taps: Arrays) -> Arrays:
        for tap in change or ():
            check_choice(f"tap of {self.name}", tap, taps)
        return taps

    def _along(self, inputs: Given, ids: list[int], change: Changes | None) -> Answer:
        """What the model gives while it is made to write these words."""
        kept, taps = self.compute("encode", inputs, change)
        steps = []
        for t, token in enumerate([START, *ids[:-1]]):
            steps.append(self.step(kept, [token], change, t))
            kept = kept | steps[-1][0]
        said, attended = zip(*steps, strict=True)
        names = [name for name in ("logits", "attention") if name in said[0]]
        outputs = {n: torch.cat([each[n] for each in said]).numpy() for n in names}
        stacked = {name: _filled([A[name] for A in attended]) for name in attended[0]}
        return {"ids": np.array(ids), **outputs}, plain(taps) | stacked


class _Decodable(nn.Module):
    """A network's calls with the face of a `decoding.Decodable`."""

    def __init__(self, network: Network, change: Changes | None):
        super().__init__()
        self.network, self.change = network, change

    def encode(self, source: Tensor, visible: Tensor | None) -> Named:
        given = {"source": source} | ({} if visible is None else {"visible": visible})
        return self.network.compute("encode", given, self.change)[0]

    def initial_state(self, memory: Named) -> tuple[Any, ...]:
        return (0, *(memory[name] for name in _states(memory)))

    def step(
        self, token: Tensor, memory: Named, state: tuple[Any, ...]
    ) -> tuple[Tensor, tuple[Any, ...], Tensor | None]:
        (t, *past), names = state, _states(memory)
        kept = memory | dict(zip(names, past, strict=True))
        said, _ = self.network.step(kept, token, self.change, t)
        return said["logits"], (t + 1, *(said[n] for n in names)), said.get("attention")


def _shapes(model: nn.Module) -> dict[str, tuple[int, ...]]:
    return {name: tuple(x.shape) for name, x in model.state_dict().items()}


def _make(model: nn.Module) -> list[tuple[str, type, str]]:
    """The layers and their settings, without a number that is learned."""
    learned = dict.fromkeys(("_parameters", "_buffers", "_modules", "training"))
    return [
        (path, type(part), repr(vars(part) | learned))
        for path, part in model.named_modules()
    ]


def _states(memory: Named) -> list[str]:
    return [name for name in memory if name.split(".")[0] == "state"]


def plain(tensors: Named) -> Arrays:
    """Arrays without the batch axis."""
    return {name: x[0].numpy() for name, x in tensors.items()}


def _filled(weights: list[Tensor]) -> np.ndarray:
    rows = [A.reshape(-1, A.shape[-1]).numpy() for A in weights]
    most = np.max([row.shape for row in rows], axis=0)
    return np.stack([np.pad(row, [(0, n) for n in most - row.shape]) for row in rows])
