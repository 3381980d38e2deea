"""The stream of sentences, and pieces of it."""

import pytest
import torch

from attention_book.chapters.norm_and_residuals import sentences
from attention_book.chapters.norm_and_residuals.sentences import pieces, streams
from attention_book.data import STOP

pytestmark = pytest.mark.usefixtures("few_sentences")


def test_a_piece_is_followed_by_its_words_one_later():
    batch = pieces(torch.arange(10, 60), torch.tensor([0, 7]), N=4)
    assert batch.target_in.tolist() == [[10, 11, 12, 13], [17, 18, 19, 20]]
    assert batch.target_out.tolist() == [[11, 12, 13, 14], [18, 19, 20, 21]]


def test_the_streams_are_sentences_with_a_mark_behind_each_and_share_none():
    def parted(stream):
        text, found = stream.tolist(), []
        assert text[-1] == STOP
        for word in text:
            if not found or found[-1][-1:] == [STOP]:
                found.append([])
            found[-1].append(word)
        return {tuple(each) for each in found}

    train, test = map(parted, streams())
    assert len(train) == sentences.N_TRAIN
    assert not train & test
    assert all(3 <= len(each) - 1 <= 24 for each in train)
