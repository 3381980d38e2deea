"""Chapter 4's widgets."""

from attention_book import runs
from attention_book.chapters.attention_layer.cards import (
    CARDS,
    COLOURS,
    KINDS,
    N_CARDS,
)
from attention_book.chapters.attention_layer.query_plane import query_plane
from attention_book.chapters.attention_layer.saturation import saturation
from attention_book.widgets import (
    Widget,
    computed,
    heat_map,
    ids,
    over,
    reading,
    select,
    typed,
    words_of,
)

__all__ = ["own_cards", "query_plane", "saturation"]

TABLE = "red-cat blue-dog pink-owl red-hen grey-cow"
TABLES = ("pink-owl red-owl", "red-cat")  # two of a kind; one card
ASKED = "which colour has the"


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
