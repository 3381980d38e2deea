"""A field is what a panel shows (words, numbers, a text), constant or different for
each setting of some controls.

`over("layer", "head", A)` says: the leaf is A[l][h], where l and h are the positions of
those two controls. Only the controls that matter are named, so a field that ignores a
control is stored once, and the leaves may differ in length.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from attention_book.shapes import START, STOP
from attention_book.widgets.controls import (
    Control,
    Free,
    Sentence,
    Written,
    as_label,
    as_numbers,
    check_text,
    position_of,
    split,
)
from attention_book.widgets.functions import COMPUTED
from attention_book.widgets.paper import Paper


@dataclass(frozen=True)
class Field:
    """A field as read: the controls it depends on, a leaf for each setting of them.

    A free array counts as no such control: leaves hold what it is at the start.
    """

    name: str
    what: str
    by: tuple[int, ...]
    leaves: np.ndarray  # of objects, one axis per control in `by`
    recipe: dict[str, Any] = field(default_factory=dict)  # how the browser makes it
    python: Callable[[Sequence[Any]], Any] | None = None  # its leaf at a setting

    @property
    def every(self) -> list[Any]:
        """All leaves, in one list."""
        return list(self.leaves.ravel())

    @property
    def runs(self) -> bool:
        """Whether it is what a network gives, or computed from that."""
        parts = self.recipe.get("with", ())
        return "output" in self.recipe or any(each.runs for each in parts)

    def at(self, index: Sequence[Any]) -> Any:
        """Return the leaf shown at a setting; of a network, what it gave at first."""
        if self.python:
            return self.python(index)
        return self.leaves[tuple(index[k] for k in self.by)]

    def spread(
        self, measure: Callable[[Any], int], controls: Sequence[Control]
    ) -> np.ndarray:
        """Measure every leaf.

        Axis k of the result belongs to control k; its length is 1 where the control
        does not matter.
        """
        measured = np.vectorize(measure, otypes=[int])(self.leaves)
        measured = np.transpose(measured, np.argsort(self.by)) if self.by else measured
        shape = [len(c.values) if k in self.by else 1 for k, c in enumerate(controls)]
        return measured.reshape(shape)


class Given:
    """What an author gives for a field that is no constant."""

    def read(self, name: str, what: str, controls: Sequence[Control]) -> Field:
        raise NotImplementedError


@dataclass(frozen=True)
class Over(Given):
    """Values that depend on the named controls; make it with `over`."""

    names: tuple[str, ...]
    values: Any

    def read(self, name: str, what: str, controls: Sequence[Control]) -> Field:
        by = tuple(position_of(controls, each) for each in self.names)
        if len(set(by)) < len(by):
            raise ValueError(f"{name} is over {self.names}: a control is named twice")
        for k in by:
            if isinstance(controls[k], Free):
                raise ValueError(
                    f"{name} is over {controls[k].name!r}, whose values cannot be "
                    "listed: take it with control(...) or computed(...)"
                )
        leaves = []
        for place in places(by, controls):
            if callable(self.values):
                values = (controls[k].values[i] for k, i in zip(by, place, strict=True))
                leaf = self.values(*values)
            else:
                leaf = self._descend(name, place, [len(controls[k].values) for k in by])
            leaves.append(_READ[what](name, leaf))
        return _listed(name, what, by, leaves, controls)

    def _descend(self, name: str, place: Sequence[int], sizes: Sequence[int]) -> Any:
        node = self.values
        for control_name, i, size in zip(self.names, place, sizes, strict=True):
            if isinstance(node, str) or not hasattr(node, "__len__"):
                raise ValueError(
                    f"{name} is over {self.names} but its values are not nested that "
                    "deep"
                )
            if len(node) != size:
                raise ValueError(
                    f"{name} has {len(node)} entries over {control_name!r}, which has "
                    f"{size} values"
                )
            node = node[i]
        return node


@dataclass(frozen=True)
class ControlValue(Given):
    """A control's value, as a field or as an argument of `computed`."""

    name: str

    def read(self, name: str, what: str, controls: Sequence[Control]) -> Field:
        k = position_of(controls, self.name)
        mine = controls[k]
        if isinstance(mine, Sentence):
            return words_of(self.name).read(name, what, controls)
        if isinstance(mine, Free):
            if what != "numbers":
                raise ValueError(
                    f"{name} must be {what}, but {self.name!r} holds numbers"
                )

            return _stated(name, what, k, controls, {"control": k}, mine.value_at)
        if what == "text":
            return _listed(name, what, (k,), mine.labels, controls)
        if mine.numeric:
            leaves = [np.asarray(each, dtype=float) for each in mine.values]
            return _listed(name, what, (k,), leaves, controls, {"control": k})
        raise ValueError(
            f"{name} takes the value of {self.name!r}, whose values are not all numbers"
        )


