"""What chapter 17's networks learn: to name digits, for the detector, and to join
captions and pictures, by hidden words, hidden regions and whether the two fit.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Generator, Tensor, nn

from attention_book import runs
from attention_book.chapters.two_streams import exam, experiments, in_page
from attention_book.chapters.two_streams.model import (
    Detector,
    DetectorConfig,
    TwoStreams,
    TwoStreamsConfig,
)
from attention_book.chapters.two_streams.questions import Questions, questions
from attention_book.chapters.two_streams.scenes import (
    BETWEEN,
    FIRST,
    MASK,
    N_REGIONS,
    N_TOKENS,
    PARTS,
    SECOND,
    WORDS,
    Scenes,
    digits_of,
    draw,
    false_captions,
    put,
    true_captions,
)
from attention_book.data import PAD, Vocabulary
from attention_book.data.digits import DIGIT_SIDE
from attention_book.decoding.mode import evaluating
from attention_book.networks.program import Traced
from attention_book.runs import Task
from attention_book.shapes import check_chance, check_count

DETECTOR = "detector"  # the run that the networks' detector is recorded as
N_BATCH = 64
HALF = 0.5  # share of captions with words hidden, and of pictures with regions
HIDE = {FIRST: 0.15, BETWEEN: 0.3, SECOND: 0.15}  # how likely, in these
HIDE_REGION, REGION_WEIGHT = 0.15, 0.5
WATCHED, N_WATCHED = 20_000, 250  # a seed far from those of training, and scenes


@dataclass(frozen=True)
class NameDigits(Task):
    """Images of digits, to be named."""

    @property
    def vocabularies(self) -> Mapping[str, Vocabulary]:
        """None: images in, numbers out."""
        return {}

    def model(self) -> nn.Module:
        """A detector with fresh weights."""
        return Detector(DetectorConfig())

    def batches(self, seed: int, steps: int) -> Iterator[tuple[Tensor, Tensor]]:
        """Some of the training images and their digits, without end."""
        rng = Generator().manual_seed(seed)
        images, digits = digits_of("train")
        while True:
            some = torch.randint(len(images), (N_BATCH,), generator=rng)
            yield images[some], digits[some]

    def loss(self, model: nn.Module, batch: tuple[Tensor, Tensor]) -> Tensor:
        """Mean surprise at the digits."""
        images, digits = batch
        return F.cross_entropy(model(images), digits)

    def measure(self, model: nn.Module) -> dict[str, Any]:
        """Share of each part's images named right."""
        with evaluating(model):
            right = {}
            for part in PARTS:
                images, digits = digits_of(part)
                right[part] = experiments.share(model(images).argmax(-1) == digits)
        return {"right": right}

    def calls(self, model: nn.Module) -> dict[str, Traced]:
        """What a page asks: which digit is in each box?"""
        boxes = {"images": torch.zeros(1, N_REGIONS, DIGIT_SIDE, DIGIT_SIDE)}
        return {"read": (in_page.name_digits, [boxes, boxes])}


@dataclass(frozen=True)
class Shown:
    """Scenes and captions of them, and what is asked.

    There may be twice as many captions as scenes, true ones and then false ones. What
    is hidden in a false one is not asked for.
    """

    images: Float[Tensor, "B 3 8 8"]
    places: Int[Tensor, "B 3 2"]
    source: Int[Tensor, "N 6"]  # the captions, [MASK] where a word is hidden
    words: Int[Tensor, "N 6"]  # those that were hidden; PAD elsewhere
    hidden: Bool[Tensor, "N 3"]  # regions


