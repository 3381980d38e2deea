"""Who answers questions about a picture: a network that was fine-tuned with few labels,
or one that is asked in captions and was given none.

The answer is read off [CLS] × [IMG], as ViLBERT's is [lu2019vilbert].
"""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Generator, Tensor, nn

from attention_book.chapters.two_streams.experiments import (
    scores,
    share,
)
from attention_book.chapters.two_streams.model import TwoStreams
from attention_book.chapters.two_streams.questions import Questions, questions, unseen
from attention_book.chapters.two_streams.scenes import (
    ANSWERS,
    CLS,
    DIGIT,
    FIRST,
    N_DIGITS,
    NO,
    YES,
    A,
    put,
)
from attention_book.decoding.mode import evaluating
from attention_book.shapes import check_choice
from attention_book.training import fit, seeded, warmup

N_LABELLED = 200, 1000
STEPS, WARMUP, RATE, N_BATCH = 300, 20, 2e-3, 32
STARTS = ("pretrained", "scratch")
SIGHTS = ("both", "question", "picture")  # what an answer may be made of


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


def fine_tune(model: Answering, labelled: Questions, seed: int) -> None:
    """Train a network to answer, in place: STEPS steps."""
    fit(
        model,
        batches(labelled, seed),
        steps=STEPS,
        seed=seed,
        learning_rate=warmup(RATE, WARMUP),
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
    part: str = "test",
) -> dict[str, float]:
    """Fine-tune with N labelled questions; the share of others that is right."""
    model = answering(network, sight, start, seed)
    fine_tune(model, questions(Generator().manual_seed(seed), N), seed)
    return answered(model, part)


def answered(model: Any, part: str = "test") -> dict[str, float]:
    """Share of questions about unseen scenes that are answered rightly."""
    test = unseen(part)
    with evaluating(model):
        right = model(test).argmax(dim=-1) == test.answers
    return by_kind(right, test)


def zero_shot(network: Any, part: str = "test") -> dict[str, float]:
    """Answer without a labelled question.

    Yes is a caption that fits, by its logit, and what is asked for is the digit with
    which the caption fits best.
    """
    test = unseen(part)
    captions = torch.stack(
        [put(test.captions, FIRST, DIGIT + digit) for digit in range(N_DIGITS)], dim=1
    )
    fits = scores(network, test.scenes, captions)
    first = test.captions[:, [FIRST]] - DIGIT
    yes = fits.gather(1, first)[:, 0] > 0
    by_fit = torch.where(test.what, fits.argmax(dim=1), torch.where(yes, YES, NO))
    return by_kind(by_fit == test.answers, test)


def by_kind(right: Bool[Tensor, " N"], asked: Questions) -> dict[str, float]:
    """Share of either kind of question that is right."""
    return {"what": share(right[asked.what]), "yes or no": share(right[~asked.what])}


def exam(network: TwoStreams, seed: int) -> dict[str, dict[str, float]]:
    """Answer questions in every way: "pretrained 200" is fine-tuned with so many
    labels; "question 200" sees nothing of the pictures; for "fits" see `zero_shot`.
    """
    ways = {start: {"start": start} for start in STARTS}
    ways |= {sight: {"sight": sight} for sight in SIGHTS[1:]}
    found = {
        f"{way} {N}": fine_tuned(network, N, seed, **given)
        for N in N_LABELLED
        for way, given in ways.items()
    }
    return found | {"fits": zero_shot(network)}
