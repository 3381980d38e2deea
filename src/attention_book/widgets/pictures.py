"""The panel of a picture: a grey image, a mask of weights over it, and boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from attention_book.widgets.fields import ControlValue, OfPaper
from attention_book.widgets.panel import (
    Panel,
    check_template,
    fill,
    fixed,
    holding,
)

SIDE, SHEET = 288, 256  # pixels; the longer side of a picture, of one that is a sheet
LAID = 202  # of a sheet without values: a phone has room for what can be laid beside it
TOOLS = 84  # pixels of what stands beside a sheet
KEY = 30  # pixels of the line that explains the colours
SAY = "{query} attends {value} to row {row}, column {column}"


class Picture(Panel):
    """An image, weights over it, boxes on it."""

    kind = "picture"
    holds = holding(
        numbers="image values boxes lit asking", text="alt query", words="names"
    )

    def check(self) -> None:
        for name in ("image", "values"):
            if any(leaf.ndim != 2 or not leaf.size for leaf in self.fields[name].every):
                raise ValueError(
                    f"{name} must have rows and columns of numbers at every setting"
                )
        low, high = self.extent("image")
        if low < 0 or high > 1:
            raise ValueError(
                f"image reaches from {low:g} to {high:g}: expected grey values in "
                "[0, 1]"
            )
        low, high = self.extent("values")
        if low < 0:
            raise ValueError(
                f"values reaches from {low:g} to {high:g}: weights cannot be negative"
            )
        for axis, name in enumerate(("rows", "columns")):
            pixels, cells = self.size("image", axis), self.size("values", axis)
            message = (
                f"image has {{}} {name} but values has {{}}: a cell must cover whole "
                "pixels"
            )
            self.require(np.equal(pixels % cells, 0), message, pixels, cells)
        if "boxes" in self.fields:
            self._check_boxes()
        if "lit" in self.fields:
            self._check_lit()
        if self.options["asks"] is not None:
            self._check_asks()
        if self.options["paper"] is not None:
            self.chosen("paper")
        high = self.options["high"] or high
        self.options["limits"] = [0.0, high if high > 0 else 1.0]
        self.options["side"], self.options["tools"] = self._room

    def _check_boxes(self) -> None:
        boxes = self.fields["boxes"]
        if any(leaf.ndim != 2 or leaf.shape[1] != 4 for leaf in boxes.every):
            raise ValueError(
                "boxes must hold a row (top, left, height, width) for each box"
            )
        self.agree("names", "boxes")
        for leaf in boxes.every:
            if (leaf[:, :2] < 0).any() or (leaf[:, 2:] <= 0).any():
                raise ValueError(
                    "boxes must start inside the image and have a height and a width "
                    "above 0"
                )
        for axis, side in enumerate(("below", "to the right of")):
            end = boxes.spread(
                lambda leaf, axis=axis: int(
                    np.ceil((leaf[:, axis] + leaf[:, axis + 2]).max(initial=0))
                ),
                self.controls,
            )
            inside = np.less_equal(end, self.size("image", axis))
            self.require(inside, f"boxes has a box that ends {side} the image")

    def _check_lit(self) -> None:
        lit = self.fields["lit"]
        if any(leaf.ndim != 0 or leaf != np.floor(leaf) for leaf in lit.every):
            raise ValueError("lit must be the number of one box, or -1 for none")
        which, count = lit.spread(int, self.controls), self.count("boxes")
        message = "lit is {} but there are {} boxes, numbered from 0"
        there = np.greater_equal(which, -1) & np.less(which, count)
        self.require(there, message, which, count)

    def _check_asks(self) -> None:
        control = self.chosen("asks")
        if control.kind != "cells":
            raise ValueError(f"asks is {control.name!r}: expected a name of cells")
        shapes = {leaf.shape for leaf in self.fields["values"].every}
        sizes = sorted(f"{R}, {C}" for R, C in shapes)
        if sizes != [control.labels[-1]]:
            raise ValueError(
                f"values has the sizes {'; '.join(sizes)} but the last of the cells "
                f"is {control.labels[-1]}"
            )

    @property
    def _room(self) -> tuple[int, int]:
        """Pixels of the longer side, at most, and of what stands beside it."""
        if self.asked["paper"] is None:
            return SIDE, 0
        return LAID if self.asked["bare"] else SHEET, TOOLS

    def height(self, width: float) -> float:
        key = 0 if self.asked["bare"] else KEY
        side, tools = self._room

        def drawn(leaf: np.ndarray) -> float:
            H, W = leaf.shape
            return H * min(side / max(H, W), (width - tools) / W)

        return max(drawn(leaf) for leaf in self.fields["image"].every) + key

    def static_text(self, index: Sequence[Any]) -> list[str]:
        values, query, alt = self.at(index, "values", "query", "alt")
        if self.asked["bare"]:
            return [alt]
        r, c = np.unravel_index(values.argmax(), values.shape)
        value = fixed(values[r, c], self.options["digits"])
        said = fill(
            self.options["say"], query=query, value=value, row=r + 1, column=c + 1
        )
        return [f"{alt} {said}, the most of all."]


def picture(
    image: Any,
    values: Any,
    alt: Any,
    *,
    query: Any = "the query",
    boxes: Any = None,
    names: Any = None,
    lit: Any = None,
    box_label: str = "box",
    asks: ControlValue | None = None,
    asking: Any = None,
    high: float | None = None,
    label: str = "",
    digits: int = 2,
    say: str = SAY,
    half: bool = False,
) -> Panel:
    """Make a picture under a mask: the denser the blue, the more it is looked at.

    All fields may be `over` controls.

    Parameters
    ----------
    image
        Grey values in [0, 1], (H, W): 0 is paper, 1 is ink. If they are the `pixels` of
        a `paper`, the reader lays pictures on it, drags them, and draws.
    values
        Weights, (R, C); each covers H/R × W/C pixels, which must be whole numbers. None
        for a picture alone.
    alt
        A sentence that says what the picture shows, for those who do not see it.
    query
        The word that looks, as read out.
    boxes
        (n, 4), each (top, left, height, width) in pixels, outlined; called `box_label`
        in the legend.
    names
        List of n words, one for each box.
    lit
        Number of the box drawn strong, -1 for none.
    asks
        ``control(name)`` of `cells`: one of the picture's cells asks, in orange, and
        the reader chooses which.
    asking
        A number, 0 where no cell asks and none is orange.
    high
        The weight of the densest blue, and of all above it; the largest one that is
        there at first, when None.
    say
        The sentence read out for a cell, with {query}, {value}, {row} and {column};
        rows and columns count from 1.
    """
    if (boxes is None) != (names is None) or (lit is not None and boxes is None):
        raise ValueError(
            "boxes, names and lit belong together: give a name for each box, and lit "
            "only with boxes"
        )
    bare = values is None
    if bare and any(x is not None for x in (boxes, names, lit, asks, asking)):
        raise ValueError(
            "a picture without values has no boxes, names, lit, asks or asking"
        )
    values = np.zeros((1, 1)) if bare else values
    given = {"image": image, "values": values, "alt": alt, "query": query}
    given |= {"boxes": boxes, "names": names, "lit": lit, "asking": asking}
    options = {
        "digits": digits,
        "say": check_template(say, ("query", "value", "row", "column")),
        "box_label": box_label,
        "asks": asks and asks.name,
        "high": high,
        "bare": bare,
        "paper": image.name if isinstance(image, OfPaper) else None,
    }
    return Picture(given, options, label, half)
