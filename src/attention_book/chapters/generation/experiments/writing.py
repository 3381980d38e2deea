"""How a GPT goes on with a prompt: ours, and GPT-2 of `transformers` by our code."""

from collections.abc import Sequence
from typing import Any

import torch

from attention_book import models
from attention_book.chapters.generation.docstring_pieces import pieces
from attention_book.data import START, STOP
from attention_book.decoding import sample


def go_on(model: Any, prompt: str, *, seed: int, **how: Any) -> str:
    """Let a GPT write on from a prompt, to [STOP] or to its last position.

    `how` it draws is told to `decoding.sample`: `temperature`, `top_k`, `top_p`.
    """
    read = torch.tensor([[START, *pieces().encode(prompt)]])
    room = model.config.N_positions + 1 - read.shape[1]  # the last is not read
    if room < 1:
        raise ValueError(
            f"prompt has {read.shape[1]} pieces with [START], expected at most "
            f"{model.config.N_positions}"
        )
    (written,) = sample(model, read, None, seed=seed, max_words=room, **how).ids
    return pieces().decode(written)


def gpt2_goes_on(
    theirs: Any, tokenizer: Any, prompt: str, *, seed: int, **how: Any
) -> str:
    """Go on with a prompt as a `GPT2LMHeadModel` of `transformers` does, by our GPT.

    Ours stops at id 2, theirs at another, so the two change places.
    """
    gpt, stop = models.gpt_from_transformers(theirs).eval(), tokenizer.eos_token_id
    other = {STOP: stop, stop: STOP}

    def exchanged(words: Sequence[int]) -> list[int]:
        return [other.get(i, i) for i in words]

    E = gpt.embedding.weight.data
    E[[STOP, stop]] = E[[stop, STOP]]
    read = torch.tensor([exchanged(tokenizer.encode(prompt))])
    (written,) = sample(gpt, read, None, seed=seed, **how).ids
    return tokenizer.decode(exchanged(written))
