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
    N_REGIONS,
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
FIRST_LESSON, AT_ONCE = "relation first", "all at once"
NETWORKS = {FIRST_LESSON: "two-streams", AT_ONCE: "two-streams-at-once"}
SUBJECT, RELATION, OBJECT = "question", "relation", "digit"
SLOTS = {"first": FIRST, RELATION: BETWEEN, "second": SECOND}  # of a caption
WHAT, MOST = "what is", 2  # and answers shown of a network
SUBJECTS = [WHAT, *DIGIT_NAMES]


def which_caption(
    choice: str = NOT_YET, network: str = FIRST_LESSON, sheet: str = OPENS
) -> Widget:
    """Let the reader choose a caption, and then see which one a network chooses."""
    asked = {label: _read(run, _encoded(CAPTIONS)) for label, run in NETWORKS.items()}
    fits, unusual, true = (
        picked(NETWORK, {label: run.output(name) for label, run in asked.items()})
        for name in ("fits", "unusual", "first true")
    )
    chances = computed("softmax", scores=fits, temperature=1)
    equal = np.full(len(CAPTIONS), 1 / len(CAPTIONS))
    labels = [each.replace("a ", "") for each in CAPTIONS]  # whole on a phone
    said = [f"Network: {each}." for each in labels]
    said += [f"True: {each}." for each in (*labels, "none of the eight")]
    best = computed("top", values=chances, count=1)
    which = _both(best, true, len(labels))
    told = {
        each: _unless_unusual(unusual, which, said, f"You: {label}. {{}}")
        for each, label in zip(CAPTIONS, labels, strict=True)
    }
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
                labels,
                picked(CHOICE, {NOT_YET: equal} | dict.fromkeys(CAPTIONS, chances)),
                label="share among the eight",
                axis="caption",
                limits=(0, 1),
                close=True,
                half=True,
            ),
        ],
        summary=picked(
            CHOICE, {NOT_YET: "Until you choose, all eight bars are equal."} | told
        ),
        link="which-caption",
    )


def who_looks(
    first: str = "three",
    relation: str = "above",
    second: str = "seven",
    network: str = "first",
    sheet: str = OPENS,
) -> Widget:
    """Show who looks at whom in the first block while a network reads the reader's
    caption, whether it fits, and what it says where the relation is hidden. It is one
    of the two networks; or the first with the regions' weights swapped between the two
    that are named, or equal.
    """
    which = computed("entry", values=computed("transposed", rows=laid(SHEET)), at=0)
    moves: dict[str, list[Sequence[Any]]] = {
        "first": [],
        "swapped": [["reordered", _swapped(which)]],
        "equal": [["uniform"]],
        "at once": [],  # names that leave the menus one line
    }
    caption = _filled(_encoded(["a [PAD] [PAD] a [PAD]"]), (1, N_TOKENS), SLOTS)
    change = {REGIONS_LOOK: chosen(NETWORK, moves)}
    seen = dict.fromkeys(moves, _read(NETWORKS[FIRST_LESSON], caption, change))
    seen["at once"] = _read(NETWORKS[AT_ONCE], caption)

    def said_by(name: str) -> Any:
        return picked(NETWORK, {label: run.output(name) for label, run in seen.items()})

    words = over(*SLOTS, lambda *words: [*words])
    regions = named(which, DIGIT_NAMES)
    share: dict[str, Any] = {"limits": (0, 0.75), "half": "always"}
    said = ["Network: it fits.", "Network: it does not fit."]
    said += [f"Its guess for a hidden relation: {each}." for each in RELATIONS]
    fits, guess = said_by("yes or no"), said_by("hidden")
    best = [computed("top", values=each, count=1) for each in (fits, guess)]
    return Widget(
        title="Who looks at whom",
        question="Name two digits, and swap their weights.",
        controls=[
            select("first", DIGIT_NAMES, first),
            select(RELATION, RELATIONS, relation),
            select("second", DIGIT_NAMES, second),
            select(NETWORK, [*moves], network),
            _sheet(sheet),
        ],
        panels=[
            _picture(),
            bars(
                ["caption fits", *(f"hidden: {each}" for each in RELATIONS)],
                computed(
                    "at_places",
                    values=computed("stacked", A=fits, B=guess),
                    places=np.array([0, 2, 3, 4, 5]),  # 1: that it doesn't fit
                ),
                label="probability",
                axis="answer",
                limits=(0, 1),
                close=True,
                half=True,
            ),
            arcs(
                words,
                regions,
                said_by("words"),
                label="words look at regions",
                axes=("word", "region"),
                say="the word {row} looks at the region of the {column}: {value}",
                **share,
            ),
            arcs(
                regions,
                words,
                said_by("regions"),
                label="regions look at words",
                axes=("region", "word"),
                say="the region of the {row} looks at the word {column}: {value}",
                **share,
            ),
        ],
        summary=_unless_unusual(said_by("unusual"), _both(*best, 2), said),
        link="who-looks",
    )


