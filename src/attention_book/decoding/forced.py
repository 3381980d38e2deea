"""Forced decoding: show a model given words one by one, and watch what it does.

    logits_t, s_t, a_t = step(y_{t-1}, s_{t-1})

y_{t-1} is given, whatever the model would have written (teacher forcing), so its
attention can be compared with a gold alignment of that very sentence.
"""

from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float, Int, Shaped
from torch import Tensor

from attention_book.decoding.decodable import Decodable
from attention_book.decoding.mode import evaluating
from attention_book.devices import device_of, moved
from attention_book.shapes import check_shape


@dataclass(frozen=True)
class ForcedDecoding:
    """What a model did at each step of given sentences.

    Row t of `logits` and `attention` is for the word after word t of `target_in`.
    `states` are those before each step, and after the last, where the model is.
    """

    logits: Float[Tensor, "B N_Y N_words"]
    attention: Float[Tensor, "B N_Y N_X"] | None
    states: list[Any]


def forced_decoding(
    model: Decodable,
    source: Shaped[Tensor, "B *axes"],
    source_visible: Bool[Tensor, "B N_X"] | None,
    target_in: Int[Tensor, "B N_Y"],
) -> ForcedDecoding:
    """Step a model along given words, without gradients.

    `target_in` is [START] and the words. Where a row is filled up with [PAD], the model
    reads that too: what it does there means nothing.
    """
    check_shape("target_in", target_in, "B N_Y", B=len(source))
    device = device_of(model)
    logits, attention = [], []
    with evaluating(model):
        memory = model.encode(*moved((source, source_visible), device))
        states = [model.initial_state(memory)]
        for y_prev in target_in.to(device).unbind(dim=1):
            logits_t, s_t, a_t = model.step(y_prev, memory, states[-1])
            logits.append(logits_t)
            states.append(s_t)
            if a_t is not None:
                attention.append(a_t)
    return ForcedDecoding(
        logits=torch.stack(logits, dim=1).cpu(),
        attention=torch.stack(attention, dim=1).cpu() if attention else None,
        states=states,
    )
