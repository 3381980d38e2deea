"""Measures, on a network that knows the truth and on weights that are known."""

import pytest
import torch
from torch import Generator

from attention_book.chapters.two_streams import experiments
from attention_book.chapters.two_streams.experiments import (
    REGIONS_LOOK,
    WORDS_LOOK,
    attend,
    guess,
    hard_captions,
    look,
    measured,
    moved,
    moves,
    points,
    random_captions,
    set_rows,
    swap,
)
from attention_book.chapters.two_streams.scenes import (
    BETWEEN,
    FIRST,
    SECOND,
    digits_of,
    draw,
    exchanged,
    is_true,
    opposite,
    relation,
    true_captions,
    turned,
)


@pytest.fixture(scope="module")
def scenes():
    return draw(Generator().manual_seed(5), 60)


def test_of_eight_captions_the_first_alone_is_true(scenes):
    for captions in (
        hard_captions(Generator().manual_seed(0), scenes),
        random_captions(scenes),
    ):
        assert captions.shape == (60, 8, 6)
        true = torch.stack([is_true(scenes, each) for each in captions.unbind(1)], 1)
        assert true[:, 0].all()
        assert not true[:, 1:].any()


def test_no_two_of_the_hard_captions_are_alike(scenes):
    hard = hard_captions(Generator().manual_seed(0), scenes)
    assert all(len({*map(tuple, each.tolist())}) == 8 for each in hard)


def test_hard_captions_are_one_change_away(scenes):
    hard, true = (
        hard_captions(Generator().manual_seed(0), scenes),
        true_captions(scenes),
    )
    assert torch.equal(hard[:, 1], exchanged(true))
    assert torch.equal(hard[:, 2], turned(true))
    assert ((hard[:, 3:] != true[:, None]).sum(dim=-1) == 1).all()


def test_who_knows_is_right_everywhere(knows, scenes, plain_images):
    found = measured(knows, plain_images(scenes))
    assert set(found["R@1"].values()) == set(found["over"].values()) == {1}
    hidden = found["hidden"]
    assert hidden["relation"] == hidden["of the scene"] == 1
    assert hidden["region"] == hidden["follows"] == 1
    assert 0.5 < hidden["word"] < 1  # the third digit may be true, too, and smaller
    assert "points" not in found


def test_who_scores_all_alike_wins_no_comparison(
    knows, scenes, plain_images, monkeypatch
):
    monkeypatch.setattr(
        type(knows), "fits", lambda self, words, regions: words[:, 0, 1]
    )
    found = measured(knows, plain_images(scenes))
    assert set(found["over"].values()) == {0}


def test_a_fast_network_and_its_readable_form_give_the_same_vectors(tiny, scenes):
    captions = true_captions(scenes)
    vectors, weights = attend(tiny(), scenes, captions)
    for one, other in zip(vectors, look(tiny(), scenes, captions), strict=True):
        torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-4)
    assert weights[WORDS_LOOK].shape == (60, 2, 6, 4)
    assert weights[REGIONS_LOOK].shape == (60, 2, 4, 6)


def test_pointing_takes_the_mean_of_heads_and_leaves_img_out():
    named = torch.tensor([[2, 0]])
    A_words, A_regions = torch.full((1, 2, 6, 4), 0.1), torch.full((1, 2, 4, 6), 0.1)
    nothing = points(A_words, A_regions, named)
    assert nothing == {"words": 0.5, "backwards": 0.5}  # the first of all
    A_words[0, :, :, 0] = 9.0
    A_words[0, 0, FIRST, 1 + 2] = A_words[0, 1, SECOND, 1 + 0] = 0.2
    A_words[0, 0, SECOND, 1 + 1] = 0.15
    A_regions[0, :, 0] = 9.0
    A_regions[0, 0, 1 + 2, FIRST] = 0.3
    A_regions[0, 1, 1 + 1, SECOND] = 0.2
    A_regions[0, 0, 1 + 1, 0] = 0.9
    assert points(A_words, A_regions, named) == {
        "words": 1,
        "backwards": 0.5,  # region 1 looks at the second word
    }


