"""A field is what a panel shows (words, numbers, a text), constant or different for
each setting of some controls.

`over("layer", "head", A)` says: the leaf is A[l][h], where l and h are the positions of
those two controls. Only the controls that matter are named, so a field that ignores a
control is stored once, and the leaves may differ in length.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from attention_book.shapes import STOP
from attention_book.widgets.controls import (
    Control,
    Free,
    Sentence,
    as_label,
    position_of,
    split,
)
from attention_book.widgets.functions import COMPUTED
from attention_book.widgets.paper import Paper


@dataclass(frozen=True)
class Over:
    """Values that depend on the named controls; make it with `over`."""

    names: tuple[str, ...]
    values: Any


@dataclass(frozen=True)
class ControlValue:
    """The value a control stands at; make it with `control`."""

    name: str


@dataclass(frozen=True)
class Computed:
    """A function that the browser evaluates; make it with `computed`."""

    function: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class OfSentence:
    """What a network is given of a typed sentence; make it with `ids` or `shown`."""

    name: str
    form: str
    stop: bool


@dataclass(frozen=True)
class OfPaper:
    """The pixels of a sheet; make it with `pixels`."""

    name: str
    channel: bool


@dataclass(frozen=True)
class Output:
    """What a network gives; made by `reading` and `writing` (`running.py`)."""

    run: Any
    name: str


@dataclass(frozen=True)
class Named:
    """Words that stand for numbers; make it with `named` or `digits`."""

    values: Any
    labels: tuple[str, ...]
    digits: int | None = None
    before: tuple[str, ...] = ()

    def words(self, values: np.ndarray) -> list[str]:
        """The label of each id; of rows of scores, the label of each row's largest."""
        if self.digits is not None:
            return [
                f"{x:z.{self.digits}f}".replace("-", "\N{MINUS SIGN}") for x in values
            ]
        ids = values if values.ndim < 2 else values.argmax(axis=-1)
        words = [self.labels[int(i)] for i in np.atleast_1d(ids)]
        if not self.before:
            return words
        return [a + b for a, b in zip(self.before, words, strict=True)]


@dataclass(frozen=True)
class ByText:
    """A value for each of some sentences; make it with `by_text`."""

    name: str
    of: dict[str, Any]
    otherwise: Any


@dataclass(frozen=True)
class Picked:
    """A field for each label of a menu; make it with `picked`."""

    name: str
    of: dict[str, Any]


@dataclass(frozen=True)
class Joined:
    """Words in a text; make it with `joined`."""

    values: Any
    text: str


@dataclass(frozen=True)
class Field:
    """A field as read: the controls it depends on, a leaf for each setting of them.

    A free array counts as no such control: leaves hold what it is at the start.
    """

    name: str
    what: str
    by: tuple[int, ...]
    leaves: np.ndarray  # of objects, one axis per control in `by`
    recipe: dict[str, Any] = field(
        default_factory=dict
    )  # how the browser makes it, when not by looking it up

    @property
    def runs(self) -> bool:
        """Whether it is what a network gives, or computed from that."""
        parts = self.recipe.get("with", ())
        return "output" in self.recipe or any(each.runs for each in parts)

    def at(self, index: Sequence[Any]) -> Any:
        """Return the leaf shown at a setting (one position per control)."""
        if "run" in self.recipe:
            function, _ = COMPUTED[self.recipe["run"]]
            return function(*(each.at(index) for each in self.recipe["with"]))
        for kind in ("sentence", "paper"):
            if kind in self.recipe:
                return self.recipe["python"](index[self.recipe[kind]])
        if "named" in self.recipe:
            return self.recipe["python"](self.recipe["named"].at(index))
        if "pick" in self.recipe:
            return self.recipe["of"][index[self.recipe["pick"]]].at(index)
        if "text" in self.recipe:
            text = index[self.recipe["text"]]
            return self.recipe["of"].get(text, self.recipe["else"]).at(index)
        if "control" in self.recipe and not self.by:  # a free array
            return np.asarray(index[self.recipe["control"]], dtype=float)
        return self.leaves[tuple(index[k] for k in self.by)]  # of a run: the first

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


def ids(name: str, *, stop: bool = False) -> OfSentence:
    """The ids of a typed sentence's words, (N_X,); with `stop`, [STOP] comes last."""
    return OfSentence(name, "ids", stop)


