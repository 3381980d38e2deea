"""The law, its interval, and what was foretold."""

import json

import numpy as np
import pytest

from attention_book import runs
from attention_book.chapters.scale import experiments, recipes
from attention_book.chapters.scale.experiments import (
    ALPHAS,
    Estimate,
    PowerLaw,
    drawn_again,
    fit,
    foretell,
    foretold,
    outcome,
    weights,
    words_a_weight,
    write_down,
    written_down,
)
from attention_book.chapters.scale.recipes import AMOUNTS, FITTED, NEXT

N = np.array([1e3, 3e3, 1e4, 3e4, 1e5])


@pytest.mark.parametrize(
    ("L_inf", "scale", "alpha"), [(3.0, 9.0, 0.3), (0.0, 6.0, 0.08)]
)
def test_a_law_that_holds_is_found(L_inf, scale, alpha):
    law = PowerLaw(L_inf, scale, alpha)
    found = fit(N, law(N))
    assert found.alpha == pytest.approx(alpha, rel=0.012)  # the grid
    assert found.L_inf == pytest.approx(L_inf, abs=0.03)
    assert found(1e6) == pytest.approx(float(law(1e6)), abs=2e-3)


def test_no_other_floor_and_scale_fit_better():
    L = np.array([5.1, 4.7, 4.6, 4.4, 4.45])
    law = fit(N, L)
    least = ((law(N) - L) ** 2).sum()
    for alpha in ALPHAS[::20]:
        X = np.stack([np.ones(5), N**-alpha], axis=1)
        _, (error,), *_ = np.linalg.lstsq(X, L, rcond=None)
        assert error >= least - 1e-12


@pytest.mark.parametrize("L", [[5, 4, 3, 2, 1], [1, 2, 3, 4, 5.0]], ids=str)
def test_neither_floor_nor_scale_is_below_zero(L):
    law = fit(N, np.array(L, float))
    assert law.L_inf >= 0
    assert law.scale >= 0
    if L[0] < L[-1]:
        assert (law(N) == 3).all()  # flat, at the mean
    else:
        x = N**-law.alpha  # through 0: no residual along x
        assert law.L_inf == 0
        assert (x * (law(N) - L)).sum() == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("L", "found"),
    [
        (PowerLaw(3.0, 9.0, 0.3)(N), True),
        ([5, 4, 4, 4, 4], False),  # one step, then flat: as steep as can be
        ([9, 7, 5, 3, 1], True),
    ],
)
def test_an_exponent_at_the_end_of_what_was_tried_is_not_found(L, found):
    assert fit(N, np.array(L, float)).is_found == found


def test_with_few_words_no_exponent_is_found_and_with_more_there_is_one():
    assert {name: outcome(name).law.is_found for name in AMOUNTS} == {
        "25k": False,
        "100k": True,
        "all": True,
    }


def test_the_rise_at_the_fifth_size_alone_hides_the_exponent():
    found = outcome("25k")
    N, L = found.weights[:5], found.losses[:, :5].mean(axis=0)
    flat = fit(N, np.array([*L[:4], L[3]]))
    assert fit(N[:4], L[:4]).is_found
    assert flat.is_found
    assert not fit(N, L).is_found


def test_many_fits_are_each_their_own():
    some = np.array([[5, 4.5, 4.2, 4, 3.9], [3, 2.9, 2.5, 2.4, 2.1]])
    both = fit(N, some)
    for row, L in enumerate(some):
        alone = fit(N, L)
        each = both.L_inf[row], both.scale[row], both.alpha[row]
        assert each == (alone.L_inf, alone.scale, alone.alpha)


def test_seeds_are_drawn_again_within_their_size():
    L = np.array([[0, 10, 20], [1, 11, 21], [2, 12, 22.0]])
    drawn = drawn_again(L, 4000) - [0, 10, 20]
    assert drawn.min() == 0
    assert drawn.max() == 2
    assert len({*drawn[:, 0].round(5)}) == 7  # sums of three from 0, 1, 2
    variance = L[:, 0].var() / 3
    assert drawn.var(axis=0) == pytest.approx([variance] * 3, rel=0.1)
    assert abs(np.corrcoef(drawn.T) - np.eye(3)).max() < 0.06


def test_without_chance_the_interval_is_a_point():
    law = PowerLaw(3.0, 9.0, 0.3)
    alike = np.tile(law(N), (3, 1))
    found = foretell(N, alike, 300_000)
    assert found["loss"].value == pytest.approx(float(law(300_000)), abs=1e-3)
    for value, low, high in found.values():
        assert low == pytest.approx(value)
        assert high == pytest.approx(value)


def test_the_interval_holds_what_most_draws_say():
    rng = np.random.default_rng(1)
    L = 3 + 9 * N**-0.3 + 0.02 * rng.standard_normal((3, 5))
    found = foretell(N, L, 300_000)
    laws = fit(N, drawn_again(L))
    for name, draws in (("loss", laws(300_000)), ("alpha", laws.alpha)):
        _, low, high = found[name]
        assert np.mean((low <= draws) & (draws <= high)) == pytest.approx(
            0.95, abs=0.02
        )
        assert np.mean(draws < low) == pytest.approx(0.025, abs=0.01)


def test_an_interval_has_its_ends():
    assert Estimate(2, 1, 3).holds(1)
    assert Estimate(2, 1, 3).holds(3)
    assert not Estimate(2, 1, 3).holds(0.9)
    assert not Estimate(2, 1, 3).holds(3.1)


def test_weights_are_those_that_were_recorded():
    for D in (*FITTED, NEXT):
        found = runs.load(recipes.name("all", D)).per_seed("weights")
        assert {*found} == {weights(D)}


def test_words_a_weight_count_all_weights_and_all_words_read():
    read = 480 * 16 * 64
    for D, each in words_a_weight().items():
        assert each == pytest.approx(read / (weights(D) + (1000 + 64) * D))


@pytest.mark.parametrize("amount", AMOUNTS)
def test_what_was_written_down_is_what_the_fitted_sizes_foretell(amount):
    now, then = foretold(amount), written_down()[amount]
    assert now.keys() == then.keys()
    for name, figures in then.items():
        assert now[name] == pytest.approx(figures, abs=0.005)


def test_what_is_written_down_can_be_read(tmp_path, monkeypatch):
    said = {"loss": Estimate(2.0, 1.0, 3.0)}
    monkeypatch.setattr(experiments, "WRITTEN_DOWN", tmp_path / "foretold.json")
    monkeypatch.setattr(experiments, "foretold", lambda amount: said)
    write_down()
    assert json.loads((tmp_path / "foretold.json").read_text()).keys() == AMOUNTS.keys()
    assert written_down.__wrapped__() == dict.fromkeys(AMOUNTS, said)
    with pytest.raises(FileExistsError):
        write_down()


@pytest.mark.parametrize("amount", AMOUNTS)
def test_an_outcome_is_fitted_to_all_sizes_but_the_last(amount):
    found = outcome(amount)
    assert found.losses.shape == (3, len(FITTED) + 1)
    value, low, high = found.forecast["loss"]
    assert found.law(found.weights[-1]) == pytest.approx(value, abs=0.001)
    assert found.measured == pytest.approx(found.losses[:, -1].mean())
    assert found.inside == (low <= found.measured <= high)
