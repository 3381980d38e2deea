"""Chapter 14's widgets: networks that fill gaps, and a head that the reader trains."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache, reduce
from typing import Any, Literal

import numpy as np

from attention_book import runs
from attention_book.chapters.pretraining.experiments.vectors import (
    FOOD,
    HEAD_RATE,
    HEAD_STEPS,
    NEW_NOUNS,
    OTHERS,
    WITH_NOT,
    WITHOUT_NOT,
    network_after,
    vectors_at_cls,
)
from attention_book.chapters.pretraining.recipes import ALONG, STEPS
from attention_book.chapters.pretraining.sentences import TOKENS, WORDS
from attention_book.models import heads
from attention_book.widgets import (
    Widget,
    bars,
    computed,
    control,
    ids,
    joined,
    named,
    picked,
    reading,
    select,
    shown,
    silencing,
    slider,
    switches,
    text,
    typed,
    words_of,
)

__all__ = ["fill_the_gap", "in_turn", "own_labels", "ten_sentences", "three_ways"]

SILENT = "attention heads switched off (block.head)"
SENTENCE, READ, TRAINED = "sentence", "steps of pretraining", "trained on"
LABEL = "labelled yes"
ASKED, NEW = "asked", "she does not eat the cheese ."
PROBABILITY: dict[str, Any] = {
    "limits": (0, 1),
    "measure": "probability",
    "say": "{label}: probability {value}",
}
FRAMED = {"start": True, "stop": True}


def _given(name: str) -> dict[str, Any]:
    """What a network is given of a typed sentence."""
    return {"source": ids(name, **FRAMED), "visible": shown(name, **FRAMED)}


GIVEN = _given(SENTENCE)
GROUPS = tuple(  # words that may take each other's place
    each.split()
    for each in (
        "the this these my our",
        "ate bought saw sold read wrote signed visited criticised supported",
        "teacher woman man child minister doctor student president hero",
        "rice bread meat cheese cake apple orange tomato egg",
        "letter law book report newspaper contract treaty agreement policy",
        "letters laws books reports newspapers contracts treaties agreements",
        "city market school hospital garden country area",
        "house car table machine",
        "bank council union party",
        "was were",
        "is are",
        "today yesterday again here",
    )
)


def fill_the_gap() -> Widget:
    """Let the network guess a word that the reader hides, from untrained to trained."""
    run, after = runs.load("bert"), (0, *ALONG, STEPS)
    trained, asked = run.network(), {}
    for step in after:
        network = trained.of(network_after(run, step))
        network = replace(network, name=f"bert-after-{step}")
        asked[str(step)] = reading(network, **GIVEN), "guess"
    return Widget(
        title="Fill the gap",
        question="Predict: what will it guess untrained, and after 500 steps?",
        controls=[
            _sentence("the teacher ate the (rice) ."),
            slider(READ, after, default=STEPS),
        ],
        **_guessing(READ, asked, "guesses for the hidden word"),
        link="fill-the-gap",
    )


def three_ways() -> Widget:
    """Let networks that were trained in three ways guess the same word."""
    hidden = reading(runs.load("bert-alone").network(), **GIVEN)
    left, peeks = (
        reading(runs.load(f"bert-{name}").network(), "after", **GIVEN)
        for name in ("left", "peeks")
    )
    asked = {  # the network, what it gives, and the words that it sees
        "hidden words, both ways": (hidden, "guess", hidden.output("seen")),
        "next word, left only": (left, "guess", _begun(left)),
        "next word, both ways": (peeks, "in sight", GIVEN["source"]),
        "next word, both ways, cut off": (peeks, "guess", _begun(peeks)),
    }
    seen = {
        label: joined(named(each, TOKENS), "The network sees: {}")
        for label, (*_, each) in asked.items()
    }
    guesses = {label: (run, output) for label, (run, output, _) in asked.items()}
    return Widget(
        title="Three ways to learn from text",
        question="Predict: which network copies the word, and what does it guess once "
        "the rest of the sentence is cut off?",
        controls=[
            _sentence("the (teacher) ate the rice ."),
            select(TRAINED, list(asked)),
        ],
        **_guessing(
            TRAINED,
            guesses,
            "guesses for the word to predict",
            text(picked(TRAINED, seen)),
        ),
        link="three-ways",
    )


def in_turn() -> Widget:
    """Hide each word of a sentence in turn: how surprised is the network by it?"""
    network = runs.load("bert").network()
    asked = reading(
        network,
        "in_turn",
        change=silencing(SILENT, network),
        source=ids(SENTENCE, **FRAMED),
    )
    return Widget(
        title="Each word hidden in turn",
        question="Predict: replace these with the. What happens to the bar of was?",
        controls=[
            _sentence("these letters was signed .", hides=False),
            switches(SILENT, heads(network.model)),
        ],
        panels=[
            bars(
                words_of(SENTENCE),
                asked.output("bits"),
                label="surprise at the word that was hidden, bits",
                axis="word",
                limits=(0, 16),
                digits=1,
                measure="bits",
                say="{label}: {value} bits",
            )
        ],
        link="each-word",
    )


def own_labels() -> Widget:
    """Train a head on the frozen network, on ten sentences with the reader's labels."""
    asked = reading(runs.load("bert").network(), **GIVEN)
    D = asked.network.model.config.D

    def says(vectors: Any) -> Any:
        return _head(_vectors((*FOOD, *OTHERS)), control(LABEL), vectors)

    return Widget(
        title="A head on the frozen network",
        question="Predict: leave only the city on. Which gets more, minister "
        "or garden?",
        controls=[
            switches(LABEL, FOOD + OTHERS, [1] * len(FOOD) + [0] * len(OTHERS)),
            _sentence("we saw the rice .", hides=False),
        ],
        panels=[
            bars(
                NEW_NOUNS,
                says(_vectors((*NEW_NOUNS,))),
                label="nouns without a label: we saw the ...",
                axis="noun",
                half=True,
                **PROBABILITY,
            ),
            bars(
                ["yes"],
                says(computed("folded", values=asked.output("cls"), columns=D)),
                label="your sentence",
                axis="answer",
                half=True,
                **PROBABILITY,
            ),
        ],
        link="own-labels",
    )


