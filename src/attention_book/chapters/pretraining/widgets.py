"""Chapter 14's widgets: networks that fill gaps, and a head that the reader trains."""

from functools import lru_cache
from typing import Any

import numpy as np
import torch

from attention_book import runs
from attention_book.chapters.pretraining import in_page
from attention_book.chapters.pretraining.recipes import ALONG, STEPS
from attention_book.chapters.pretraining.sentences import TOKENS, WORDS
from attention_book.networks import Network, examples
from attention_book.training import seeded
from attention_book.widgets import (
    Widget,
    bars,
    computed,
    control,
    ids,
    lines,
    named,
    over,
    predict,
    reading,
    select,
    shown,
    slider,
    switches,
    text,
    typed,
    words_of,
)

GAP = "the teacher ate the (rice) ."
SENTENCE, READ, TASK = "sentence", "steps of pretraining", "label"
SAW = "we saw the {} ."
LABELLED = "bread apple cheese cake orange letter teacher city table report".split()
ASKED = "rice egg meat book minister garden".split()
N_FOOD = 5  # of LABELLED, the first
HEAD_STEPS, HEAD_RATE = 300, 0.3
GROUPS = tuple(  # words that may take each other's place
    each.split()
    for each in (
        "the this my our",
        "these some",
        "ate bought saw sold wanted read wrote signed visited criticised supported",
        "teacher woman man child minister doctor student president hero",
        "rice bread meat cheese cake apple orange tomato egg",
        "letter law book report newspaper contract treaty agreement",
        "city market school hospital garden country area",
        "house car table machine",
        "was were",
        "is are",
    )
)
GROUPS = tuple([word for word in group if word in WORDS.to_list()] for group in GROUPS)


def fill_the_gap() -> Widget:
    """Let the network guess a word that the reader hides, from untrained to trained."""
    after, run = (0, *ALONG, STEPS), runs.load("bert")
    right = [_class(step) for step in after]
    asked = reading(
        as_it_reads(),
        step=over(READ, lambda step: float(after.index(step))),
        source=ids(SENTENCE),
        visible=shown(SENTENCE),
    )
    seeds = len(run.measured)
    return Widget(
        title="Fill the gap",
        question="Predict: is rice known at once, bit by bit, or late and suddenly?",
        controls=[_sentence(GAP), slider(READ, after, default=STEPS)],
        panels=[
            _guesses(asked, "guess", "guesses for the hidden word"),
            lines(
                after,
                {"right": right},
                x_label="steps of pretraining",
                y_label="unseen nouns, share right",
                marker=control(READ),
                y_limits=(0, 1),
                legend=False,
                half=True,
            ),
        ],
        link="fill-the-gap",
    )


def three_ways() -> Widget:
    """Let networks that were trained in three ways fill the same gap."""
    hidden = runs.load("bert-alone").network()
    left, peeks = (runs.load(f"bert-{name}").network() for name in ("left", "peeks"))
    given: dict[str, Any] = {"source": ids(SENTENCE), "visible": shown(SENTENCE)}
    before = {net: reading(net, "next", **given) for net in (left, peeks)}
    return Widget(
        title="Three ways to learn from text",
        question="Predict: which of the networks fills the gap best, and which cheats?",
        controls=[_sentence("we criticised the (policy) of the bank again .")],
        panels=[
            _guesses(reading(hidden, **given), "guess", "hidden word, both ways"),
            _guesses(before[left], "guess", "next word, looking left"),
            _guesses(before[peeks], "shown", "next word, both ways: in sight"),
            _guesses(before[peeks], "guess", "next word, both ways: cut off"),
        ],
        link="three-ways",
    )


def odd_word_out() -> Widget:
    """Hide each word of a sentence in turn: how surprised is the network by it?"""
    asked = reading(runs.load("bert").network(), "surprises", source=ids(SENTENCE))
    return Widget(
        title="Each word hidden in turn",
        question="Predict: which word surprises the network most?",
        controls=[_sentence("these letters was signed .", hides=False)],
        panels=[
            bars(
                words_of(SENTENCE),
                asked.output("bits"),
                label="surprise at the word that was hidden, bits",
                axis="word",
                limits=(0, 16),
                digits=1,
                measure="bits",
            )
        ],
        link="odd-word-out",
    )


def own_labels() -> Widget:
    """Train a head on the frozen network, on ten sentences with the reader's labels."""
    network = runs.load("bert").network()
    asked = reading(network, source=ids(SENTENCE), visible=shown(SENTENCE))

    def answers(vectors: Any) -> Any:
        return computed(
            "trained_head",
            rows=vectors_of(LABELLED),
            labels=control(TASK),
            asked=vectors,
            steps=HEAD_STEPS,
            rate=HEAD_RATE,
        )

    return Widget(
        title="A head on the frozen network",
        question="Predict: nobody labels rice. What will the head say of it?",
        controls=[
            switches(TASK, LABELLED, [k < N_FOOD for k in range(len(LABELLED))]),
            _sentence("we saw the rice .", hides=False),
        ],
        panels=[
            bars(
                ["the sentence"],
                answers(computed("heads_first", A=asked.output("cls"))),
                label="the head says yes to the sentence",
                axis="asked",
                limits=(0, 1),
                half=True,
            ),
            bars(
                ASKED,
                answers(vectors_of(ASKED)),
                label="and to: we saw the ...",
                axis="noun",
                limits=(0, 1),
                half=True,
            ),
        ],
        link="own-labels",
    )


@lru_cache
def as_it_reads() -> Network:
    """The first network after several numbers of steps, the untrained one first."""
    run = runs.load("bert")
    with seeded(next(iter(run.measured))):
        fresh = run.recipe.task.model()
    states = [fresh.state_dict()]
    for step in ALONG:
        kept = run.kept("weights", step).items()
        states.append({name: torch.tensor(W) for name, W in kept})
    states.append(run.model().state_dict())
    model = in_page.AsItReads(run.model(), states).eval()
    given = [
        each | {"step": torch.zeros(1, dtype=torch.long)}
        for each in examples(len(WORDS), "source", "visible")
    ]
    return Network("bert-as-it-reads", model, {"read": (in_page.called, given)})
