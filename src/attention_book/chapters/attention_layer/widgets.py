"""Chapter 4's widgets."""

from math import sqrt

import numpy as np

from attention_book import runs
from attention_book.chapters.attention_layer.cards import CARDS, COLOURS, KINDS, N_CARDS
from attention_book.chapters.attention_layer.gradients import (
    PLAIN,
    SCALED,
    WIDTHS,
    drawn_scores,
    gradient_size,
)
from attention_book.reference import softmax
from attention_book.widgets import (
    Widget,
    bars,
    computed,
    control,
    free,
    heat_map,
    ids,
    lines,
    matrices,
    matrix,
    over,
    plane,
    points,
    reading,
    select,
    slider,
    typed,
    words_of,
)
from attention_book.widgets.panel import fixed

REACH = 3.0  # of both axes of the plane, up and down
INPUT, SCORES, WIDTH = "input", "scores", "width D"
N_DRAWS = 1000
LEAST = 0.005  # a gradient: what is smaller would be written 0.00
TABLE = "red-cat blue-dog pink-owl red-hen grey-cow"
TABLES = ("pink-owl red-owl", "red-cat")  # two of a kind; one card
ASKED = "which colour has the"


def query_plane() -> Widget:
    """Show scores, weights and output of a query that the reader drags; D_Q is 2.

    Its direction chooses among the keys, its length how firmly: softmax of a longer q·k
    is sharper. The output is an average of the values with these weights, so it never
    leaves their hull.
    """
    arrays = {
        "q": [[0.9, -0.2]],
        "K": [[2.2, 0.4], [0.7, 2.1], [-1.9, 0.8], [-0.4, -2.2]],
        "V": [[2.3, 1.7], [-1.5, 2.2], [-2.2, -1.3], [1.4, -2.1]],
    }
    products = computed(
        "product", A=control("q"), B=computed("transposed", rows=control("K"))
    )
    root = over(SCORES, {SCALED: sqrt(2), PLAIN: 1.0}.get)
    E = computed("divided", values=products, by=root)
    A = computed("softmax", scores=E, temperature=1.0)
    Y = computed("product", A=A, B=control("V"))
    a = computed("last_row", rows=A, count=1)  # of the only query
    names = [f"k{number}" for number in "₁₂₃₄"]
    plane_of = {"limits": (-REACH, REACH), "half": True}
    return Widget(
        title="One query, four keys",
        question="Drag q to twice its length. Where does y go?",
        controls=[
            select(SCORES, [SCALED, PLAIN]),
            *(free(name, at, low=-REACH, high=REACH) for name, at in arrays.items()),
        ],
        panels=[
            plane(
                [
                    points("k", control("K"), "asked", axis=INPUT, arrows=True),
                    points("q", control("q"), "asks", arrows=True),
                ],
                label="query and keys",
                say="{name} = ({x}, {y}), of length {length}",
                **plane_of,
            ),
            plane(
                [
                    points(
                        "v", control("V"), "taken", weights=a, axis=INPUT, hull=True
                    ),
                    points("y", Y, "out", ring=True),
                ],
                label="values and output",
                **plane_of,
            ),
            matrices(
                [
                    matrix("E", E, columns=names, axes=(None, INPUT), room=5.5),
                    matrix("A", A, columns=names, axes=(None, INPUT), weights=True),
                    matrix("y", Y, columns=["y₁", "y₂"], role="out"),
                ]
            ),
        ],
        link="query-plane",
    )


def saturation() -> Widget:
    """Show scores, weights and gradient as the width grows, divided by √D or not.

    Wider queries and keys have products further apart, and softmax keeps one: at
    D = 512 the weights are one-hot, and the gradient is 0 for most draws. Bars show the
    first draw, the curve the median of all: their mean is made by the few whose two
    best scores happen to lie close together.
    """
    E = drawn_scores(N_DRAWS, seed=0)
    sizes = {how: gradient_size(softmax(each)) for how, each in E.items()}
    curve = {how: np.median(each, axis=0) for how, each in sizes.items()}
    half = {how: np.quantile(each, [0.25, 0.75], axis=0) for how, each in sizes.items()}

    ends = tuple(over(SCORES, lambda how, end=end: half[how][end]) for end in (0, 1))

    def score_names(D: int, how: str) -> list[str]:
        e = E[how][0, WIDTHS.index(D)]
        return [f"e{chr(0x2081 + i)} = {fixed(score, 1)}" for i, score in enumerate(e)]

    def summary(D: int, how: str) -> str:
        size = curve[how][WIDTHS.index(D)]
        said = f"{size:.2f}" if size >= LEAST else f"below {LEAST}"
        return f"At D = {D} the median gradient is {said} for {how}."

    return Widget(
        title="Why scores are divided by √D",
        question="Predict: what becomes of the curve when you divide by √D?",
        controls=[
            slider(WIDTH, WIDTHS, default=64),
            select(SCORES, [PLAIN, SCALED]),
        ],
        panels=[
            bars(
                over(WIDTH, SCORES, score_names),
                computed(
                    "softmax",
                    scores=over(WIDTH, E[PLAIN][0]),
                    temperature=over(
                        WIDTH, SCORES, lambda D, how: D**0.5 if how == SCALED else 1.0
                    ),
                ),
                label="scores e of one draw, and weights a",
                limits=(0, 1),
                measure="weight a",
                half=True,
            ),
            lines(
                WIDTHS,
                {"median": over(SCORES, curve.get)},
                label=f"gradient: median, middle half of {N_DRAWS:,} draws",
                x_label="width D of queries and keys",
                y_label="‖∂a / ∂e‖",
                marker=control(WIDTH),
                band={"median": ends},
                ends=("lower quarter", "upper quarter"),
                y_limits=(0, 0.5),
                log_x=True,
                height=200,
                half=True,
            ),
        ],
        summary=over(WIDTH, SCORES, summary),
        link="saturation",
    )


def own_cards(
    table: str = TABLE, asked: str = "dog", *, link: str = "own-cards"
) -> Widget:
    """The reader's cards, looked up by a network with K = V and one with two matrices.

    Both are recorded, of width 4.
    """
    of_kind = [[f"{colour}-{kind}" for colour in COLOURS] for kind in KINDS]
    kind = over(ASKED, lambda name: [KINDS.index(name)])
    one, two = (
        reading(runs.load(name).network(), source=ids("cards"), kind=kind)
        for name in ("cards-one", "cards-two")
    )
    logits = computed("stacked", A=one.output("logits"), B=two.output("logits"))
    both = {"rows": ["K = V", "K, V"], "limits": (0, 1), "half": True}
    both |= {"cell": (30, 15)}
    return Widget(
        title="Lay your own cards",
        question="Which network names the right colour?",
        controls=[
            typed(
                "cards",
                CARDS.words,
                table,
                groups=[*of_kind, *zip(*of_kind, strict=True)],
                longest=N_CARDS,
                examples=TABLES,
            ),
            select(ASKED, KINDS, default=asked),
        ],
        panels=[
            heat_map(
                columns=words_of("cards"),
                values=computed("stacked", A=one.tap("reader"), B=two.tap("reader")),
                label="weights on the cards",
                axes=("network", "card"),
                **both,
            ),
            heat_map(
                columns=COLOURS,
                values=computed("softmax", scores=logits, temperature=1.0),
                label="how likely each colour is",
                axes=("network", "colour"),
                say="{row} answers {column} with {value}",
                **both,
            ),
        ],
        link=link,
    )
