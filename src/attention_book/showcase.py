"""Widgets fed from recorded runs, shown on more than one page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from attention_book import data, decoding, metrics, runs
from attention_book.runs.looks import Look
from attention_book.widgets import Widget, predict
from attention_book.widgets.alignment import Trained
from attention_book.widgets.alignment import alignment as _alignment
from attention_book.widgets.decoder_stepper import Decoded
from attention_book.widgets.decoder_stepper import decoder_stepper as _decoder_stepper
from attention_book.widgets.length_collapse import length_collapse as _length_collapse
from attention_book.widgets.look_and_say import Scene
from attention_book.widgets.look_and_say import look_and_say as _look_and_say
from attention_book.widgets.score_functions import Compared
from attention_book.widgets.score_functions import score_functions as _score_functions

BY_SIZE = {64: "bottleneck-width-64", 128: "bottleneck-short", 256: "bottleneck-width-256"}


def length_collapse(link: str = "collapse") -> Widget:
    """Chapter 1's widget: one unseen sentence of every length, translated by states of three sizes."""
    recorded = {size: runs.load(name) for size, name in BY_SIZE.items()}
    shown = {size: run.predictions[::2] for size, run in recorded.items()}  # one of the two kept for each length
    short, long = (recorded[128].measured("exact_match").mean(axis=0)[k] for k in (0, 5))
    middles = [sum(map(int, bucket.split("-"))) / 2 for bucket in recorded[128].buckets]
    return _length_collapse(
        [kept["source"] for kept in shown[128]],
        [kept["reference"] for kept in shown[128]],
        {size: [kept["prediction"] for kept in sentences] for size, sentences in shown.items()},
        middles,
        {size: run.measured("exact_match").mean(axis=0) for size, run in recorded.items()},
        start_length=20,
        start_size=128,
        link=link,
        predict=predict(
            "A fixed context of 128 numbers. How many sentences of 19-21 words come out right, word for word?",
            ["about 8 in 10", "about 4 in 10", "hardly any"],
            answer="hardly any",
            reveal=f"{long:.0%} of them, where it is {short:.0%} of those with 3-6 words.",
        ),
    )


BY_SCORE = {
    "dot": "attention-dot",
    "bilinear": "attention-bilinear",
    "MLP": "attention-mlp",
    "MLP, one direction": "attention-mlp-forward",
}
N_SCENES, SCENE_SEED = 60, 3
AREA, BREAD, MINISTER, APPLE = range(4)  # among the sentences whose looks are kept
NAMES = {AREA: "the economic area", BREAD: "eating bread", MINISTER: "the minister", APPLE: "the apple"}


def _gold(look: Look) -> list[tuple[int, int]]:
    """Links as widgets want them: (row, column), so target word first."""
    return sorted((j, i) for i, j in look.alignment)


def alignment(shown: Sequence[int] = (MINISTER, BREAD), *, link: str = "alignment") -> Widget:
    """The landing page's widget: along training, attention finds the words."""
    looks = runs.load("attention-dot").looks()
    steps = sorted(looks)
    sentences = {}
    for k in shown:
        along = [looks[step][k] for step in steps]
        last = along[-1]
        words = len(last.target) - 1
        A = np.stack([look.A[:words] for look in along])  # the row of [STOP] says nothing here
        lit = 1  # a noun, or a verb
        sentences[NAMES[k]] = Trained(
            last.source, last.target[:words], A, _gold(last), [look.said for look in along], lit
        )
    return _alignment(sentences, steps, start_sentence=next(iter(sentences)), start_step=steps[-1], link=link)


def decoder_stepper(shown: Sequence[int] = (MINISTER, BREAD), *, link: str = "stepper") -> Widget:
    """Chapter 2's first widget: scores, weights and context of every step."""
    looks = runs.load("attention-dot").looks()
    steps = sorted(looks)
    sentences = {}
    for k in shown:
        along = [looks[step][k] for step in steps]
        e, h = (np.stack([getattr(look, name) for look in along]) for name in ("e", "h"))
        sentences[NAMES[k]] = Decoded(along[-1].source, along[-1].target, e, h, _gold(along[-1]))
    return _decoder_stepper(
        sentences, steps, start_sentence=next(iter(sentences)), start_step=steps[-1], start_t=2, link=link
    )


