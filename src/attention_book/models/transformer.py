"""The Transformer: an encoder that reads all words at once, and a decoder that looks
back at them in every block [vaswani2017attention].

    X = encoder(E_source[x] sqrt(D) + P)
    S = decoder(E_target[y_<t] sqrt(D) + P, X)      y_t from S_t E_target^T

No vector passes from step to step: what the decoder knows of its own words it looks up.
So all steps are computed at once while training; and while writing, the state is what
has been made of the words so far, the keys and values of each block.
"""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from math import sqrt
from typing import Any, Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attention_book.layers import (
    Decoder,
    Encoder,
    FastSinePositions,
    LearnedPositions,
    causal_mask,
)
from attention_book.layers.attention import weight_matrix
from attention_book.layers.block import Dropout
from attention_book.layers.heads import KVCache
from attention_book.models.interventions import Intervention, for_each_head
from attention_book.models.lean import LeanTransformer, is_known
from attention_book.shapes import (
    check_choice,
    check_count,
    check_ids,
    check_mask,
    check_multiple,
    check_same,
    check_share,
    check_type,
    unchecked,
)


@dataclass(frozen=True)
class TransformerConfig:
    """Sizes and choices of a Transformer.

    D, the width of every vector, is even. If `tied`, words are read off by the vectors
    that the decoder reads them in with. Sines and cosines serve any length; of learned
    positions there are `N_positions`, a longer sentence is refused, and those that
    training never reaches stay as they were drawn. Dropout is of the vectors that
    blocks are given, and of what each part of a block adds.
    """

    N_source_words: int
    N_target_words: int
    D: int = 128  # Vaswani et al. have 512, 8 heads, 2048 and 6 + 6 blocks
    N_heads: int = 4
    D_hidden: int = 256
    N_encoder_blocks: int = 2
    N_decoder_blocks: int = 1
    norm: Literal["pre", "post"] = "pre"  # they have post
    tied: bool = True
    positions: Literal["sine", "learned"] = "sine"  # they found both as good
    N_positions: int = 80
    dropout: float = 0.0  # the book's sentences are many; a small corpus needs .3

    def __post_init__(self):
        counts = ("N_source_words", "N_target_words", "N_heads", "D_hidden")
        blocks = "N_encoder_blocks", "N_decoder_blocks"
        for name in (*counts, *blocks, "N_positions"):
            check_count(name, getattr(self, name))
        check_count("D", self.D, least=2)
        check_multiple("D", self.D, of=2)
        check_multiple("D", self.D, of=self.N_heads)
        check_choice("norm", self.norm, ("pre", "post"))
        check_type("tied", self.tied, bool)
        check_choice("positions", self.positions, ("sine", "learned"))
        check_share("dropout", self.dropout)


@dataclass(frozen=True)
class SourceVectors:
    """What the encoder leaves for the decoder.

    `visible` is None where all are inputs. `kv_cache` are what each block of the
    decoder takes of X, (K, V): the same at every step, so made once.
    """

    X: Float[Tensor, "B N_X D"]
    visible: Bool[Tensor, "B N_X"] | None
    kv_cache: Sequence[KVCache]

    @property
    def X_visible(self) -> Bool[Tensor, "B 1 N_X"] | None:
        """`visible` for the decoder: the same for each word that looks."""
        return _for_all_steps(self.visible)


