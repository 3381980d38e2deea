"""What the text says of the race and of the cost curves, through figures and layers."""

import numpy as np
import pytest
import torch

from attention_book import layers, models
from attention_book.chapters.attention.recipes import RECIPES
from attention_book.chapters.three_ways.tasks import NAMES
from attention_book.chapters.three_ways.widgets import (
    LENGTHS,
    SENTENCE,
    SIZES,
    cost_curves,
    race,
)

LESS = SENTENCE.rsplit(" ", 1)[0]


def shown(sentence, step):
    """What is computed, and the answers that are there (None where none is)."""
    widget = race(sentence, step)
    done, P = (panel.fields["values"].at(widget.index) for panel in widget.panels)
    said = [NAMES[row.argmax()] if row.any() else None for row in P]
    return done, said, P


def test_attention_answers_first_the_convolution_after_four_steps_the_gru_last():
    first = {}
    for step in range(1, 18):
        _, said, _ = shown(SENTENCE, step)
        for k, name in enumerate(said):
            if name:
                first.setdefault(k, (step, name))
    assert first == {2: (1, "anna"), 1: (4, "anna"), 0: (13, "anna")}
    done, _, _ = shown(SENTENCE, 3)
    np.testing.assert_array_equal(done[:, :4], [[1, 1, 1, 0], [0.75] * 4, [1] * 4])


def test_with_another_length_the_convolution_names_somebody_who_is_not_there():
    _, said, P = shown(LESS, 17)
    assert said == ["anna", "gus", "anna"]
    assert P[1].max() > 0.99
    _, said, _ = shown(f"{SENTENCE} then", 17)
    assert (said[0], said[2]) == ("anna", "anna")
    assert said[1] != "anna"


@pytest.mark.parametrize("name", NAMES)
def test_all_three_know_each_name_over_twelve_words(name):
    _, said, _ = shown(SENTENCE.replace("anna", name), 17)
    assert said == [name] * 3


def test_the_curves_are_the_counts_of_the_layers():
    widget = cost_curves()
    widget.setting = {"width d": "16"}
    made = [
        layers.GRU(16, 16),
        layers.Convolution(16, 16, 3),
        layers.SelfAttention(16, 16, 16),
        layers.WindowSelfAttention(16, 16, 16, 16),
    ]
    for k, layer in enumerate(made):
        curve = widget.panels[0].fields[f"y{k}"].at(widget.index)
        counted = [models.N_products(layer, torch.randn(1, n, 16)) for n in LENGTHS]
        np.testing.assert_allclose(curve * 16**2 * LENGTHS, counted)


def test_at_both_sizes_the_square_is_about_a_tenth_of_the_work():
    for n, d in SIZES.values():
        assert 2 * n**2 * d / (2 * n**2 * d + 3 * n * d**2) == pytest.approx(
            0.1, abs=0.02
        )
    (dot,) = (each for each in RECIPES if each.name == "attention-dot")
    task = dot.task
    assert SIZES["chapter 2"] == (task.longest_source, task.sizes["D_hidden"])
