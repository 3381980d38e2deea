"""NormByHand is the reference's norm, and what its buttons are there to show holds.
DeepStack shows each stack where its name stands.
"""

from itertools import product

import numpy as np
import pytest

from attention_book import runs
from attention_book.chapters.norm_and_residuals import experiments
from attention_book.chapters.norm_and_residuals.deep_stack import SHOWN, Measured
from attention_book.chapters.norm_and_residuals.deep_stack import (
    deep_stack as make_deep_stack,
)
from attention_book.chapters.norm_and_residuals.norm_by_hand import (
    BETA,
    GAMMA,
    PRESETS,
    REACH,
)
from attention_book.chapters.norm_and_residuals.recipes import NORMS, RECORDED, STARTS
from attention_book.chapters.norm_and_residuals.widgets import deep_stack, norm_by_hand
from attention_book.reference import layer_norm


def shown(widget):
    """What the panel shows: x, z and y."""
    fields = widget.panels[0].fields
    return [fields[f"v{k}"].at(widget.index) for k in range(3)]


def z_of(preset):
    widget = norm_by_hand()
    widget.setting = {"x": PRESETS[preset]}
    return shown(widget)[1]


@pytest.mark.parametrize("gamma", [0.0, 0.75, 1.25])
@pytest.mark.parametrize("x", [*PRESETS.values(), np.full(6, -4.0), np.arange(6) / 10])
def test_z_and_y_are_those_of_the_reference(x, gamma):
    widget = norm_by_hand()
    widget.setting = {"x": x, GAMMA: gamma, BETA: -0.25}
    right = [
        layer_norm(np.array(x), np.full(6, g), np.full(6, b))
        for g, b in ((1.0, 0.0), (gamma, -0.25))
    ]
    np.testing.assert_allclose(shown(widget), [x, *right], rtol=0, atol=1e-12)


def test_a_tenth_of_all_numbers_and_three_more_change_what_comes_out_by_epsilon():
    start = z_of("at the start")
    np.testing.assert_allclose(z_of("+ 3"), start, rtol=0, atol=1e-12)
    assert 0 < abs(z_of("÷ 10") - start).max() < 2e-5


def test_one_outlier_makes_all_others_nearly_alike():
    others = np.arange(6) != 2
    start, outlier = (z_of(name)[others] for name in ("at the start", "one outlier"))
    assert (outlier < 0).all()
    assert np.ptp(outlier) < 0.2 * np.ptp(start)


def test_no_bar_of_z_or_y_is_ever_cut_off():
    widget = norm_by_hand()
    sliders = {each.name: each.values for each in widget.controls[:2]}
    limits = [each["limits"] for each in widget.panels[0].options["vectors"]]
    for end in (max, min):
        outlier = np.full(6, -end(-REACH, REACH))  # one of six as far off as can be
        outlier[2] = end(-REACH, REACH)
        widget.setting = {
            "x": outlier,
            GAMMA: max(sliders[GAMMA]),
            BETA: end(sliders[BETA]),
        }
        drawn = shown(widget)
        assert abs(drawn[1]).max() > 2.2
        for values, (low, high) in zip(drawn, limits, strict=True):
            assert low <= min(values)
            assert max(values) <= high


def test_it_opens_with_a_norm_that_neither_scales_nor_shifts_and_fits_a_screen():
    widget = norm_by_hand()
    x, z, y = shown(widget)
    np.testing.assert_array_equal(z, y)
    assert abs(x).max() > 3 * abs(z).max()
    wide, narrow = widget.spec["height"]
    assert wide <= 620
    assert narrow <= 760


STEPS = 3 * np.arange(20.0) + 1  # the middles of three steps each, from 0


def made_up(alone=4.0):
    """A deep stack of numbers that say which setting they belong to."""
    stacks, shares = {}, {}
    for k, (name, N, start) in enumerate(RECORDED):
        losses = 3 + k / 100 + np.array([[0.0], [0.2], [0.1]]) + np.zeros(20)
        apart = np.array([[1.0], [0.5], [1.5]])
        sizes, gradients = (1.0 + k) * apart + np.zeros(N + 1), apart + k + np.zeros(N)
        shares[name, N, start] = k
        stacks[name, N, start] = Measured(
            sizes, gradients, STEPS, losses, losses[:, 0] + 1
        )
    return make_deep_stack(stacks, alone), shares


def curves(widget, panel, field="y"):
    """The curves that are there, by colour."""
    fields = widget.panels[panel].fields
    every = [fields[f"{field}{k}"].at(widget.index) for k in range(4)]
    return [each for each in every if len(each)]


