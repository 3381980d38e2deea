"""Two tasks with hidden words: sentences with words of two senses, and the corpus."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import sqrt
from random import Random
from typing import Any, ClassVar

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Generator, Tensor, nn

from attention_book.chapters.block import sentences
from attention_book.chapters.block.model import MaskedWords, MaskedWordsConfig
from attention_book.data import STOP, Batch, Corpus, Vocabulary, batches, corpus
from attention_book.data.batching import padded
from attention_book.data.translation import vocabulary
from attention_book.networks import examples
from attention_book.networks.program import Named, Traced
from attention_book.runs import Task

N_BATCH = 48  # sentences with two senses
N_CONTEXTS = 100  # of each word, sense and kind; for the centroids and for the test
TOKENS = 400  # of a batch of the corpus
TEST_SEED = 10_000_000  # far from the seeds of training
Sizes = Mapping[str, int | bool | str]
ENGLISH = Vocabulary([*vocabulary("en").to_list(), sentences.MASK])


@dataclass(frozen=True)
class Hidden(Task):
    """Predict hidden words; a subclass gives the sentences and their vocabulary."""

    sizes: Sizes = field(default_factory=dict)  # of the model's configuration
    words: ClassVar[Vocabulary]

    @property
    def vocabularies(self) -> dict[str, Vocabulary]:
        """The words, on either side."""
        return dict.fromkeys(("source", "target"), self.words)

    def model(self) -> nn.Module:
        """A model with fresh weights."""
        return MaskedWords(MaskedWordsConfig(len(self.words), **self.sizes))

    def calls(self, model: nn.Module) -> dict[str, Traced]:
        """What a page asks of a model: `read`, of sentences of two lengths."""

        def call(
            model: nn.Module, source: Tensor, visible: Tensor, parts: Tensor
        ) -> Named:
            return read(model, self.words, source, visible, parts)

        given = examples(len(self.words), "source", "visible")
        return {"read": (call, [each | {"parts": torch.ones(1, 3)} for each in given])}


@dataclass(frozen=True)
class Senses(Hidden):
    """Hidden words of sentences in which a word has one of two senses."""

    words = sentences.WORDS

    def batches(self, seed: int, steps: int) -> Iterator[Batch]:
        """Sentences drawn afresh, without end; none of those that are held out."""
        rng, hider = Random(seed), Generator().manual_seed(seed)
        while True:
            rows = []
            while len(rows) < N_BATCH:
                words, _ = sentences.sentence(rng)
                if not sentences.held_out(words):
                    rows.append(sentences.WORDS.encode(words))
            shown = sentences.SHOWN
            yield sentences.hide(padded(rows), sentences.WORDS, hider, shown=shown)

    def measure(self, model: nn.Module) -> dict[str, Any]:
        """Tell the senses apart in unseen contexts, after each block.

        Returns
        -------
        dict
            By kind, `near` and `order`: `right`, the share of contexts whose vector is
            nearer to the mean vector of its sense; `within` and `between`, mean cosines
            of two vectors of one sense, and of two senses. Each is a list: at the
            entrance, then after each block; means over words.
        """
        return {kind: apart(model, kind) for kind in sentences.TEMPLATES}


def read(
    model: MaskedWords,
    vocabulary: Vocabulary,
    source: Int[Tensor, "B N"],
    visible: Bool[Tensor, "B N"],
    parts: Float[Tensor, "B 3"],
) -> Named:
    """Read sentences with a model of pre-norm blocks, its parts switched on or off.

    Parameters
    ----------
    visible : (B, N)
        False where [MASK] covers a word.
    parts : (B, 3)
        1 or 0: of attention, of the MLP, of the residual connection, in all blocks.

    Returns
    -------
    dict
        "logits" (B, N, N_words) of every word; "states" (B, N_blocks + 1, N, D), the
        vectors as they enter and after each block; "guess" (B, N_words), the logits of
        the covered words, their sum if there are several, low for special words;
        "guesses" (B,), how many of them to show.
    """
    ids = source.masked_fill(~visible, len(vocabulary) - 1)
    attention, mlp, residual = parts[:, :, None, None].unbind(1)
    X = model.positions(model.words(ids) * sqrt(model.config.D))
    states = [X]
    for block in model.encoder.blocks:
        found, _ = block.attend(block.norm_1(X), None)
        X = residual * X + attention * found
        X = residual * X + mlp * block.mlp(block.norm_2(X))
        states.append(X)
    covered = (~visible).float()
    logits = model.read(X)
    guess = (logits * covered[:, :, None]).sum(dim=1)
    words = torch.arange(len(vocabulary))
    special = (words <= STOP) | (words == len(vocabulary) - 1)
    return {
        "logits": logits,
        "states": torch.stack(states, dim=1),
        "guess": guess.masked_fill(special, -1e4),
        "guesses": 5 * covered.amax(dim=1),
    }


@torch.no_grad()
def means(model: MaskedWords, word: str) -> Float[Tensor, "N_layers 2 2 D"]:
    """Mean vectors of a word, by layer, sense, and kind of sentence."""
    each = [
        vectors(model, word, sense, kind, unseen=False).mean(dim=1)
        for sense in (0, 1)
        for kind in sentences.TEMPLATES
    ]
    return torch.stack(each, dim=1).unflatten(1, (2, -1))


@torch.no_grad()
def vectors(
    model: MaskedWords, word: str, sense: int, kind: str, *, unseen: bool
) -> Tensor:
    """Give the vectors of a word in contexts: (N_blocks + 1, N_CONTEXTS, D)."""
    source, visible, places = sentences.contexts(
        word, sense, kind, N_CONTEXTS, unseen=unseen
    )
    rows = torch.arange(N_CONTEXTS)
    return torch.stack([X[rows, places] for X in model.states(source, visible)])


@torch.no_grad()
def apart(model: MaskedWords, kind: str) -> dict[str, Float[np.ndarray, "N_layers"]]:
    """Measure how far the senses lie apart; see `Senses.measure`."""
    found: dict[str, list[Tensor]] = {"right": [], "within": [], "between": []}
    for word in sentences.SENSES:
        known, new = (
            torch.stack(
                [vectors(model, word, s, kind, unseen=unseen) for s in (0, 1)], dim=1
            )
            for unseen in (False, True)
        )  # (N_blocks + 1, 2, N_CONTEXTS, D)
        centroids = known.mean(dim=2)[:, None]  # (N_blocks + 1, 1, 2, D)
        nearest = torch.cdist(new, centroids.expand(-1, 2, -1, -1)).argmin(dim=-1)
        found["right"].append(
            (nearest == torch.tensor([[0], [1]])).float().mean((1, 2))
        )
        U = F.normalize(new, dim=-1)
        same = (U @ U.mT).sum((-2, -1)) - N_CONTEXTS  # without each with itself
        same = same / (N_CONTEXTS * (N_CONTEXTS - 1))
        found["within"].append(same.mean(dim=1))
        found["between"].append((U[:, 0] @ U[:, 1].mT).mean((-2, -1)))
    return {name: torch.stack(each).mean(dim=0).numpy() for name, each in found.items()}


@dataclass(frozen=True)
class HiddenWords(Hidden):
    """Hidden words of the corpus's English sentences."""

    words = ENGLISH

    def batches(self, seed: int, steps: int) -> Iterator[Batch]:
        """Sentences of the corpus with a fifth of their words hidden, without end."""
        hider = Generator().manual_seed(seed)
        for batch in batches(
            _drawn().train,
            ENGLISH,
            vocabulary("fr"),
            tokens_per_batch=TOKENS,
            seed=seed,
        ):
            yield sentences.hide(batch.source, ENGLISH, hider)

    def measure(self, model: nn.Module) -> dict[str, Any]:
        """Measure the surprise at hidden words, nats a word, and the share right."""
        batch = unseen()
        with torch.no_grad():
            logits = model(batch.source, batch.source_visible)
        asked = batch.target_out > 0
        logits, words = logits[asked], batch.target_out[asked]
        return {
            "loss": F.cross_entropy(logits, words).item(),
            "right": (logits.argmax(dim=-1) == words).double().mean().item(),
        }


@lru_cache(maxsize=1)
def unseen() -> Batch:
    """Unseen sentences of the corpus, of all lengths, a fifth of their words hidden."""
    pairs = [pair for some in _drawn(N_train=0).test.values() for pair in some]
    source = padded([ENGLISH.encode(pair.source) for pair in pairs])
    return sentences.hide(source, ENGLISH, Generator().manual_seed(TEST_SEED))


@lru_cache(maxsize=2)  # with sentences to train on, and without
def _drawn(N_train: int = 24_000) -> Corpus:
    return corpus("en", "fr", N_train=N_train)
