"""What a page asks of chapter 14's networks is what the chapter's own code computes."""

import math

import pytest
import torch

from attention_book.chapters.pretraining import in_page
from attention_book.chapters.pretraining.sentences import MASK, UNK, WORDS, encode
from attention_book.chapters.pretraining.solutions import surprises

SENTENCE = tuple(["the", "teacher", "ate", "the", "rice", "."])
AT = 5  # where *rice* stands, behind [CLS]


@pytest.fixture
def given():
    (source, _), visible = encode([(SENTENCE,)]), torch.ones(1, 8, dtype=torch.bool)
    visible[0, AT] = False
    return {"source": source, "visible": visible}


def test_the_guess_is_what_is_read_where_a_mask_stands(tiny, given):
    found = in_page.read(tiny, **given)
    ids = given["source"].clone()
    ids[0, AT] = MASK
    right = tiny.words(tiny(ids))[0, AT]
    torch.testing.assert_close(found["guess"][0, UNK + 1 :], right[UNK + 1 :])
    assert (found["guess"][0, : UNK + 1] == -1e4).all()
    torch.testing.assert_close(found["seen"], ids.float())
    torch.testing.assert_close(found["cls"], tiny.pooled(tiny(ids)))
    assert found["guesses"] == 5
    nothing = torch.ones_like(given["visible"])
    assert in_page.read(tiny, given["source"], nothing)["guesses"] == 0


def test_the_next_word_is_asked_for_with_the_rest_cut_off_and_in_sight(tiny, given):
    found = in_page.after(tiny, **given)
    words = slice(UNK + 1, None)
    cut = tiny.words(tiny(given["source"][:, :AT]))[0, -1]
    torch.testing.assert_close(found["guess"][0, words], cut[words])
    whole = tiny.words(tiny(given["source"]))[0, AT - 1]
    torch.testing.assert_close(found["in sight"][0, words], whole[words])
    assert found["guesses"] == 5
    assert found["left"] == AT


def test_each_word_in_turn_is_as_surprising_as_when_it_alone_is_hidden(tiny, given):
    (bits,) = in_page.in_turn(tiny, given["source"])["bits"]
    nats = surprises(tiny, given["source"][0], MASK)
    torch.testing.assert_close(bits, nats / math.log(2))


@pytest.mark.parametrize("hidden", [True, False])
def test_the_examples_are_sentences_in_which_a_word_is_asked_for(hidden):
    calls = in_page.calls(hidden)
    assert calls.keys() == {"read", "in_turn" if hidden else "after"}
    for name, (_, examples) in calls.items():
        for each in examples:
            assert each["source"].max() < len(WORDS)
            assert name == "in_turn" or (~each["visible"]).sum() == 1