def shown(name: str, *, stop: bool = False) -> OfSentence:
    """A mask of a typed sentence, (N_X,): 0 where the reader hides a word."""
    return OfSentence(name, "shown", stop)


def words_of(name: str, *, stop: bool = False) -> OfSentence:
    """The words of a typed sentence; with `stop`, [STOP] comes last."""
    return OfSentence(name, "words", stop)


def pixels(name: str, *, channel: bool = False) -> OfPaper:
    """The ink of a `paper`, (side, side); as networks take it, (1, side, side), with
    `channel`.
    """
    return OfPaper(name, channel)


def named(values: Any, labels: Sequence[str], before: Sequence[str] = ()) -> Named:
    """Words that stand for numbers.

    Parameters
    ----------
    values
        A field of ids (N,), or of scores (N, N_labels), of which the largest counts.
    labels
        In the order of the ids.
    before
        What to write before each of the N words.
    """
    return Named(values, tuple(labels), before=tuple(before))


def digits(values: Any, count: int) -> Named:
    """Numbers (N,) as words, each with so many decimals."""
    return Named(values, (), count)


def joined(words: Any, text: str = "{}") -> Joined:
    """A text with the words of a field in the place of {}."""
    return Joined(words, text)


def picked(name: str, of: dict[str, Any]) -> Picked:
    """Let a menu pick a field: one for each of its labels."""
    return Picked(name, of)


def by_text(name: str, of: dict[str, Any], otherwise: Any) -> ByText:
    """Take a value by the sentence that stands in a `typed` control: what is known of
    some sentences, and `otherwise` for all others.
    """
    return ByText(name, of, otherwise)


def over(*names_and_values: Any) -> Over:
    """Say that a field depends on controls: ``over("layer", "head", A)``.

    Parameters
    ----------
    names_and_values
        The names of one or more controls, then either values nested in that order
        (lists or an array) or a function that takes the controls' values and returns
        the leaf.
    """
    *names, values = names_and_values
    if not names or not all(isinstance(name, str) for name in names):
        raise TypeError(
            "over() takes names of controls and then values, but the names are "
            f"{names!r}"
        )
    return Over(tuple(names), values)


def control(name: str) -> ControlValue:
    """Stand for a control's value, as a field or as an argument of `computed`."""
    return ControlValue(name)


def computed(function: str, **arguments: Any) -> Computed:
    """Let the browser evaluate a function of `functions.COMPUTED` at each setting."""
    return Computed(function, arguments)


def read_field(name: str, what: str, value: Any, controls: Sequence[Control]) -> Field:
    """Read what an author gave for a field.

    Parameters
    ----------
    name
        The panel's name for it, used in messages.
    what
        "numbers", "words", "text" or "cells".
    value
        A constant, or the result of `over`, `control` or `computed`.
    """
    if isinstance(value, Output):
        return _read_output(name, what, value, controls)
    if isinstance(value, Named):
        return _read_named(name, what, value, controls)
    if isinstance(value, Picked):
        return _read_picked(name, what, value, controls)
    if isinstance(value, Joined):
        return _read_joined(name, what, value, controls)
    if isinstance(value, ByText):
        return _read_by_text(name, what, value, controls)
    if isinstance(value, OfSentence):
        return _read_sentence(name, what, value.form, value.stop, value.name, controls)
    if isinstance(value, OfPaper):
        return _read_paper(name, what, value, controls)
    if isinstance(value, Over):
        return _read_over(name, what, value, controls)
    if isinstance(value, ControlValue):
        return _read_control(name, what, value, controls)
    if isinstance(value, Computed):
        return _read_computed(name, value, controls)
    return Field(name, what, (), _box([_READ[what](name, value)], ()))


