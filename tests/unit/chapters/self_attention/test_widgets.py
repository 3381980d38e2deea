"""What the chapter says of its sentence is what the networks of its figures give."""

import pytest
import torch

from attention_book import runs
from attention_book.chapters.self_attention.sentences import KIND, nouns_of, questions
from attention_book.chapters.self_attention.widgets import (
    ASKS,
    SENTENCE,
    right_and_wrong_map,
    what_is_it,
)
from attention_book.widgets.controls import split

FITS, WRONG, LATER = "it", "it-always-fits", "it was scared and it was parked"


def ours(*exchanges):
    """The sentence with words exchanged: ours("bus car")."""
    words = SENTENCE.split()
    for old, new in (each.split() for each in exchanges):
        words[words.index(old)] = new
    return " ".join(words)


SWAPPED = SENTENCE.replace(LATER, "it was parked and it was scared")


def asked(name, text):
    """(adjective, answer, most looked at, with which weight) of each that asks."""
    run = runs.load(name)
    words, seen = split(text)
    known, answers = run.recipe.task.vocabularies.values()
    inputs = {"source": [known.encode(words)], "visible": [seen]}
    outputs, taps = run.network().run("read", inputs)
    A, best = taps["attend"], outputs["logits"].argmax(axis=1)
    return [
        (word, answers.words[best[i]], words[A[i].argmax()], A[i].max())
        for i, word in enumerate(words)
        if word in ASKS
    ]


@pytest.mark.parametrize(
    ("network", "text", "scared", "parked"),
    [
        (FITS, SENTENCE, "es horse 0.95", "er bus 0.99"),
        (FITS, SWAPPED, "es horse 0.93", "er bus 0.99"),
        (FITS, ours("horse field"), "- because 0.7", "er bus 0.99"),
        (FITS, ours("horse dog"), "er dog 0.96", "er bus 0.99"),
        (FITS, ours("horse (horse)"), "- because 0.7", "er bus 0.99"),
        (FITS, ours("bus car"), "es horse 0.95", "es car 0.98"),
        (FITS, ours("bus (car)"), "es horse 0.95", "- was 0.85"),
        (WRONG, SENTENCE, "es horse 0.97", "er bus 0.98"),
        (WRONG, ours("bus car"), "es horse 0.98", "es it 0.61"),
        (WRONG, ours("bus (car)"), "es horse 0.98", "es it 0.62"),
        (WRONG, ours("bus car", "it (it)"), "es horse 0.98", "es was 0.53"),
        (WRONG, ours("bus car", "horse (horse)"), "es passed 0.2", "es it 0.61"),
        (WRONG, ours("bus tram"), "es horse 0.98", "sie tram 0.96"),
    ],
)
def test_the_sentence_is_answered_as_the_chapter_says(network, text, scared, parked):
    told = {word: rest for word, *rest in asked(network, text)}
    for word, expected in (("scared", scared), ("parked", parked)):
        answer, most, weight = expected.split()
        assert told[word][:2] == [answer, most]
        assert told[word][2] == pytest.approx(float(weight), abs=0.006)


def test_with_the_wrong_map_no_single_hidden_word_changes_the_answer():
    words = ours("bus car").split()
    for i, word in enumerate(words[:-1]):
        hidden = " ".join([*words[:i], f"({word})", *words[i + 1 :]])
        assert asked(WRONG, hidden)[-1][:2] == ("parked", "es"), word


@pytest.mark.parametrize("text", [SENTENCE, SWAPPED, ours("bus car"), ours("bus tram")])
def test_the_sentence_is_of_the_kind_that_the_networks_learned(text):
    words = text.split()
    assert len({KIND[words[place]] for place in nouns_of(words)}) == 3
    assert len(words) == 16
    assert all(each.gold is not None for each in questions(words))
    known = runs.load(FITS).recipe.task.vocabularies["source"].words
    assert set(words) <= {*known}


def test_both_figures_open_in_the_state_that_makes_the_point():
    assert what_is_it().static_text()[-1] == (
        "scared (es) attends 0.95 to horse; parked (er) attends 0.99 to bus."
    )
    first, second = right_and_wrong_map().static_text()[1:]
    assert "parked (es) attends 0.98 to car" in first
    assert "parked (es) attends 0.61 to it" in second


def said_by_values(name, words):
    """What the network of a run would answer to the value of each word alone."""
    run = runs.load(name)
    known, answers = run.recipe.task.vocabularies.values()
    model, source = run.model(), torch.tensor([known.encode(words)])
    with torch.no_grad():
        V = model.places(model.words(source)) @ model.attend.W_V
        return [answers.words[i] for i in model.answer(V)[0].argmax(dim=-1)]


def test_in_the_wrong_map_all_values_but_the_soups_say_es_else_because_says_nothing():
    words = ours("bus car").split()
    said = said_by_values(WRONG, words)
    assert said == ["sie" if word == "soup" else "es" for word in words]
    words = ours("horse field").split()
    said = dict(zip(words, said_by_values(FITS, words), strict=True))
    assert (said["because"], said["field"]) == ("-", "es")
