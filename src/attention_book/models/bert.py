"""BERT: an encoder that is trained to say which words were hidden, and whether one
sentence follows the other [devlin2019bert].

    X = encoder(norm(E[x] + P + S[segment]))
    words:           logits = norm(gelu(X W + b)) E^T + b_words
    next sentence:   logits = tanh(X_0 W_0 + b_0) W + b        X_0 stands at [CLS]

Every word looks both ways, left and right: so a hidden word is found from all that
stands around it, and no text is written word by word. What was learned so, another head
then uses: `Classifier`.
"""

from dataclasses import dataclass
from typing import Any, Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attention_book.layers import FastLayerNorm, causal_mask
from attention_book.models.stack import StackConfig, WordStack
from attention_book.shapes import (
    check_choice,
    check_count,
    check_ids,
    check_mask,
    check_type,
)


@dataclass(frozen=True)
class BertConfig(StackConfig):
    """Sizes and choices of a BERT.

    Its own blocks are post-norm; chapter 14's are pre-norm. If `causal`, a word looks
    only to its left: to be compared.
    """

    N_segments: int = 2
    norm: Literal["pre", "post"] = "post"
    causal: bool = False
    eps: float = 1e-12

    def __post_init__(self):
        super().__post_init__()
        check_count("N_segments", self.N_segments)
        check_choice("norm", self.norm, ("pre", "post"))
        check_type("causal", self.causal, bool)


class Bert(WordStack):
    """Words in, for each a vector that knows of the others; and heads to read them."""

    def __init__(self, config: BertConfig):
        super().__init__(config, config.norm, "gelu")
        self.config, D = config, config.D
        self.segments = nn.Embedding(config.N_segments, D)
        nn.init.normal_(self.segments.weight, std=config.spread)
        self.norm = FastLayerNorm(D, config.eps)
        last = FastLayerNorm(D, config.eps)
        self.transform = nn.Sequential(nn.Linear(D, D), nn.GELU(), last)
        self.b_words = nn.Parameter(torch.zeros(config.N_words))
        self.pooler = nn.Linear(D, D)
        self.follows = nn.Linear(D, 2)

    def forward(
        self,
        ids: Int[Tensor, "B N"],
        segments: Int[Tensor, "B N"] | None = None,
        visible: Bool[Tensor, "B N"] | None = None,
    ) -> Float[Tensor, "B N D"]:
        """Return a vector for each word.

        `segments` says in which sentence a word stands, None: all in the first.
        `visible` is False at padding, which no word may look at.
        """
        return self.encoder(*self._given(ids, segments, visible))[0]

    def attention(
        self,
        ids: Int[Tensor, "B N"],
        segments: Int[Tensor, "B N"] | None = None,
        visible: Bool[Tensor, "B N"] | None = None,
    ) -> Float[Tensor, "B N_blocks N_heads N N"]:
        """Tell where every head of every block looks. Parameters as for `forward`."""
        return self.encoder.attention(*self._given(ids, segments, visible))

    def words(self, X: Float[Tensor, "*axes D"]) -> Float[Tensor, "*axes N_words"]:
        """Say which word stands, or stood, at each place."""
        return self.transform(X) @ self.embedding.weight.T + self.b_words

    def pooled(self, X: Float[Tensor, "B N D"]) -> Float[Tensor, "B D"]:
        """Make one vector for a whole text, from that of its first word, [CLS]."""
        return torch.tanh(self.pooler(X[:, 0]))

    def next_sentence(self, X: Float[Tensor, "B N D"]) -> Float[Tensor, "B 2"]:
        """Say whether the second sentence follows the first (0), or any other (1)."""
        return self.follows(self.pooled(X))

    def _given(
        self, ids: Tensor, segments: Tensor | None, visible: Tensor | None
    ) -> tuple[Tensor, Tensor | None]:
        """What the encoder is given: vectors, and a mask for all of them."""
        check_ids("ids", ids, "B N", self.config.N_words)
        B, N = ids.shape
        segments = torch.zeros_like(ids) if segments is None else segments
        check_ids("segments", segments, "B N", self.config.N_segments, B=B, N=N)
        X = self.positions(self.embedding(ids) + self.segments(segments))
        if visible is not None:
            check_mask("visible", visible, "B N", B=B, N=N)
            visible = visible[:, None]
        if self.config.causal:
            left = causal_mask(N, ids.device)
            visible = left if visible is None else left & visible
        return self.dropout(self.norm(X)), visible


class Classifier(nn.Module):
    """A BERT with one head more: which of N_labels a text has."""

    def __init__(self, bert: Any, N_labels: int):
        super().__init__()
        check_count("N_labels", N_labels)
        self.bert, self.labels = bert, nn.Linear(bert.config.D, N_labels)

    def forward(
        self,
        ids: Int[Tensor, "B N"],
        segments: Int[Tensor, "B N"] | None = None,
        visible: Bool[Tensor, "B N"] | None = None,
    ) -> Float[Tensor, "B N_labels"]:
        """Return the logits of the labels. Parameters as for `Bert.forward`."""
        pooled = self.bert.pooled(self.bert(ids, segments, visible))
        return self.labels(self.bert.dropout(pooled))
