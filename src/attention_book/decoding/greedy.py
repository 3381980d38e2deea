"""Greedy decoding: always take the likeliest next word, until it is [STOP].

    y_t = argmax_y P(y | y_1 ... y_{t-1}, x)

The model's own words are fed back to it; no right word is shown to it. Not always the
likeliest *sentence*: a word that looks best now can lead to a worse end.
"""

from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float, Int, Shaped
from torch import Tensor

from attention_book.decoding.decodable import Decodable, Writer, lean, stacked
from attention_book.decoding.mode import writing
from attention_book.devices import device_of, moved
from attention_book.shapes import START, STOP, check_count


@dataclass(frozen=True)
class Decoded:
    """Decoded sentences.

    `ids` are without [START] and [STOP]. `finished` is False where a sentence was cut
    off at `max_words`. Row t of `attention`: where the model looked when it wrote word
    t ([STOP] included); None if it does not look. Rows after a sentence's own end mean
    nothing.
    """

    ids: list[list[int]]
    finished: Bool[Tensor, "B"]
    attention: Float[Tensor, "B N_Y N_X"] | None


def greedy(
    model: Decodable,
    source: Shaped[Tensor, "B *axes"],
    source_visible: Bool[Tensor, "B N_X"] | None,
    *,
    max_words: int = 40,
) -> Decoded:
    """Decode a batch of sources, each until [STOP] or `max_words`.

    The model is put back into the mode it was in; another thread must not train it
    meanwhile. `source_visible` is None where every input may be looked at, as in a
    picture. `max_words` counts [STOP].
    """
    check_count("max_words", max_words)
    source, source_visible = moved((source, source_visible), device_of(model))
    with writing(model):
        writer = lean(model)
        written, looked = write_greedily(writer, source, source_visible, max_words)
    rows = stacked(written).tolist()  # out here, so that tensors are like any others
    return Decoded(
        ids=[_until_stop(row) for row in rows],
        finished=torch.tensor([STOP in row for row in rows]),
        attention=stacked(looked).cpu() if looked else None,
    )


def write_greedily(
    model: Writer,
    source: Shaped[Tensor, "B *axes"],
    source_visible: Bool[Tensor, "B N_X"] | None,
    max_words: int,
) -> tuple[list[Int[Any, "B"]], list[Any]]:
    """Write word after word: the loop inside `greedy`, which wants no gradients."""
    memory = model.encode(source, source_visible)
    state = model.initial_state(memory)
    token = torch.full((len(source),), START, device=source.device)
    stopped: Any = False  # none, so far
    words, attention = [], []
    for _ in range(max_words):
        logits, state, a_t = model.step(token, memory, state)
        token = logits.argmax(-1)
        words.append(token)
        if a_t is not None:
            attention.append(a_t)
        stopped |= token == STOP
        if stopped.all():
            break
    return words, attention


def _until_stop(row: list[int]) -> list[int]:
    return row[: row.index(STOP)] if STOP in row else row
