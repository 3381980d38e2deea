"""Chapter 8's widgets."""

from functools import reduce
from typing import Any

from attention_book import runs
from attention_book.chapters.three_ways.receptive_field import (
    WAYS,
    receptive_field,
    restricted,
)
from attention_book.chapters.three_ways.tasks import FILLERS, NAMES, WORDS
from attention_book.widgets import (
    Widget,
    computed,
    control,
    heat_map,
    ids,
    lines,
    named,
    over,
    reading,
    shown,
    slider,
    text,
    typed,
)

__all__ = ["cost_curves", "race", "receptive_field"]

# The networks of the race, and how many layers each has: a GRU waits for each word.
RACERS = {
    "GRU": ("gru", 0),
    "convolution": ("dilated", 4),
    "attention": ("attention", 1),
}
SENTENCE = "anna now then once here soon now then here once soon then"
MOST = 16  # words that the reader may type
LENGTHS = [4**k for k in range(2, 7)]  # words of the cost curves
SIZES = {  # of layers: chapter 2's GRU and longest sentence; GPT-3
    "chapter 2": (24, 128),
    "GPT-3": (2048, 12288),
}


def race(sentence: str = SENTENCE, step: int = 1) -> Widget:
    """The reader's sentence in three recorded networks, step after step.

    All were trained to carry a name over 12 words. A step is a word of the GRU, a
    layer of the others.
    """
    source = computed("stacked", A=ids("sentence"), B=WORDS.encode(["who?"]))
    visible = computed("stacked", A=shown("sentence"), B=[1])

    def said(way: str) -> Any:
        network = runs.load(f"carry-12-{way}").network()
        logits = reading(network, source=source, visible=visible).output("logits")
        P = computed("softmax", scores=logits, temperature=1.0)
        last = computed("entry", values=P, at=1.0 + MOST)  # the last place
        return computed("at_places", values=last, places=WORDS.encode(NAMES))

    ways, layers = zip(*RACERS.values(), strict=True)
    every = reduce(lambda A, B: computed("stacked", A=A, B=B), map(said, ways))
    done = computed("race", words=source, layers=layers, step=control("step"))
    answers = computed("folded", values=every, columns=float(len(NAMES)))
    return Widget(
        title="A race for the name",
        question="Which is last? Then leave out a word.",
        controls=[
            typed(
                "sentence",
                WORDS.words,
                sentence,
                groups=(NAMES, FILLERS),
                longest=MOST,
            ),
            slider("step", range(1, MOST + 2), default=step, play=True),
        ],
        panels=[
            heat_map(
                list(RACERS),
                named(source, WORDS.words),
                done,
                label="computed so far",
                axes=("network", "place"),
                limits=(0, 1),
                say="{row} has computed {value} of its layers at {column}",
                half=True,
                cell=(26, 15),
            ),
            heat_map(
                list(RACERS),
                NAMES,
                computed("finished", values=answers, done=done),
                label="how likely each name is, once known",
                axes=("network", "name"),
                limits=(0, 1),
                say="{row} answers {column} with {value}",
                half=True,
                cell=(26, 15),
            ),
        ],
        link="race",
    )


def cost_curves() -> Widget:
    """The work of a layer of each way by the number of words, for a chosen width.

    It is counted per word, in products of a vector and a d × d matrix.
    """
    ways = {
        "GRU": WAYS["GRU"],
        "convolution, k = 3": WAYS["convolution, k = 3"],
        "self-attention": WAYS["self-attention"],
        "restricted, r = 16": restricted(16),
    }
    plain = {f"{d:,}": d for d in (16, 32, 512, 2048)}
    widths = plain | {f"{d:,} ({name})": d for name, (_, d) in SIZES.items()}
    widths = dict(sorted(widths.items(), key=lambda each: each[1]))

    def said(width: str, n: int) -> str:
        work = {name: way.work(n, widths[width]) for name, way in ways.items()}
        counts = "; ".join(f"{name}: {count:,}" for name, count in work.items())
        return f"Multiply-adds of a layer: {counts}."

    def curve(name: str) -> Any:
        def of(width: str) -> list[float]:
            d = widths[width]
            return [ways[name].work(n, d) / (n * d * d) for n in LENGTHS]

        return over("width d", of)

    def mark(n: int, at: int) -> Any:
        return over("width d", lambda width: [n] if widths[width] == at else [])

    return Widget(
        title="Words or width: what decides?",
        question="From how many words on does self-attention work more than the GRU?",
        controls=[
            slider("width d", list(widths), default="128 (chapter 2)"),
            slider("words n", LENGTHS, default=256),
        ],
        panels=[
            lines(
                LENGTHS,
                {name: curve(name) for name in ways},
                x_label="words n",
                y_label="work for each word, in d × d matrices",
                marker=control("words n"),
                marks={f"{name}: {n:,}": mark(n, d) for name, (n, d) in SIZES.items()},
                log_x=True,
                log_y=True,
                y_limits=(1, 1000),
                height=230,
            ),
            text(over("width d", "words n", said)),
        ],
        link="costs",
    )
