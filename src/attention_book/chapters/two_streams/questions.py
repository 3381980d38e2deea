"""Questions about a picture, each with one right answer.

what is above a seven ?          a digit: there is one, and one only
a three above a seven ?          yes, or no: then another relation holds
"""

from dataclasses import dataclass
from functools import cache

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Int
from torch import Generator, Tensor

from attention_book.chapters.two_streams.experiments import (
    N_TEST,
    TEST,
)
from attention_book.chapters.two_streams.scenes import (
    ASKED,
    BETWEEN,
    DIGIT,
    FIRST,
    IS,
    NO,
    RELATION,
    RELATIONS,
    WHAT,
    YES,
    Scenes,
    draw,
    put,
    relation,
    true_captions,
)


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


@cache
def unseen(part: str = "test") -> Questions:
    """Questions about scenes of unseen digits."""
    return questions(Generator().manual_seed(TEST), N_TEST, part)
