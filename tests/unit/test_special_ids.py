"""The ids of [PAD], [START] and [STOP] are written where they are read, because rooms do not import each other."""

from attention_book import data
from attention_book.decoding import write_greedily
from attention_book.exercises import bottleneck
from attention_book.models import seq2seq
from attention_book.training import token_cross_entropy


def test_they_are_the_same_everywhere():
    decoding, training = write_greedily.__globals__, token_cross_entropy.__globals__
    assert (data.PAD, data.START, data.STOP) == (0, 1, 2)
    assert seq2seq.PAD == training["PAD"] == data.PAD
    assert decoding["START"] == bottleneck.START == data.START
    assert decoding["STOP"] == bottleneck.STOP == data.STOP
