"""What a figure asks of a network, and what it shows of the answer.

    spoken = reading(network, source=ids("sentence"), visible=shown("sentence"))
    heat_map(words_of("sentence"), words_of("sentence"), spoken.tap("attend"))

A network has the face of `networks.Network`; nothing here imports torch. Python runs it
once, for the figure's first state. From then on the page runs it, in a worker
(`js/runner.mjs`), whenever a control is moved that an input or a change depends on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attention_book.shapes import check_choice
from attention_book.widgets.controls import Control, position_of
from attention_book.widgets.fields import (
    Output,
    Said,
    computed,
    control,
    named,
    read_field,
)


@dataclass
class Chosen:
    """Let a menu choose what is done to attention weights.

    `changes` holds, for each label of the `select` of this name, a list of changes,
    each a list of a kind (one of `networks.CHANGES`) and its arguments: numbers, or
    fields such as ``control("heads")``.
    """

    name: str
    changes: Mapping[str, Sequence[Any]]

    def of(self, controls: Sequence[Control]) -> tuple[int, list[Sequence[Any]]]:
        """The menu's position, and the changes of each of its labels."""
        k = position_of(controls, self.name)
        for label in controls[k].labels:
            check_choice(f"a label of {self.name!r}", label, self.changes)
        return k, [self.changes[label] for label in controls[k].labels]


chosen = Chosen
Change = Mapping[str, Sequence[Any] | Chosen] | None


class Run:
    """One question to a network; made by `reading` and `writing`."""

    def __init__(
        self,
        network: Any,
        call: str,
        inputs: Mapping[str, Any],
        change: Change,
        options: Mapping[str, Any],
    ) -> None:
        self.network, self.call, self.inputs = network, call, dict(inputs)
        self.options = dict(options)
        self.change = {
            tap: [told] if isinstance(told, Chosen) else told
            for tap, told in (change or {}).items()
        }
        self._started: dict[str, dict[str, np.ndarray]] = {}

    def output(self, name: str) -> Output:
        """What the call gives of that name, as a field of numbers."""
        return Output(self, name)

    def tap(self, path: str) -> Output:
        """The attention weights of a tap, as a field of numbers."""
        return Output(self, f"tap:{path}")

    def words(self, name: str, labels: Sequence[str]) -> Said:
        """Ids that the call gives, or the likeliest by its logits, as words."""
        return named(self.output(name), labels)

    def start(self, controls: Sequence[Control], name: str) -> np.ndarray:
        """What it gives at the controls' first settings."""
        asked = repr(controls)  # a figure that shares the run may have others
        if asked not in self._started:
            self._started[asked] = self._answer(controls)
        started = self._started[asked]
        if name not in started:
            raise ValueError(
                f"{self.call} of {self.network.name} gives no {name!r}, expected one "
                f"of {', '.join(started)}"
            )
        return started[name]

    def _answer(self, controls: Sequence[Control]) -> dict[str, np.ndarray]:
        index = [each.default for each in controls]
        inputs = {name: each.at(index)[None] for name, each in self._inputs(controls)}
        change = {
            tap: self._now(told, controls, index) for tap, told in self.change.items()
        }

        def setting(told: Any) -> Any:
            if isinstance(told, Mapping):
                return {name: setting(each) for name, each in told.items()}
            if not isinstance(told, str):
                return told
            k = position_of(controls, told)
            return controls[k].value_at(index[k])

        options = setting(self.options)
        outputs, taps = self.network.answer(self.call, inputs, change, options)
        return {**outputs, **{f"tap:{path}": A for path, A in taps.items()}}

    def _inputs(self, controls: Sequence[Control]) -> list[tuple[str, Any]]:
        return [
            (name, read_field(name, "numbers", value, controls))
            for name, value in self.inputs.items()
        ]

    def _now(
        self, told: Sequence[Any], controls: Sequence[Control], index: list[Any]
    ) -> list[list[Any]]:
        """The changes of a tap at a setting, each [kind, argument, ...]."""
        now: list[list[Any]] = []
        for each in told:
            if isinstance(each, Chosen):
                k, by_label = each.of(controls)
                now += self._now(by_label[index[k]], controls, index)
            else:
                kind, *given = each
                fields = [read_field(kind, "numbers", x, controls) for x in given]
                now.append([kind, *(field.at(index) for field in fields)])
        return now

    def to_json(self, packer: Any, controls: Sequence[Control]) -> dict[str, Any]:
        """What the browser needs to ask the same."""

        def written(told: Sequence[Any]) -> list[Any]:
            out: list[Any] = []
            for each in told:
                if isinstance(each, Chosen):
                    k, by_label = each.of(controls)
                    out.append({"by": k, "of": [*map(written, by_label)]})
                else:
                    kind, *given = each
                    fields = [read_field(kind, "numbers", x, controls) for x in given]
                    out.append([kind, *map(packer.encode, fields)])
            return out

        def option(told: Any) -> Any:
            if isinstance(told, Mapping):
                return {"all": {name: option(each) for name, each in told.items()}}
            if isinstance(told, str):
                return {"control": position_of(controls, told)}
            return {"is": told}

        return {
            "network": self.network.name,
            "call": self.call,
            "inputs": {n: packer.encode(each) for n, each in self._inputs(controls)},
            "change": {tap: written(told) for tap, told in self.change.items()},
            "options": {name: option(each) for name, each in self.options.items()},
        }


def silencing(name: str, network: Any) -> dict[str, list[Sequence[Any]]]:
    """Let `switches` of this name silence a network's heads, block by block, as
    `models.heads` names them.

    Gives the `change` of a run, a tap for each block.
    """
    N_heads = network.model.config.N_heads
    taps = next(iter(network.program["functions"].values()))["taps"]  # as in all calls
    of_tap = np.arange(len(taps) * N_heads, dtype=float).reshape(-1, N_heads)
    return {
        tap: [["off", computed("at_places", values=control(name), places=places)]]
        for tap, places in zip(taps, of_tap, strict=True)
    }


def reading(
    network: Any,
    call: str = "read",
    *,
    change: Change = None,
    **inputs: Any,
) -> Run:
    """Ask a network (`networks.Network`) for one of its calls.

    The inputs are, by name, fields of numbers without the batch axis: `ids`, `shown`,
    ``control(...)``, `computed`, or arrays. `change` holds, by tap, a list of changes
    to make to the weights in turn, as for `chosen`, or its result.
    """
    return Run(network, call, inputs, change, {})


def writing(
    network: Any,
    *,
    change: Change = None,
    most: int = 40,
    width: int | str = 1,
    sample: Mapping[str, float | str] | None = None,
    **inputs: Any,
) -> Run:
    """Ask a network to write: outputs "ids", "logits", "attention", where words are
    drawn "chances", and taps.

    Parameters
    ----------
    network, change, **inputs
        As for `reading`; the inputs are those of `encode`.
    most
        Longest output, [STOP] included.
    width
        Of the beam, 1 for greedy decoding; or the name of a control with numbers.
    sample
        Draw each word: "seed", "temperature", "top_k" and "top_p" of
        `decoding.sample`, each a number or the name of a control with numbers.
    """
    options = {"most": most, "width": width, "sample": sample}
    return Run(network, "write", inputs, change, options)
