"""What chapter 16 says that its figures show, they show."""

import re
from functools import cache

import numpy as np
import pytest

from attention_book.chapters.scale import napkin
from attention_book.chapters.scale.experiments import outcome
from attention_book.chapters.scale.published import models
from attention_book.chapters.scale.recipes import SAID
from attention_book.chapters.scale.said import power, rounded
from attention_book.chapters.scale.widgets import (
    NONE,
    SHARES,
    SHOWN,
    TOKENS,
    next_size,
    on_a_napkin,
)

UNITS = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
UNITS |= {"MB": 1e6, "GB": 1e9, "TB": 1e12, "hours": 1, "days": 24, "years": 24 * 365}
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def number(said):
    """The number that a chip says, such as "3.14 · 10²³ operations"."""
    first, *rest = said.strip("$").replace(",", "").split()
    if rest[:1] == ["·"]:
        return float(f"{first}e{rest[1][2:].translate(RAISED)}")
    return float(first) * UNITS.get(rest[0], 1) if rest else float(first)


@cache
def opened(make):
    """A widget, which takes a while to make, and the setting that it opens in."""
    widget = make()
    return widget, widget.setting


def at(make, **setting):
    """That widget in another setting."""
    widget, opens = opened(make)
    widget.setting = opens | setting
    return widget


def on_the_page(**setting):
    widget = at(on_a_napkin, **setting)
    chips = widget.panels[0].fields["words"].at(widget.index)
    told = re.findall(r"[\d.]+ [MGT]B", widget.summary)
    return [[number(said) for said in each] for each in (chips, told)]


def points(**setting):
    """The points of the napkin: name -> its weights and tokens read, in billions."""
    widget = at(on_a_napkin, **setting)
    x, y, names, yours = (
        widget.panels[1].fields[name].at(widget.index)
        for name in ("x", "y0", "t", "m0")
    )
    found = dict(zip(names, zip(x, y, strict=True), strict=True))
    assert found["yours"][0] == yours[0]
    return found


@pytest.mark.parametrize("layers", [12, 72, 96])
@pytest.mark.parametrize("width", [512, 3072, 12_288])
@pytest.mark.parametrize(
    ("words", "read", "share"), [(50_257, 2.5e9, "16.2 %"), (30_522, 300e9, "50 %")]
)
def test_the_page_says_what_the_napkin_says(layers, width, words, read, share):
    W = 12 * layers * width**2 + words * width
    hours = napkin.hours(napkin.napkin_training(W, read), 125e12, SHARES[share])
    cache = 2 * 2 * 2048 * layers * width
    due = [[W, 6 * W * read, hours, hours * 31.212 / 8], [2 * W, 16 * W, cache]]
    setting = {
        "layers": layers,
        "width": f"{width:,}",
        "words in the table": f"{words:,}",
        "tokens read": rounded(read, {" trillion": 1e12, " billion": 1e9}),
        "share of the peak": share,
    }
    for one, other in zip(on_the_page(**setting), due, strict=True):
        assert one == pytest.approx(other, rel=0.006)  # three digits
    assert points(**setting)["yours"] == pytest.approx((W / 1e9, read / 1e9))


def test_it_opens_with_gpt_3():
    (weights, work, hours, dollars), (use, train, cache) = on_the_page()
    assert (weights, work) == (175e9, 3.14e23)
    assert (use, train, cache) == (349e9, 2.79e12, 9.66e9)
    assert at(on_a_napkin).summary.endswith("AV add 2.8% to a block.")
    (*_, shorter) = on_the_page(**{"context length": "512"})[1]
    assert shorter == pytest.approx(cache / 4, rel=0.006)
    assert at(on_a_napkin, **{"context length": "512"}).summary.endswith(
        "AV add 0.7% to a block."
    )
    assert (hours / (365 * 24), dollars) == (405, 13.8e6)


def test_what_is_read_out_is_what_the_page_shows():
    setting = {"layers": 12, "width": "768", "tokens read": "128 billion"}
    widget = at(on_a_napkin, **setting)
    weights, _, time, cost = widget.panels[0].fields["words"].at(widget.index)
    heard = widget._aloud.at(widget.index)
    assert heard == f"{weights}; training takes {time} and costs {cost}."


@pytest.mark.parametrize("layers", [12, 96])
def test_a_published_model_whose_tokens_are_known_is_a_point(layers):
    found = points(layers=layers)
    known = {name: each for name, each in models().items() if each.tokens}
    assert {*models()} - {*known} == {"GPT-2"}
    assert {*found} == {*known, "yours"}
    for name, model in known.items():
        assert found[name] == (model.weights / 1e9, model.tokens / 1e9)
        assert model.tokens in TOKENS.values()


@pytest.mark.parametrize(
    ("x", "says"),
    [
        (1.0, "1.00"),
        (63.1, "63.1"),
        (999.4, "999"),
        (0.25, "0.250"),
        (12_345, "12,300"),
        (99.99, "100"),
        (999.9, "1,000"),
    ],
)
def test_three_digits_count(x, says):
    assert rounded(1e6 * x, {" million": 1e6}) == f"{says} million"


def test_powers_are_written_with_their_exponent():
    assert power(3.142e23) == "3.14 · 10²³"
    assert power(3.14e5) == "3.14 · 10⁵"
    assert power(0.05) == "5.00 · 10⁻²"
    assert power(1e10) == "1.00 · 10¹⁰"


def shown(words, step, guess="4.00"):
    widget = at(next_size, **{"show": f"{words} words{step}", "your guess": guess})
    fields = widget.panels[0].fields
    return widget.summary, [fields[name].at(widget.index) for name in fields]


@pytest.mark.parametrize(("amount", "words"), SAID.items())
@pytest.mark.parametrize("guess", [NONE, "4.50"])
def test_the_forecast_comes_after_the_guess_and_the_outcome_last(amount, words, guess):
    found = outcome(amount)
    five = found.losses.mean(axis=0)[:-1]
    curves = [shown(words, step, guess)[1] for step in SHOWN]
    for step, (_, guessed, measured, law, *ends) in enumerate(curves):
        step *= guess != NONE
        assert guessed == pytest.approx([*five] + [4.5] * (guess != NONE))
        for each in (law, *ends):
            assert len(each) == (6 if step else 0)
        assert len(measured) == (6 if step == 2 else 0)
    if guess == NONE:
        return
    _, _, measured, law, low, high = curves[-1]
    assert measured[-1] == found.measured
    assert [law[-1], low[-1], high[-1]] == pytest.approx(
        found.forecast["loss"], abs=0.001
    )
    np.testing.assert_array_equal(low[:-1], high[:-1])


@pytest.mark.parametrize(
    ("words", "where", "numbers"),
    [
        ("25,000", "outside", "4.405 4.389 4.421 4.671"),
        ("100,000", "outside", "3.713 3.690 3.737 3.745"),
        ("313,000", "inside", "3.656 3.632 3.678 3.663"),
    ],
)
def test_it_says_what_was_foretold_and_what_came_of_it(words, where, numbers):
    said, _ = shown(words, SHOWN[2])
    *told, off = re.findall(r"\d\.\d+", said)
    assert told == numbers.split()
    assert f", {where} it." in said
    assert float(off) == pytest.approx(abs(4 - float(told[-1])), abs=0.006)
    assert "Measured" not in shown(words, SHOWN[1])[0]
    assert re.findall(r"[\d.]*\d", shown(words, SHOWN[0])[0]) == ["4.00"]
    assert not re.search(r"\d", shown(words, SHOWN[2], NONE)[0])
