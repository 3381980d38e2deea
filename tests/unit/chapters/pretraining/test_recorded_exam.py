"""The exam as it is recorded: what is sat, and what is read back."""

import numpy as np
import pytest

from attention_book import runs
from attention_book.chapters.pretraining.experiments.fine_tuning import sit
from attention_book.chapters.pretraining.experiments.recorded_exam import right


@pytest.mark.parametrize("start", ["bag", "frozen"])
def test_the_exam_comes_out_as_it_was_recorded(start):
    bert = runs.load("bert")
    then = bert.per_seed("examined", "class", "200", start)[0]
    now = sit(bert.model(), "class", 200, start, seed=0, head=1)
    assert now == pytest.approx(then[1], abs=0.03)


def test_a_network_has_right_what_its_heads_have_on_average():
    bert = runs.load("bert")
    heads = bert.per_seed("examined", "class", "200", "tuned")
    assert list(heads[0]) == bert.kept("right")[: heads.shape[1]]
    means = [sum(some) / len(some) for some in heads]
    np.testing.assert_allclose(right(bert, "class", "200", "tuned"), means)
