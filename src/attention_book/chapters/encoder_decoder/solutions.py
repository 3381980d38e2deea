"""Worked solutions of chapter 12, those that the reference does not have."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from attention_book import data, models, runs
from attention_book.chapters.encoder_decoder.experiments import log_probability


def who_is_to_blame(
    model: Any,
    pairs: Sequence[data.Pair],
    vocabularies: Sequence[data.Vocabulary],
) -> dict[str, int]:
    """Count wrong translations by whether the model finds the right one likelier."""
    sources = [pair.source for pair in pairs]
    said = runs.translate(model, sources, *vocabularies)
    wrong = [
        (replace(pair, target=own, alignment=frozenset()), pair)
        for pair, own in zip(pairs, said, strict=True)
        if own != pair.target
    ]
    written, right = (
        log_probability(model, each, vocabularies) for each in zip(*wrong, strict=True)
    )
    missed = sum(r > w for w, r in zip(written, right, strict=True))
    return {"the search": missed, "the model": len(wrong) - missed}


@torch.no_grad()
def read(
    model: models.Transformer, source: Tensor, visible: Tensor
) -> models.SourceVectors:
    """Read a batch of sources, as the decoder needs it."""
    X = model.source_positions(model.source_embedding(source) * model.config.D**0.5)
    X, _ = model.encoder(X, visible[:, None])
    return models.SourceVectors(X, visible, model.decoder.keys_values(X))