def _read_over(name: str, what: str, value: Over, controls: Sequence[Control]) -> Field:
    by = tuple(position_of(controls, each) for each in value.names)
    if len(set(by)) < len(by):
        raise ValueError(f"{name} is over {value.names}: a control is named twice")
    for k in by:
        if isinstance(controls[k], Free):
            raise ValueError(
                f"{name} is over {controls[k].name!r}, whose values cannot be listed: "
                "take it with control(...) or computed(...)"
            )
    sizes = tuple(len(controls[k].values) for k in by)
    leaves = []
    for position in itertools.product(*map(range, sizes)):
        if callable(value.values):
            leaf = value.values(
                *(controls[k].values[i] for k, i in zip(by, position, strict=True))
            )
        else:
            leaf = _descend(name, value, position, sizes)
        leaves.append(_READ[what](name, leaf))
    return Field(name, what, by, _box(leaves, sizes))


def _descend(
    name: str, value: Over, position: tuple[int, ...], sizes: tuple[int, ...]
) -> Any:
    node = value.values
    for control_name, i, size in zip(value.names, position, sizes, strict=True):
        if isinstance(node, str) or not hasattr(node, "__len__"):
            raise ValueError(
                f"{name} is over {value.names} but its values are not nested that deep"
            )
        if len(node) != size:
            raise ValueError(
                f"{name} has {len(node)} entries over {control_name!r}, which has "
                f"{size} values"
            )
        node = node[i]
    return node


def _read_control(
    name: str, what: str, value: ControlValue, controls: Sequence[Control]
) -> Field:
    k = position_of(controls, value.name)
    values = controls[k].values
    if isinstance(controls[k], Sentence):
        return _read_sentence(name, what, "words", False, value.name, controls)
    if isinstance(controls[k], Free):
        if what != "numbers":
            raise ValueError(f"{name} must be {what}, but {value.name!r} holds numbers")
        start = controls[k].value_at(controls[k].default)
        return Field(name, what, (), _box([start], ()), {"control": k})
    if what == "text":
        leaves, recipe = [as_label(each) for each in values], {}
    elif controls[k].numeric:
        leaves, recipe = (
            [np.asarray(each, dtype=float) for each in values],
            {"control": k},
        )
    else:
        raise ValueError(
            f"{name} takes the value of {value.name!r}, whose values are not all "
            "numbers"
        )
    return Field(name, what, (k,), _box(leaves, (len(values),)), recipe)


def _read_sentence(
    name: str, what: str, form: str, stop: bool, of: str, controls: Sequence[Control]
) -> Field:
    k = position_of(controls, of)
    typed = controls[k]
    if not isinstance(typed, Sentence):
        raise ValueError(f"{name} takes {form} of {of!r}, which is no typed sentence")
    if (form == "words") != (what == "words"):
        raise ValueError(f"{name} must be {what}, which {form} of a sentence are not")

    def python(text: str) -> Any:
        words, seen = split(text)
        if form == "words":
            return [*words, *["[STOP]"] * stop]
        if form == "shown":
            return np.array([*seen, *[True] * stop], dtype=float)
        return np.array([*map(typed.vocabulary.index, words), *[STOP] * stop], float)

    recipe = {"sentence": k, "as": form, "stop": stop, "python": python}
    return Field(name, what, (), _box([python(typed.default)], ()), recipe)


def _read_paper(
    name: str, what: str, value: OfPaper, controls: Sequence[Control]
) -> Field:
    k = position_of(controls, value.name)
    sheet = controls[k]
    if not isinstance(sheet, Paper) or what != "numbers":
        raise ValueError(
            f"{name} takes the pixels of {value.name!r}, which is no paper"
        )

    def python(text: str) -> np.ndarray:
        ink = sheet.pixels(text)
        return ink[None] if value.channel else ink

    recipe = {"paper": k, "channel": value.channel, "python": python}
    return Field(name, what, (), _box([python(sheet.default)], ()), recipe)


def _read_output(
    name: str, what: str, value: Output, controls: Sequence[Control]
) -> Field:
    leaf = _READ[what](name, value.run.start(controls, value.name))
    return Field(name, what, (), _box([leaf], ()), {"output": value})


def _read_named(
    name: str, what: str, value: Named, controls: Sequence[Control]
) -> Field:
    if what != "words":
        raise ValueError(f"{name} must be {what}, which named(...) is not")
    inner = read_field(name, "numbers", value.values, controls)
    leaves = _box(
        [value.words(leaf) for leaf in inner.leaves.ravel()], inner.leaves.shape
    )
    recipe = {"named": inner, "labels": value.labels, "python": value.words}
    if value.digits is not None:
        recipe["digits"] = value.digits
    if value.before:
        recipe["before"] = value.before
    return Field(name, what, inner.by, leaves, recipe)