@dataclass(frozen=True)
class Computed(Given):
    """A function that the browser evaluates; make it with `computed`."""

    function: str
    arguments: dict[str, Any]

    def read(self, name: str, what: str, controls: Sequence[Control]) -> Field:
        if self.function not in COMPUTED:
            raise ValueError(
                f"{name} is computed by unknown {self.function!r}: there are "
                f"{', '.join(COMPUTED)}"
            )
        function, parameters = COMPUTED[self.function]
        if set(self.arguments) != set(parameters):
            got = ", ".join(self.arguments) or "nothing"
            raise ValueError(
                f"{self.function} takes {', '.join(parameters)} but {name} gives it "
                f"{got}"
            )
        of = [
            read_field(each, "numbers", self.arguments[each], controls)
            for each in parameters
        ]

        def python(index: Sequence[Any]) -> np.ndarray:
            return function(*(each.at(index) for each in of))

        by = tuple(sorted({k for each in of for k in each.by}))
        leaves = [_numbers(name, python(index)) for index in settings(by, controls)]
        recipe = {"run": self.function, "with": of}
        return _listed(name, "numbers", by, leaves, controls, recipe, python)


@dataclass(frozen=True)
class OfSentence(Given):
    """What a network is given of a typed sentence; make it with `ids` or `shown`."""

    name: str
    form: str
    start: bool
    stop: bool

    def read(self, name: str, what: str, controls: Sequence[Control]) -> Field:
        k = position_of(controls, self.name)
        typed, form = controls[k], self.form
        if not isinstance(typed, Sentence):
            raise ValueError(
                f"{name} takes {form} of {self.name!r}, which is no typed sentence"
            )
        if (form == "words") != (what == "words"):
            raise ValueError(
                f"{name} must be {what}, which {form} of a sentence are not"
            )

        def python(text: str) -> Any:
            words, seen = split(text)
            if form == "words":
                return ["[START]"] * self.start + [*words] + ["[STOP]"] * self.stop
            inside = seen if form == "shown" else map(typed.vocabulary.index, words)
            first, last = (1, 1) if form == "shown" else (START, STOP)
            ends = [first] * self.start, [last] * self.stop
            return np.array([*ends[0], *inside, *ends[1]], dtype=float)

        recipe = {"sentence": k, "as": form, "start": self.start, "stop": self.stop}
        return _stated(name, what, k, controls, recipe, python)


@dataclass(frozen=True)
class OfText(Given):
    """The ids of a text's pieces; make it with `pieces_of`."""

    name: str
    network: Any

    def read(self, name: str, what: str, controls: Sequence[Control]) -> Field:
        k = position_of(controls, self.name)
        if not isinstance(controls[k], Written) or what != "numbers":
            raise ValueError(
                f"{name} takes the pieces of {self.name!r}, which is no written text"
            )
        if self.network.pieces is None:
            raise ValueError(f"{self.network.name} has no pieces to cut a text into")

        def python(text: str) -> np.ndarray:
            return np.array([START, *self.network.pieces.encode(text)], dtype=float)

        return _stated(name, what, k, controls, {"control": k}, python)


@dataclass(frozen=True)
class OfPaper(Given):
    """The pixels of a sheet, or what lies on it; make it with `pixels` or `laid`."""

    name: str
    channel: bool = False
    laid: bool = False

    def read(self, name: str, what: str, controls: Sequence[Control]) -> Field:
        k = position_of(controls, self.name)
        sheet = controls[k]
        if not isinstance(sheet, Paper) or what != "numbers":
            raise ValueError(
                f"{name} takes the pixels of {self.name!r}, which is no paper"
            )

        if self.laid and not sheet.count:
            raise ValueError(f"{name} takes what is laid on {self.name!r}: give count")

        def python(text: str) -> np.ndarray:
            if self.laid:
                return np.array(sheet.marks(text), dtype=float)
            ink = sheet.pixels(text)
            return ink[None] if self.channel else ink

        recipe = {"paper": k, "channel": self.channel, "laid": self.laid}
        return _stated(name, what, k, controls, recipe, python)


@dataclass(frozen=True)
class Output(Given):
    """What a network gives; made by `reading` and `writing` (`running.py`)."""

    run: Any
    name: str

    def read(self, name: str, what: str, controls: Sequence[Control]) -> Field:
        leaf = _READ[what](name, self.run.start(controls, self.name))
        return Field(name, what, (), _box([leaf]), {"output": self})


