"""Interactive figures that work in a kernel and on a page without one.

About twenty lines of Python make one.

A widget is a title, a question, controls, and panels. What a panel shows may depend on
the controls::

    from attention_book.widgets import (
        Widget, control, lines, over, select, slider, tokens
    )

    Widget(
        title="Longer sentences, one vector",
        question="Predict first: at which length does the translation break?",
        controls=[
            slider("length", range(3, 25), default=12, play=True),
            select("state size", [64, 128, 256]),
        ],
        panels=[
            # a list of words for each length
            tokens("source", over("length", sources)),
            # one for each length and size; marks: "", ok, wrong, missing, extra
            tokens(
                "translation",
                over("length", "state size", outputs),
                marks=over("length", "state size", marks),
            ),
            lines(
                lengths,
                {"64": small, "128": middle, "256": large},
                x_label="source length (words)",
                y_label="exact match",
                marker=control("length"),
                highlight=control("state size"),
            ),
        ],
        link="collapse",  # in the address: #w=collapse&length=12
    )

Fields: a constant; `over("a", "b", values)`, with `values[i][j]` or a function of the
controls' values; `control("a")`, the value itself; `computed("softmax", scores=...,
temperature=control("temperature"))`, evaluated in the browser by a function of
`js/math.mjs`, which a test holds against NumPy; what a recorded network gives
(`running.py`).

What the reader may change freely is `free("K", [[1, 2], [0, 1]], low=-3, high=3)` among
the controls: an array that `control("K")` stands for and a panel lets the reader edit.
Everything that is `computed` from it follows. `arrangement("order", words)` is a
sentence whose words the reader drags, in the panel ``reorder(control("order"))``;
`cells("cell", 8, 8)` is a cell that the reader chooses in a `picture`;
`paper("scene", pictures, "0.2.3", side=32, brush=0.6)` is a sheet on which the reader
lays pictures and draws, in the ``picture(pixels("scene"), ...)``.

Panels: `heat_map`, `maps`, `arcs`, `spotlight` (rows are queries, columns inputs),
`looks` (a sentence whose words look at one another),
`picture` (an image under a mask), `bars`, `tokens`, `lines`, `text`, `network` (layers
of vectors), `stream` (a vector and what is added to it), `tree` (what a search keeps,
or the phrases of a sentence over what is read); `plane` with `points`, `matrices` of
`matrix` and `vectors` of `vector`, where free arrays are changed, as a mask is in a
`heat_map`. Axes of the same name are highlighted together (`axes=("target", "source")`,
`axis="target"`), and `follow={"target": "step"}` lets a control do it. Python reads and
sets `widget.setting`, `widget.index` and `widget.focus`. What parameters of one name
mean in all panels is said at `heat_map`. A new panel is a function here and a file in
`js/panels`; what it tells goes in through `textContent`.

`Widget(..., predict=predict("Which one errs least?", ["dot", "MLP"], answer="dot",
reveal="it errs in one of ten."))` hides the figure behind its question until the reader
has chosen; Python reads `widget.prediction`.

`quick_questions` asks, and answers every choice at once; Python reads `answers`, the
options chosen for each question::

    quick_questions(
        question(
            "Over which axis do the weights sum to 1?",
            wrong("Over the queries", "Then the queries would share each input."),
            right("Over the inputs, the last axis", "Each query hands out one whole."),
        )
    )
    quick_questions(*read_questions("attention"))  # chapters/attention/questions.toml

`one_sentence(A, source, target)` is a whole widget: where a model looked in a sentence.

`live(function, ...)` is for controls that need Python itself.
"""

from attention_book.widgets.controls import (
    arrangement,
    cells,
    free,
    select,
    slider,
    switches,
    typed,
    written,
)
from attention_book.widgets.curves import lines
from attention_book.widgets.fields import (
    by_text,
    computed,
    control,
    digits,
    ids,
    joined,
    laid,
    named,
    over,
    picked,
    pieces_of,
    pixels,
    shown,
    words_of,
)
from attention_book.widgets.grids import arcs, heat_map
from attention_book.widgets.live import live, text_box
from attention_book.widgets.looks import looks
from attention_book.widgets.maps import maps
from attention_book.widgets.matrices import matrices, matrix
from attention_book.widgets.networks import network
from attention_book.widgets.paper import paper
from attention_book.widgets.pictures import picture
from attention_book.widgets.planes import plane, points
from attention_book.widgets.predict import predict
from attention_book.widgets.questions import (
    question,
    quick_questions,
    read_questions,
    right,
    wrong,
)
from attention_book.widgets.running import chosen, reading, silencing, writing
from attention_book.widgets.sentence import one_sentence
from attention_book.widgets.spotlight import spotlight
from attention_book.widgets.streams import stream
from attention_book.widgets.strips import bars, reorder, text, tokens
from attention_book.widgets.trees import tree
from attention_book.widgets.vectors import vector, vectors
from attention_book.widgets.widget import Widget

__all__ = [
    "Widget",
    "arcs",
    "arrangement",
    "bars",
    "by_text",
    "cells",
    "chosen",
    "computed",
    "control",
    "digits",
    "free",
    "heat_map",
    "ids",
    "joined",
    "laid",
    "lines",
    "live",
    "looks",
    "maps",
    "matrices",
    "matrix",
    "named",
    "network",
    "one_sentence",
    "over",
    "paper",
    "picked",
    "picture",
    "pieces_of",
    "pixels",
    "plane",
    "points",
    "predict",
    "question",
    "quick_questions",
    "read_questions",
    "reading",
    "reorder",
    "right",
    "select",
    "shown",
    "silencing",
    "slider",
    "spotlight",
    "stream",
    "switches",
    "text",
    "text_box",
    "tokens",
    "tree",
    "typed",
    "vector",
    "vectors",
    "words_of",
    "writing",
    "written",
    "wrong",
]
