"""Chapter 2's task: what is measured and kept of a translator, and that a recording of
it comes back.
"""

from dataclasses import replace

import numpy as np
import pytest
from typechecker import unchecked

from attention_book.chapters.attention.recipes import RECIPES
from attention_book.chapters.attention.tasks import LENGTHS
from attention_book.data import classic, corpus
from attention_book.runs import Recipe, kept_attention, load
from attention_book.runs import translation as room
from attention_book.runs.record import record, train

TINY = replace(RECIPES[0].task, sizes={"D_embedding": 3, "D_hidden": 6})


def test_a_reversed_source_is_refused(as_a_reader):
    with pytest.raises(ValueError, match="reverse_source is True, expected False"):
        replace(TINY, reverse_source=True)


@pytest.mark.parametrize("target", ["fr", "es"])
def test_the_sentences_are_the_classics_and_the_first_of_some_lengths(
    as_a_reader, target
):
    task = replace(TINY, target=target)
    area, bread, *others = task.sentences
    for pair, name in ((area, "area"), (bread, "bread")):
        one = classic(name)
        assert (pair.source, pair.target) == (one.tokens("en"), one.tokens(target))
        assert pair.alignment == one.alignment("en", target)
    assert bread.source == ("we", "are", "eating", "bread")
    assert others == [task.unseen["test"][label][0] for label in LENGTHS]


@pytest.fixture(scope="module")
def recipe():
    """A tiny model, on a small corpus."""
    with unchecked():
        small = corpus("en", "fr", N_train=150, per_bucket=2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room, "_drawn", lambda *_, **__: small)
        yield Recipe(
            "attention-tiny", TINY, 23, (4, 2), keep_weights=True, snapshot_at=(0, 20)
        )


@pytest.fixture(scope="module")
def run(tmp_path_factory, recipe):
    home = tmp_path_factory.mktemp("attention")
    with unchecked():
        record(recipe, home=home, progress=False)
    return load(recipe.name, home)


def test_all_that_the_recipe_asks_for_is_measured_of_every_seed(run, recipe):
    with unchecked():
        trained, _ = train(recipe, 2)
        measured = recipe.task.measure(trained.half().float())
    assert list(measured) == ["test", "held_out", "alignment", "intervened"]
    assert measured == run.measured[2]
    assert run.table("intervened", "gold", "bleu").shape == (2, len(run.buckets))
    assert run.per_seed("alignment", "aer")[0] >= run.per_seed("alignment", "floor")[0]


def test_attention_comes_back_as_the_kept_model_gives_it(run, recipe):
    assert run.kept_at == (0, 20, 23)
    now = recipe.task.keep(run.model())["attention"]
    for kept, one in zip(kept_attention(run), now, strict=True):
        np.testing.assert_array_equal(kept.e, one["e"].astype(np.float16))
        np.testing.assert_array_equal(kept.h, one["h"].astype(np.float16))
        assert kept.said == one["said"]
        assert (kept.source[:-1], kept.target[:-1]) == (one["source"], one["target"])
    first, later = (kept_attention(run, step)[0].e for step in (0, 20))
    assert not np.array_equal(first, later), "it was kept along the way"