def ask(
    subject: str = "three",
    relation: str = "above",
    digit: str = "seven",
    sheet: str = OPENS,
) -> Widget:
    """Let the reader ask about a picture: a network that was fine-tuned with 1,000
    labels, and by the captions that fit, one that was given none.
    """
    tuned = reading(
        runs.load("two-streams-asked").network(),
        **_on_sheet(),
        question=_asked(lambda words: f"{words} [PAD] a [PAD] ?"),
    )
    filled = {f"a {each}": [f"a {each}"] * len(DIGIT_NAMES) for each in DIGIT_NAMES}
    filled[WHAT] = list(filled)
    pretrained = _read(
        "two-streams",
        _asked(lambda words: [f"{each} [PAD] a [PAD]" for each in filled[words]]),
    )
    fits = computed("softmax", scores=pretrained.output("fits"), temperature=1)
    digits = computed("stacked", A=fits, B=np.zeros(2))  # no digit is yes or no
    whether = pretrained.output("yes or no")
    whether = computed("stacked", A=np.zeros(len(DIGIT_NAMES)), B=whether)
    answers = {
        "Fine-tuned": tuned.output("chances"),
        "No labels": computed(  # by what was read, not by the menu: answers take time
            "either", second=pretrained.output("several"), A=whether, B=digits
        ),
    }
    labels = [f"{which}: {each}" for which in answers for each in ANSWERS]
    best = [computed("top", values=each, count=MOST) for each in answers.values()]
    shown = _both(*best, len(ANSWERS), MOST)
    first = computed("at_places", values=shown, places=np.array([0, MOST]))
    said = [f"{each}." for each in labels]
    said += [f"Right answer: {each}." for each in RIGHT]
    return Widget(
        title="Ask about the picture",
        question="Ask something, and compare two ways of answering.",
        controls=[
            select(SUBJECT, SUBJECTS, subject),
            select(RELATION, RELATIONS, relation),
            select(OBJECT, DIGIT_NAMES, digit),
            _sheet(sheet),
        ],
        panels=[
            _picture(),
            bars(
                named(shown, labels),
                computed(
                    "at_places",
                    values=computed(
                        "stacked", A=answers["Fine-tuned"], B=answers["No labels"]
                    ),
                    places=shown,
                ),
                label="with 1,000 labels, and with none",
                axis="answer",
                limits=(0, 1),
                close=True,
                half=True,
            ),
        ],
        summary=_unless_unusual(
            pretrained.output("unusual"),
            _both(first, tuned.output("right"), len(labels)),
            said,
        ),
        link="ask",
    )


def _swapped(which: Any) -> Any:
    """The order of a regions' map in which the two regions that the caption names look
    where the other does, if each of them is on the sheet once; [IMG] is row 0.

    With w = 1 in the first one's row i, -1 in the second one's, j, and 0 elsewhere, row
    k becomes row k + w_k (j - i) = k - w_k (sum of n w_n).
    """
    one = np.eye(len(DIGIT_NAMES))
    signs = computed(
        "added",
        A=over("first", lambda word: one[DIGIT_NAMES.index(word)]),
        B=over("second", lambda word: -one[DIGIT_NAMES.index(word)]),
    )
    w = computed("stacked", A=[0], B=computed("at_places", values=signs, places=which))
    rows = np.arange(N_REGIONS + 1)
    one_row = computed("folded", values=w, columns=len(rows))
    gap = computed("product", A=one_row, B=-rows[:, None])  # j - i
    change = computed("entry", values=computed("product", A=gap, B=one_row), at=0)
    missing = computed("product", A=one_row, B=np.ones((len(rows), 1)))
    return computed(
        "either",
        second=computed("entry", values=missing, at=0),
        A=computed("added", A=rows, B=change),
        B=rows,
    )


def _asked(text: Callable[[str], Any]) -> Any:
    """The ids of a question or of captions, which the subject's menu begins."""
    begun = {each: f"a {each}" for each in DIGIT_NAMES} | {WHAT: WHAT}
    asked = {subject: _encoded(text(words)) for subject, words in begun.items()}
    return _filled(
        over(SUBJECT, asked.__getitem__),
        asked[WHAT].shape,
        {RELATION: BETWEEN, OBJECT: SECOND},
    )


def _filled(ids: Any, shape: tuple[int, ...], slots: Mapping[str, int]) -> Any:
    """Ids of this shape, and what menus write at these places, where they are 0.

    A sum: to list what all settings write would take ten times the bytes.
    """

    def at(place: int, word: str) -> np.ndarray:
        made = np.zeros(shape, dtype=int)
        made[..., place] = WORDS.encode([word])[0]
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


def _both(A: Any, B: Any, N: int, count: int = 1) -> Any:
    """The numbers of some texts, and `count` of others, which are listed N later."""
    return computed("stacked", A=A, B=computed("added", A=B, B=np.full(count, N)))


def _unless_unusual(
    unusual: Any, which: Any, texts: Sequence[str], said: str = "{}"
) -> Any:
    """Some of the texts, unless no picture of training was like the sheet.

    `which` holds their numbers; `said` is what is said, with the texts for {}.
    """
    warned = [
        f"{each}: the network was not trained on such pictures." for each in UNUSUAL
    ]
    after = computed("added", A=unusual, B=np.full(1, len(texts) - 1.0))
    number = computed("either", second=unusual, A=which, B=after)
    return joined(named(number, [*texts, *warned[1:]]), said)
