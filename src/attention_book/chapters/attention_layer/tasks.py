"""What chapter 4's recorded readers learn: which colour the card asked for has."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.functional import pad

from attention_book.chapters.attention_layer.cards import (
    CARDS,
    COLOURS,
    KINDS,
    cards,
    deal,
)
from attention_book.chapters.attention_layer.experiments import look_up
from attention_book.chapters.attention_layer.networks import BATCH, CardReader, Readers
from attention_book.data import Vocabulary
from attention_book.networks import examples
from attention_book.networks.program import Named, Traced
from attention_book.runs import Task

ANSWERS = Vocabulary(COLOURS)
N_SPECIALS = len(ANSWERS) - len(COLOURS)  # whose ids come first


class CardBatch(NamedTuple):
    """Cards on B tables, and what is asked at each."""

    source: Float[Tensor, "B N_X D_X"]
    source_visible: None  # all cards are
    target_in: Int[Tensor, "B 1"]  # the kind that is asked for
    target_out: Int[Tensor, "B 1"]  # the id of the colour


@dataclass(frozen=True)
class AskedConfig:
    """What a recorded reader is built from: its width, and what has a matrix."""

    D: int
    matrices: str


class AskedReader(nn.Module):
    """A card reader and its codes, so that it can be asked for a kind."""

    def __init__(self, config: AskedConfig):
        super().__init__()
        self.config = config
        self.reader = CardReader(config.D, config.matrices)
        self.register_buffer("codes", torch.randn(len(KINDS), config.D))

    @property
    def alone(self) -> Readers:
        """The reader as the only one of `Readers`, for the chapter's experiments."""
        weights = {name: W[None] for name, W in self.reader.named_parameters()}
        return Readers(self.reader, weights, self.codes[None])

    def forward(
        self,
        source: Float[Tensor, "B N_X D_X"],
        source_visible: None,
        target_in: Int[Tensor, "B 1"],
    ) -> Float[Tensor, "B 1 N_words"]:
        """Return logits of the answers; the specials are none."""
        logits, _ = self.reader(self.codes[target_in], source)
        return pad(logits, (N_SPECIALS, 0), value=-torch.inf)


@dataclass(frozen=True)
class LookUp(Task):
    """Cards, of which one is asked for; width and matrices as for `CardReader`."""

    D: int
    matrices: str = "K, V"
    vocabularies: ClassVar = {"target": ANSWERS}  # cards are no words

    def model(self) -> nn.Module:
        return AskedReader(AskedConfig(self.D, self.matrices))

    def batches(self, seed: int, steps: int) -> Iterator[CardBatch]:
        generator = torch.Generator().manual_seed(seed)
        while True:
            X, kind, _, colour = (each[0] for each in deal(BATCH, generator, N_seeds=1))
            yield CardBatch(X, None, kind[:, None], colour[:, None] + N_SPECIALS)

    def measure(self, model: Any) -> dict[str, float]:
        """Measure the share of right answers, and the weight on the card."""
        right, on_card = look_up(model.alone)
        return {"right": right.item(), "on_card": on_card.item()}

    def calls(self, model: nn.Module) -> dict[str, Traced]:
        """What a page asks of a model: the colour of one kind, on any number of cards.

        The cards are ids of `CARDS`. The logits are of the colours alone.
        """

        def read(model: Any, source: Tensor, kind: Tensor) -> Named:
            card = source - N_SPECIALS
            kinds, colours = card // len(COLOURS), card % len(COLOURS)
            logits, _ = model.reader(model.codes[kind], cards(kinds, colours))
            return {"logits": logits}

        kind = torch.zeros(1, 1, dtype=torch.long)
        given = examples(len(CARDS), "source", lengths=(3, 5))
        return {"read": (read, [each | {"kind": kind} for each in given])}
