"""What the two tasks show, hold back and measure."""

from itertools import islice
from math import log

import pytest
import torch

from attention_book.chapters.block import sentences, tasks
from attention_book.chapters.block.sentences import SENSES, WORDS
from attention_book.chapters.block.tasks import HiddenWords, Senses, apart
from attention_book.data import PAD

SIZES = {"N_blocks": 1, "D": 8, "N_heads": 2, "D_hidden": 8}


def test_training_shows_no_sentence_that_is_held_out():
    for batch in islice(Senses().batches(0, 5), 5):
        asked = batch.target_out != PAD
        whole = torch.where(asked, batch.target_out, batch.source)
        for row in whole:
            assert not sentences.held_out(WORDS.decode(row[row > 0].tolist()))


def model(states):
    made = Senses(SIZES).model()
    made.states = lambda source, visible: states(source)
    return made


def tells(source):
    """Tell the sense by the verb in front at first, and nothing then."""
    verbs = [WORDS.encode(verbs.split()) for verbs, _, _ in sentences.TOPICS.values()]
    before = torch.roll(source, 2, dims=1)
    topics = torch.stack([torch.isin(before, torch.tensor(v)) for v in verbs], dim=-1)
    return [topics + 1.0, torch.ones(topics.shape)]


def test_senses_are_told_apart_by_the_nearer_mean_of_sentences_seen():
    measured = apart(model(tells), "order")
    assert measured["right"].tolist() == [1.0, 0.5]  # of equal ones the first is taken
    assert measured["within"] == pytest.approx([1.0, 1.0])
    one, other = 7 * [1.0] + [2.0], [2.0] + 7 * [1.0]
    cosine = torch.cosine_similarity(torch.tensor(one), torch.tensor(other), dim=0)
    assert measured["between"] == pytest.approx([cosine.item(), 1.0])


def test_vectors_are_those_of_the_word_itself():
    words = model(lambda source: [source[..., None] + 0.0])
    for word in SENSES:
        found = tasks.vectors(words, word, 0, "near", unseen=True)
        assert (found == WORDS.encode([word])[0]).all()


def test_who_knows_nothing_is_as_surprised_as_one_can_be():
    task = HiddenWords(SIZES)
    model = task.model()
    model.words.weight.data.zero_()
    N_words = len(task.vocabularies["source"])
    measured = task.measure(model)
    assert measured["loss"] == pytest.approx(log(N_words), abs=1e-4)
    model.b.data[tasks.ENGLISH.encode(["the"])] = 1
    asked = tasks.unseen().target_out
    share = (asked[asked > 0] == tasks.ENGLISH.encode(["the"])[0]).double().mean()
    assert task.measure(model)["right"] == pytest.approx(share.item())