@dataclass(frozen=True)
class Said(Given):
    """Words or a text that say a field; make it with `named`, `digits` or `joined`."""

    field: Any
    of: str  # what it holds
    gives: str  # what comes of it
    python: Callable[[Any], Any]
    recipe: dict[str, Any]

    def read(self, name: str, what: str, controls: Sequence[Control]) -> Field:
        if what != self.gives:
            raise ValueError(f"{name} must be {what}, not {self.gives}")
        inner = read_field(name, self.of, self.field, controls)
        return _mapped(inner, what, {"named": inner} | self.recipe, self.python)


@dataclass(frozen=True)
class Picked(Given):
    """A field for each label of a menu, which picks among them."""

    name: str
    of: dict[str, Any]

    def read(self, name: str, what: str, controls: Sequence[Control]) -> Field:
        k = position_of(controls, self.name)
        labels = controls[k].labels
        if list(self.of) != labels:
            raise ValueError(
                f"{name} is picked by {self.name!r} among {', '.join(self.of)}: "
                f"expected its labels, {', '.join(labels)}"
            )
        of = [read_field(name, what, each, controls) for each in self.of.values()]

        def python(index: Sequence[Any]) -> Any:
            return of[index[k]].at(index)

        by = tuple(sorted({k}.union(*(each.by for each in of))))
        leaves = [python(index) for index in settings(by, controls)]
        recipe = {"pick": k, "of": of}
        return _listed(name, what, by, leaves, controls, recipe, python)


@dataclass(frozen=True)
class ByText(Given):
    """A value by the sentence that stands in a `typed` control: what is known of some
    sentences, and `otherwise` for all others.
    """

    name: str
    of: dict[str, Any]
    otherwise: Any

    def read(self, name: str, what: str, controls: Sequence[Control]) -> Field:
        k = position_of(controls, self.name)
        if not isinstance(controls[k], Sentence):
            raise ValueError(
                f"{name} goes by {self.name!r}, which is no typed sentence"
            )
        of = {
            text: read_field(name, what, each, controls)
            for text, each in self.of.items()
        }
        other = read_field(name, what, self.otherwise, controls)
        start = of.get(controls[k].default, other)
        recipe = {"text": k, "of": of, "else": other}

        def python(index: Sequence[Any]) -> Any:
            return of.get(index[k], other).at(index)

        return Field(name, what, start.by, start.leaves, recipe, python)


control, picked, by_text = ControlValue, Picked, ByText


def ids(name: str, *, start: bool = False, stop: bool = False) -> OfSentence:
    """The ids of a typed sentence's words, (N_X,), with [START] before them if `start`,
    and [STOP] behind them if `stop`.
    """
    return OfSentence(name, "ids", start, stop)


def shown(name: str, *, start: bool = False, stop: bool = False) -> OfSentence:
    """A mask of a typed sentence, (N_X,): 0 where the reader hides a word."""
    return OfSentence(name, "shown", start, stop)


def words_of(name: str, *, start: bool = False, stop: bool = False) -> OfSentence:
    """The words of a typed sentence, with [START] and [STOP] as `ids` has them."""
    return OfSentence(name, "words", start, stop)


def pieces_of(name: str, network: Any) -> OfText:
    """The ids of the pieces of a `written` text, (N_X,), with [START] before them.

    The page's engine cuts the text by the network's `pieces`.
    """
    return OfText(name, network)


def pixels(name: str, *, channel: bool = False) -> OfPaper:
    """The ink of a `paper`, (side, side); as networks take it, (1, side, side), with
    `channel`.
    """
    return OfPaper(name, channel)


def laid(name: str) -> OfPaper:
    """What lies on a `paper` of a fixed `count`: the number of each picture, and its
    row and column, (count, 3).
    """
    return OfPaper(name, laid=True)


def named(values: Any, labels: Sequence[str], before: Sequence[str] = ()) -> Said:
    """Words that stand for numbers: for ids (N,), or for the largest of each row of
    scores (N, N_labels), those of `labels`.

    `before` holds what to write before each of the N words.
    """

    def words(values: np.ndarray) -> list[str]:
        ids = values if values.ndim < 2 else values.argmax(axis=-1)
        said = [labels[int(i)] for i in np.atleast_1d(ids)]
        return [a + b for a, b in zip(before or [""] * len(said), said, strict=True)]

    recipe = {"labels": tuple(labels)} | ({"before": tuple(before)} if before else {})
    return Said(values, "numbers", "words", words, recipe)


