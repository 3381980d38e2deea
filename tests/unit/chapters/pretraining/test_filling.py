"""What BERT of `transformers` puts into a gap, by our code."""

import pytest
import torch
import transformers

from attention_book.chapters.pretraining.experiments.filling import bert_fills
from attention_book.training import seeded


class Letters:
    """A stand-in tokenizer: a letter has its place in the alphabet, _ is the gap."""

    mask_token, mask_token_id = "[MASK]", 29

    def encode(self, text):
        return [29 if letter == "_" else ord(letter) - ord("a") for letter in text]

    def convert_ids_to_tokens(self, ids):
        return [chr(i + ord("a")) for i in ids]


def bert(seed):
    """A small one."""
    config = transformers.BertConfig(
        vocab_size=30,
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=12,
        initializer_range=0.5,
    )
    with seeded(seed):
        return transformers.BertForPreTraining(config).eval()


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("text", ["ab_cd", "_b", "abc_"])
def test_it_fills_a_gap_as_that_of_transformers_does(seed, text):
    theirs = bert(seed)
    with torch.no_grad():
        logits = theirs(torch.tensor([Letters().encode(text)])).prediction_logits
    due = logits[0, text.index("_")].argsort(descending=True)[:5]
    found = bert_fills(theirs, Letters(), text)
    assert found == Letters().convert_ids_to_tokens(due.tolist())


@pytest.mark.parametrize(("text", "gaps"), [("abc", 0), ("a_b_", 2)])
def test_a_text_has_one_gap(text, gaps):
    with pytest.raises(ValueError, match=rf"text has {gaps} \[MASK\], expected one"):
        bert_fills(bert(0), Letters(), text)