def _read_joined(
    name: str, what: str, value: Joined, controls: Sequence[Control]
) -> Field:
    if what != "text":
        raise ValueError(f"{name} must be {what}, which joined(...) is not")
    inner = read_field(name, "words", value.values, controls)

    def python(words: list[str]) -> str:
        return value.text.replace("{}", " ".join(words))

    texts = [python(leaf) for leaf in inner.leaves.ravel()]
    recipe = {"named": inner, "joined": value.text, "python": python}
    return Field(name, what, inner.by, _box(texts, inner.leaves.shape), recipe)


def _read_picked(
    name: str, what: str, value: Picked, controls: Sequence[Control]
) -> Field:
    k = position_of(controls, value.name)
    labels = controls[k].labels
    if list(value.of) != labels:
        raise ValueError(
            f"{name} is picked by {value.name!r} among {', '.join(value.of)}: expected "
            f"its labels, {', '.join(labels)}"
        )
    of = [read_field(name, what, each, controls) for each in value.of.values()]
    by = tuple(sorted({k}.union(*(each.by for each in of))))
    sizes = tuple(len(controls[each].values) for each in by)
    leaves, index = [], [control.default for control in controls]
    for position in itertools.product(*map(range, sizes)):
        for each, i in zip(by, position, strict=True):
            index[each] = i
        leaves.append(of[index[k]].at(index))
    return Field(name, what, by, _box(leaves, sizes), {"pick": k, "of": of})


def _read_by_text(
    name: str, what: str, value: ByText, controls: Sequence[Control]
) -> Field:
    k = position_of(controls, value.name)
    if not isinstance(controls[k], Sentence):
        raise ValueError(f"{name} goes by {value.name!r}, which is no typed sentence")
    of = {
        text: read_field(name, what, each, controls) for text, each in value.of.items()
    }
    other = read_field(name, what, value.otherwise, controls)
    start = of.get(controls[k].default, other)
    recipe = {"text": k, "of": of, "else": other}
    return Field(name, what, start.by, start.leaves, recipe)


def _read_computed(name: str, value: Computed, controls: Sequence[Control]) -> Field:
    if value.function not in COMPUTED:
        raise ValueError(
            f"{name} is computed by unknown {value.function!r}: there are "
            f"{', '.join(COMPUTED)}"
        )
    function, parameters = COMPUTED[value.function]
    if set(value.arguments) != set(parameters):
        got = ", ".join(value.arguments) or "nothing"
        raise ValueError(
            f"{value.function} takes {', '.join(parameters)} but {name} gives it {got}"
        )
    arguments = [
        read_field(each, "numbers", value.arguments[each], controls)
        for each in parameters
    ]
    by = tuple(sorted({k for argument in arguments for k in argument.by}))
    leaves, index = [], [control.default for control in controls]
    for position in itertools.product(*(range(len(controls[k].values)) for k in by)):
        for k, i in zip(by, position, strict=True):
            index[k] = i
        leaves.append(
            _numbers(name, function(*(argument.at(index) for argument in arguments)))
        )
    sizes = tuple(len(controls[k].values) for k in by)
    return Field(
        name,
        "numbers",
        by,
        _box(leaves, sizes),
        {"run": value.function, "with": arguments},
    )


def _box(leaves: Sequence[Any], shape: tuple[int, ...]) -> np.ndarray:
    boxed = np.empty(len(leaves), dtype=object)
    for i, leaf in enumerate(leaves):
        boxed[i] = leaf
    return boxed.reshape(shape)


def _numbers(name: str, value: Any) -> np.ndarray:
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise TypeError(
            f"{name} must hold numbers in a full array, but came as {value!r:.80}"
        ) from None
    if not np.isfinite(array).all():
        raise ValueError(
            f"{name} holds {'NaN' if np.isnan(array).any() else 'an infinite number'}"
        )
    return array


def _words(name: str, value: Any) -> list[str]:
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        raise TypeError(f"{name} is {value!r:.80}: give a list of words")
    return [as_label(each) for each in value]


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a text, but came as {value!r:.80}")
    return value


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
    "text": _text,
    "cells": _cells,
}
