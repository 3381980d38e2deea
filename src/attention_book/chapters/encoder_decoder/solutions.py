"""Worked solutions of chapter 12, those that the reference does not have."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from jaxtyping import Float, Int
from torch import Tensor

from attention_book import data, models, runs
from attention_book.chapters.encoder_decoder.tasks import Vocabularies
from attention_book.layers.heads import KVCache


def count_error_causes(
    model: Any,
    pairs: Sequence[data.Pair],
    vocabularies: Vocabularies,
) -> dict[str, int]:
    """Count wrong translations by whether the model finds the right one likelier."""
    sources = [pair.source for pair in pairs]
    said = runs.translate(model, sources, *vocabularies)
    wrong = [
        (replace(pair, target=own, alignment=frozenset()), pair)
        for pair, own in zip(pairs, said, strict=True)
        if own != pair.target
    ]
    if not wrong:
        return {"the search": 0, "the model": 0}
    written, right = (
        runs.log_probability(model, each, *vocabularies)
        for each in zip(*wrong, strict=True)
    )
    missed = sum(r > w for w, r in zip(written, right, strict=True))
    return {"the search": missed, "the model": len(wrong) - missed}


def next_word(
    model: models.Transformer,
    token: Int[Tensor, "B"],
    memory: models.SourceVectors,
    state: list[KVCache],
) -> tuple[Float[Tensor, "B N_words"], list[KVCache]]:
    """Logits of the next word, from the last one and what was kept of those before."""
    S = model.target_embedding(token)[:, None] * model.config.D**0.5
    K, _ = state[0]
    t = K.shape[-2]  # its place: so many words stand before it
    S = model.target_positions(S, first=t)
    S, _, state = model.decoder.step(S, memory.kv_cache, state, memory.X_visible)
    return model.logits(S[:, 0]), state