def shown_names(widget, panel):
    """Their names in the legend, by colour; an absent one has none."""
    fields, names = widget.panels[panel].fields, widget.panels[panel].options["names"]
    return {
        k: fields[f"n{k}"].at(widget.index) if f"n{k}" in fields else name
        for k, name in enumerate(names)
        if len(fields[f"y{k}"].at(widget.index))
    }


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("stack", SHOWN)
def test_each_curve_is_of_the_stack_that_its_name_says(stack, start):
    widget, shares = made_up()
    widget.setting = {"stack": stack, "initial weights": start}
    cut = "cut" in stack
    N = int(stack.split()[0])
    names = ("none-cut", "pre", "pre-cut") if cut else NORMS
    k = np.array([shares[name, N, start] for name in names])
    sizes, gradients, mean = (curves(widget, panel) for panel in range(3))
    assert {len(each) for each in sizes} == {N + 1}
    assert {len(each) for each in gradients} == {N}
    assert [each[-1] for each in sizes] == (1.0 + k).tolist()
    assert [each[0] for each in gradients] == (1.0 + k).tolist()
    for panel, share in ((0, 0.5 * (1 + k)), (1, 0.5 + k)):
        assert [each[0] for each in curves(widget, panel, "low")] == share.tolist()
    for field, losses in (("low", 3 + k / 100), ("high", 3.2 + k / 100)):
        got = [each[1] for each in curves(widget, 2, field)]
        np.testing.assert_allclose(got, losses, rtol=1e-6)
    np.testing.assert_allclose([each[2] for each in mean], 3.1 + k / 100, rtol=1e-6)
    called = list(shown_names(widget, 2).values())[:-1]
    ends = [f"{4 + i / 100:.2f}–{4.2 + i / 100:.2f}" for i in k]
    said = "; ".join(f"{a} {b}" for a, b in zip(called, ends, strict=True))
    field = widget.spec["summary"]
    at = widget.index[0] * len(STARTS) + widget.index[1]
    assert field["of"][at] == f"Unseen, in nats: {said}."


def test_a_point_of_a_loss_is_the_mean_of_five_at_the_middle_ones_step():
    widget, _ = made_up()
    fields = widget.panels[2].fields
    assert fields["x"].at(widget.index).tolist() == [8, 23, 38, 53]
    losses = np.tile([[0.0], [1.0], [5.0]], 20) + np.arange(20.0)
    alike = {
        (name, N, start): Measured(
            np.ones((3, N + 1)), np.ones((3, N)), STEPS, losses, np.ones(3)
        )
        for name, N, start in made_up()[1]
    }
    widget = make_deep_stack(alike, 4.0)
    assert curves(widget, 2)[0].tolist() == [4, 9, 14, 19]
    assert curves(widget, 2, "low")[0].tolist() == [2, 7, 12, 17]
    assert curves(widget, 2, "high")[0].tolist() == [7, 12, 17, 22]


def test_the_lazy_base_line_lies_beside_the_losses():
    widget, _ = made_up(alone=4.26)
    fields = widget.panels[2].fields
    assert fields["y4"].at(widget.index).tolist() == [4.26] * 4
    assert fields["n4"].at(widget.index) == "frequencies"
    assert widget.panels[2].options["behind"] == 4


@pytest.mark.parametrize("stack", SHOWN)
def test_a_colour_is_one_kind_of_stack_and_residuals_that_lack_are_named(stack):
    widget, _ = made_up()
    widget.setting = {"stack": stack}
    cut = "cut" in stack
    named = ["no norm, cut" if cut else "no norm"]
    named += (
        ["pre-norm, not cut", "pre-norm, cut"] if cut else ["post-norm", "pre-norm"]
    )
    here = [0, 2, 3] if cut else [0, 1, 2]
    for panel in range(3):
        names = shown_names(widget, panel)
        names.pop(4, None)
        assert names == dict(zip(here, named, strict=True))


def test_both_axes_of_the_start_say_what_is_measured():
    labels = [panel.options["y_label"] for panel in made_up()[0].panels[:2]]
    assert labels == ["root mean square", "length of the gradient"]


def test_the_deep_stack_opens_at_twelve_blocks_and_fits_a_screen():
    widget, _ = made_up()
    assert widget.setting == {
        "stack": "12 blocks",
        "initial weights": "full",
    }
    wide, narrow = widget.spec["height"]
    assert wide <= 620
    assert narrow <= 760


def test_each_recorded_stack_is_drawn_where_its_name_stands_and_nothing_is_cut_off():
    widget = deep_stack()
    for start, (choice, shown_there) in product(STARTS, SHOWN.items()):
        widget.setting = {"stack": choice, "initial weights": start}
        for norm, (_, stack, N) in shown_there.items():
            fresh = [experiments.at_start(stack, N, start, seed) for seed in (0, 1, 2)]
            run = runs.load(f"deep-{stack}-{N}-{start}")
            k = ("none", "post", "pre", "pre-cut").index(norm)
            size, gradient, loss = (
                panel.fields[f"y{k}"].at(widget.index) for panel in widget.panels
            )
            due = (
                np.mean([each.sizes[-1] for each in fresh]),
                np.mean([each.gradients[0] for each in fresh]),
                np.mean([curve.loss[:5].mean() for curve in run.curves.values()]),
            )
            np.testing.assert_allclose((size[-1], gradient[0], loss[0]), due, rtol=1e-5)
    for panel in widget.panels[:2]:
        assert panel.options["beyond"] == [False, False]


def test_scale_and_shift_are_said_to_be_the_same_for_all_features():
    for control in norm_by_hand().controls[:2]:
        assert control.name.endswith("(here one for all)")
