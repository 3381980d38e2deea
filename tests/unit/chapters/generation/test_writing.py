"""What a GPT writes after a prompt."""

import pytest
import torch
import transformers

from attention_book.chapters.generation.docstring_pieces import pieces
from attention_book.chapters.generation.experiments.writing import (
    go_on,
    gpt2_goes_on,
)
from attention_book.data import START, STOP
from attention_book.training import seeded


def test_it_goes_on_from_a_prompt_to_its_last_position_or_to_stop(small):
    prompt = "Return the"
    read = [START, *pieces().encode(prompt)]
    written = []
    for _ in range(17 - len(read)):
        i = small(torch.tensor([[*read, *written]]))[0, -1].argmax().item()
        if i == STOP:
            break
        written.append(i)
    assert len(written) > 3
    assert go_on(small, prompt, seed=0, top_k=1) == pieces().decode(written)
    drawn = {go_on(small, prompt, seed=seed) for seed in (0, 1, 2)}
    assert len(drawn) == 3


class Letters:
    """A stand-in tokenizer: a letter has its place in the alphabet."""

    eos_token_id = 29

    def encode(self, text):
        return [ord(letter) - ord("a") for letter in text]

    def decode(self, ids):
        return "".join(chr(i + ord("a")) for i in ids)


@pytest.mark.parametrize("seed", [6, 12, 21, 40])  # all write "c", three end
def test_gpt_2_goes_on_as_that_of_transformers_does(seed):
    config = transformers.GPT2Config(
        vocab_size=30,
        n_positions=40,
        n_embd=16,
        n_layer=2,
        n_head=2,
        bos_token_id=29,
        eos_token_id=29,
        initializer_range=0.5,
    )
    with seeded(seed):
        theirs = transformers.GPT2LMHeadModel(config).eval()
    read = torch.tensor([[0, 2, 1, 2]])  # "acbc": c has the id 2, at which ours stops
    (written,) = theirs.generate(
        read, attention_mask=read >= 0, do_sample=False, max_new_tokens=20
    )[:, 4:].tolist()
    assert 2 in written
    end = written.index(29) if 29 in written else len(written)
    found = gpt2_goes_on(theirs, Letters(), "acbc", seed=0, top_k=1, max_words=20)
    assert found == Letters().decode(written[:end])
