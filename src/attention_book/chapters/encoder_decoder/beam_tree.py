"""BeamTree: what a beam search keeps and abandons, step by step, and how its winner
comes about.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from math import isfinite

import numpy as np
from jaxtyping import Bool, Float, Int

from attention_book.chapters.encoder_decoder.tasks import Vocabularies
from attention_book.data import Vocabulary, encode_sources
from attention_book.decoding import beam
from attention_book.decoding.beam import BeamTree
from attention_book.decoding.writer import Writer
from attention_book.shapes import STOP
from attention_book.widgets.controls import select, slider
from attention_book.widgets.fields import over
from attention_book.widgets.panel import fixed
from attention_book.widgets.trees import STATES, tree
from attention_book.widgets.widget import Widget

SENTENCE, WIDTH, STEP, BY = "sentence", "beam width", "step", "winner by"
PER_WORD, SUM = "log P per word", "log P"
WIDTHS = {"1 (greedy)": 1, "2": 2, "3": 3}  # on a phone no more fit side by side
SENTENCES = {  # name in the menu -> source, right translation
    "a house": ("a european house in august", "une maison européenne en août"),
    "big children": (
        "big children visited this car",
        "les grands enfants ont visité cette voiture",
    ),
    "treaties": (
        "small european treaties in june",
        "les petits traités européens en juin",
    ),
    "an ordinary one": (
        "this woman does not see a car",
        "cette femme ne voit pas de voiture",
    ),
}
TRAPPED = 4  # the step at which greedy search is about to be lost
LATER, KEPT, ABANDONED, BEST = range(len(STATES))


@dataclass(frozen=True)
class Search:
    """All beginnings that a beam search ever kept, [START] first, then row by row.

    Attributes
    ----------
    words : list of N str
        The last word of each.
    places : (N, 2)
        Row, which is the number of its words, and column: the slot.
    parents : (N,)
        The number of the beginning that the word was added to; -1 of [START].
    log_P : (N,)
        log P of each beginning.
    finished : (N,)
        Whether it ends in [STOP].
    """

    words: list[str]
    places: Float[np.ndarray, "N 2"]
    parents: Int[np.ndarray, " N"]
    log_P: Float[np.ndarray, " N"]
    finished: Bool[np.ndarray, " N"]

    @classmethod
    def of(cls, found: BeamTree, vocabulary: Vocabulary) -> Search:
        """The search of the first source of a batch."""
        words, parents = found.words[0].tolist(), found.parents[0].tolist()
        log_P, width = found.log_probability[0].tolist(), found.words.shape[-1]
        nodes = [("[START]", 0, (width - 1) / 2, -1, 0.0, False)]
        above = [0] * width  # the number of what stands in each slot
        for t, row in enumerate(words):
            here = list(above)
            for slot, word in enumerate(row):
                if isfinite(log_P[t][slot]):
                    here[slot] = len(nodes)
                    parent, name = above[parents[t][slot]], vocabulary.words[word]
                    nodes.append(
                        (name, t + 1, slot, parent, log_P[t][slot], word == STOP)
                    )
            above = here
        names, rows, columns, ups, values, ends = zip(*nodes, strict=True)
        places = np.array([rows, columns], dtype=float).T
        return cls(list(names), places, *map(np.array, (ups, values, ends)))

    @property
    def steps(self) -> int:
        """After how many the search was over."""
        return int(self.places[-1, 0])

    def way(self, node: int) -> list[int]:
        """The numbers of the beginnings that lead to one, from [START] to itself."""
        return [] if node < 0 else [*self.way(int(self.parents[node])), node]

    def scores(self, by: str) -> Float[np.ndarray, " N"]:
        """What decides: log P of each, or log P per word."""
        length = np.maximum(self.places[:, 0], 1) if by == PER_WORD else 1
        return self.log_P / length

    def race(self, step: int, by: str) -> list[int]:
        """What is in the race after a step, best first: sentences, and beginnings so
        long.
        """
        row = self.places[:, 0]
        ends = np.flatnonzero((row <= step) & (self.finished | (row == step)))
        return sorted(ends.tolist(), key=self.scores(by).__getitem__, reverse=True)

    def beside(self, by: str) -> list[str]:
        """What stands beside each word: log P down to it; at [STOP], what decides."""
        columns = self.finished, self.scores(by), self.log_P
        return [
            fixed(score, 3) if end else fixed(log_P, 2)
            for end, score, log_P in zip(*columns, strict=True)
        ]

    def states(self, step: int, by: str) -> Int[np.ndarray, " N"]:
        """What has become of each beginning after a step: of `STATES`, by number."""
        states = np.where(self.places[:, 0] <= step, ABANDONED, LATER)
        race = self.race(step, by)
        for end in race:
            states[self.way(end)] = KEPT
        states[self.way(race[0])] = BEST
        return states


def search(
    model: Writer,
    sentence: str,
    vocabularies: Vocabularies,
    width: int,
) -> Search:
    """Translate a sentence, and keep the whole search."""
    source, target = vocabularies
    inputs = encode_sources([sentence.split()], source)
    return Search.of(beam(model, *inputs, width=width).tree, target)


def beam_tree(
    model: Writer, vocabularies: Vocabularies, *, link: str = "beam-tree"
) -> Widget:
    """Let the reader follow a beam search, word by word.

    Parameters
    ----------
    model
        What translates.
    vocabularies
        Of the source and of the target.
    """

    @cache
    def found(sentence, width):
        return search(model, SENTENCES[sentence][0], vocabularies, WIDTHS[width])

    def of(name):
        return over(SENTENCE, WIDTH, lambda *which: getattr(found(*which), name))

    def beside(sentence, width, by):
        return found(sentence, width).beside(by)

    def states(sentence, width, step, by):
        return found(sentence, width).states(step, by)

    def said(sentence, width, step, by):
        one, (source, right) = found(sentence, width), SENTENCES[sentence]
        race = one.race(step, by)
        words = [one.words[i] for i in one.way(race[0])[1:] if not one.finished[i]]
        first, *others = (fixed(score, 3) for score in one.scores(by)[race])
        behind = f", next {others[0]}" if others else ""
        return (
            f"{'Winner' if step >= one.steps else 'Ahead'}: {' '.join(words)}; "
            f"{by.removeprefix('log P ')} {first}{behind}. "
            f"Source: {source}. Right: {right}."
        )

    longest = max(found(*each).steps for each in product(SENTENCES, WIDTHS))
    return Widget(
        title="A beam search, word by word",
        question="Predict: will what is ahead win? Three were chosen as hard: no "
        "verb or no article.",
        controls=[
            select(SENTENCE, list(SENTENCES)),
            slider(STEP, range(1, longest + 1), default=TRAPPED, play=True),
            select(WIDTH, list(WIDTHS), default="3"),
            select(BY, [PER_WORD, SUM]),
        ],
        panels=[
            tree(
                of("words"),
                of("places"),
                of("parents"),
                over(SENTENCE, WIDTH, BY, beside),
                over(SENTENCE, WIDTH, STEP, BY, states),
                label="log P so far; at [STOP] what decides",
            )
        ],
        summary=over(SENTENCE, WIDTH, STEP, BY, said),
        link=link,
    )
