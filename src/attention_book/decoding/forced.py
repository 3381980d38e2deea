"""Read along: show the model the right words one by one, and watch what it does before
it writes each of them.

    logits_t, s_t, a_t = step(y_{t-1}, s_{t-1})        with y_{t-1} given, whatever the model would have written

Teacher forcing, step by step. Row t of the attention is where the model looked when it
was to write word t of the given sentence, so it can be compared with a gold alignment
of that very sentence; the model's own words have none.
"""

from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float, Int, Shaped
from torch import Tensor

from attention_book.decoding.mode import evaluating


@dataclass(frozen=True)
class ForcedDecoding:
    """What a model did at each step of given sentences.

    Attributes
    ----------
    logits : (B, N_Y, N_words)
        Row t: unnormalised log-probabilities of the word after word t of `target_in`.
    attention : (B, N_Y, N_X) or None
        Row t: where the model looked to write that word; None if it does not look.
    states : list of N_Y + 1 states
        The state before each step, and after the last, as the model gives them.
    """

    logits: Float[Tensor, "B N_Y N_words"]
    attention: Float[Tensor, "B N_Y N_X"] | None
    states: list[Any]


def forced_decoding(
    model: Any,
    source: Shaped[Tensor, "B *axes"],
    source_visible: Bool[Tensor, "B N_X"] | None,
    target_in: Int[Tensor, "B N_Y"],
) -> ForcedDecoding:
    """Step a model along given words, without gradients.

    Parameters
    ----------
    model : module
        With `encode`, `initial_state` and `step`; run in evaluation mode, then put back
        as it was.
    source : (B, ...)
        What the model reads: word ids (B, N_X), or pictures.
    source_visible : (B, N_X) or None
        True where there is a word; None where every input may be looked at, as in a
        picture.
    target_in : (B, N_Y)
        [START] and the words of each sentence. Where a row is filled up with [PAD], the
        model reads that too: what it does there means nothing.

    Returns
    -------
    ForcedDecoding

    Raises
    ------
    ValueError
        If `target_in` does not have a row for each source and at least one column, or
        the model rejects its input.
    """
    if target_in.dim() != 2 or len(target_in) != len(source) or target_in.shape[1] == 0:
        raise ValueError(
            f"target_in has shape {tuple(target_in.shape)}, expected (B, N_Y) with B = "
            f"{len(source)}, as in source, and at least one word"
        )
    logits, attention = [], []
    with evaluating(model):
        memory = model.encode(source, source_visible)
        states = [model.initial_state(memory)]
        for y_prev in target_in.unbind(dim=1):
            logits_t, s_t, a_t = model.step(y_prev, memory, states[-1])
            logits.append(logits_t)
            states.append(s_t)
            if a_t is not None:
                attention.append(a_t)
    return ForcedDecoding(
        logits=torch.stack(logits, dim=1),
        attention=torch.stack(attention, dim=1) if attention else None,
        states=states,
    )
