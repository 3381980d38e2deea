"""Chapter 11's widgets."""

from typing import Any

from attention_book import runs
from attention_book.chapters.block import sentences, tasks
from attention_book.chapters.block.residual_stream import residual_stream
from attention_book.data import Vocabulary
from attention_book.widgets import (
    Widget,
    bars,
    computed,
    control,
    ids,
    named,
    reading,
    shown,
    switches,
    typed,
)

__all__ = ["covered_word", "residual_stream", "two_senses"]

PARTS = ("attention", "MLP", "residual")
SEAL = "seal"
BARN = "the man fed the seal in the (barn)"
ORDER = "the man fed the seal while the woman signed the other one"


def two_senses(*, link: str = "two-senses") -> Widget:
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
        link=link,
    )


def covered_word(*, link: str = "covered-word") -> Widget:
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
        link=link,
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
