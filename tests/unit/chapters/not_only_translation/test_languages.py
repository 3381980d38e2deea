"""Chapter 13's task of three languages: what is asked of a model, and how its answers
are measured.
"""

from itertools import islice

import pytest
import torch

from attention_book.chapters.not_only_translation.tasks import languages
from attention_book.chapters.not_only_translation.tasks.languages import ThreeLanguages
from attention_book.data.translation import (
    COPIES,
    LANGUAGES,
    TAUGHT,
    ZERO_SHOT,
    joint_vocabularies,
    training_pairs,
)
from attention_book.data.translation.forms import vocabulary
from attention_book.metrics import bleu
from attention_book.shapes import STOP

SIZES = {"D": 8, "N_heads": 2, "D_hidden": 4}
N = 12
BUCKETS = ["-".join(way) for way in (*TAUGHT, *ZERO_SHOT, *COPIES)]


@pytest.fixture(autouse=True)
def few(as_a_reader, monkeypatch):
    """A few sentences, and no shape checks, with which these would take a minute."""
    monkeypatch.setattr(languages, "N_TEST", N)
    monkeypatch.setattr(
        languages, "_pairs", lambda copies, copied: training_pairs(copies, copied, N=30)
    )


@pytest.fixture
def task():
    return ThreeLanguages(SIZES)


def a_translator(monkeypatch, task, knows):
    """Let a translator stand for the model that has all right answers; where it does
    not know a direction it writes English.
    """
    spoken = {one.tokens(to): (to, one) for one in task.test for to in LANGUAGES}

    def translate(model, sources, source_vocabulary, target_vocabulary):
        said = []
        for tag, *words in sources:
            source, one = spoken[tuple(words)]
            to = tag[1:-1].lower()
            said.append(one.tokens(to if (source, to) in knows else "en"))
        return said

    monkeypatch.setattr(languages, "translate", translate)


def test_who_was_taught_and_no_more_writes_english_but_can_go_by_way_of_it(
    task, monkeypatch
):
    a_translator(monkeypatch, task, TAUGHT)
    measured = task.measure(None)
    for way, figures in measured["test"].items():
        right = way in BUCKETS[:4] or way == "en-en"
        assert figures["exact_match"] == right, way
        assert figures["bleu"] == pytest.approx(100) if right else figures["bleu"] < 20
        written = way[-2:] if right else "en"
        assert figures[written] == 1, way
    for way, figures in measured["through_english"].items():
        assert figures["exact_match"] == figures[way[-2:]] == 1
    assert measured["same"] == {"fr": 1, "es": 1}
    a_translator(monkeypatch, task, [*TAUGHT, ("es", "fr")])
    assert task.measure(None)["same"] == {"fr": 1, "es": 0}


def test_english_that_is_wrong_is_wrong_in_the_end(task, monkeypatch):
    """Where the model takes the French for English, it has no way to Spanish."""
    a_translator(monkeypatch, task, TAUGHT)
    texts = {to: [one.tokens(to) for one in task.test] for to in LANGUAGES}
    said = languages.directly(None, texts)
    said["fr", "en"] = said["fr", "en"][::-1]
    through = languages.through_english(None, said)
    assert through["fr", "es"] == texts["es"][::-1]
    assert through["es", "fr"] == texts["fr"]


def test_shares_are_of_all_answers():
    answers = [("nous", "mangeons"), ("we", "eat"), ("we", "mangeons"), ()]
    figures = languages.figures(answers, [("nous", "mangeons")] * 4)
    shares = {"exact_match": 0.25, "en": 0.25, "fr": 0.25, "es": 0, "mixed": 0.5}
    assert {name: figures[name] for name in shares} == shares


def test_a_batch_asks_by_tag_and_copies_what_it_shall(task):
    source_words, target_words = joint_vocabularies().values()

    def pairs(**settings):
        (batch,) = islice(ThreeLanguages(SIZES, **settings).batches(0, 1), 1)
        assert batch.target_out.numel() <= 500
        return [
            (source_words.decode(source), target_words.decode(target))
            for source, target in zip(batch.source, batch.target_out, strict=True)
        ]

    assert pairs() == pairs()
    assert {tag for (tag, *_), _ in pairs()} == {"[EN]", "[FR]", "[ES]"}
    assert not any(tuple(words) == target for (_, *words), target in pairs())
    copied = [
        tag
        for (tag, *words), target in pairs(copies=0.5, copied=("fr",))
        if tuple(words) == target
    ]
    assert copied
    assert {*copied} == {"[FR]"}


@pytest.mark.parametrize("to", LANGUAGES)
def test_one_language_is_all_that_may_be_written(task, to):
    torch.manual_seed(0)
    sources = [one.tokens("fr") for one in task.test]
    only = languages.InWordsOf(task.model(), to)
    said = languages.write(only, sources, to)
    own = set(vocabulary(to).to_list())
    assert all(own.issuperset(words) for words in said)
    assert only.allowed[STOP]
    assert only.allowed.sum() == len(own) + 1


def test_words_of_the_target_are_asked_for_with_its_tag_but_of_english_with_the_other(
    task, monkeypatch
):
    asked = []

    def write(model, sources, to):
        asked.append((model.model, sorted(model.allowed.nonzero()[:, 0].tolist()), to))
        return sources

    monkeypatch.setattr(languages, "write", write)
    texts = {to: [one.tokens(to) for one in task.test] for to in LANGUAGES}
    model = task.model()
    measured = languages.in_words_of_the_target(model, texts)
    french, spanish = (
        languages.InWordsOf(model, to).allowed.nonzero()[:, 0].tolist()
        for to in ("fr", "es")
    )
    assert asked == [
        (model, spanish, "es"),
        (model, french, "fr"),
        (model, spanish, "fr"),
        (model, french, "es"),
    ]
    for way, figure in measured.items():
        source, to = way.split("-")
        assert figure == bleu(texts[source], texts[to])
