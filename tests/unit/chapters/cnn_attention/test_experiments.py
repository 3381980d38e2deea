"""What the chapter's cells measure, and its bug: pieces of pictures taken for cells."""

import numpy as np
import pytest
import torch

from attention_book import runs
from attention_book.chapters.cnn_attention import experiments
from attention_book.chapters.cnn_attention.bug import BUG_HUNT
from attention_book.chapters.cnn_attention.scenes import (
    collate,
    key_scenes,
)
from attention_book.chapters.cnn_attention.solutions import cells
from attention_book.chapters.cnn_attention.tasks import WhichKey, attend, share_right
from attention_book.data import compose
from attention_book.training import seeded

SCENES = key_scenes(90, seed=2)


def test_who_sees_more_is_right_more_often():
    shares = [
        experiments.answer_baselines(SCENES, field)["best in the square"]
        for field in (4, 18, 26, 64)
    ]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    blind = experiments.answer_baselines(SCENES, 4)
    assert shares[0] == pytest.approx(blind["always none"], abs=0.02)


def test_lazy_looks_meet_the_key_where_it_is_near_or_dark():
    near = compose(((0, 0, 0), (3, 2, 10), (5, 24, 24)), seed=0)
    found = experiments.pointing_baselines([near])
    assert found["any cell"] == 4 / 64
    assert found["one of the other digits"] == 0.5
    # the three is nearer to the key, and the five to the three
    assert found["the nearest other digit"] == 0.5
    dark = compose(((1, 0, 0), (3, 2, 10), (5, 24, 24)), seed=0)
    bright = np.array(dark.image)
    bright[:8, :8] += 1
    changed = type(dark)(bright, (), dark.boxes, dark.digits, ())
    assert experiments.pointing_baselines([changed])["the darkest cell"] == 1


@pytest.mark.parametrize("middle", ["attention", "no residual"])
def test_the_right_way_to_the_set_changes_nothing(middle):
    with seeded(0):
        model = WhichKey(middle, gate=1.0).model().eval()
    before = dict(vars(model.middle))
    said, A = attend(model, SCENES[:4])
    trial = experiments.with_cells(model, cells)
    again, A_again = attend(trial, SCENES[:4])
    np.testing.assert_allclose(A_again, A, atol=1e-6)
    assert (again == said).all()
    images = collate(SCENES[:4]).source
    torch.testing.assert_close(trial(images), model(images))
    assert vars(model.middle) == before


def test_the_bug_has_the_right_shape_and_mixes_cells():
    grid = torch.tensor([0, 100])[:, None, None] + torch.arange(6.0).view(1, 2, 3)
    wrong = BUG_HUNT.broken(grid[None])[0]
    assert wrong.shape == cells(grid[None])[0].shape
    assert wrong[:2].tolist() == [[0, 1], [2, 3]]


def test_what_the_folded_answers_say():
    """The recorded network says little that is right with it, and all without."""
    model, scenes = runs.load("cnn-attention").model(), WhichKey().test[:120]
    assert share_right(experiments.with_cells(model, BUG_HUNT.broken), scenes) < 0.6
    assert share_right(experiments.with_cells(model, cells), scenes) > 0.97
