"""Chapter 9's widgets, fed from recorded runs."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from jaxtyping import Float

from attention_book import data, runs
from attention_book.chapters.cnn_attention.scenes import (
    ANSWERS,
    CENTRES,
    KEYS,
    N_SIDE,
    NONE,
    answer,
    asked,
    covers,
    distance,
    key_of,
    key_scenes,
    names_of,
)
from attention_book.chapters.cnn_attention.tasks import TEST_SEED, attend
from attention_book.data import Scene
from attention_book.data.scenes import BRUSH, SCENE_SIDE
from attention_book.metrics.pointing import cells_inside
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
    select,
    text,
)

SCENE, CHOSEN = "scene", "cell"
N_X = N_SIDE**2
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
    return _looking(scenes, A, said)


def _looking(
    scenes: Sequence[Scene],
    A: Float[np.ndarray, "N N_X N_X"],
    said: Mapping[str, np.ndarray],
) -> Widget:
    """Show where a chosen cell of scenes looks; it opens far from a key.

    `said` maps what a network has to the word that it says at each cell, (N, N_X).
    """
    shares = [A[n] @ covers(scene).T for n, scene in enumerate(scenes)]
    looks = [
        [_where(scene, each) for each in shares[n]] for n, scene in enumerate(scenes)
    ]
    verdicts = [
        [_verdict(s, x, {name: said[name][n, x] for name in said}) for x in range(N_X)]
        for n, s in enumerate(scenes)
    ]
    names = [_labels(scene, shares[n]) for n, scene in enumerate(scenes)]
    lit = [-1 if key_of(scene) is None else key_of(scene) for scene in scenes]
    menu = [", ".join(names_of(scene)) for scene in scenes]
    number, cell = map(int, _furthest_from_key(scenes))
    return Widget(
        title="Where a cell looks",
        question="Where does a cell on a digit look, and where one on paper? Click.",
        controls=[
            select(SCENE, menu, default=menu[number]),
            cells(CHOSEN, N_SIDE, N_SIDE, (cell // N_SIDE + 1, cell % N_SIDE + 1)),
        ],
        panels=[
            picture(
                over(SCENE, [scene.image.clip(0, 1) for scene in scenes]),
                over(SCENE, CHOSEN, A.reshape(-1, N_X, N_SIDE, N_SIDE)),
                over(SCENE, [f"Digits: {each}." for each in menu]),
                query="The orange cell",
                boxes=over(SCENE, [scene.boxes for scene in scenes]),
                names=over(SCENE, CHOSEN, names),
                lit=over(SCENE, lit),
                box_label="digits; key thick",
                asks=control(CHOSEN),
                half=True,
            ),
            text(over(SCENE, CHOSEN, verdicts), half=True),
        ],
        summary=over(SCENE, CHOSEN, looks),
        link="image-attention",
    )


def _labels(scene: Scene, shares: np.ndarray) -> list[list[str]]:
    """What stands at each box while a cell is chosen: the digit, and its share."""
    return [
        [
            f"{name} {share:.2f}"
            for name, share in zip(names_of(scene), row, strict=True)
        ]
        for row in shares
    ]


def _where(scene: Scene, shares: np.ndarray) -> str:
    """Say where a cell looks, by its share of attention on each digit."""
    beside = f"{max(0.0, 1 - shares.sum()):.2f} beside them"
    key = key_of(scene)
    if key is None:
        return f"It looks {shares.sum():.2f} at the digits, {beside}."
    others = np.delete(shares, key).sum()
    return (
        f"It looks {shares[key]:.2f} at the key, {others:.2f} at the others, {beside}."
    )


def _verdict(scene: Scene, cell: int, said: Mapping[str, str]) -> str:
    """Say what a cell lies on, and of each network whether it is right there."""
    on = np.flatnonzero(cells_inside(CENTRES[[cell]], scene.boxes)[:, 0])
    if not asked(scene)[cell]:
        place = "on the key" if on.size else "beside the digits"
        return f"The middle of the orange cell lies {place}, so it is not asked."
    right = answer(scene)
    words = [
        f"With {network} it says {word}, {'right' if word == right else 'wrong'}."
        for network, word in said.items()
    ]
    return (
        f"The orange cell lies on the {names_of(scene)[on[0]]}. Which key is "
        f"there? Right is {right}. {' '.join(words)}"
    )


def _furthest_from_key(scenes: Sequence[Scene]) -> tuple[np.intp, ...]:
    """Find the scene, and the cell, furthest from a key among the cells that are asked
    in every scene.
    """
    away = np.array([distance(scene) for scene in scenes])
    everywhere = np.all([asked(scene) for scene in scenes], axis=0)
    away[~everywhere | np.isinf(away)] = -1
    return np.unravel_index(away.argmax(), away.shape)


def move_the_key(
    scene: str = "5.2.3_8.22.21_1.2.22", *, link: str = "move-the-key"
) -> Widget:
    """Let the reader lay, drag and draw digits: where a cell looks, and what it says
    with attention in the middle and with a convolution there.

    It opens with a key that lies out of the convolution's sight.
    """
    words, cell = [*KEYS.values(), NONE], over("cell", np.arange(N_X))
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