@pytest.mark.parametrize("name", ["the two", "with the third"])
def test_two_regions_exchange_their_weights(scenes, name):
    tap, change = moves(scenes)[name]
    A = torch.rand(60, 2, 4, 6)
    n, (i, second) = torch.arange(60), 1 + scenes.named.T
    j = second if name == "the two" else 1 + scenes.third
    wanted = A.clone()
    wanted[n, :, i], wanted[n, :, j] = A[n, :, j], A[n, :, i]
    assert tap == REGIONS_LOOK
    assert torch.equal(change(A, 0), wanted)


def test_the_first_digits_word_is_made_to_look_at_the_third_region(scenes):
    tap, change = moves(scenes)["word"]
    A = torch.rand(60, 2, 6, 4)
    wanted = A.clone()
    wanted[:, :, FIRST] = 0
    wanted[torch.arange(60), :, FIRST, 1 + scenes.third] = 1
    assert tap == WORDS_LOOK
    assert torch.equal(change(A, 0), wanted)


@pytest.mark.parametrize(
    ("name", "tap", "rows"),
    [
        ("regions", REGIONS_LOOK, [1, 2, 3]),
        ("digit words", WORDS_LOOK, [FIRST, SECOND]),
    ],
)
def test_some_rows_are_made_equal(scenes, name, tap, rows):
    A = torch.rand(60, 2, 4, 6) if tap == REGIONS_LOOK else torch.rand(60, 2, 6, 4)
    wanted = A.clone()
    wanted[:, :, rows] = 1 / A.shape[-1]
    found, change = moves(scenes)[name]
    assert found == tap
    assert torch.equal(change(A, 0), wanted)


def test_a_guess_stays_turns_or_is_the_third_regions(tiny, scenes, monkeypatch):
    told = true_captions(scenes)[:, BETWEEN]
    third = relation(scenes.places, scenes.third, scenes.named[:, 1])
    follows = {"with the third", "word"}
    stays = {"regions", "digit words"}
    always = []  # by what is said
    for said in (told, opposite(told), third):
        monkeypatch.setattr(experiments, "guess", lambda *_, said=said: said)
        found = moved(tiny(), scenes)
        always.append({name for name, share in found.items() if share == 1})
        if said is told:
            assert found["the two"] == found["with the third"] == found["word"] == 0
    assert always == [stays, {"the two"}, follows]
    assert found["regions"] == (third == told).double().mean().item() > 0


def test_a_change_is_made_while_the_network_computes(tiny, scenes):
    captions = true_captions(scenes)
    flat = {WORDS_LOOK: lambda A, step: torch.full_like(A, 0.25)}
    before = look(tiny(), scenes, captions)[0]
    after = look(tiny(), scenes, captions, change=flat)[0]
    assert not torch.allclose(before, after)
    loud = torch.linspace(-1000, 1000, 60)[:, None, None, None]  # turns every vector
    changes = {WORDS_LOOK: lambda A, step: A * loud}
    as_it_is = guess(tiny(), scenes, captions, BETWEEN)
    assert (guess(tiny(), scenes, captions, BETWEEN, changes) != as_it_is).any()


def test_a_region_is_hidden_whether_weights_are_changed_or_not(tiny, scenes):
    captions, hidden = true_captions(scenes), (torch.arange(3) == 0).expand(60, 3)
    same = {WORDS_LOOK: lambda A, step: A}
    shown, covered, changed = (
        look(tiny(), scenes, captions, *how)[1]
        for how in ((), (hidden,), (hidden, same))
    )
    torch.testing.assert_close(changed, covered, atol=1e-5, rtol=1e-4)
    assert not torch.allclose(changed, shown, atol=0.01)


def test_entries_and_rows_change_and_the_given_stay():
    x = torch.arange(12).reshape(2, 3, 2)
    new = swap(x, torch.tensor([0, 1]), torch.tensor([2, 1]))
    assert new.tolist() == [[[4, 5], [2, 3], [0, 1]], x[1].tolist()]
    A = torch.zeros(1, 1, 3, 2)
    assert set_rows(A, [0, 2], torch.ones(2)).tolist() == [[[[1, 1], [0, 0], [1, 1]]]]
    assert not A.any()


def test_the_scenes_of_the_test_show_digits_of_the_test():
    known = {each.numpy().tobytes() for each in digits_of("test")[0]}
    shown = experiments.unseen().images.flatten(0, 1)
    assert {each.numpy().tobytes() for each in shown} <= known
