"""Chapter 11's widgets.

In ResidualStream a part is left out in two ways: of the model before it is trained
(recorded, a model for each seed), and of the model that was trained with all its parts.
"""

from typing import Any

import numpy as np
import torch

from attention_book import runs
from attention_book.chapters.block import sentences, tasks
from attention_book.chapters.block.experiments import (
    NOTHING,
    Grown,
    grow,
    sureness,
    switch_off,
)
from attention_book.data import PAD, START, STOP, Vocabulary
from attention_book.widgets import (
    Widget,
    bars,
    computed,
    control,
    ids,
    named,
    over,
    reading,
    select,
    shown,
    slider,
    stream,
    switches,
    tokens,
    typed,
)

WORD, OFF = "word", "switched off"
WORDS, HIDDEN = f"the child will {sentences.MASK} my egg".split(), "eat"
RECORDED = {
    "attention": "hidden-no-attention",
    "MLP": "hidden-no-mlp",
    "all norms": "hidden-no-norm",
    "residual": "hidden-no-residual",
    "positions": "hidden-no-positions",
}
GUESSES = 2

PARTS = ("attention", "MLP", "residual")
SEAL = "seal"
BARN = "the man fed the seal in the (barn)"
ORDER = "the man fed the seal while the woman signed the other one"


def residual_stream() -> Widget:
    """Show what is added to the stream of a word, and the loss without a part."""
    run = runs.load("hidden-full")
    vocabulary = run.recipe.task.vocabularies["source"]
    source = torch.tensor(vocabulary.encode(WORDS))
    whole, blocks = run.per_seed("loss"), run.recipe.task.sizes["N_blocks"]
    said, grown, losses = {}, {}, {NOTHING: [("the whole model", whole)]}
    for part in (NOTHING, *RECORDED):
        model = run.model()
        switch_off(model, part)
        grown[part] = grow(model, source)
        measured = run.recipe.task.measure(model)
        shown = "whole" if part == NOTHING else f"{part} switched off"
        said[part] = (
            f"Hidden: {HIDDEN}. Model of seed 0, {shown}: "
            f"{_guessed(grown[part], vocabulary)}. Unseen sentences: first guess "
            f"{sureness(model):.2f} sure, {measured['right']:.0%} right."
        )
        if part != NOTHING:
            losses[part] = [
                *losses[NOTHING],
                ("trained without", runs.load(RECORDED[part]).per_seed("loss")),
                ("off in seed 0", [measured["loss"]]),
            ]

    def of(name):
        return over(
            OFF,
            WORD,
            lambda part, word: getattr(grown[part], name)[:, WORDS.index(word)],
        )

    def loss(measure):
        return over(OFF, lambda part: [measure(each) for _, each in losses[part]])

    return Widget(
        title="What each part adds to the stream of a word",
        question=f"Predict: which part is worth least in {blocks} blocks? "
        "Switch each off.",
        controls=[
            select(OFF, [NOTHING, *RECORDED]),
            slider(WORD, WORDS, default=sentences.MASK),
        ],
        panels=[
            tokens("sentence", WORDS, axis="word", chooses=control(WORD)),
            stream(
                over(OFF, lambda part: grown[part].parts),
                of("before"),
                of("added"),
                of("cosines"),
                carried=over(OFF, lambda part: float(part != "residual")),
                label="the stream before, drawn upwards; scaled to fit",
            ),
            bars(
                over(OFF, lambda part: [name for name, _ in losses[part]]),
                loss(np.mean),
                band=(loss(np.min), loss(np.max)),
                label=f"loss, nats a word; lines: range of {len(whole)} seeds",
                measure="mean",
                axis="model",
            ),
        ],
        follow={"word": WORD},
        summary=over(OFF, said.get),
        link="residual-stream",
    )


def _guessed(grown: Grown, vocabulary: Vocabulary) -> str:
    """What the model says at the hidden word; of the ids, only those of words."""
    weights = grown.logits[WORDS.index(sentences.MASK)].softmax(-1)
    weights[[PAD, START, STOP, *vocabulary.encode([sentences.MASK])]] = 0
    best = weights.topk(GUESSES)
    return ", ".join(
        f"{vocabulary.words[word]} {weight:.2f}"
        for word, weight in zip(
            best.indices.tolist(), best.values.tolist(), strict=True
        )
    )


def two_senses() -> Widget:
    """Let the reader change the words around *seal*, cover one, and switch parts off:
    which sense its vector is nearer to, block by block, and the covered word.
    """
    run = runs.load("senses")
    asked = _read(run)
    first, second = sentences.SENSES[SEAL]
    N_blocks = run.recipe.task.sizes["N_blocks"]
    verbs, _, places = zip(*(sentences.TOPICS[t] for t in (first, second)), strict=True)
    groups = [" ".join([*verbs, *sentences.NEUTRAL]), " ".join(places)]
    return Widget(
        title="One word, two senses",
        question="Exchange fed for stamped. What moves?",
        controls=[
            typed(
                "sentence",
                sentences.WORDS.words,
                BARN,
                groups=[*map(str.split, groups), sentences.PEOPLE],
                longest=16,
                hides=True,
                examples=[ORDER],
            ),
            switches("parts", PARTS, [1] * len(PARTS)),
        ],
        panels=[
            bars(
                ["entrance", *(f"block {k}" for k in range(1, N_blocks + 1))],
                computed(
                    "leaning",
                    states=asked.output("states"),
                    ids=ids("sentence"),
                    word=sentences.WORDS.encode([SEAL])[0],
                    centres=tasks.means(run.model(), SEAL).numpy(),
                ),
                label=f"{SEAL} is: {first} left, {second} right",
                axis="layer",
                limits=(-0.5, 0.5),
                half=True,
            ),
            _guesses(asked, sentences.WORDS),
        ],
        link="two-senses",
    )


def covered_word() -> Widget:
    """Let the reader cover a word of a sentence of the corpus, and switch parts off."""
    run = runs.load("hidden-full")
    vocabulary, _ = run.vocabularies
    return Widget(
        title="Cover a word",
        question="Switch parts off. Is eat still guessed?",
        controls=[
            typed(
                "sentence",
                vocabulary.words,
                "the child will (eat) my egg",
                longest=20,
                hides=True,
            ),
            switches("parts", PARTS, [1] * len(PARTS)),
        ],
        panels=[_guesses(_read(run), vocabulary)],
        link="covered-word",
    )


def _read(run: runs.RecordedRun) -> Any:
    return reading(
        run.network(),
        source=ids("sentence"),
        visible=shown("sentence"),
        parts=control("parts"),
    )


def _guesses(asked: Any, vocabulary: Vocabulary) -> Any:
    """The likeliest words for the one that is covered."""
    logits = asked.output("guess")
    best = computed("top", values=logits, count=asked.output("guesses"))
    chances = computed("softmax", scores=logits, temperature=1.0)
    return bars(
        named(best, vocabulary.words),
        computed("at_places", values=chances, places=best),
        label="guesses at the covered word",
        axis="guess",
        limits=(0, 1),
        half=True,
    )
