"""All arrays of a widget in one run of bytes, little-endian, each number in as few
bytes as its use allows.

- "float32": exact to seven digits; up to 4096 numbers, and what is beyond float16.
- "uint8": steps of 1/255 in [0, 1]; larger fields of weights. A weight shown as 0.83 is
  off by < 0.002.
- "float16": three digits; other large fields.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from attention_book.widgets.fields import Field

TYPES = {"float32": "<f4", "float16": "<f2", "uint8": "u1"}
FEW = 4096
LARGEST_HALF = float(np.finfo(np.float16).max)


class Packer:
    """Collects arrays and describes where each went; equal ones are packed once."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.known: dict[bytes, int] = {}
        self.size = 0
        self.runs: list[Any] = []  # of networks, in the order of their first output

    @property
    def data(self) -> bytes:
        """Everything packed so far."""
        return b"".join(self.parts)

    def encode(self, field: Field) -> dict[str, Any]:
        """Describe a field for the browser, packing its numbers.

        It is {"is": value}, {"by", "of"}, {"by", "at", "type", "shapes"}, {"control"},
        {"run", "with"}, {"sentence", "as", "start", "stop"}, {"paper", "channel"},
        {"named", "labels" or "digits" or "joined", "between", "before"},
        {"pick", "of"}, {"text", "of", "else"} or {"ran", "output", "start"}.
        """
        if "output" in field.recipe:
            return self._output(field)
        if field.recipe:
            return self._written(field.recipe)
        if field.what == "numbers":
            return self._pack(field)
        leaves = field.leaves.ravel().tolist()
        return {"by": list(field.by), "of": leaves} if field.by else {"is": leaves[0]}

    def _written(self, part: Any) -> Any:
        """Encode all fields inside a recipe."""
        if isinstance(part, Field):
            return self.encode(part)
        if isinstance(part, dict):
            return {k: self._written(each) for k, each in part.items()}
        if isinstance(part, list):
            return [self._written(each) for each in part]
        return part

    def _output(self, field: Field) -> dict[str, Any]:
        """Describe what a network gives: which run, and what stands there at first."""
        value = field.recipe["output"]
        if value.run not in self.runs:
            self.runs.append(value.run)
        start = Field(field.name, field.what, (), field.leaves)
        return {
            "ran": self.runs.index(value.run),
            "output": value.name,
            "start": self._pack(start, drawn=value.name.startswith("tap:")),
        }

    def _pack(self, field: Field, drawn: bool = True) -> dict[str, Any]:
        leaves = field.every
        flat = np.concatenate([leaf.ravel() for leaf in leaves])
        kind = _kind(flat, drawn)
        packed = (
            np.rint(flat * 255).astype("u1")
            if kind == "uint8"
            else flat.astype(TYPES[kind])
        )
        shapes = [list(leaf.shape) for leaf in leaves]
        same = all(shape == shapes[0] for shape in shapes)
        raw = packed.tobytes()
        at = self.known.setdefault(raw, self.size)
        if at == self.size:
            self.parts.append(raw)
            self.size += len(raw)
        return {
            "by": list(field.by),
            "at": at,
            "type": kind,
            "shapes": shapes[:1] if same else shapes,
        }


def _kind(numbers: np.ndarray, drawn: bool) -> str:
    """Choose how numbers are stored: a byte is enough of shades that are only drawn,
    and too little where the largest of them are looked for.
    """
    if numbers.size <= FEW:
        return "float32"
    if drawn and numbers.min() >= 0 and numbers.max() <= 1:
        return "uint8"
    return "float16" if np.abs(numbers).max() <= LARGEST_HALF else "float32"
