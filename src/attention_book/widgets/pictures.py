"""The panel of a picture: a grey image, a mask of weights over it, and boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from attention_book.widgets.controls import Control, position_of
from attention_book.widgets.fields import ControlValue, OfPaper
from attention_book.widgets.panel import (
    Panel,
    agree,
    check_template,
    fill,
    fixed,
    require,
)

SIDE, SHEET = 288, 256  # pixels; the longer side of a picture, of one that is a sheet
TOOLS = 84  # pixels of what stands beside a sheet
KEY = 30  # pixels of the line that explains the colours
SAY = "{query} attends {value} to row {row}, column {column}"


class Picture(Panel):
    """An image, weights over it, boxes on it."""

    kind = "picture"

    def check(self, controls: Sequence[Control]) -> None:
        fields = self.fields
        for name in ("image", "values"):
            if any(
                leaf.ndim != 2 or not leaf.size for leaf in fields[name].leaves.ravel()
            ):
                raise ValueError(
                    f"{name} must have rows and columns of numbers at every setting"
                )
        if not 0 <= self.extent("image")[0] <= self.extent("image")[1] <= 1:
            raise ValueError(
                f"image reaches from {self._reach('image')}: expected grey values in "
                "[0, 1]"
            )
        if self.extent("values")[0] < 0:
            raise ValueError(
                f"values reaches from {self._reach('values')}: weights cannot be "
                "negative"
            )
        self._check_cells(controls)
        if "boxes" in fields:
            self._check_boxes(controls)
        if self.options["asks"] is not None:
            self._check_asks(controls)
        if self.options["paper"] is not None:
            self.options["paper"] = position_of(controls, self.options["paper"])
        high = self.options["high"] or self.extent("values")[1]
        self.options["limits"] = [0.0, high if high > 0 else 1.0]
        self.options["side"], self.options["tools"] = self._room

    def _reach(self, name: str) -> str:
        low, high = self.extent(name)
        return f"{low:g} to {high:g}"

    def _check_cells(self, controls: Sequence[Control]) -> None:
        image, values = self.fields["image"], self.fields["values"]
        for axis, name in enumerate(("rows", "columns")):
            pixels, cells = np.broadcast_arrays(
                *(
                    field.spread(lambda leaf, axis=axis: leaf.shape[axis], controls)
                    for field in (image, values)
                )
            )

            def message(
                at: tuple[int, ...], here: tuple = (name, pixels, cells)
            ) -> str:
                name, pixels, cells = here
                return (
                    f"image has {pixels[at]} {name} but values has {cells[at]}: a cell "
                    "must cover whole pixels"
                )

            require(np.equal(pixels % cells, 0), controls, message)

    def _check_boxes(self, controls: Sequence[Control]) -> None:
        image, boxes, names = (
            self.fields["image"],
            self.fields["boxes"],
            self.fields["names"],
        )
        if any(leaf.ndim != 2 or leaf.shape[1] != 4 for leaf in boxes.leaves.ravel()):
            raise ValueError(
                "boxes must hold a row (top, left, height, width) for each box"
            )
        agree(names, boxes, controls, "names has {} entries but boxes has {}")
        if any(
            (leaf[:, :2] < 0).any() or (leaf[:, 2:] <= 0).any()
            for leaf in boxes.leaves.ravel()
        ):
            raise ValueError(
                "boxes must start inside the image and have a height and a width above "
                "0"
            )
        for axis, side in enumerate(("below", "to the right of")):
            size = image.spread(lambda leaf, axis=axis: leaf.shape[axis], controls)
            end = boxes.spread(
                lambda leaf, axis=axis: int(
                    np.ceil((leaf[:, axis] + leaf[:, axis + 2]).max(initial=0))
                ),
                controls,
            )
            require(
                np.less_equal(end, size),
                controls,
                lambda at, side=side: f"boxes has a box that ends {side} the image",
            )
        if "lit" in self.fields:
            lit = self.fields["lit"]
            if any(
                leaf.ndim != 0 or leaf != np.floor(leaf) for leaf in lit.leaves.ravel()
            ):
                raise ValueError("lit must be the number of one box, or -1 for none")
            which, count = np.broadcast_arrays(
                lit.spread(int, controls), boxes.spread(len, controls)
            )
            require(
                (which >= -1) & (which < count),
                controls,
                lambda at: (
                    f"lit is {which[at]} but there are {count[at]} boxes, numbered "
                    "from 0"
                ),
            )

    def _check_asks(self, controls: Sequence[Control]) -> None:
        k = self.options["asks"] = position_of(controls, self.options["asks"])
        if controls[k].kind != "cells":
            raise ValueError(f"asks is {controls[k].name!r}: expected a name of cells")
        last = controls[k].labels[-1]
        shapes = {leaf.shape for leaf in self.fields["values"].leaves.ravel()}
        sizes = sorted(f"{R}, {C}" for R, C in shapes)
        if sizes != [last]:
            raise ValueError(
                f"values has the sizes {'; '.join(sizes)} but the last of the cells "
                f"is {last}"
            )

    @property
    def _room(self) -> tuple[int, int]:
        """Pixels of the longer side, at most, and of what stands beside it."""
        return (SIDE, 0) if self.asked["paper"] is None else (SHEET, TOOLS)

    def height(self, width: float) -> float:
        side, tools = self._room

        def drawn(leaf: np.ndarray) -> float:
            H, W = leaf.shape
            return H * min(side / max(H, W), (width - tools) / W)

        return max(drawn(leaf) for leaf in self.fields["image"].leaves.ravel()) + KEY

    def still(self, index: Sequence[Any]) -> list[str]:
        values = self.fields["values"].at(index)
        r, c = np.unravel_index(values.argmax(), values.shape)
        query = self.fields["query"].at(index)
        value = fixed(values[r, c], self.options["digits"])
        said = fill(
            self.options["say"], query=query, value=value, row=r + 1, column=c + 1
        )
        return [f"{self.fields['alt'].at(index)} {said}, the most of all."]


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
    precision: str = "auto",
) -> Panel:
    """Make a picture under a mask: the denser the blue, the more it is looked at.

    All fields may be `over` controls.

    Parameters
    ----------
    image
        Grey values in [0, 1], (H, W): 0 is paper, 1 is ink. If they are the `pixels` of
        a `paper`, the reader lays pictures on it, drags them, and draws.
    values
        Weights, (R, C); each covers H/R × W/C pixels, which must be whole numbers.
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
    label, digits, half, precision
        As for `heat_map`.
    """
    if (boxes is None) != (names is None) or (lit is not None and boxes is None):
        raise ValueError(
            "boxes, names and lit belong together: give a name for each box, and lit "
            "only with boxes"
        )
    given = {
        "image": ("numbers", image),
        "values": ("numbers", values),
        "alt": ("text", alt),
        "query": ("text", query),
        "boxes": ("numbers", boxes),
        "names": ("words", names),
        "lit": ("numbers", lit),
        "asking": ("numbers", asking),
    }
    options = {
        "digits": digits,
        "say": check_template(say, ("query", "value", "row", "column")),
        "box_label": box_label,
        "asks": asks and asks.name,
        "high": high,
        "paper": image.name if isinstance(image, OfPaper) else None,
    }
    return Picture(given, options, label, half, precision)
