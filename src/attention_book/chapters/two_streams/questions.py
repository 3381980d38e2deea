"""Questions about a picture, answered after fine-tuning with few labels, and without.

    what is above a seven ?          a digit: there is one, and one only
    a three above a seven ?          yes, or no: then another relation holds

The answer is read off [CLS] × [IMG], as ViLBERT's is [lu2019vilbert].
"""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Generator, Tensor, nn

from attention_book.chapters.two_streams.experiments import (
    N_TEST,
    TEST,
    guess,
    scores,
    share,
)
from attention_book.chapters.two_streams.model import TwoStreams
from attention_book.chapters.two_streams.scenes import (
    ANSWERS,
    ASKED,
    BETWEEN,
    CLS,
    DIGIT,
    FIRST,
    IS,
    N_DIGITS,
    NO,
    RELATION,
    RELATIONS,
    WHAT,
    YES,
    A,
    Scenes,
    draw,
    put,
    relation,
    true_captions,
)
from attention_book.decoding.mode import evaluating
from attention_book.shapes import check_choice
from attention_book.training import fit, seeded, warmup

N_LABELLED = 200, 1000
LOWER_RATE = 1e-3
STEPS, WARMUP, RATE, N_BATCH = 300, 20, 2e-3, 32
STARTS = ("pretrained", "scratch")
SIGHTS = ("both", "question", "picture")  # what an answer may be made of


@dataclass(frozen=True)
class Questions:
    """N questions, *what* and *yes or no* by turns."""

    scenes: Scenes
    captions: Int[Tensor, "N 6"]  # what is asked of, true or not
    ids: Int[Tensor, "N 7"]  # the questions
    answers: Int[Tensor, " N"]  # one of ANSWERS
    what: Bool[Tensor, " N"]

    def __getitem__(self, which: Tensor) -> "Questions":
        return Questions(*(each[which] for each in vars(self).values()))

    def __len__(self) -> int:
        return len(self.answers)


def questions(rng: Generator, N: int, part: str = "train") -> Questions:
    """Draw questions about scenes of a part, each with one right answer."""
    drawn = draw(rng, 3 * N, part)
    first, second = drawn.named.unbind(1)
    own, other = (relation(drawn.places, i, second) for i in (first, drawn.third))
    scenes = drawn[(own != other).nonzero()[:N, 0]]
    if len(scenes) < N:  # by bad luck, of a few
        return questions(rng, N, part)
    true, what = true_captions(scenes), torch.arange(N) % 2 == 0
    wrong = torch.randint(1, len(RELATIONS), (N,), generator=rng)
    is_yes = torch.rand(N, generator=rng) < 0.5
    another = RELATION + (true[:, BETWEEN] - RELATION + wrong) % len(RELATIONS)
    captions = put(true, BETWEEN, torch.where(what | is_yes, true[:, BETWEEN], another))
    ids = F.pad(captions, (0, 1), value=ASKED)
    ids[what, 1:3] = torch.tensor([WHAT, IS])
    digits = true[:, FIRST] - DIGIT
    answers = torch.where(what, digits, torch.where(is_yes, YES, NO))
    return Questions(scenes, captions, ids, answers, what)


class Answering(nn.Module):
    """A network of two streams with a head on [CLS] × [IMG].

    It may see the question, the picture or both.
    """

    def __init__(self, network: TwoStreams, sight: str = "both"):
        super().__init__()
        check_choice("sight", sight, SIGHTS)
        self.network, self.sight = network, sight
        self.config = network.config
        self.answers = nn.Linear(network.config.D, len(ANSWERS))

    def forward(self, asked: Questions) -> Float[Tensor, "N N_answers"]:
        """Give the logits of the answers."""
        features = self.network.detector.features(asked.scenes.images)
        places, ids = asked.scenes.places, asked.ids
        if self.sight == "question":
            features, places = torch.zeros_like(features), torch.zeros_like(places)
        if self.sight == "picture":
            ids = put(torch.full_like(ids, A), 0, CLS)
        return self.read(features, places, ids)

    def read(
        self,
        features: Float[Tensor, "N 3 N_features"],
        places: Int[Tensor, "N 3 2"],
        ids: Int[Tensor, "N 7"],
    ) -> Float[Tensor, "N N_answers"]:
        """Give the logits of the answers to questions about regions."""
        return self.answers(self.network.together(*self.network(features, places, ids)))


