"""Alignment says how much attention is right, and what the model wrote itself."""

import numpy as np
import pytest

from attention_book import runs
from attention_book.chapters.intro.widgets import alignment

RUN = runs.load("attention-dot")


@pytest.fixture(scope="module")
def said():
    """What is read out, and what the model wrote, of one sentence after the other."""
    widget = alignment()
    fields = widget.spec["summary"], widget.spec["panels"][1]["fields"]["text"]
    return [np.reshape(field["of"], (2, len(RUN.kept_at))) for field in fields]


@pytest.mark.parametrize(("k", "word"), [(0, "minister"), (1, "bread")])
def test_it_says_what_the_lit_word_looks_at_and_how_much_is_right(said, k, word):
    for step, told in zip(RUN.kept_at, said[0][k], strict=True):
        one = runs.sentence_with(word, runs.kept_attention(RUN, step))
        gold = np.zeros(one.A.shape)
        inputs, words = np.transpose(sorted(one.alignment))
        gold[words, inputs] = 1
        share = (one.A * gold).sum(axis=1)[gold.any(axis=1)].mean()
        assert told == (
            f"At step {step}, {one.target[1]} looks mostly at "
            f"{one.source[one.A[1].argmax()]}. In all, {share:.2f} of the attention is "
            "on the right words."
        )


def test_what_the_model_wrote_is_shown_and_praised_only_when_it_is_right(said):
    untrained, *_, last = said[1][1]
    assert untrained == "By itself it writes: n' j' visitent grand demain mangeons …"
    assert last == "By itself it writes: nous mangeons du pain (right)"
    assert "(right)" not in said[1][0][2]
    assert all("(right)" in each for each in said[1][0][3:])