def ten_sentences() -> Widget:
    """Train a head on the frozen network, on ten sentences that the reader types."""
    network = runs.load("bert").network()
    D = network.model.config.D

    def vector(name: str) -> Any:
        return reading(network, **_given(name)).output("cls")

    labelled = {
        f"{label} {k}": sentence
        for k, pair in enumerate(zip(WITH_NOT, WITHOUT_NOT, strict=True), 1)
        for label, sentence in zip(("yes", "no"), pair, strict=True)
    }
    rows = reduce(lambda A, B: computed("stacked", A=A, B=B), map(vector, labelled))
    said = _head(
        computed("folded", values=rows, columns=D),
        np.array([float(name.startswith("yes")) for name in labelled]),
        computed("folded", values=vector(ASKED), columns=D),
    )
    return Widget(
        title="Ten sentences of your own",
        question="Predict: change it to she eats the cheese. How much does yes get?",
        controls=[
            typed(name, WORDS.words, sentence, groups=GROUPS, longest=14, brief=True)
            for name, sentence in (labelled | {ASKED: NEW}).items()
        ],
        panels=[
            bars(
                ["yes"],
                said,
                label="the sentence that is asked",
                axis="answer",
                half=True,
                **PROBABILITY,
            )
        ],
        link="ten-sentences",
    )


def _head(rows: Any, labels: Any, asked: Any) -> Any:
    """Train a head in the page on labelled vectors, and ask it of others."""
    return computed(
        "trained_head",
        rows=rows,
        labels=labels,
        asked=asked,
        steps=HEAD_STEPS,
        rate=HEAD_RATE,
    )


@lru_cache
def _vectors(nouns: tuple[str, ...]) -> np.ndarray:
    """What the network makes of *we saw the ...* at [CLS], a row for each noun."""
    return vectors_at_cls(runs.load("bert").model(), nouns)


def _begun(asked: Any) -> Any:
    """The ids before the word that a network of next words is asked for."""
    return computed("first_rows", rows=GIVEN["source"], count=asked.output("left"))


def _sentence(words: str, hides: bool | Literal["one"] = "one") -> Any:
    return typed(SENTENCE, WORDS.words, words, groups=GROUPS, longest=14, hides=hides)


def _best(asked: Any, output: str) -> tuple[Any, Any]:
    """The likeliest words for the one that is hidden, and their probabilities."""
    logits = asked.output(output)
    best = computed("top", values=logits, count=asked.output("guesses"))
    chances = computed("softmax", scores=logits, temperature=1.0)
    return named(best, WORDS.words), computed("at_places", values=chances, places=best)


def _guessing(
    menu: str, asked: Mapping[str, tuple[Any, str]], label: str, *above: Any
) -> dict[str, Any]:
    """The guesses for a word that each label of a control asks for, below panels."""
    best = {label: _best(*each) for label, each in asked.items()}
    words, chances = (
        picked(menu, {label: each[k] for label, each in best.items()}) for k in (0, 1)
    )
    panel = bars(
        words,
        chances,
        label=label,
        axis="guess",
        **PROBABILITY,
    )
    return {"panels": [*above, panel], "summary": joined(words, "Likeliest first: {}")}
