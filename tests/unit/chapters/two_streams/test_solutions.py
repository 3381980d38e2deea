"""The solutions of chapter 17: as the network's own, and what the texts say of them."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from attention_book import runs
from attention_book.chapters.two_streams import experiments, model, scenes, solutions
from attention_book.chapters.two_streams.bug import BUG_HUNT
from attention_book.data.digits import DIGIT_SIDE
from attention_book.data.scenes import SCENE_SIDE
from attention_book.training import seeded


def test_the_network_is_told_the_same_five_numbers_from_minus_1_to_1():
    places = torch.tensor([[2, 4], [20, 7], [24, 24]])
    boxes = F.pad(places.double(), (0, 2), value=DIGIT_SIDE).numpy()
    found = solutions.box_numbers(boxes, SCENE_SIDE, SCENE_SIDE)
    np.testing.assert_allclose(2 * found - 1, model.box_numbers(places), atol=1e-6)


def test_co_attention_is_that_of_the_network():
    with seeded(0):
        co = model.CoAttention(6, 1).double()
    co.norm_words = co.norm_regions = torch.nn.Identity()
    for look in (co.words, co.regions):
        torch.nn.init.eye_(look.W_O)
    drawn = torch.Generator().manual_seed(1)
    words, regions = (torch.randn(N, 6, generator=drawn).double() for N in (5, 4))
    with torch.no_grad():
        new_words, new_regions, A_words, A_regions = co(words[None], regions[None])
    matrices = (
        tuple(W.detach().numpy() for W in (look.W_Q, look.W_K, look.W_V))
        for look in (co.words, co.regions)
    )
    found = solutions.co_attention(words.numpy(), regions.numpy(), *matrices)
    wanted = new_words[0], new_regions[0], A_words[0, 0], A_regions[0, 0]
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-10)


def test_recall_is_what_is_measured_of_the_networks():
    run = runs.load("two-streams")
    shown = experiments.unseen()
    hard = experiments.hard_captions(
        torch.Generator().manual_seed(experiments.TEST), shown
    )
    fits = experiments.scores(run.model(), shown, hard).numpy()
    found = solutions.recall_at_1(fits, np.zeros(len(shown), dtype=int))
    assert found == pytest.approx(run.measured[0]["R@1"]["hard"], abs=0.001)


def test_the_regions_have_to_look_in_block_1_and_the_relation_word_in_block_2():
    found = solutions.by_look(runs.load("two-streams").model(), experiments.unseen())
    harmed = {("regions", "block 1"): 0.345, ("relation word", "block 2"): 0.579}
    for who, row in found.items():
        for block, share in row.items():
            assert share == pytest.approx(harmed.get((who, block), 0.993), abs=0.01)


@pytest.mark.parametrize(
    ("captions_of", "right"),
    [(BUG_HUNT.broken, (2 - 0.85**5) / 2), (BUG_HUNT.repaired, 0.5)],
)
def test_mask_tells_what_fits_if_only_true_captions_have_it(captions_of, right):
    rng = torch.Generator().manual_seed(0)
    source, _, fits = captions_of(rng, scenes.draw(rng, 4000))
    found = solutions.right_without_a_picture(source, fits)
    assert found == pytest.approx(right, abs=0.015)
    has_mask = (source == scenes.MASK).any(dim=1)
    assert experiments.share(has_mask == fits) == pytest.approx(right, abs=0.015)


def test_hidden_words_of_false_captions_are_not_asked_for():
    rng = torch.Generator().manual_seed(0)
    shown = scenes.draw(rng, 200)
    source, asked, fits = solutions.training_captions(rng, shown)
    hidden = source == scenes.MASK
    assert hidden[~fits].any()
    assert not hidden[:, 0].any()
    assert (asked[~fits] == -100).all()
    assert ((asked[fits] != -100) == hidden[fits]).all()
    true = scenes.true_captions(shown)
    assert (asked[fits][hidden[fits]] == true[hidden[fits]]).all()
