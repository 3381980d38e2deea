"""The recorded card readers: what they are asked, and that they are the chapter's."""

from itertools import islice

import pytest
import torch

from attention_book.chapters.attention_layer import experiments
from attention_book.chapters.attention_layer.cards import COLOURS, KINDS, lay
from attention_book.chapters.attention_layer.tasks import ANSWERS, LookUp
from attention_book.runs import load

TASK = LookUp(4)


def test_the_right_answer_is_the_colour_of_the_card_that_is_asked_for():
    (batch,) = islice(TASK.batches(3, 1), 1)
    for X, kind, said in zip(
        batch.source, batch.target_in, batch.target_out, strict=True
    ):
        (card,) = X[X[:, kind.item()] == 1]  # one card has the kind
        assert ANSWERS.words[said] == COLOURS[card[len(KINDS) :].argmax()]


@pytest.mark.parametrize("matrices", ["K = V", "K, V", "Q, K, V"])
def test_what_it_says_is_what_the_experiments_hear(matrices):
    model = LookUp(4, matrices).model()
    _, X = lay("red cat, blue dog, pink owl")
    with torch.no_grad():
        logits = model(X.expand(2, -1, -1), None, torch.tensor([[1], [6]]))[:, 0]
    chances, _ = experiments.attend(
        model.alone, "red cat, blue dog, pink owl", ["cat", "owl"]
    )
    said = logits.softmax(-1)
    torch.testing.assert_close(said[:, ANSWERS.encode(COLOURS)], chances)
    assert (said[:, :3] == 0).all()


def test_one_matrix_is_too_little_and_two_are_enough():
    one, two = (load(f"cards-{name}").per_seed("right") for name in ("one", "two"))
    assert one.max() < 0.65
    assert two.min() > 0.96
