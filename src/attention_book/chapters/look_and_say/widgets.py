"""Chapter 3's widget, fed from a recorded run."""

from collections.abc import Sequence

import numpy as np

from attention_book import data, decoding, runs
from attention_book.chapters.look_and_say.captions import LONGEST
from attention_book.chapters.look_and_say.look_and_say import DescribedScene
from attention_book.chapters.look_and_say.look_and_say import (
    look_and_say as _look_and_say,
)
from attention_book.widgets import Widget, predict

N_SCENES, SCENE_SEED = 60, 3


def look_and_say(link: str = "look") -> Widget:
    """Chapter 3's widget: unseen scenes, described by the recorded captioner, with two
    of its mistakes among them.
    """
    run = runs.load("caption-attention")
    model, words = run.model(), data.scene_vocabulary()
    some = data.scenes(N_SCENES, N_digits=(2, 3), part="test", seed=SCENE_SEED)
    decoded = decoding.greedy(
        model, data.collate_scenes(some).source, None, max_words=LONGEST
    )
    said = [words.decode(ids) for ids in decoded.ids]
    misread = [
        len(one) == len(scene.caption) and one != scene.caption
        for one, scene in zip(said, some, strict=True)
    ]
    wrong = [k for k in range(len(some)) if misread[k]]
    right = [k for k, scene in enumerate(some) if said[k] == scene.caption]
    side = model.grid.N_side
    shown = {}
    for k in [*wrong[:2], *right[:4]]:
        A = decoded.attention[k, : len(said[k])].unflatten(-1, (side, side)).numpy()
        names = [data.DIGIT_NAMES[digit] for digit in some[k].digits]
        image = some[k].image.clip(0, 1)
        shown[" ".join(some[k].caption)] = DescribedScene(
            image, said[k], some[k].caption, A, np.array(some[k].boxes), names
        )
    first = (wrong or right)[0]
    pairs = zip(said[first], some[first].caption, strict=False)
    at = next((t for t, (word, meant) in enumerate(pairs, start=1) if word != meant), 1)
    return _look_and_say(
        shown,
        start_scene=" ".join(some[first].caption),
        start_word=at,
        link=link,
        predict=predict(
            f"The model says *{_sentence(said[first])}*; the picture shows "
            f"*{_sentence(some[first].caption)}*. Where did it look when it said the "
            "wrong word?",
            ["at another digit", "at the right digit", "at no digit"],
            answer="at the right digit",
            reveal="the look was right, and the digit was misread.",
        ),
    )


def _sentence(words: Sequence[str]) -> str:
    return " ".join(words).replace(" ,", ",")
