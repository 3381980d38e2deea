"""ParseTree: a parser writes a tree token by token, and looks at the sentence at each.

What is shown of the tree is made of the tokens written so far and of nothing else: a
phrase that is open stands above its first word, as its last is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np
from jaxtyping import Float

from attention_book.trees import CLOSE, OPEN, Node, middle, nodes
from attention_book.widgets.controls import select, slider
from attention_book.widgets.expect import expect_shape, expect_some, expect_weights
from attention_book.widgets.fields import Over, over
from attention_book.widgets.panel import fixed
from attention_book.widgets.strips import text
from attention_book.widgets.trees import PHRASES, tree
from attention_book.widgets.widget import Widget

SENTENCE, READING, STEP = "sentence", "reading", "step"
END = "[STOP]"
LINE, GAP = 46.0, 1.5  # letters in a line on a phone, and between two words
LEAST = 2  # letters that a word takes, so that a label has room above it
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

    def __post_init__(self) -> None:
        expect_some(source=self.source, tokens=self.tokens)
        if len(self.written(len(self.tokens))) > len(self.source):
            raise ValueError(
                f"tokens hold {len(self.written(len(self.tokens)))} words, expected at "
                f"most {len(self.source)}, as in source"
            )
        shape = len(self.tokens), len(self.source) + 1
        expect_shape("A", self.A, shape, "tokens × words and [STOP]")
        expect_weights("A", self.A)

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

    def places(self) -> tuple[Float[np.ndarray, " N"], Float[np.ndarray, " N"]]:
        """Row, 0 or 1, and middle of each input, in a line of `LINE` letters."""
        written = self.written(len(self.tokens))
        pairs = zip_longest(self.inputs, written, fillvalue="")
        widths = [max(*map(len, pair), LEAST) + GAP for pair in pairs]
        for N_rows in (1, 2):
            x = _line(widths, N_rows)
            if (end := max(x + np.array(widths) / 2)) <= LINE:
                return np.arange(len(x)) % N_rows * 1.0, x * LINE / end
        raise ValueError(
            f"source is {' '.join(self.source)!r}: expected words that fit in two rows "
            f"of {LINE:g} letters"
        )


def _line(widths: Sequence[float], N_rows: int) -> Float[np.ndarray, " N"]:
    """Middles of words as close as can be in rows that take turns, none of which covers
    the line that leads to a word beside it.
    """
    x: list[float] = []
    for i, width in enumerate(widths):
        edge = x[i - N_rows] + widths[i - N_rows] / 2 if i >= N_rows else 0
        x.append(edge + width / 2)
        if i:
            upper = widths[i - i % 2]  # of this word and the one before
            x[i] = max(x[i], x[i - 1] + max(upper / 2, LEAST + GAP))
    return np.array(x)


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


def parse_tree(parses: Sequence[Parse], *, link: str = "parse-tree") -> Widget:
    """Let the reader see a tree grow, and where the parser looks for each token.

    Every sentence has the same readings.
    """
    expect_some(parses=parses)
    found = {(parse.sentence, parse.reading): parse for parse in parses}
    sentences, readings = (
        [*dict.fromkeys(names)] for names in zip(*found, strict=True)
    )
    if not len(parses) == len(found) == len(sentences) * len(readings):
        raise ValueError(
            f"parses are {[*found]}, expected each of {readings} once for each sentence"
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
        rows, x = places[name]
        return [
            (bottom + rows[node.start], x[node.start] - 0.5)
            if node.kind == "word"
            else (node.row, middle(node, x) - 0.5)
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
                    of_source(lambda name: np.stack(places[name], axis=1) - (0, 0.5)),
                    at(lambda name, step: found[name].attended(step)),
                ),
            ),
        ],
        summary=at(lambda name, step: _said(found[name], step)),
        link=link,
    )
