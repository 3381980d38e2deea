"""Chapter 3's widgets, fed from a recorded run."""

from functools import cache

import numpy as np

from attention_book import data, decoding, runs
from attention_book.chapters.look_and_say.look_and_say import (
    DescribedScene,
    words_and_looks,
)
from attention_book.chapters.look_and_say.tasks import LONGEST
from attention_book.data.scenes import BRUSH, SCENE_SIDE
from attention_book.widgets import (
    Widget,
    cells,
    chosen,
    computed,
    control,
    over,
    paper,
    picture,
    pixels,
    predict,
    select,
    slider,
    tokens,
    writing,
)

# Three digits, so that all captions are equally long; digits that are easy to read.
CLEAR = {"n": 8, "N_digits": (3,), "seed": 12}
# The first of the scenes in which the chapter counts what went wrong.
COUNTED = {"n": 160, "N_digits": (2, 3), "seed": 44}
N_RIGHT, N_MISREAD, N_MISLOOKED = 5, 3, 1
POOR = "a poor nine", 156  # among the unseen images
N_SIDE = 8  # cells along a side of the picture


def look_and_say() -> Widget:
    """Show where the recorded captioner looks for each word that it says rightly."""
    clear = _described(**CLEAR)
    right = [name for name, scene in clear.items() if scene.said == scene.reference]
    shown = {name: clear[name] for name in right[:N_RIGHT]}
    first = next(iter(shown))
    named = [word in data.DIGIT_NAMES for word in shown[first].said]
    return words_and_looks(shown, start_scene=first, start_word=named.index(True) + 1)


def misread() -> Widget:
    """Show scenes with one wrong word, whose digit it misread or did not look at."""
    misread: dict[str, DescribedScene] = {}
    mislooked: dict[str, DescribedScene] = {}
    for name, scene in _described(**COUNTED).items():
        pairs = enumerate(zip(scene.said, scene.reference, strict=False))
        wrong = [t for t, (said, meant) in pairs if said != meant]
        if len(scene.said) == len(scene.reference) and len(wrong) == 1:
            at = scene.names[scene.attended(wrong[0])[:-1].argmax()]
            is_meant = at == scene.reference[wrong[0]]
            (misread if is_meant else mislooked)[name] = scene
    shown = dict([*misread.items()][:N_MISREAD] + [*mislooked.items()][:N_MISLOOKED])
    return words_and_looks(
        shown,
        start_scene=[*shown][N_MISREAD - 1],  # the clearest of them
        start_word=None,
        link="misread",
        title="What the model says wrongly",
        predict=predict(
            "Where does it mostly look when it says a wrong digit?",
            ["at another digit", "at the right digit", "at no digit"],
            answer="at the right digit",
            reveal="as is counted below. Of these four scenes, chosen to show both, it "
            "misread three; in the last it looked at another digit.",
        ),
    )


def own_scene(scene: str = "3.4.3_10.18.19", *, link: str = "own-scene") -> Widget:
    """Caption the reader's scene, with the gaze of each word, which can be moved; it
    opens with a nine that is taken for a one.
    """
    run = runs.load("caption-attention")
    name, image = POOR
    pictures = data.specimens() | {name: data.digit_images("test")[0][image]}
    one_cell = np.eye(N_SIDE**2)[:, None]
    gaze = chosen(
        "gaze",
        {
            "its own": [],
            "equal weights": [["uniform"]],
            "the orange cell": [["forced", over("cell", one_cell)]],
        },
    )
    written = writing(
        run.network(),
        change={"attention": gaze},
        most=LONGEST,
        source=pixels("scene", channel=True),
    )
    said = written.words("ids", run.vocabularies[-1].words)
    weights = computed(
        "last_row", rows=written.output("attention"), count=control("word")
    )
    return Widget(
        title="Your own scene",
        question="Where does it look when it says “one”? Draw a nine that it reads.",
        controls=[
            slider("word", range(1, 10), default=6, play=True),
            select("gaze", list(gaze.changes)),
            paper("scene", pictures, scene, side=SCENE_SIDE, brush=BRUSH),
            cells("cell", N_SIDE, N_SIDE, (2, 3)),
        ],
        panels=[
            tokens("the model says", said, axis="word"),
            picture(
                pixels("scene"),
                computed("folded", values=weights, columns=N_SIDE),
                "A sheet with digits.",
                query="The word",
                asks=control("cell"),
                asking=over("gaze", [0, 0, 1]),
                high=0.5,
            ),
        ],
        follow={"word": "word"},
        summary="Lay a digit by pressing it at the right, drag those on the sheet, or "
        "draw one as tall as the dotted frame.",
        link=link,
    )


@cache
def _described(
    n: int, N_digits: tuple[int, ...], seed: int
) -> dict[str, DescribedScene]:
    """Unseen scenes by their right captions, and what the recorded captioner says."""
    run = runs.load("caption-attention")
    model, words = run.model(), data.scene_vocabulary()
    some = data.scenes(n, N_digits=N_digits, part="test", seed=seed)
    decoded = decoding.greedy(
        model, data.collate_scenes(some).source, None, max_words=LONGEST
    )
    side, described = model.grid.N_side, {}
    for scene, ids, A in zip(some, decoded.ids, decoded.attention, strict=True):
        said = words.decode(ids)
        names = [data.DIGIT_NAMES[digit] for digit in scene.digits]
        described[" ".join(scene.caption).replace(" ,", ",")] = DescribedScene(
            scene.image.clip(0, 1),
            said,
            scene.caption,
            A[: len(said)].unflatten(-1, (side, side)).numpy(),
            np.array(scene.boxes),
            names,
        )
    return described
