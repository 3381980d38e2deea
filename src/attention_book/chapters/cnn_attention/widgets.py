"""Chapter 9's widgets, fed from recorded runs."""

from typing import Any

import numpy as np

from attention_book import data, runs
from attention_book.chapters.cnn_attention.image_attention import (
    image_attention as _image_attention,
)
from attention_book.chapters.cnn_attention.scenes import (
    ANSWERS,
    KEYS,
    N_SIDE,
    NONE,
    answer,
    asked,
    key_scenes,
)
from attention_book.chapters.cnn_attention.tasks import TEST_SEED, attend
from attention_book.data.scenes import BRUSH, SCENE_SIDE
from attention_book.widgets import (
    Widget,
    bars,
    cells,
    computed,
    control,
    over,
    paper,
    picture,
    pixels,
    reading,
)

N_EACH = 2  # scenes for each answer: the first with a digit at this cell
CORNER = 9  # row 2, column 2: far from most keys


def image_attention() -> Widget:
    """Let the reader click a cell of unseen scenes, and show where it looks."""
    drawn = [s for s in key_scenes(300, seed=TEST_SEED) if asked(s)[CORNER]]
    scenes = [
        scene
        for word in (*KEYS.values(), NONE)
        for scene in [each for each in drawn if answer(each) == word][:N_EACH]
    ]
    says, A = attend(runs.load("cnn-attention").model(), scenes)
    says_convolution, _ = attend(runs.load("cnn-convolution").model(), scenes)
    said = {"attention": says, "a convolution": says_convolution}
    return _image_attention(scenes, A, said)


def move_the_key(
    scene: str = "5.2.3_8.22.21_1.2.22", *, link: str = "move-the-key"
) -> Widget:
    """Let the reader lay, drag and draw digits: where a cell looks, and what it says
    with attention in the middle and with a convolution there.

    It opens with a key that lies out of the convolution's sight.
    """
    words, cell = [*KEYS.values(), NONE], over("cell", np.arange(N_SIDE**2))
    places = ANSWERS.encode(words)
    middles = {"attention": "cnn-attention", "convolution": "cnn-convolution"}
    sheet = pixels("scene", channel=True)
    asked = {
        middle: reading(runs.load(name).network(), source=sheet)
        for middle, name in middles.items()
    }

    def says(run: Any) -> Any:
        logits = computed("entry", values=run.output("logits"), at=cell)
        chances = computed("softmax", scores=logits, temperature=1.0)
        return computed("at_places", values=chances, places=places)

    weights = asked["attention"].tap("middle.attend")
    return Widget(
        title="Move the key",
        question="How near must the one come before a convolution finds it, too?",
        controls=[
            paper("scene", data.specimens(), scene, side=SCENE_SIDE, brush=BRUSH),
            cells("cell", N_SIDE, N_SIDE, (2, 3)),
        ],
        panels=[
            picture(
                pixels("scene"),
                computed(
                    "folded",
                    values=computed("entry", values=weights, at=cell),
                    columns=N_SIDE,
                ),
                "A sheet with digits.",
                query="The orange cell",
                asks=control("cell"),
                high=0.5,
                half=True,
            ),
            bars(
                [f"{middle}: {word}" for middle in middles for word in words],
                computed(
                    "stacked", A=says(asked["attention"]), B=says(asked["convolution"])
                ),
                label="what the orange cell says",
                axis="answer",
                limits=(0, 1),
                half=True,
            ),
        ],
        summary="Press a cell to ask it. Lay a digit by pressing it at the right, drag "
        "those on the sheet, or draw one as tall as the dotted frame.",
        link=link,
    )
