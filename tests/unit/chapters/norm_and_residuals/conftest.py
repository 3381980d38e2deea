import pytest

from attention_book.chapters.norm_and_residuals import experiments, sentences


@pytest.fixture(scope="module")
def few_sentences():
    """An eighth of the sentences: to draw them all takes longer than a test."""

    def forget():
        sentences.streams.cache_clear()
        experiments.at_start.cache_clear()

    forget()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentences, "N_TRAIN", 1000)
        yield
    forget()