def score_functions(shown: Sequence[int] = (AREA, BREAD, MINISTER, APPLE), *, link: str = "scores") -> Widget:
    """Chapter 2's second widget: four models read the same sentences."""
    recorded = {name: runs.load(run) for name, run in BY_SCORE.items()}
    final = {name: run.looks()[run.recipe.steps] for name, run in recorded.items()}
    sentences = {}
    for k in shown:
        each = {name: looks[k] for name, looks in final.items()}
        words = len(each["dot"].target) - 1
        A = {name: look.A[:words] for name, look in each.items()}
        error = {name: _error(look.A[:words], look) for name, look in each.items()}
        first = each["dot"]
        sentences[NAMES[k]] = Compared(first.source, first.target[:words], A, error, _gold(first))
    aer = {name: run.aligned("aer").mean() for name, run in recorded.items()}
    exact = {name: run.measured("exact_match").mean() for name, run in recorded.items()}
    worst = max(aer, key=aer.get)
    return _score_functions(
        sentences,
        aer,
        exact,
        start_sentence=NAMES[AREA],
        start_score=worst,
        link=link,
        predict=predict(
            "Four models that translate the test sentences equally well. Do they look at equally right words, or is "
            "one of them far off?",
            [*aer, "all alike"],
            answer=worst,
            reveal=f"its alignment error is {aer[worst]:.2f}, and {exact[worst]:.0%} of its translations are "
            f"right all the same.",
        ),
    )


def look_and_say(link: str = "look") -> Widget:
    """Chapter 3's widget: some unseen scenes, described by the recorded captioner, two of its mistakes among them."""
    run = runs.load("caption-attention")
    model, words = run.model(), data.scene_vocabulary()
    some = data.scenes(N_SCENES, n_digits=(2, 3), part="test", seed=SCENE_SEED)
    decoded = decoding.greedy(model, data.collate_scenes(some).source, None, max_words=runs.captions.LONGEST)
    said = [words.decode(ids) for ids in decoded.ids]
    misread = [len(one) == len(scene.caption) and one != scene.caption for one, scene in zip(said, some, strict=True)]
    wrong = [k for k in range(len(some)) if misread[k]]
    right = [k for k, scene in enumerate(some) if said[k] == scene.caption]
    side = model.grid.N_side
    shown = {}
    for k in [*wrong[:2], *right[:4]]:
        A = decoded.attention[k, : len(said[k])].unflatten(-1, (side, side)).numpy()
        names = [data.DIGIT_NAMES[digit] for digit in some[k].digits]
        image = some[k].image.clip(0, 1)
        shown[" ".join(some[k].caption)] = Scene(image, said[k], some[k].caption, A, np.array(some[k].boxes), names)
    first = (wrong or right)[0]
    pairs = zip(said[first], some[first].caption, strict=False)
    at = next((t for t, (word, meant) in enumerate(pairs, start=1) if word != meant), 1)
    return _look_and_say(
        shown,
        start_scene=" ".join(some[first].caption),
        start_word=at,
        link=link,
        predict=predict(
            f"The model says *{_sentence(said[first])}*; the picture shows *{_sentence(some[first].caption)}*. "
            "Where did it look when it said the wrong word?",
            ["at another digit", "at the right digit", "at no digit"],
            answer="at the right digit",
            reveal="the look was right, and the digit was misread.",
        ),
    )


def _sentence(words: Sequence[str]) -> str:
    return " ".join(words).replace(" ,", ",")


def _error(A: np.ndarray, look: Look) -> float:
    links = metrics.strongest_link(A, N_words=len(look.source) - 1)
    return metrics.alignment_error_rate([links], [look.alignment])
