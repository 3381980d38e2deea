"""The parser's task: what is written is held against gold trees, and looks are taken at
the steps that write a word or close a phrase."""

import numpy as np
import pytest
import torch

from attention_book import runs
from attention_book.chapters.not_only_translation import closing
from attention_book.chapters.not_only_translation.tasks import parsing
from attention_book.chapters.not_only_translation.tasks.parsing import Parsing
from attention_book.data.treebank import readings, tree_pair, treebank

ELEPHANT = ["i", "shot", "an", "elephant", "in", "my", "pajamas"]
TINY = {"D": 8, "N_heads": 2, "D_hidden": 8, "N_decoder_blocks": 2}


@pytest.fixture(scope="module")
def task():
    return Parsing(TINY)


@pytest.fixture(scope="module")
def tree():
    return readings(ELEPHANT)[0].tree


def test_a_batch_asks_for_trees_of_training_sentences(as_a_reader, task):
    batch = next(task.batches(0, 1))
    source, target = task.vocabularies.values()
    trained = {tree_pair(tree).source for tree in treebank().train}
    for ids, due in zip(batch.source.tolist(), batch.target_out.tolist(), strict=True):
        words = source.decode(ids)
        assert words in trained
        assert parsing.tree_over(target.decode(due), words) is not None
    assert batch.target_out.numel() <= task.tokens_per_batch


def test_what_is_no_tree_counts_as_wrong(as_a_reader, task, tree, monkeypatch):
    said = {"right": tree.bracketed, "open": tree.bracketed[:-1]}
    other = readings(ELEPHANT)[1].tree.bracketed
    for written, due in (
        ([said["right"]] * 2, {"f1": 1.0, "exact": 1.0, "malformed": 0.0}),
        ([said["right"], said["open"]], {"f1": 2 / 3, "exact": 0.5, "malformed": 0.5}),
        ([other] * 2, {"recall": 1.0, "f1": 12 / 13, "exact": 0.0, "malformed": 0.0}),
    ):
        monkeypatch.setattr(parsing, "translate", lambda *_, now=written, **__: now)
        scores = task.scores(None, [tree, tree])
        assert {name: scores[name] for name in due} == pytest.approx(due)


def test_looks_are_taken_where_a_word_is_written_and_a_phrase_closed(
    as_a_reader, tree, task, monkeypatch
):
    """Each row is all on one word: the number of words that have been written."""
    N_X, written = len(ELEPHANT) + 1, 0
    A = np.zeros((2, 3, len(tree.bracketed), N_X))
    for t, token in enumerate(tree.bracketed):
        A[:, :, t, written] = 1
        written += token in ELEPHANT
    due = {"word": {"next": 1}, "inside": {"next": 1, "phrase": 0}}
    due |= {"opens": due["word"], "end": due["inside"]}
    for back in (0, 1):  # and one word earlier
        looked = np.roll(A, -back, axis=-1)
        monkeypatch.setattr(closing, "cross_attention", lambda *_, A=looked: [A])
        found = closing.looks(None, [tree], tuple(task.vocabularies.values()))
        for what, of in due.items():
            for name, weight in of.items():
                assert found[what][name].shape == (2, 3)
                assert (found[what][name] == abs(weight - back)).all(), (what, name)
    assert found["inside"]["even_phrase"] == pytest.approx((1 + 2) / 2 / N_X)
    assert found["end"]["even_phrase"] == pytest.approx((2 + 3 + 6 + 7) / 4 / N_X)
    for what in due:
        assert found[what]["even_next"] == pytest.approx(1 / N_X)


def test_P_is_that_of_both_readings(as_a_reader, task):
    torch.manual_seed(0)
    model = task.model().eval()
    pairs = [tree_pair(each.tree) for each in readings(ELEPHANT)]
    log_P = runs.log_probability(model, pairs, *task.vocabularies.values())
    assert task.P(model, " ".join(ELEPHANT)) == pytest.approx(np.exp(log_P))


def test_every_sentence_has_two_readings():
    for text in parsing.SENTENCES.values():
        assert len(readings(text.split())) == 2


def test_both_trees_of_every_sentence_are_kept(as_a_reader, task):
    torch.manual_seed(0)
    kept = task.keep(task.model().eval())["parses"]
    assert len(kept) == 2 * len(parsing.SENTENCES)
    for one in kept:
        assert one["A"].shape == (2, 2, len(one["tokens"]), len(one["words"]) + 1)
        np.testing.assert_allclose(one["A"].sum(axis=-1), 1, atol=1e-5)


class ClosesByTheNextWord(torch.nn.Module):
    """Writes ")" if it saw the word after the phrase, or [STOP]; else, what it must."""

    def __init__(self, trees, target):
        super().__init__()
        self.trees, self.target = trees, target

    def encode(self, source, visible):
        return visible

    def initial_state(self, memory):
        return 0

    def step(self, token, memory, t, intervene):
        logits = torch.zeros(len(token), len(self.target))
        a_t = memory / memory.sum(-1, keepdim=True)
        used = intervene(a_t, memory)
        for b, tree in enumerate(self.trees):
            tokens = tree.bracketed
            if t >= len(tokens):
                continue
            written = sum(token in tree.words for token in tokens[:t])
            due = tokens[t] if tokens[t] != ")" or used[b, written] > 0 else "(S"
            logits[b, self.target.encode([due])[0]] = 1
        return logits, t + 1, used


def test_who_closes_by_the_next_word_owes_it_all(as_a_reader, task, tree):
    words = tuple(task.vocabularies.values())
    trees = [tree, readings(["he", "slept"])[0].tree]
    model = ClosesByTheNextWord(trees, words[1])
    by_next = {"nothing": 1.0, "phrase": 1.0, "next": 0.0, "all but next": 1.0}
    found = closing.closed_right(model, trees, words)
    assert found == {"inside": by_next, "end": by_next}