def digits(values: Any, count: int) -> Said:
    """Numbers (N,) as words, each with so many decimals."""

    def words(values: np.ndarray) -> list[str]:
        return [f"{x:z.{count}f}".replace("-", "\N{MINUS SIGN}") for x in values]

    recipe = {"labels": (), "digits": count}
    return Said(values, "numbers", "words", words, recipe)


def joined(words: Any, text: str = "{}", *, between: str = " ") -> Said:
    """A text with the words of a field, and `between` them, in the place of {}."""

    def fill(words: list[str]) -> str:
        return text.replace("{}", between.join(words))

    return Said(words, "words", "text", fill, {"joined": text, "between": between})


def over(*names_and_values: Any) -> Over:
    """Say that a field depends on controls: ``over("layer", "head", A)``.

    After the names come values nested in that order (lists or an array), or a function
    that takes the controls' values and returns the leaf.
    """
    *names, values = names_and_values
    if not names or not all(isinstance(name, str) for name in names):
        raise TypeError(
            "over() takes names of controls and then values, but the names are "
            f"{names!r}"
        )
    return Over(tuple(names), values)


def computed(function: str, **arguments: Any) -> Computed:
    """Let the browser evaluate a function of `functions.COMPUTED` at each setting."""
    return Computed(function, arguments)


def read_field(name: str, what: str, value: Any, controls: Sequence[Control]) -> Field:
    """Read what an author gave for a field: a constant, or what `over`, `control`,
    `computed` and so on return.

    Messages call it by its name; `what` is "numbers", "words", "text" or "cells".
    """
    if isinstance(value, Given):
        return value.read(name, what, controls)
    return Field(name, what, (), _box([_READ[what](name, value)]))


def places(by: Sequence[int], controls: Sequence[Control]) -> Iterator[tuple[int, ...]]:
    """Every combination of positions of some controls."""
    return itertools.product(*(range(len(controls[k].values)) for k in by))


def settings(by: Sequence[int], controls: Sequence[Control]) -> Iterator[list[Any]]:
    """Every setting of some controls, while the others stand as at the start."""
    for place in places(by, controls):
        moved = dict(zip(by, place, strict=True))
        yield [moved.get(k, each.default) for k, each in enumerate(controls)]


def _listed(
    name: str,
    what: str,
    by: tuple[int, ...],
    leaves: Sequence[Any],
    controls: Sequence[Control],
    *rest: Any,
) -> Field:
    sizes = [len(controls[k].values) for k in by]
    return Field(name, what, by, _box(leaves, sizes), *rest)


def _stated(
    name: str,
    what: str,
    k: int,
    controls: Sequence[Control],
    recipe: dict[str, Any],
    python: Callable[[Any], Any],
) -> Field:
    """A field of the position of one control, which cannot be listed."""
    start = _box([python(controls[k].default)])
    return Field(name, what, (), start, recipe, lambda index: python(index[k]))


def _mapped(
    inner: Field, what: str, recipe: dict[str, Any], python: Callable[[Any], Any]
) -> Field:
    leaves = _box([python(leaf) for leaf in inner.every], inner.leaves.shape)
    return Field(
        inner.name, what, inner.by, leaves, recipe, lambda i: python(inner.at(i))
    )


def _box(leaves: Sequence[Any], shape: Sequence[int] = ()) -> np.ndarray:
    boxed = np.empty(len(leaves), dtype=object)
    for i, leaf in enumerate(leaves):
        boxed[i] = leaf
    return boxed.reshape(shape)


def _numbers(name: str, value: Any) -> np.ndarray:
    array = as_numbers(name, value)
    if not np.isfinite(array).all():
        raise ValueError(
            f"{name} holds {'NaN' if np.isnan(array).any() else 'an infinite number'}"
        )
    return array


def _words(name: str, value: Any) -> list[str]:
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        raise TypeError(f"{name} is {value!r:.80}: give a list of words")
    return [as_label(each) for each in value]


def _cells(name: str, value: Any) -> list[list[int]]:
    cells = [[int(i) for i in cell] for cell in value]
    if any(len(cell) != 2 for cell in cells):
        raise ValueError(
            f"{name} must hold links (input, query), which is (column, row), but came "
            f"as {cells!r:.80}"
        )
    return sorted(cells)


_READ: dict[str, Callable[[str, Any], Any]] = {
    "numbers": _numbers,
    "words": _words,
    "text": check_text,
    "cells": _cells,
}
