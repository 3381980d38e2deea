"""Chapter 5's experiments measure what they say."""

import pytest

from attention_book.chapters.self_attention import experiments, sentences, solutions

TEXT = "the dog near the soup left the tram because it was scared and it was windy"


@pytest.mark.parametrize(("N_X", "D"), [(1, 3), (5, 4), (7, 2)])
def test_torch_counts_the_products_of_the_formula_and_the_bytes_of_A(N_X, D):
    work, N_bytes = experiments.cost(N_X, D)
    assert work == 2 * N_X**2 * D + 3 * N_X * D**2
    assert work == solutions.multiply_adds(N_X, D, D, D)
    assert N_bytes == 4 * N_X**2


def test_lazy_answers_are_as_good_as_the_sentences_let_them_be(monkeypatch):
    monkeypatch.setattr(experiments, "N_SEEN", 20)  # their best place is no matter here
    lazy = experiments.pointing_baselines([TEXT.split(), TEXT.split()])
    assert lazy["a random word"] == pytest.approx(1 / 16)
    assert (lazy["the first noun"], lazy["the last noun"]) == (1, 0)
    dog_last = TEXT.replace("dog", "bus").replace("tram", "dog")
    lazy = experiments.pointing_baselines([TEXT.split(), dog_last.split()])
    assert (lazy["the first noun"], lazy["the last noun"]) == (0.5, 0.5)


def test_the_word_of_most_nouns_is_a_lazy_answer():
    """dog er, soup sie, tram sie: "sie" at both, and "-" once all three differ."""
    assert experiments.says_most_nouns([TEXT.split()]) == 0
    differ = TEXT.replace("tram", "car").split()
    assert experiments.says_most_nouns([differ]) == 0.5
    hot = TEXT.replace("windy", sentences.ADJECTIVES["food"][0]).split()
    assert experiments.says_most_nouns([hot]) == 0.5
