"""The ids of [PAD], [START] and [STOP] are written where they are read, because rooms do not import each other."""

from importlib import import_module


def test_they_are_the_same_everywhere():
    names = (
        "data.vocabulary",
        "models.seq2seq",
        "training.fit",
        "decoding.greedy",
        "exercises.bottleneck",
    )
    data, models, training, decoding, exercises = (
        import_module(f"attention_book.{name}") for name in names
    )
    assert (data.PAD, data.START, data.STOP) == (0, 1, 2)
    assert models.PAD == training.PAD == data.PAD
    assert decoding.START == exercises.START == data.START
    assert decoding.STOP == exercises.STOP == data.STOP