@dataclass(frozen=True)
class Pretraining(Task):
    """Hidden words, hidden regions and what fits; the first `lesson` steps ask for the
    relation and nothing else.

    The streams look at each other if they `meet`.
    """

    lesson: int = 0
    meet: bool = True
    exam: bool = False  # questions are learned afterwards
    hide_relation: float = HIDE[BETWEEN]  # after the lesson, in HALF of the captions

    def __post_init__(self) -> None:
        check_count("lesson", self.lesson, 0)
        check_chance("hide_relation", self.hide_relation)

    @property
    def vocabularies(self) -> Mapping[str, Vocabulary]:
        """The words of captions and questions."""
        return {"source": WORDS}

    def model(self) -> nn.Module:
        """A network with fresh weights on the detector that is recorded."""
        config = TwoStreamsConfig(meet=self.meet)
        return TwoStreams(config, runs.load(DETECTOR).model())

    def batches(self, seed: int, steps: int) -> Iterator[Shown]:
        """The lesson, then everything, without end."""
        rng = Generator().manual_seed(seed)
        for _ in range(self.lesson):
            yield relations(rng)
        while True:
            yield everything(rng, self.hide_relation)

    def loss(self, model: Any, batch: Shown) -> Float[Tensor, ""]:
        """Surprise at hidden words; and unless it is the lesson, that at what fits, and
        half of the divergence from the detector's classes at hidden regions.
        """
        N, twice = len(batch.images), len(batch.source) // len(batch.images)
        features = model.detector.features(batch.images)
        words, regions = model(
            features.repeat(twice, 1, 1),
            batch.places.repeat(twice, 1, 1),
            batch.source,
            batch.hidden,
        )
        asked = batch.words[:N] != PAD
        loss = F.cross_entropy(model.words(words[:N][asked]), batch.words[:N][asked])
        if twice == 1:
            return loss
        fits = model.fits(words, regions)
        wanted = torch.cat([torch.ones_like(fits[:N]), torch.zeros_like(fits[N:])])
        loss = loss + F.binary_cross_entropy_with_logits(fits, wanted)
        gone = batch.hidden[:N]
        said = model.classes(regions[:N, 1:][gone]).log_softmax(dim=-1)
        named = model.detector.classes(features[gone]).softmax(dim=-1)
        apart = F.kl_div(said, named, reduction="sum") / max(1, len(said))
        return loss + REGION_WEIGHT * apart

    def watch(self, model: Any) -> float:
        """Share of hidden relations right, in scenes of digits for development."""
        return experiments.relation_right(model, watched())

    def measure(self, model: Any) -> dict[str, Any]:
        """Measure on scenes of unseen digits; see `experiments.measured`."""
        return experiments.measured(model, experiments.unseen())

    def examine(self, model: Any, seed: int) -> dict[str, Any]:
        """Answer questions about pictures; see `exam.exam`."""
        return exam.exam(model, seed) if self.exam else {}

    def calls(self, model: nn.Module) -> dict[str, Traced]:
        """What a page asks: see `in_page`."""
        return in_page.calls()


@dataclass(frozen=True)
class FineTuning(Task):
    """Questions about pictures, for a network that was pretrained: its run's name."""

    pretrained: str
    N_labelled: int = max(exam.N_LABELLED)

    @property
    def vocabularies(self) -> Mapping[str, Vocabulary]:
        """The words of captions and questions."""
        return {"source": WORDS}

    def model(self) -> nn.Module:
        """The pretrained network with a head that has learned nothing."""
        network: Any = runs.load(self.pretrained).model()
        return exam.Answering(network)

    def batches(self, seed: int, steps: int) -> Iterator[Questions]:
        """Some of the labelled questions, without end."""
        rng = Generator().manual_seed(seed)
        return exam.batches(questions(rng, self.N_labelled), seed)

    def loss(self, model: Any, batch: Questions) -> Float[Tensor, ""]:
        """Mean surprise at the right answers."""
        return exam.surprise(model, batch)

    def measure(self, model: Any) -> dict[str, Any]:
        """Share of questions about unseen scenes answered rightly."""
        return {"right": exam.answered(model)}

    def calls(self, model: nn.Module) -> dict[str, Traced]:
        """What a page asks: see `in_page`."""
        return in_page.calls_to_answer()


def relations(rng: Generator) -> Shown:
    """Draw scenes with true captions, of which the relation is hidden."""
    scenes = draw(rng, N_BATCH)
    captions = true_captions(scenes)
    asked = torch.arange(N_TOKENS) == BETWEEN
    return Shown(
        scenes.images,
        scenes.places,
        put(captions, BETWEEN, MASK),
        captions.where(asked, PAD),
        torch.zeros(N_BATCH, N_REGIONS, dtype=torch.bool),
    )


def everything(rng: Generator, relation: float = HIDE[BETWEEN]) -> Shown:
    """Draw scenes with a true and a false caption each, with words and regions hidden,
    the relation so often in half of the captions.

    Both kinds are hidden alike: else what is hidden would tell which is true.
    """
    scenes = draw(rng, N_BATCH)
    captions = torch.cat([true_captions(scenes), false_captions(rng, scenes)])
    N = len(captions)
    hide = HIDE | {BETWEEN: relation}
    chances = torch.tensor([hide.get(at, 0) for at in range(N_TOKENS)])
    words = torch.rand((N, N_TOKENS), generator=rng) < chances
    regions = torch.rand((N, N_REGIONS), generator=rng) < HIDE_REGION
    some_words, some_regions = torch.rand((2, N, 1), generator=rng) < HALF
    words, regions = words & some_words, regions & some_regions
    return Shown(
        scenes.images,
        scenes.places,
        captions.masked_fill(words, MASK),
        captions.where(words, PAD),
        regions,
    )


@cache
def watched() -> Scenes:
    """Scenes of digits that are for development."""
    return draw(Generator().manual_seed(WATCHED), N_WATCHED, "development")
