"""Chapter 13's widgets: a tree that is written token by token, and typed sentences.

What is shown of a tree is made of the tokens written so far and of nothing else: a
phrase that is open stands above its first word, as its last is not known.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from attention_book import runs
from attention_book.data.translation import tag
from attention_book.shapes import STOP
from attention_book.trees import CLOSE, OPEN, Node, middle, nodes
from attention_book.widgets import (
    Widget,
    computed,
    control,
    ids,
    joined,
    named,
    over,
    select,
    shown,
    slider,
    text,
    tokens,
    tree,
    typed,
    words_of,
    writing,
)
from attention_book.widgets.fields import Over
from attention_book.widgets.functions import CLOSES, ENDS, OPENS, WORD, word_places
from attention_book.widgets.panel import fixed
from attention_book.widgets.trees import PHRASES

ELEPHANT = "i shot an elephant in my pajamas"
OTHERS = ("i shot my pajamas in an elephant",)
DECIDES = 11  # the token that makes the pajamas part of the shooting
VERDICTS = (
    "A tree over your words.",
    "A tree, but not over your words.",
    "This is no tree: a bracket is missing, or one too many.",
)
TAGS = {"English": "en", "French": "fr", "Spanish": "es"}  # in the menu
ASKED = "la femme a signé notre traité", "estamos comiendo pan"
READINGS = "the likelier tree", "the other"  # by the grammar

SENTENCE, READING, STEP = "sentence", "reading", "step"
END = "[STOP]"
LINE = 46.0  # letters in a line on a phone
SHORT = 3  # words of a phrase that are all read out
SECOND = 0.1  # what is looked at less is not named beside the first
CLOSED, OPENED, NEW = range(1, len(PHRASES))


@dataclass(frozen=True)
class Parse:
    """A sentence, how its tree is written, and where each token looked."""

    sentence: str  # what the menus call it, and the reading
    reading: str
    source: Sequence[str]  # without [STOP]
    tokens: Sequence[str]  # without [STOP]: "(NP" opens a phrase, ")" closes one
    A: Float[np.ndarray, "N_Y N_inputs"]  # over the words and [STOP]

    @property
    def inputs(self) -> list[str]:
        """What is looked at."""
        return [*self.source, END]

    def called(self, i: int) -> str:
        """An input in quotes, and which one it is where several are alike."""
        word = self.inputs[i]
        which = f" no. {self.inputs[:i].count(word) + 1}"
        return f"“{word}”" + which * (self.inputs.count(word) > 1)

    def nodes(self, step: int) -> list[Node]:
        """The nodes of what has been written after a step."""
        return nodes(self.tokens[:step])

    def written(self, step: int) -> list[str]:
        """The words among them."""
        return [node.name for node in self.nodes(step) if node.kind == "word"]

    def newest(self, step: int) -> int | None:
        """The number of the node that a step has opened, written or closed."""
        if step > len(self.tokens):
            return None
        before, after = self.nodes(step - 1), self.nodes(step)
        alike = [old == new for old, new in zip(before, after, strict=False)]
        return alike.index(False) if self.tokens[step - 1] == CLOSE else len(before)

    def attended(self, step: int) -> Float[np.ndarray, " N_inputs"]:
        """The weights at a step; none when all is written."""
        done = step > len(self.tokens)
        return np.zeros(len(self.inputs)) if done else np.asarray(self.A[step - 1])

    def places(self) -> Float[np.ndarray, "N 2"]:
        """Row, 0 or 1, and column of each input, in a line of `LINE` letters."""
        is_word = [each != CLOSE and not each.startswith(OPEN) for each in self.tokens]
        read, written = (
            np.array([*map(len, some)], float) for some in (self.inputs, self.tokens)
        )
        return word_places(read, written * is_word, LINE)


def _said(parse: Parse, step: int) -> str:
    """What a step writes, and where it looks, in words."""
    newest = parse.newest(step)
    if newest is None:
        return f"Nothing is left to write: the tree has {len(parse.tokens)} tokens."
    made = parse.nodes(step)[newest]
    what = f"write “{parse.tokens[step - 1]}”"
    if made.kind == "phrase":
        words = parse.written(step)[made.start : made.end]
        if len(words) > SHORT:
            words = [words[0], "…", words[-1]]
        what = f"close the {made.name} “{' '.join(words)}”"
    a_t = parse.attended(step)
    first, second = map(int, np.argsort(-a_t, kind="stable")[:2])
    best = [first, second] if a_t[second] >= SECOND else [first]
    seen = " and ".join(f"{parse.called(i)} ({fixed(a_t[i], 2)})" for i in best)
    return f"To {what} it looks at {seen}."


def parse_tree() -> Widget:
    """Step through the tokens of a tree, and see where the recorded parser looks.

    Shown are sentences of two readings, and the mean of the heads of its last block.
    """
    return _parse_tree(_recorded())


def _parse_tree(parses: Sequence[Parse]) -> Widget:
    """Every sentence has the same readings."""
    found = {(parse.sentence, parse.reading): parse for parse in parses}
    sentences, readings = (
        [*dict.fromkeys(names)] for names in zip(*found, strict=True)
    )
    longest = max(len(parse.tokens) for parse in parses)
    bottom = max(node.row for parse in parses for node in parse.nodes(longest))
    places = {name: parse.places() for name, parse in found.items()}
    first = [found[sentences[0], reading].tokens for reading in readings]
    fork = next(
        (
            t
            for t, tokens in enumerate(zip(*first, strict=False), 1)
            if len({*tokens}) > 1
        ),
        longest,
    )

    def at(function: Callable) -> Over:
        return over(
            SENTENCE, READING, STEP, lambda *which: function(which[:2], which[2])
        )

    def shown(name, step):
        return [
            (OPEN if node.kind == "open" else "") + node.name
            for node in found[name].nodes(step)
        ]

    def spots(name, step):
        rows, columns = places[name].T
        return [
            (bottom + rows[node.start], columns[node.start])
            if node.kind == "word"
            else (node.row, middle(node, columns))
            for node in found[name].nodes(step)
        ]

    def states(name, step):
        made = found[name].nodes(step)
        now = [OPENED if node.kind == "open" else CLOSED for node in made]
        newest = found[name].newest(step)
        return [NEW if i == newest else state for i, state in enumerate(now)]

    def of_source(function: Callable) -> Over:
        return over(SENTENCE, READING, lambda *name: function(name))

    return Widget(
        title="A tree, written token by token",
        question="Predict: to write “)”, where in the sentence does the parser look?",
        controls=[
            select(SENTENCE, sentences),
            select(READING, readings),
            slider(STEP, range(1, longest + 1), default=fork, play=True),
        ],
        panels=[
            text(at(lambda name, step: " ".join(found[name].tokens[:step]))),
            tree(
                at(shown),
                at(spots),
                at(lambda name, step: [n.parent for n in found[name].nodes(step)]),
                None,
                at(states),
                names=PHRASES,
                columns=LINE,
                read=(
                    of_source(lambda name: found[name].inputs),
                    of_source(places.get),
                    at(lambda name, step: found[name].attended(step)),
                ),
            ),
        ],
        summary=at(lambda name, step: _said(found[name], step)),
        link="parse-tree",
    )


def _recorded() -> list[Parse]:
    """Both trees of each sentence that the recorded parser keeps."""
    kept = runs.load("parsing").kept("parses")
    return [
        Parse(
            " ".join(one["words"]),
            reading,
            one["words"],
            one["tokens"],
            one["A"][-1].astype(float).mean(axis=0),
        )
        for one, reading in zip(kept, READINGS * (len(kept) // 2), strict=True)
    ]


def own_tree() -> Widget:
    """Parse the reader's sentence: its tree grows of the tokens that are written."""
    run = runs.load("parsing")
    known, spelled = (side.words for side in run.vocabularies)
    kinds = [
        ENDS if i == STOP else CLOSES if each == CLOSE else OPENS * (each[0] == OPEN)
        for i, each in enumerate(spelled)
    ]
    letters = [len(each) * (kinds[i] == WORD) for i, each in enumerate(spelled)]
    written = writing(
        run.network(),
        most=60,
        source=ids("sentence", stop=True),
        visible=shown("sentence", stop=True),
    )
    said, read = written.output("ids"), ids("sentence", stop=True)
    places = computed(
        "word_places",
        read=computed("at_places", values=[len(each) for each in known], places=read),
        written=computed("at_places", values=letters, places=said),
        line=LINE,
    )
    token = control("token")
    nodes = computed("tree_nodes", tokens=said, kinds=kinds, places=places, count=token)
    of = [computed("entry", values=nodes, at=i) for i in range(5)]
    spots = computed("transposed", rows=computed("first_rows", rows=nodes, count=2))
    A = computed(
        "of_head", A=written.tap("decoder.blocks.1.cross"), head=len(spelled)
    )  # past the last head: their mean
    own = [spelled.index(each) if each in spelled else 0 for each in known]
    verdict = computed(
        "tree_verdict",
        tokens=said,
        kinds=kinds,
        words=computed("at_places", values=own, places=ids("sentence")),
    )
    return Widget(
        title="Your own sentence, parsed",
        question="Predict: elephant and pajamas trade places. Which tree is written?",
        controls=[
            typed("sentence", known, ELEPHANT, examples=OTHERS, longest=14),
            slider("token", range(1, 46), default=DECIDES, play=True),
        ],
        panels=[
            text(joined(named(said, spelled))),
            tree(
                named(of[3], [*spelled, *(each.strip(OPEN) for each in spelled)]),
                spots,
                of[2],
                None,
                of[4],
                names=PHRASES,
                columns=LINE,
                read=(
                    words_of("sentence", stop=True),
                    places,
                    computed("last_row", rows=A, count=token),
                ),
            ),
        ],
        summary=joined(named(verdict, VERDICTS)),
        link="own-tree",
    )


def own_languages() -> Widget:
    """Ask two models for a sentence in a language, by the tag that comes first."""
    runs_of = {"no copies": "three-languages", "35 % copies": "three-languages-35"}
    recorded = {name: runs.load(run) for name, run in runs_of.items()}
    known, written = (side.words for side in recorded["no copies"].vocabularies)
    tags = [known.index(tag(to)) for to in TAGS.values()]
    asked = computed(
        "preceded", values=ids("sentence", stop=True), first=over("tag", tags)
    )
    seen = computed("preceded", values=shown("sentence", stop=True), first=1)
    inputs = {"source": asked, "visible": seen}
    return Widget(
        title="One sentence, three tags",
        question="Predict: Spanish is wanted of French. Which language comes out?",
        controls=[
            typed("sentence", known, "nous mangeons du pain", examples=ASKED),
            select("tag", list(TAGS), "Spanish"),
        ],
        panels=[
            tokens("reads", named(asked, known)),
            *(
                tokens(name, writing(run.network(), **inputs).words("ids", written))
                for name, run in recorded.items()
            ),
        ],
        summary="The tag is the first word that is read; below, what is written.",
        link="own-languages",
    )
