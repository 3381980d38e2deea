"""What stands on BERT when it is fine-tuned: a head, one linear layer [devlin2019bert].

X = bert(ids, segments)     logits = tanh(X_0 W_0 + b_0) W + b, X_0 is at [CLS]
"""

from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from attention_book import models
from attention_book.chapters.pretraining.sentences import WORDS, is_word
from attention_book.data import PAD
from attention_book.shapes import check_choice

READ_OUTS = ("cls", "last", "max")


class Classifier(models.Classifier):
    """Answer from the vector of [CLS], through the layer that pretraining had there; or
    with a head on the blocks' vectors themselves: that of the "last" token, [SEP], for
    a model that looks left only; or those of all words, of which the highest score
    counts for each answer ("max").
    """

    def __init__(self, bert: Any, N_answers: int, read_out: str = "cls"):
        super().__init__(bert, N_answers)
        check_choice("read_out", read_out, READ_OUTS)
        self.read_out = read_out

    def forward(  # type: ignore[override]  # what is padding the ids say
        self, ids: Int[Tensor, "B N"], segments: Int[Tensor, "B N"] | None = None
    ) -> Float[Tensor, "B N_answers"]:
        """Give the logits of the answers."""
        if self.read_out == "cls":
            return super().forward(ids, segments, ids != PAD)
        X = self.bert(ids, segments, ids != PAD)
        if self.read_out == "max":
            special = ~is_word(ids)[:, :, None]
            return self.labels(X).masked_fill(special, -torch.inf).amax(dim=1)
        last = (ids != PAD).sum(dim=1) - 1
        return self.labels(X[torch.arange(len(X)), last])


class BagOfWords(nn.Module):
    """Answer without order or attention: each word adds its scores to the answers'."""

    def __init__(self, N_answers: int):
        super().__init__()
        self.scores = nn.EmbeddingBag(
            len(WORDS), N_answers, mode="sum", padding_idx=PAD
        )
        nn.init.zeros_(self.scores.weight)

    def forward(
        self, ids: Int[Tensor, "B N"], segments: Int[Tensor, "B N"]
    ) -> Float[Tensor, "B N_answers"]:
        """Give the logits of the answers."""
        return self.scores(ids)
