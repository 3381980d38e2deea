"""The widget: controls over panels, the same in a live kernel and on a page without
one.

Its state is `spec` (what to draw), `data` (all arrays), `index` (a position per
control; of a free array, the array) and `focus` (axis -> entry pointed at); where a
prediction is asked for, also `prediction` (the option chosen, "" for none) and
`revealed` (shown without one). Python and the browser both read and set all but the
first two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
import traitlets

from attention_book.shapes import check_choice
from attention_book.widgets.controls import (
    Control,
    Sentence,
    Switches,
    as_slug,
    check_text,
    position_of,
)
from attention_book.widgets.fields import Field, read_field
from attention_book.widgets.mounted import Mounted
from attention_book.widgets.pack import Packer
from attention_book.widgets.panel import (
    LETTER,
    NARROW,
    WIDE,
    Panel,
    paragraph,
    require,
    wrapped,
)
from attention_book.widgets.predict import Prediction

SPARE = 12  # pixels of doubt
TITLE, READOUT = 9.3, 6.9  # pixels of a letter of the title, and of what is read out
READ_LINE = 26  # pixels of a line of it; one is kept free, two where the page is narrow
PADDING = 44, 30  # the first of two is where the page is wide
WIDTHS = WIDE, NARROW
TYPED = 114, 152  # pixels of a sentence that is typed, its words and what is offered
TILE, TILE_LINE = (25, 15), 33  # pixels of a word beside its letters, of one more line
LINE_END = 5  # pixels at the end of a line of words
# a prompt's hint has a line of its own; on a phone others have two lines, and it one
PROMPT_HINT = 26, -16
HINT = 24  # letters of the hint before examples
BARE = 83, 104  # pixels of a typed sentence without its words
CLOSER = 4  # pixels that a line of brief sentences takes less than one of controls
CONTROL, MENU = 44, 60  # pixels of a line of controls, of a menu beside its letters


class Widget(Mounted):
    """A figure with controls.

    Parameters
    ----------
    title, question
        Its name, in a few words, and what to predict before touching it.
    controls, panels
        Made by `slider`, `heat_map` and so on; the panels are drawn in this order.
    link
        Name in the address bar ("collapse" -> ``#w=collapse&length=12``); "" keeps the
        setting out of links.
    follow
        Axis -> control whose position is the highlighted entry along that axis (a
        decoding step, say), or the number of that entry from 0, which may be `over`
        controls.
    summary
        The sentence read out while nothing is pointed at; may be `over` controls.
    aloud
        A text that is not shown, and that screen readers announce when it changes:
        what a panel shows and no summary says.
    predict
        Made by `predict`: a question before which nothing is shown.
    """

    data = traitlets.Bytes().tag(sync=True)
    index = traitlets.List().tag(sync=True)
    focus = traitlets.Dict().tag(sync=True)
    prediction = traitlets.Unicode("").tag(sync=True)
    revealed = traitlets.Bool(False).tag(sync=True)
    networks = traitlets.Dict().tag(sync=True)
    kept = ("data", "index", "focus", "prediction", "revealed")

    def __init__(
        self,
        title: str,
        question: str = "",
        *,
        controls: Sequence[Control] = (),
        panels: Sequence[Panel],
        link: str = "",
        follow: Mapping[str, Any] | None = None,
        summary: Any = None,
        aloud: Any = None,
        predict: Prediction | None = None,
    ) -> None:
        check_texts(title=title, question=question, link=link)
        if link and as_slug(link) != link:
            raise ValueError(
                f"link {link!r} must be made of a-z, 0-9 and hyphens, such as "
                f"{as_slug(link)!r}"
            )
        if not panels:
            raise ValueError("panels is empty: a widget shows at least one panel")
        if predict is not None and not isinstance(predict, Prediction):
            raise TypeError(f"predict is {predict!r:.80}: make it with predict(...)")
        self.controls, self.panels = tuple(controls), tuple(panels)
        self.predict, self._summary, self._aloud = predict, None, None
        check_controls(self.controls)
        for panel in self.panels:
            panel.read(self.controls)
        axes = shared_axes(self.panels, self.controls)
        if set(follow or {}) - set(axes):
            raise ValueError(
                f"follow names the axis {sorted(set(follow) - set(axes))[0]!r}: no "
                "panel has it"
            )
        followed = {
            axis: read_follow(axis, each, axes[axis], self.controls)
            for axis, each in (follow or {}).items()
        }
        if summary is not None:
            self._summary = read_field("summary", "text", summary, self.controls)
        if aloud is not None:
            self._aloud = read_field("aloud", "text", aloud, self.controls)
        spec: dict[str, Any] = {"title": title, "question": question, "link": link}
        packer = self._encode(spec, followed)
        self._running = {run.network.name: run.network for run in packer.runs}
        sent = self._sent(self._running)
        spec["networks"] = {name: each["key"] for name, each in sent.items()}
        self.carried, self._own = sent, None
        super().__init__(
            spec=spec, data=packer.data, index=spec["default"], networks=sent
        )

    def _sent(self, networks: Mapping[str, Any]) -> dict[str, Any]:
        """What the browser is sent of networks: programs, and bytes of weights."""
        sent = {}
        for name, network in networks.items():
            program, data = network.packed()
            key = f"{name}-{program['crc32']:08x}"
            fresh = network is not self._running[name]
            sent[name] = {"key": key, "program": program, "data": data, "fresh": fresh}
        return sent

    @property
    def model(self) -> Any:
        """The model that the figure runs; assign your own, trained anew, to see it."""
        return (self._own or self._only()).model

    @model.setter
    def model(self, model: Any) -> None:
        network = self._only()
        self._own = network.of(model)
        self.networks = self._sent({network.name: self._own})

    def _only(self) -> Any:
        if len(self._running) != 1:
            raise ValueError(
                f"this figure runs {len(self._running)} networks, expected one: make "
                "it again with your models"
            )
        return next(iter(self._running.values()))

    def _encode(self, spec: dict[str, Any], follow: dict[str, Any]) -> Packer:
        """Complete the spec, and pack its numbers."""
        packer, summary = Packer(), self._summary
        panels = [
            {
                "kind": panel.kind,
                "label": panel.label,
                "half": bool(panel.half),
                "pair": panel.pair,
                "height": panel.heights(),
                "fields": {
                    name: packer.encode(each) for name, each in panel.fields.items()
                },
                "options": panel.options,
            }
            for panel in self.panels
        ]
        spec |= {
            "controls": [control.to_json() for control in self.controls],
            "default": [control.default for control in self.controls],
            "panels": panels,
            "follow": {
                axis: packer.encode(each) if isinstance(each, Field) else each
                for axis, each in follow.items()
            },
            "summary": packer.encode(summary) if summary else None,
            "aloud": packer.encode(self._aloud) if self._aloud else None,
            "predict": self.predict.to_json() if self.predict else None,
        }
        seen = [control.kind for control in self.controls if control.seen]
        alone = len(seen) > 2 and {*seen} == {"select"}  # menus that share lines
        spec["menus"] = "aw-menus" * alone
        spec["runs"] = [each.to_json(packer, self.controls) for each in packer.runs]
        said = summary.every if summary else [""]
        speaks = summary or any(panel.pointed for panel in self.panels)
        spec["out"] = [
            READ_LINE * max(least, *(paragraph(each, width, READOUT) for each in said))
            for least, width in zip((1, 2) if speaks else (0, 0), WIDTHS, strict=True)
        ]
        spec["height"] = [total_height(spec, narrow) for narrow in (0, 1)]
        if self.predict:
            spec["waiting"] = [
                round(head_height(spec, narrow) + gate + SPARE)
                for narrow, gate in enumerate(self.predict.heights())
            ]
        return packer

    @traitlets.validate("index")
    def _valid_index(self, proposal: dict[str, Any]) -> list[Any]:
        index = proposal["value"]
        if len(index) != len(self.controls):
            raise traitlets.TraitError(
                f"index is {index!r:.80}: expected one position per control"
            )
        for control, position in zip(self.controls, index, strict=True):
            try:
                control.check(position)
            except (TypeError, ValueError) as error:
                raise traitlets.TraitError(f"index: {error}") from error
        return index

    @traitlets.validate("prediction")
    def _valid_prediction(self, proposal: dict[str, Any]) -> str:
        options = ("", *(self.predict.options if self.predict else ()))
        if proposal["value"] not in options:
            raise traitlets.TraitError(
                f"prediction is {proposal['value']!r}: expected one of {list(options)}"
            )
        return proposal["value"]

    @property
    def setting(self) -> dict[str, Any]:
        """The value each control stands at; assign some of them to move the widget."""
        return {
            c.name: c.value_at(i)
            for c, i in zip(self.controls, self.index, strict=True)
        }

    @setting.setter
    def setting(self, values: Mapping[str, Any]) -> None:
        index = list(self.index)
        for name, value in values.items():
            k = position_of(self.controls, name)
            index[k] = self.controls[k].place_of(value)
        self.index = index

    @property
    def summary(self) -> str:
        """The sentence that sums up at the setting.

        It is empty where `summary=` is not given, and where a network in the page would
        have to be asked for it.
        """
        asked = self._running and self.index != self.spec["default"]
        return "" if asked or not self._summary else self._summary.at(self.index)

    def static_text(self) -> list[str]:
        """Say what the widget shows now, for readers without JavaScript.

        Of a network, what it gave at first.
        """
        index = self.spec["default"] if self._running else self.index
        told = zip(self.controls, index, strict=True)
        said = [f"{c.name}: {c.said(i)}" for c, i in told if c.said(i)]
        lines = [", ".join(said), self._summary.at(index) if self._summary else ""]
        for panel in self.panels:
            lines += [
                f"{panel.label}: {line}" if panel.label else line
                for line in panel.static_text(index)
            ]
        return [line for line in lines if line]

    def reserved(self) -> list[int]:
        """Return the height to keep free: of the figure, or of what is asked first."""
        waits = self.predict and not self.prediction and not self.revealed
        return self.spec["waiting" if waits else "height"]

    def inside(self) -> str:
        """Return title and questions, and what is shown, in words."""
        question = question_html(self.spec["question"])
        asked = self.predict.static_html() if self.predict else ""
        still = "".join(
            f'<p class="aw-still">{escape(line)}</p>' for line in self.static_text()
        )
        # before a prediction neither is to be read, nor to take room
        if self.reserved() is not self.spec["height"]:
            question, still = "", f"<noscript>{question}{still}</noscript>"
        title = f'<p class="aw-title">{escape(self.spec["title"])}</p>'
        return f"{title}{question}{asked}{still}"


def question_html(question: str) -> str:
    """Return the question of a figure for a page, if it has one."""
    return f'<p class="aw-question">{escape(question)}</p>' if question else ""


def check_texts(**texts: Any) -> None:
    """Check that the named arguments are texts."""
    for name, value in texts.items():
        check_text(name, value)


def check_controls(controls: Sequence[Control]) -> None:
    """Check that no two controls share a name, nor its form in a link."""
    names = [as_slug(control.name) for control in controls]
    twice = [repr(c.name) for c in controls if names.count(as_slug(c.name)) > 1]
    if twice:
        raise ValueError(f"two controls are called alike: {', '.join(twice)}")
    for each in controls:
        if isinstance(each, Sentence) and each.reads:
            position_of(controls, each.reads)
        if isinstance(each, Switches) and each.there:
            menu, there = each.there
            for label in controls[position_of(controls, menu)].labels:
                check_choice(f"a label of {menu!r}", label, there)
    if "w" in names:
        raise ValueError(
            "a control called 'w' would be taken for the widget's name in a link"
        )


def shared_axes(
    panels: Sequence[Panel], controls: Sequence[Control]
) -> dict[str, np.ndarray]:
    """Collect how long the axes of all panels are."""
    axes: dict[str, tuple[str, np.ndarray]] = {}
    for panel in panels:
        for name, axis in panel.axes().items():
            here, count = f"{panel.kind}.{name}", panel.count(name)
            other, known = axes.setdefault(axis, (here, count))
            message = f"{other} and {here} both lie along {axis!r} but differ in length"
            require(np.equal(known, count), controls, message)
    return {axis: count for axis, (_, count) in axes.items()}


def read_follow(
    axis: str, given: Any, counts: np.ndarray, controls: Sequence[Control]
) -> int | Field:
    """Read what `follow` gives an axis: a control's position, or an entry's number."""
    if isinstance(given, str):
        return position_of(controls, given)
    field = read_field(f"follow[{axis!r}]", "numbers", given, controls)
    if any(leaf.ndim != 0 or leaf != np.floor(leaf) for leaf in field.every):
        raise ValueError(f"{field.name} must be the number of one entry, from 0")
    which = field.spread(int, controls)
    message = f"{field.name} is {{}} but the axis has {{}} entries"
    there = np.greater_equal(which, 0) & np.less(which, counts)
    require(there, controls, message, which, counts)
    return field


def head_height(spec: dict[str, Any], narrow: int) -> float:
    """Predict the height of the frame with its title; `narrow` is 1 or 0."""
    return PADDING[narrow] + 24 * paragraph(spec["title"], WIDTHS[narrow], TITLE) + 20


def typed_height(control: dict[str, Any], narrow: int) -> int:
    """Predict the height of a typed sentence, its words and what is offered."""
    if not control["tiles"]:
        return BARE[narrow]
    width = WIDTHS[narrow]
    prompt, examples = bool(control["reads"]), control["examples"]
    texts = [control["labels"][0], *(text for _, text in examples if prompt)]
    rows, ends = max(_rows(text, narrow) for text in texts)
    more = max(rows - 1 - narrow, 0)
    offers = [*([] if prompt else [HINT]), *(len(label) for label, _ in examples)]
    more += wrapped(offers, width, TILE[narrow], LETTER) - 1
    return (
        TYPED[narrow]
        + TILE_LINE * more
        + LINE_END * ends
        + PROMPT_HINT[narrow] * prompt
    )


def _rows(text: str, narrow: int) -> tuple[int, int]:
    """Predict in how many rows a text's words stand, and how many lines end in it."""
    lines = [[len(word) for word in line.split()] for line in text.split(" . ")]
    taken = (wrapped(line, WIDTHS[narrow], TILE[narrow], LETTER) for line in lines)
    return sum(taken), len(lines) - 1


def total_height(spec: dict[str, Any], narrow: int) -> int:
    """Predict the widget's height in pixels."""
    heights, pending = 0, None
    for panel in spec["panels"]:
        height = panel["height"][narrow] + 18
        beside = panel["pair" if narrow else "half"]
        if beside and pending is not None:
            heights, pending = heights + max(height - pending, 0), None
        else:
            heights, pending = heights + height, height if beside else None
    seen = [control for control in spec["controls"] if control["seen"]]
    sentences = [control for control in seen if control["kind"] == "sentence"]
    typed = [control for control in sentences if not control["brief"]]
    rows = -(-(len(seen) - len(typed)) // (2 - narrow))
    heights -= CLOSER * -(-(len(sentences) - len(typed)) // (2 - narrow))
    if spec["menus"]:
        menus = [len(each["name"]) + max(map(len, each["labels"])) for each in seen]
        rows = wrapped(menus, WIDTHS[narrow], MENU, READOUT)
    heights += sum(typed_height(control, narrow) for control in typed)
    line = spec["predict"]["line"][narrow] + 12 if spec["predict"] else 0
    foot = spec["out"][narrow] + 32
    line += 23 * paragraph(spec["question"], WIDTHS[narrow])
    return round(
        head_height(spec, narrow) + line + rows * CONTROL + heights + foot + SPARE
    )
