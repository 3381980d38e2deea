"""`live`: controls that need Python itself, with an honest face where there is none.

In a kernel the reader gets real ipywidgets and the function is called at each change.
On a static page the same output shows the result for the defaults, computed when the
page was built. A figure that has to work there is a `Widget`, which may run a trained
network in the page; this one is for a reader's own notebooks.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from html import escape
from typing import Any

import ipywidgets

from attention_book.widgets.compose import stylesheet
from attention_book.widgets.controls import Control
from attention_book.widgets.static import INLINE_CLOSE, INLINE_OPEN
from attention_book.widgets.widget import check_controls, check_texts, question_html

BUILT = "Computed when this page was built; in a notebook the controls work."
# a table in an ipywidgets box has no style of its own
TABLE = (
    "<style>.aw-answer :is(th, td) { padding: .15em .8em; text-align: right; }"
    ".aw-answer caption { text-align: left; white-space: nowrap; }</style>"
)


class Live:
    """A Python function with controls.

    Parameters
    ----------
    function
        Takes one value per control, in order, and returns what to show: a text, or what
        has HTML of its own, such as a table; a ValueError is shown as text.
    controls
        Made by `text_box`, `slider` or `select`.
    title, question
        As for a widget.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        *controls: Control,
        title: str,
        question: str = "",
    ) -> None:
        check_texts(title=title, question=question)
        inside = [repr(each.name) for each in controls if not each.seen]
        if inside or not controls:
            came = (
                f"{inside[0]} is changed in a panel, which live() has not"
                if inside
                else "live() needs at least one control"
            )
            raise ValueError(f"{came}: expected text_box, slider or select")
        check_controls(controls)
        self.function, self.controls = function, controls
        self.title, self.question = title, question
        self.result = self.call(*(each.values[each.default] for each in controls))

    def call(self, *values: Any) -> Any:
        """Call the function; a ValueError is its answer to input it cannot take."""
        try:
            return self.function(*values)
        except ValueError as error:
            return f"Not possible: {error}"

    @cached_property
    def box(self) -> ipywidgets.VBox:
        """The ipywidgets controls with their output."""
        inputs = [_input(control) for control in self.controls]
        answer = ipywidgets.HTML(_boxed(self.result))

        def update(_: Any) -> None:
            answer.value = _boxed(self.call(*(each.value for each in inputs)))

        for each in inputs:
            each.observe(update, names="value")
        heading = ipywidgets.HTML(
            f"<b>{escape(self.title)}</b><br>{escape(self.question)}"
        )
        return ipywidgets.VBox([heading, *inputs, answer])

    def static_html(self) -> str:
        """Return what a page shows: the defaults, and their result."""
        rows = "".join(
            f"<dt>{escape(c.name)}</dt><dd>{escape(c.labels[c.default])}</dd>"
            for c in self.controls
        )
        return (
            '<div class="aw-host" data-attention-live><div class="aw">'
            f'<p class="aw-title">{escape(self.title)}</p>'
            f"{question_html(self.question)}<dl>{rows}</dl>{_answer(self.result)}"
            f'<p class="aw-out">{BUILT}</p></div></div>'
        )

    def _repr_mimebundle_(
        self, **kwargs: Any
    ) -> tuple[dict[str, Any], dict[str, Any]] | dict[str, Any]:
        style = f"{INLINE_OPEN}<style>{stylesheet()}</style>{INLINE_CLOSE}"
        made = self.box._repr_mimebundle_(**kwargs)
        bundle, metadata = made if isinstance(made, tuple) else (made, {})
        return bundle | {"text/html": self.static_html() + style}, metadata


live = Live


def text_box(name: str, default: str) -> Control:
    """Make a line to type in, for `live`."""
    check_texts(name=name, default=default)
    return Control("text_box", name, (default,), 0)


def _input(control: Control) -> ipywidgets.ValueWidget:
    common = {
        "description": control.name,
        "style": {"description_width": "initial"},
        "continuous_update": False,
    }
    value = control.values[control.default]
    if control.kind == "text_box":
        return ipywidgets.Text(value=value, layout={"width": "95%"}, **common)
    options = list(zip(control.labels, control.values, strict=True))
    if control.kind == "slider":
        return ipywidgets.SelectionSlider(options=options, value=value, **common)
    common.pop("continuous_update")
    return ipywidgets.Dropdown(options=options, value=value, **common)


def _answer(result: Any) -> str:
    if hasattr(result, "_repr_html_"):
        style = "overflow-wrap: normal"  # of <pre>, lines without blanks may be broken
        return f'<div class="aw-answer" style="{style}">{result._repr_html_()}</div>'
    return f'<pre class="aw-answer">{escape(str(result))}</pre>'


def _boxed(result: Any) -> str:
    return TABLE + _answer(result)
