"""Chapter 17's widgets: which of eight captions fits, who looks at whom, and questions
about a picture. In each the reader lays three digits on a sheet.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from typing import Any

import numpy as np

from attention_book import runs
from attention_book.chapters.two_streams.experiments import REGIONS_LOOK
from attention_book.chapters.two_streams.in_page import RIGHT, UNUSUAL
from attention_book.chapters.two_streams.running_example import (
    DIGITS,
    PLACES,
    pictures,
)
from attention_book.chapters.two_streams.scenes import (
    ANSWERS,
    BETWEEN,
    FIRST,
    N_TOKENS,
    RELATIONS,
    SECOND,
    WORDS,
)
from attention_book.data import DIGIT_NAMES
from attention_book.data.scenes import SCENE_SIDE
from attention_book.widgets import (
    Widget,
    arcs,
    bars,
    chosen,
    computed,
    joined,
    laid,
    named,
    over,
    paper,
    picked,
    picture,
    pixels,
    reading,
    select,
)
from attention_book.widgets.controls import Control
from attention_book.widgets.panel import Panel
from attention_book.widgets.running import Change, Run

__all__ = ["ask", "which_caption", "who_looks"]

SHEET = "sheet"
OPENS = "_".join(  # with the running example
    f"{digit}.{top}.{left}" for digit, (top, left) in zip(DIGITS, PLACES, strict=True)
)
CAPTIONS = (  # the true one; exchanged, opposite, and five with one other digit
    "a seven above a three",
    "a three above a nine",
    "a three above a seven",
    "a two above a seven",
    "a nine above a seven",
    "a three above a one",
    "a three left-of a seven",
    "a five above a seven",
)
CHOICE, NOT_YET = "your choice", "none yet"
NETWORK = "network"
NETWORKS = {
    "relation first": "two-streams",
    "all at once": "two-streams-at-once",
}
WEIGHTS = "weights"  # of block 1's regions
MOVES: dict[str, list[Sequence[Any]]] = {
    "normal": [],
    "swapped": [["reordered", [0, 2, 1, 3]]],  # of the first two; [IMG] is 0
    "equal": [["uniform"]],
}
SUBJECT, RELATION, OBJECT = "question", "relation", "digit"
SLOTS = {"first": FIRST, RELATION: BETWEEN, "second": SECOND}  # of a caption
WHAT, MOST = "what is", 3  # and answers shown of a network
OBJECTS = [f"a {digit}" for digit in DIGIT_NAMES]
SUBJECTS = [WHAT, *OBJECTS]


def which_caption(
    choice: str = NOT_YET, network: str = "relation first", sheet: str = OPENS
) -> Widget:
    """Let the reader choose a caption, and then see which one a network chooses."""
    asked = {label: _read(run, _encoded(CAPTIONS)) for label, run in NETWORKS.items()}
    fits, unusual, true = (
        picked(NETWORK, {label: run.output(name) for label, run in asked.items()})
        for name in ("fits", "unusual", "first true")
    )
    chances = computed("softmax", scores=fits, temperature=1)
    equal = np.full(len(CAPTIONS), 1 / len(CAPTIONS))
    best = computed("top", values=chances, count=1)
    said = [f"The network chooses: {each}." for each in CAPTIONS]
    said += [f"True: {each}." for each in (*CAPTIONS, "none of the eight")]
    after = computed("added", A=true, B=np.full(1, len(CAPTIONS)))
    chosen_one = _unless_unusual(unusual, computed("stacked", A=best, B=after), said)
    before = "Until you choose, all eight bars are equal."
    return Widget(
        title="Which caption fits?",
        question="Choose the caption that fits, and see what a network chooses.",
        controls=[
            select(CHOICE, [NOT_YET, *CAPTIONS], choice),
            select(NETWORK, [*NETWORKS], network),
            _sheet(sheet),
        ],
        panels=[
            _picture(),
            bars(
                [each.replace("a ", "") for each in CAPTIONS],  # whole on a phone
                picked(CHOICE, {NOT_YET: equal} | dict.fromkeys(CAPTIONS, chances)),
                label="share among the eight",
                axis="caption",
                limits=(0, 1),
                close=True,
                half=True,
            ),
        ],
        summary=picked(CHOICE, {NOT_YET: before} | dict.fromkeys(CAPTIONS, chosen_one)),
        link="which-caption",
    )


def who_looks(
    first: str = "three",
    relation: str = "above",
    second: str = "seven",
    weights: str = "normal",
    sheet: str = OPENS,
) -> Widget:
    """Show who looks at whom in the first block while a network reads the reader's
    caption, whether it fits, and what it says where the relation is hidden; with the
    regions' weights as they are, swapped or equal.
    """
    seen = _read(
        "two-streams",
        _filled(_encoded(["a [PAD] [PAD] a [PAD]"]), (1, N_TOKENS), SLOTS),
        {REGIONS_LOOK: chosen(WEIGHTS, MOVES)},
    )
    words = over(*SLOTS, lambda *words: [*words])
    which = computed("entry", values=computed("transposed", rows=laid(SHEET)), at=0)
    regions = named(which, DIGIT_NAMES)
    share: dict[str, Any] = {"limits": (0, 0.75), "half": "always"}
    rest = "Mean of block 1’s heads, without [CLS], [IMG] and “a”."
    return Widget(
        title="Who looks at whom",
        question="Write a caption, and swap the weights.",
        controls=[
            *(
                select(slot, names, default)
                for slot, names, default in zip(
                    SLOTS,
                    (DIGIT_NAMES, RELATIONS, DIGIT_NAMES),
                    (first, relation, second),
                    strict=True,
                )
            ),
            select(WEIGHTS, [*MOVES], weights),
            _sheet(sheet),
        ],
        panels=[
            _picture(),
            bars(
                ["caption fits", *(f"hidden: {each}" for each in RELATIONS)],
                seen.output("probed"),
                label="probability",
                axis="answer",
                limits=(0, 1),
                close=True,
                half=True,
            ),
            arcs(
                words,
                regions,
                seen.output("words"),
                label="words look at regions",
                axes=("word", "region"),
                **share,
            ),
            arcs(
                regions,
                words,
                seen.output("regions"),
                label="regions look at words",
                axes=("region", "word"),
                **share,
            ),
        ],
        summary=_unless_unusual(seen.output("unusual"), np.zeros(1), [rest]),
        link="who-looks",
    )


def ask(
    subject: str = WHAT,
    relation: str = "below",
    digit: str = "a three",
    sheet: str = OPENS,
) -> Widget:
    """Let the reader ask about a picture: a network that was taught to answer with
    1,000 labels, and by the captions that fit, one that was taught with none.
    """
    taught = reading(
        runs.load("two-streams-asked").network(),
        **_on_sheet(),
        question=_asked(lambda subject: f"{subject} [PAD] [PAD] [PAD] ?"),
    )
    filled = {each: [each] * len(OBJECTS) for each in OBJECTS} | {WHAT: OBJECTS}
    untaught = _read(
        "two-streams",
        _asked(
            lambda subject: [f"{each} [PAD] [PAD] [PAD]" for each in filled[subject]]
        ),
    )
    fits = computed("softmax", scores=untaught.output("fits"), temperature=1)
    to_whether = _likeliest(taught, untaught.output("yes or no"), ANSWERS[-2:])
    likeliest = dict.fromkeys(SUBJECTS, to_whether)
    likeliest[WHAT] = _likeliest(taught, fits, DIGIT_NAMES)
    return Widget(
        title="Ask about the picture",
        question="Ask something, and compare two ways to an answer.",
        controls=[
            select(SUBJECT, SUBJECTS, subject),
            select(RELATION, RELATIONS, relation),
            select(OBJECT, OBJECTS, digit),
            _sheet(sheet),
        ],
        panels=[
            _picture(),
            bars(
                *(
                    picked(SUBJECT, {each: of[k] for each, of in likeliest.items()})
                    for k in (0, 1)
                ),
                label="fine-tuned with 1,000 labels, and without labels",
                axis="answer",
                limits=(0, 1),
                close=True,
                half=True,
            ),
        ],
        summary=_unless_unusual(
            untaught.output("unusual"),
            taught.output("right"),
            [f"Right answer: {each}." for each in RIGHT],
        ),
        link="ask",
    )


def _likeliest(taught: Run, chances: Any, answers: Sequence[str]) -> tuple[Any, Any]:
    """The likeliest answers of both networks as words, and their chances."""
    own, count = taught.output("chances"), min(MOST, len(answers))
    first = computed("top", values=own, count=MOST)
    then = computed("top", values=chances, count=count)
    after = computed("added", A=then, B=np.full(count, len(ANSWERS)))
    said = [f"fine-tuned: {each}" for each in ANSWERS]
    said += [f"no labels: {each}" for each in answers]
    return named(computed("stacked", A=first, B=after), said), computed(
        "stacked",
        A=computed("at_places", values=own, places=first),
        B=computed("at_places", values=chances, places=then),
    )


def _asked(subject: Callable[[str], Any]) -> Any:
    """The ids of a question or of captions."""
    asked = over(SUBJECT, lambda each: _encoded(subject(each)))
    shape = _encoded(subject(WHAT)).shape
    return _filled(asked, shape, {RELATION: BETWEEN, OBJECT: BETWEEN + 1})


def _filled(ids: Any, shape: tuple[int, ...], slots: Mapping[str, int]) -> Any:
    """Ids of this shape, and what menus write at these places, where they are 0.

    A sum: to list what all settings write would take ten times the bytes.
    """

    def at(place: int, text: str) -> np.ndarray:
        words = WORDS.encode(text.split())
        made = np.zeros(shape, dtype=int)
        made[..., place : place + len(words)] = words
        return made

    written = (over(menu, partial(at, place)) for menu, place in slots.items())
    return reduce(lambda A, B: computed("added", A=A, B=B), written, ids)


def _read(name: str, captions: Any, change: Change = None) -> Run:
    """Let a network look at the sheet, with its own caption and with these."""
    return reading(
        runs.load(name).network(), change=change, captions=captions, **_on_sheet()
    )


def _on_sheet() -> dict[str, Any]:
    return {"sheet": pixels(SHEET), "laid": laid(SHEET)}


def _encoded(text: str | Sequence[str]) -> np.ndarray:
    """The ids of a text, or of several; [PAD], where another part writes, is 0."""
    if not isinstance(text, str):
        return np.array([_encoded(each) for each in text])
    return np.array(WORDS.encode(text.split(), start=True))


def _sheet(start: str) -> Control:
    """Three digits, to be moved and exchanged for others."""
    inks = {name: image.numpy() for name, image in pictures().items()}
    return paper(SHEET, inks, start, side=SCENE_SIDE, count=len(DIGITS))


def _picture() -> Panel:
    return picture(pixels(SHEET), None, "A picture with three digits.", half=True)


def _unless_unusual(unusual: Any, which: Any, texts: Sequence[str]) -> Any:
    """Some of the texts, unless no picture of training was like the sheet.

    `which` holds their numbers.
    """
    warned = [
        f"{each}: the network was trained on no such picture." for each in UNUSUAL
    ]
    after = computed("added", A=unusual, B=np.full(1, len(texts) - 1.0))
    number = computed("either", second=unusual, A=which, B=after)
    return joined(named(number, [*texts, *warned[1:]]))