def answering(network: TwoStreams, sight: str, start: str, seed: int) -> Answering:
    """Make a network that answers, of a pretrained one or, from "scratch", a new one
    of its kind.
    """
    check_choice("start", start, STARTS)
    with seeded(seed):  # a new one in any case: then both starts get the same head
        new = TwoStreams(network.config, network.detector)
        return Answering(new if start == "scratch" else deepcopy(network), sight)


def fine_tune(model: Answering, labelled: Questions, seed: int, rate: float) -> None:
    """Train a network to answer, in place: STEPS steps."""
    fit(
        model,
        batches(labelled, seed),
        steps=STEPS,
        seed=seed,
        learning_rate=warmup(rate, WARMUP),
        loss=surprise,
        callbacks=(),
    )


def batches(labelled: Questions, seed: int) -> Iterator[Questions]:
    """Some of the questions, without end."""
    rng = Generator().manual_seed(seed)
    while True:
        yield labelled[torch.randperm(len(labelled), generator=rng)[:N_BATCH]]


def surprise(model: Any, asked: Questions) -> Float[Tensor, ""]:
    """Mean surprise at the right answers."""
    return F.cross_entropy(model(asked), asked.answers)


def fine_tuned(
    network: TwoStreams,
    N: int,
    seed: int,
    *,
    start: str = "pretrained",
    sight: str = "both",
    rate: float = RATE,
    part: str = "test",
) -> dict[str, float]:
    """Fine-tune with N labelled questions; the share of others that is right."""
    model = answering(network, sight, start, seed)
    fine_tune(model, questions(Generator().manual_seed(seed), N), seed, rate)
    return answered(model, part)


def answered(model: Any, part: str = "test") -> dict[str, float]:
    """Share of questions about unseen scenes that are answered rightly."""
    test = unseen(part)
    with evaluating(model):
        right = model(test).argmax(dim=-1) == test.answers
    return by_kind(right, test)


def zero_shot(network: Any, part: str = "test") -> dict[str, dict[str, float]]:
    """Answer without a labelled question.

    "fits": yes is a caption that fits, by its logit, and what is asked for is the digit
    with which the caption fits best. "hidden": what is asked for is the first guess at
    a hidden word.
    """
    test = unseen(part)
    captions = torch.stack(
        [put(test.captions, FIRST, DIGIT + digit) for digit in range(N_DIGITS)], dim=1
    )
    fits = scores(network, test.scenes, captions)
    first = test.captions[:, [FIRST]] - DIGIT
    yes = fits.gather(1, first)[:, 0] > 0
    by_fit = torch.where(test.what, fits.argmax(dim=1), torch.where(yes, YES, NO))
    word = guess(network, test.scenes, test.captions, FIRST) - DIGIT
    return {
        "fits": by_kind(by_fit == test.answers, test),
        "hidden": {"what": share((word == test.answers)[test.what])},
    }


def by_kind(right: Bool[Tensor, " N"], asked: Questions) -> dict[str, float]:
    """Share of either kind of question that is right."""
    return {"what": share(right[asked.what]), "yes or no": share(right[~asked.what])}


def exam(network: TwoStreams, seed: int) -> dict[str, dict[str, float]]:
    """Answer questions in every way: "pretrained 200" is fine-tuned with so many
    labels, "slowly" at half the rate; "question 1000" sees nothing of the pictures; for
    "fits" and "hidden" see `zero_shot`.
    """
    found = {
        f"{start} {N}": fine_tuned(network, N, seed, start=start)
        for N in N_LABELLED
        for start in STARTS
    }
    most = max(N_LABELLED)
    for sight in SIGHTS[1:]:
        found[f"{sight} {most}"] = fine_tuned(network, most, seed, sight=sight)
    for start in STARTS:
        slow = fine_tuned(network, most, seed, start=start, rate=LOWER_RATE)
        found[f"{start} {most} slowly"] = slow
    return found | zero_shot(network)


@cache
def unseen(part: str = "test") -> Questions:
    """Questions about scenes of unseen digits."""
    return questions(Generator().manual_seed(TEST), N_TEST, part)