class Transformer(nn.Module):
    """Words in, words out, by attention alone."""

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.config = config
        N_source, N_target, D = config.N_source_words, config.N_target_words, config.D
        self.source_embedding = nn.Embedding(N_source, D)
        self.target_embedding = nn.Embedding(N_target, D)
        for embedding in (self.source_embedding, self.target_embedding):
            nn.init.normal_(embedding.weight, std=D**-0.5)
        self.source_positions = _positions(config)
        self.target_positions = _positions(config)
        sizes = D, config.N_heads, config.D_hidden, config.norm
        how: Any = {"fast": True, "dropout": config.dropout}
        self.encoder = Encoder(config.N_encoder_blocks, *sizes, **how)
        self.decoder = Decoder(config.N_decoder_blocks, *sizes, **how)
        self.dropout = Dropout(config.dropout)
        if not config.tied:
            self.output = weight_matrix(D, N_target)

    def forward(
        self,
        source: Int[Tensor, "B N_X"],
        source_visible: Bool[Tensor, "B N_X"] | None,
        target_in: Int[Tensor, "B N_Y"],
    ) -> Float[Tensor, "B N_Y N_words"]:
        """Predict every word from the right words before it (teacher forcing).

        `target_in` is [START] and the words; row t is for the word after its word t.
        Padding after them needs no mask: no word looks at a later one.
        """
        N_words, B = self.config.N_target_words, len(source)
        check_ids("target_in", target_in, "B N_Y", N_words, B=B)
        X = self._read(source, source_visible)
        causal = causal_mask(target_in.shape[1], target_in.device)
        with unchecked():  # layers are given what is made of checked ids
            S = self.target_vectors(target_in)
            S, _ = self.decoder(S, X, causal, _for_all_steps(source_visible))
            return self.logits(S)

    def encode(
        self,
        source: Int[Tensor, "B N_X"],
        source_visible: Bool[Tensor, "B N_X"] | None,
    ) -> SourceVectors:
        """Read the source, all words at once.

        `source_visible` is None where all are words.
        """
        X = self._read(source, source_visible)
        return SourceVectors(X, source_visible, self.decoder.kv_cache(X))

    def initial_state(self, memory: SourceVectors) -> list[KVCache]:
        """The state to pass to the first `step`: no word has been read."""
        return self.decoder.no_past(memory.X)

    def step(
        self,
        token: Int[Tensor, "B"],
        memory: SourceVectors,
        state: list[KVCache],
        intervene: Intervention | None = None,
    ) -> tuple[Float[Tensor, "B N_words"], list[KVCache], Float[Tensor, "B N_X"]]:
        """Write one word.

        `token` is y_{t-1}, at first [START]; the logits are of y_t, and `state` grows
        by one word. `intervene(a_t, visible)` gives the weights (B, N_X) to use instead
        of those of a head; it is asked for each head of each block, from the first on.
        The attention is the mean of the last block's heads; `cross_attention` has all
        of them.
        """
        check_ids("token", token, "B", self.config.N_target_words, B=len(memory.X))
        S, weights, state = self._step(token[:, None], memory, state, intervene)
        return self.logits(S[:, 0]), state, weights[-1][:, :, 0].mean(dim=1)

    def lean_writer(self) -> "Transformer | LeanTransformer":
        """Return what greedy and beam search read and write with: a `LeanTransformer`,
        or the model itself where NumPy would not do what the model does. That is on a
        GPU, in another precision than float32 and float64, in a subclass, and where
        anything but its numbers is not as its configuration builds it, such as a part
        in another's place, a hook, or an attribute of your own.
        """
        known = type(self) is Transformer and is_known(self)
        return LeanTransformer(self) if known else self

    def cross_attention(
        self,
        source: Int[Tensor, "B N_X"],
        source_visible: Bool[Tensor, "B N_X"] | None,
        target_in: Int[Tensor, "B N_Y"],
    ) -> Float[Tensor, "B N_blocks N_heads N_Y N_X"]:
        """Tell where every head of every block of the decoder looks along given words.

        Parameters and errors as for `forward`.

        Row t: to write the word after word t of `target_in`.
        """
        N_words, B = self.config.N_target_words, len(source)
        check_ids("target_in", target_in, "B N_Y", N_words, B=B)
        memory = self.encode(source, source_visible)
        _, weights, _ = self._step(target_in, memory, self.initial_state(memory))
        return torch.stack(weights, dim=1)

    def target_vectors(
        self, ids: Int[Tensor, "B N_Y"], first: int = 0
    ) -> Float[Tensor, "B N_Y D"]:
        """What the decoder is given of words: their vectors at the places from `first`
        on.
        """
        S = self.target_embedding(ids) * sqrt(self.config.D)
        return self.dropout(self.target_positions(S, first))

    def logits(self, S: Float[Tensor, "*axes D"]) -> Float[Tensor, "*axes N_words"]:
        """Read words off the decoder's vectors."""
        W = self.target_embedding.weight.T if self.config.tied else self.output
        return S @ W

    def check_source(self, source: Any, visible: Any) -> None:
        """Check the words of a source, and its mask."""
        check_ids("source", source, "B N_X", self.config.N_source_words)
        if visible is not None:
            B, N_X = source.shape
            check_mask("source_visible", visible, "B N_X", B=B, N_X=N_X)

    def _read(self, source: Tensor, visible: Tensor | None) -> Tensor:
        self.check_source(source, visible)
        with unchecked():
            X = self.source_embedding(source) * sqrt(self.config.D)
            X = self.dropout(self.source_positions(X))
            return self.encoder(X, _for_all_steps(visible))[0]

    def _step(
        self,
        words: Int[Tensor, "B N_Y"],
        memory: SourceVectors,
        state: list[KVCache],
        intervene: Intervention | None = None,
    ) -> tuple[Tensor, list[Tensor], list[KVCache]]:
        t = _read_before(memory, state)
        change = for_each_head(intervene, memory.visible)
        with unchecked() if change is None else nullcontext():
            S = self.target_vectors(words, first=t)
            cache, visible = memory.kv_cache, memory.X_visible
            return self.decoder.step(S, cache, state, visible, change)


def _positions(config: TransformerConfig) -> nn.Module:
    if config.positions == "learned":
        return LearnedPositions(config.N_positions, config.D)
    return FastSinePositions(config.D)


def _read_before(memory: SourceVectors, state: list[KVCache]) -> int:
    """How many words the decoder has read."""
    past = state[0][0]
    check_same("one for each", sentences=len(memory.X), state=len(past))
    return past.shape[-2]


def _for_all_steps(visible: Tensor | None) -> Tensor | None:
    """Give the mask of the inputs an axis for the queries."""
    return None if visible is None else visible[:, None]
