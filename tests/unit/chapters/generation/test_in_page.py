"""A page writes on from a prompt as Python does."""

import pytest
import torch

from attention_book.chapters.generation import in_page
from attention_book.decoding import greedy
from attention_book.models import GPT, GPTConfig
from attention_book.networks import Network
from attention_book.training import seeded

PROMPT = torch.tensor([[5, 3, 9, 4, 7]])


@pytest.fixture(scope="module")
def gpt():
    sizes = {"D": 8, "N_heads": 2, "D_hidden": 16, "N_positions": 30, "std": 1.0}
    with seeded(0):
        return GPT(GPTConfig(11, **sizes)).eval()


@pytest.mark.parametrize("prompt", [PROMPT, PROMPT[:, 1:2]])
def test_it_writes_what_the_model_writes(gpt, prompt):
    network = Network("gpt", gpt, in_page.calls(gpt))
    right = greedy(gpt, prompt, None, max_words=12).ids[0]
    outputs, taps = network.write({"source": prompt}, max_words=12)
    assert [each for each in outputs["ids"] if each != 2] == right
    assert right
    A = taps["encoder.blocks.1.attend"]
    assert A.shape[-1] == prompt.shape[1] + len(outputs["ids"]) - 1


def test_it_reads_the_next_word(gpt):
    found = in_page.read(gpt, PROMPT)["logits"]
    torch.testing.assert_close(found, gpt.encode(PROMPT).logits)
