"""Chapter 1's tasks: what is drawn for training, what for the test, what is kept."""

from dataclasses import replace

import torch

from attention_book.chapters.bottleneck.recipes import RECIPES
from attention_book.chapters.bottleneck.tasks import N_BATCH, Symbols
from attention_book.models import FixedContext
from attention_book.runs import translate

REVERSE = Symbols("reverse", {"D_embedding": 3, "D_hidden": 5})
SPANISH = replace(RECIPES[0].task, sizes={"D_embedding": 3, "D_hidden": 5})
BUCKETS = ["3-6", "7-9", "10-12", "13-15", "16-18", "19-21", "22-24"]


def test_targets_are_reversed_and_the_tests_labels_are_lengths():
    batch = next(REVERSE.batches(seed=3, steps=1500))
    assert len(batch.source) == N_BATCH
    assert torch.equal(batch.source[:, :-1].flip(1), batch.target_out[:, :-1])
    for label, pairs in REVERSE.test.items():
        assert {len(pair.source) for pair in pairs} == {int(label)}
        assert all(pair.target == pair.source[::-1] for pair in pairs)


def test_translation_is_measured_in_buckets_and_held_out_pairs_only_where_asked(
    as_a_reader,
):
    assert list(SPANISH.unseen) == ["test"]
    both = replace(SPANISH, held_out=True).unseen
    assert list(both) == ["test", "held_out"]
    assert both["test"] == SPANISH.unseen["test"]
    for part in both.values():
        assert list(part) == BUCKETS
        assert all(len(pairs) == 100 for pairs in part.values())
    assert not set(both["test"]["3-6"]) & set(both["held_out"]["3-6"])


def test_what_is_kept_are_the_models_own_translations_of_each_length(as_a_reader):
    model = SPANISH.model()
    assert isinstance(model, FixedContext)
    kept = SPANISH.keep(model)["translations"]
    lengths = [len(each["source"]) for each in kept]
    assert lengths == sorted(lengths)
    assert {n: lengths.count(n) for n in range(4, 25)} == dict.fromkeys(range(4, 25), 2)
    words = SPANISH.vocabularies.values()
    for each in kept[:3]:
        said = translate(model, [each["source"]], *words, reverse_source=True)
        assert said == [each["prediction"]]
