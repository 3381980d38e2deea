"""What a network is asked in pretraining, and what is measured of it."""

from itertools import islice
from math import log

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from attention_book import runs
from attention_book.chapters.pretraining import tasks
from attention_book.chapters.pretraining.recipes import OTHER_SHARES
from attention_book.chapters.pretraining.sentences import (
    MASK,
    SEP,
    UNK,
    WORDS,
    held_out,
)
from attention_book.chapters.pretraining.tasks import Pretraining, whole
from attention_book.data import PAD

HELD_OUT = {words for some in held_out().values() for words in some}


def one_hot(ids):
    return F.one_hot(ids, len(WORDS)).double()


def first(**settings):
    return next(Pretraining(**settings).batches(0, 1))


def sentences(batch):
    for row in whole(batch).source.tolist():
        _, *parts = " ".join(WORDS.words[i] for i in row).split(" [STOP]")[:-1]
        yield from (part.removeprefix("[START]").split() for part in parts)


def test_the_text_is_shown_and_no_sentence_that_is_held_out():
    for batch in islice(Pretraining().batches(0, 3), 3):
        assert len(batch.source) == 32
        assert not {tuple(words) for words in sentences(batch)} & HELD_OUT


def test_a_seed_gives_its_batches_again():
    one, same, other = (next(Pretraining().batches(seed, 1)) for seed in (0, 0, 1))
    assert torch.equal(one.source, same.source)
    assert torch.equal(one.words, same.words)
    assert one.source.tolist() != other.source.tolist()


def test_of_next_words_nothing_is_hidden_and_each_place_has_the_word_behind_it():
    batch = first(hidden=False)
    assert not (batch.source == MASK).any()
    assert torch.equal(batch.words[:, :-1], batch.source[:, 1:])
    assert not batch.words[:, -1].any()
    assert batch.words[0, 0] > UNK


def test_shares_reach_the_text():
    batch = first(shares=(0.0, 0.0, 1.0))
    assert not (batch.source == MASK).any()
    asked = batch.words != PAD
    assert torch.equal(batch.source[asked], batch.words[asked])


@pytest.mark.parametrize("share", [0.05, 0.4])
def test_a_share_of_the_words_is_asked_for(share):
    batch = first(asked_for=share)
    N_words = (whole(batch).source > UNK).sum()
    assert (batch.words != PAD).sum() / N_words == pytest.approx(share, abs=0.04)


def test_the_loss_is_the_surprise_at_words_and_at_what_follows(tiny):
    batch = first()
    X = tiny(batch.source, batch.segments, batch.source != PAD)
    log_P = tiny.words(X).log_softmax(-1).gather(2, batch.words[:, :, None])[:, :, 0]
    words = -log_P[batch.words != PAD].mean()
    other = -tiny.next_sentence(X).log_softmax(-1)[range(32), batch.other].mean()
    alone = Pretraining(next_sentence=False).loss(tiny, batch)
    assert alone.item() == pytest.approx(words.item(), rel=1e-5)
    both = Pretraining().loss(tiny, batch)
    assert both.item() == pytest.approx((words + other).item(), rel=1e-5)


def test_who_knows_nothing_is_as_surprised_as_one_can_be(tiny):
    for weight in tiny.parameters():
        weight.data.zero_()
    loss = Pretraining().loss(tiny, first())
    assert loss.item() == pytest.approx(log(len(WORDS)) + log(2), rel=1e-5)


def test_who_knows_the_hidden_words_has_all_right_and_else_chance(reader, unseen):
    the = WORDS.encode(["the"])[0]
    asked = unseen.words != PAD
    share = (unseen.words[asked] == the).double().mean().item()

    def knows(ids):
        assert (ids[asked] == MASK).all()
        return one_hot(torch.where(asked, unseen.words, 0))

    says_the = reader(lambda ids: one_hot(torch.full_like(ids, the)))
    assert tasks.hidden_words(reader(knows)) == 1
    assert tasks.hidden_words(says_the) == pytest.approx(share)
    assert tasks.next_words(says_the) == pytest.approx(share)
    assert 0 < share < 0.2


def test_words_that_are_replaced_or_left_are_those_that_else_are_hidden(reader, unseen):
    assert tasks.as_shown(reader(one_hot)) == {
        "hidden": 0,
        "replaced": pytest.approx(0, abs=0.01),  # drawn by chance
        "left": 1,
    }
    for only in tasks.ONE_KIND.values():
        read = tasks.unseen_pairs(only)
        assert torch.equal(read.words, unseen.words)
        assert (read.source == MASK).any() == (only == tasks.ALL_HIDDEN)


def test_the_next_word_is_asked_with_nothing_shown_of_it_or_of_what_follows(
    reader, unseen
):
    rows, places = (unseen.words != PAD).nonzero(as_tuple=True)
    ids = whole(unseen).source
    assert not (ids == MASK).any()

    def knows(cut):
        said = torch.zeros_like(cut)
        for k, (row, place) in enumerate(zip(rows, places, strict=True)):
            assert torch.equal(cut[k, :place], ids[row, :place])
            assert not cut[k, place:].any()
            said[k, place - 1] = ids[row, place]
        return one_hot(said)

    assert tasks.next_words(reader(knows)) == 1


def test_who_knows_what_follows_has_all_right_and_else_half(reader, unseen):
    def shown(ids):
        assert torch.equal(ids, whole(unseen).source)
        return one_hot(ids)

    assert tasks.next_sentences(reader(shown, lambda _: unseen.other)) == 1
    guess = tasks.next_sentences(reader(shown, lambda _: torch.ones_like(unseen.other)))
    assert guess == pytest.approx(0.5, abs=0.05)


def test_what_is_asked_of_a_model_is_measured(tiny):
    assert {*Pretraining().measure(tiny)} == {"words", "pairs"}
    assert {*Pretraining(next_sentence=False).measure(tiny)} == {"words"}
    hidden = Pretraining().measure(tiny)["words"]
    assert Pretraining(hidden=False).measure(tiny)["words"] != hidden


def test_unseen_pairs_are_of_held_out_sentences(unseen):
    assert {tuple(words) for words in sentences(unseen)} <= HELD_OUT
    assert (whole(unseen).source == SEP).sum() == 2000


def test_networks_of_other_shares_are_asked_for_words_as_they_are_shown(
    tiny, monkeypatch
):
    monkeypatch.setattr(tasks, "short_exam", lambda *_: {"class": 1})
    assert Pretraining().examine(tiny, 0) == {"class": 1}
    found = Pretraining(shares=(0.8, 0.2, 0.0)).examine(tiny, 0)
    assert found == {"class": 1, "shown": tasks.as_shown(tiny)}


@pytest.mark.parametrize("name", OTHER_SHARES)
def test_words_that_are_hidden_were_recorded_alike(name):
    run = runs.load(f"bert-{name}")
    shown = run.per_seed("examined", "shown", "hidden")
    np.testing.assert_array_equal(shown, run.per_seed("words"))
