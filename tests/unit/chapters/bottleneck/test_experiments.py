"""Chapter 1's experiments measure what they say, on cases that can be done by hand."""

from itertools import pairwise

import numpy as np
import pytest
import torch

from attention_book import data, layers, reference
from attention_book.chapters.bottleneck import experiments


def test_a_trace_starts_at_one_and_a_cell_without_memory_loses_it():
    def forgetful(x_t, h_prev, W_x, W_h, b):
        return x_t @ W_x + b

    trace = experiments.fading(forgetful, ["b"], N_X=4, N_draws=3)
    np.testing.assert_array_equal(trace, [[1, 0, 0, 0]] * 3)


def test_a_cell_that_only_adds_keeps_the_whole_trace():
    def adding(x_t, h_prev, W_x, W_h, b):
        return h_prev + x_t @ W_x + b

    trace = experiments.fading(adding, ["b"], D_H=8, N_X=5, N_draws=2)
    np.testing.assert_allclose(trace, np.ones((2, 5)))


def test_every_draw_has_weights_of_its_own_within_the_edges_of_a_fresh_gru():
    seen = []

    def looking(x_t, h_prev, W_x, W_h, b):
        seen.append(W_h)
        return h_prev + x_t @ W_x

    experiments.fading(looking, ["b"], D_H=16, N_X=2, N_draws=3, N_sentences=1)
    drawn = [W_h for W_h, after in pairwise(seen) if W_h is not after]
    assert len(drawn) == 2  # and the last, which has none after it
    assert 0.2 < np.abs(seen).max() <= 0.25
    fresh = layers.GRU(16, 16)
    largest = max(weight.abs().max().item() for weight in fresh.parameters())
    assert 0.2 < largest <= 0.25


def test_gates_need_three_blocks_of_columns():
    both = {"biases": ["b_x", "b_h"], "N_blocks": 3, "N_X": 6, "N_draws": 2}
    trace = experiments.fading(reference.gru_cell, **both)
    assert trace.shape == (2, 6)
    assert (np.diff(trace.mean(axis=0)) < 0).all()


@pytest.mark.parametrize(
    ("right", "length"),
    [([1.0, 0.75, 0.25], 15), ([0.5, 0.0, 0.0], 4), ([1, 1, 0], 15)],
)
def test_half_are_right_between_the_measured_lengths(right, length):
    found = experiments.half_right([4, 10, 20], np.array(right, dtype=float))
    assert found == pytest.approx(length)


@pytest.mark.parametrize("right", [[0.4, 0.1], [0.9, 0.5]])
def test_a_curve_that_does_not_cross_a_half_is_refused(right):
    with pytest.raises(ValueError, match=r"right goes from 0\.\d0 to 0\.\d0"):
        experiments.half_right([1, 2], np.array(right))


def test_words_are_right_up_to_the_first_error():
    right, said = ["abcd", "ab", "a"], ["abxd", "ab", "ab"]  # a letter is a word
    shares = [experiments.share_right(said, right, N) for N in (1, 2, 3, 99)]
    assert shares == pytest.approx([1, 2 / 3, 1 / 3, 1 / 3])


def test_exact_match_has_a_figure_for_each_bucket():
    pair = data.Pair(("a",), ("x", "y"), frozenset())
    test = {(1, 1): [pair, pair], (2, 3): [pair]}
    outputs = {(1, 1): [("x", "y"), ("x",)], (2, 3): [("x", "y")]}
    assert experiments.exact_by_length(outputs, test) == [0.5, 1.0]


def test_entropy_of_words():
    assert experiments.bits_per_word("aabb") == 1
    assert experiments.bits_per_word("aabc") == 1.5
    assert experiments.bits_per_word(["one"]) == 0


def test_what_is_written_by_hand_is_decoded_and_the_source_read_backwards():
    source, target = data.Vocabulary([*"ab"]), data.Vocabulary([*"xyz"])
    read = []

    def write(model, ids, visible):
        read.append((model, ids.tolist(), visible.tolist()))
        return torch.tensor([[*target.encode(["y", "x"]), data.STOP, 4]])

    pair = data.Pair(("a", "b"), ("x",), frozenset())
    outputs = experiments.written(write, "model", {(1, 2): [pair]}, (source, target))
    assert outputs == {(1, 2): [("y", "x")]}
    backwards = [*source.encode(["b", "a"]), data.STOP]
    assert read == [("model", [backwards], [[True] * 3])]


def test_programs_are_looked_at_closer_each_for_itself():
    source, target = data.Vocabulary([*"ab"]), data.Vocabulary([*"xyz"])
    pairs = [data.Pair((*"ab",), said, frozenset()) for said in (("x",), ("x", "y"))]

    def always(*words):
        ids = torch.tensor([[*target.encode(words), data.STOP]])
        return lambda model, source, visible: ids.expand(len(source), -1)

    def model(source, visible, read):
        after = torch.tensor([0, 3, 0, data.STOP, data.STOP, 0])  # START x STOP, y STOP
        return torch.nn.functional.one_hot(after[read], 6).float()

    programs = {"x": always("x"), "x y": always("x", "y"), "y": always("y")}
    seen = experiments.look_closer(programs, model, pairs, (source, target))
    assert {name: [*shares.values()] for name, shares in seen.items()} == {
        "x": [1, 0.5, 1],
        "x y": [1, 0.5, 0],  # after x the model would have stopped
        "y": [0, 0, 0],
    }
    assert [*seen["x"]] == ["first word right", "all right", "the two ways agree"]
