"""The parser's task: what is written is held against gold trees, and looks are taken at
the steps that write a word or close a phrase."""

from functools import partial

import numpy as np
import pytest
import torch

from attention_book.chapters.not_only_translation import closing
from attention_book.chapters.not_only_translation.tasks import parsing
from attention_book.chapters.not_only_translation.tasks.parsing import Parsing
from attention_book.data.treebank import readings, treebank
from attention_book.data.treebank.corpus import part

ELEPHANT = ["i", "shot", "an", "elephant", "in", "my", "pajamas"]
TINY = {"D": 8, "N_heads": 2, "D_hidden": 8, "N_decoder_blocks": 2}


@pytest.fixture(scope="module")
def task():
    return Parsing(TINY)


@pytest.fixture(scope="module")
def tree():
    return readings(ELEPHANT)[0].tree


@pytest.fixture
def even(task):
    """A model that finds every token as likely, and what it finds of so many."""
    model = task.model().eval()
    torch.nn.init.zeros_(model.target_embedding.weight)
    return (
        model,
        lambda tokens: len(task.vocabularies["target"]) ** -(len(tokens) + 1.0),
    )


def test_a_batch_asks_for_trees_of_training_sentences(as_a_reader, task, monkeypatch):
    monkeypatch.setattr(parsing, "treebank", partial(treebank, N_train=300))
    monkeypatch.setattr(parsing, "_pairs", parsing._pairs.__wrapped__)
    batch, again, other = (next(task.batches(seed, 1)) for seed in (0, 0, 1))
    source, target = task.vocabularies.values()
    for ids, due in zip(batch.source.tolist(), batch.target_out.tolist(), strict=True):
        words = source.decode(ids)
        tree = parsing.tree_over(target.decode(due), words)
        assert part(tree) == "train"
    assert batch.target_out.numel() <= task.tokens_per_batch
    assert batch.source.tolist() == again.source.tolist() != other.source.tolist()


def test_every_figure_is_of_its_own_trees(as_a_reader, monkeypatch):
    """All right as drawn and of 6 to 10 words, and no word of any other sentence."""
    bank = treebank(3, N_train=0, N_test=3, per_bucket=2)
    known = {
        tree.words: tree.bracketed for tree in (*bank.test, *bank.by_length[6, 10])
    }
    P = {
        each.tree.bracketed: each.P
        for text in parsing.SENTENCES.values()
        for each in readings(text.split())
    }
    for name, stand_in in {
        "N_MEASURED": 2,
        "treebank": lambda **_: bank,
        "translate": lambda _, said, *__, **___: [known.get(each, ()) for each in said],
        "attention_by_token": lambda _, trees, __: trees,
        "closed_right": lambda _, trees, __: trees,
        "log_probability": lambda _, pairs, *__: np.log(
            [P[each.target] for each in pairs]
        ),
    }.items():
        monkeypatch.setattr(parsing, name, stand_in)
    measured = Parsing(TINY).measure(None)
    assert measured["natural"]["f1"] == 1
    right = {name: scores["exact"] for name, scores in measured["test"].items()}
    assert right == dict.fromkeys(right, 0) | {"6-10": 1}
    assert len(right) == 6
    assert measured["looks"] == measured["closed"] == bank.test[:2]
    for name, text in parsing.SENTENCES.items():
        first, second = readings(text.split())  # two readings each
        due = {"first": first.P, "second": second.P}
        assert measured["readings"][name] == pytest.approx(due)


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
        attended = np.roll(A, -back, axis=-1)
        monkeypatch.setattr(closing, "cross_attention", lambda *_, A=attended: [A])
        found = closing.attention_by_token(
            None, [tree], tuple(task.vocabularies.values())
        )
        for what, of in due.items():
            for name, weight in of.items():
                assert found[what][name].shape == (2, 3)
                assert (found[what][name] == abs(weight - back)).all(), (what, name)
    assert found["inside"]["even_phrase"] == pytest.approx((1 + 2) / 2 / N_X)
    assert found["end"]["even_phrase"] == pytest.approx((2 + 3 + 6 + 7) / 4 / N_X)
    for what in due:
        assert found[what]["even_next"] == pytest.approx(1 / N_X)


def test_P_is_that_of_both_readings(as_a_reader, task, even):
    model, P = even
    due = [P(each.tree.bracketed) for each in readings(ELEPHANT)]
    assert task.P(model, " ".join(ELEPHANT)) == pytest.approx(due, rel=1e-3, abs=0)


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
    trees = [readings(["he", "slept"])[0].tree, tree]  # by length, as they are asked
    model = ClosesByTheNextWord(trees, words[1])
    by_next = {"nothing": 1.0, "phrase": 1.0, "next": 0.0, "everything": 0.0}
    found = closing.closed_right(model, trees, words)
    assert found == {"inside": by_next, "end": by_next}
