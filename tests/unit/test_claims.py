"""A claim shows its figure, goes to its page, and stops the build when it is wrong."""

import html
import json
import re
from types import SimpleNamespace

import pytest

from attention_book.claims import ATTRIBUTE, Claim, ClaimError, claim


def run(name, N_seeds):
    """What a claim asks of a recorded run."""
    return SimpleNamespace(
        recipe=SimpleNamespace(name=name), measured=dict.fromkeys(range(N_seeds))
    )


def test_a_claim_that_holds_returns_its_figures():
    made = claim("short", "short sentences are easy", [0.97, 0.99], at_least=0.95)
    assert made.measured == 0.98
    assert (made.lowest, made.highest, made.N_figures) == (0.97, 0.99, 2)
    assert (made.at_least, made.at_most, made.bound) == (0.95, None, "≥ 0.95")
    assert made.holds


def test_every_seed_decides_and_not_their_mean():
    with pytest.raises(ClaimError, match=r"mean 0\.80 .* 0\.60 to 1\.00"):
        claim("mean", "the mean hides a seed", [1.0, 0.6], at_least=0.7)


@pytest.mark.parametrize("figures", [[0.2, 0.5], [0.3, 0.8]])
def test_a_claim_with_two_sides_fails_on_either(figures):
    bounds = {"at_least": 0.25, "at_most": 0.75}
    assert claim("sides", "in between", [0.3, 0.7], **bounds).bound == "0.25 to 0.75"
    with pytest.raises(ClaimError, match=r"claimed 0\.25 to 0\.75"):
        claim("sides", "in between", figures, **bounds)


def test_a_large_figure_has_no_decimals():
    made = claim("a", "size at the top", [433253.47, 904042.0], at_least=1e5)
    assert made.shown == "668,648"
    assert made.span == "433,253 to 904,042"
    assert claim("b", "below", 999.994, at_least=0).shown == "999.99"


def test_nothing_has_no_sign():
    assert claim("none-lost", "Lost", [-0.0, 0.25], at_least=-1).span == "0 to 0.25"


def test_a_claim_says_where_its_figures_are_from():
    two = {"measured": [0.9, 1.0], "at_least": 0.5}
    made = claim("a", "read from two runs", **two, recorded=(run("r", 2), run("s", 2)))
    assert made.recorded == ["r", "s"]
    assert "recorded, 2 seeds, 0.90 to 1.00 · each claimed ≥ 0.5" in made._repr_html_()
    assert claim("a", "one run", **two, recorded=run("r", 2)).recorded == ["r"]
    shown = claim("a", "computed", **two)._repr_html_()
    assert "computed in this build, 2 figures, 0.90 to 1.00" in shown
    shown = claim("a", "one figure", -0.5, at_most=-0.25)._repr_html_()
    assert "computed in this build · claimed ≤ −0.25<" in shown


def test_figures_that_all_agree_are_said_once_and_large_bounds_have_commas():
    shown = claim("all", "Pairs that meet", [0.0] * 3, at_most=100_000)._repr_html_()
    assert ">0</b>" in shown
    assert "computed in this build, 3 figures · each claimed ≤ 100,000<" in shown


@pytest.mark.parametrize("bounds", [{"at_least": 0.96}, {"at_most": 0.94}])
def test_a_claim_that_does_not_hold_raises(bounds):
    with pytest.raises(ClaimError, match="claim 'broken'"):
        claim("broken", "a figure out of bounds", 0.95, **bounds)


def test_a_failure_the_book_reports_is_shown_as_one():
    made = claim("width", "a wider state rescues it", 0.1, at_least=0.9, expected=False)
    assert not made.holds
    assert "does not hold at this scale" in made._repr_html_()


def test_a_reported_failure_that_starts_to_hold_raises():
    with pytest.raises(ClaimError, match="its text must change"):
        claim("width", "a wider state rescues it", 0.95, at_least=0.9, expected=False)


def test_the_page_can_read_a_claim_back_from_its_html():
    made = claim("quotes", 'is "quoted" & <b>bold</b>', 0.001, at_most=0.5)
    shown = made._repr_html_()
    carried = re.search(rf'{ATTRIBUTE}="([^"]*)"', shown)
    assert Claim(**json.loads(html.unescape(carried.group(1)))) == made
    assert "<b>" not in shown


GOOD = {"id": "name", "text": "text", "measured": 0.5, "at_least": 0.1}


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"id": "Not A Name"}, ValueError, "id must be"),
        ({"text": " "}, ValueError, "text must say"),
        ({"measured": []}, ValueError, "measured is empty"),
        ({"measured": float("nan")}, ValueError, "measured must be finite"),
        ({"measured": [0.1, float("inf")]}, ValueError, "measured must be finite"),
        ({"measured": None}, TypeError, "measured must be a number"),
        ({"at_least": None}, ValueError, "no bound"),
        ({"at_most": 0.05}, ValueError, "at_least=0.1 is above at_most=0.05"),
        ({"at_least": float("nan")}, ValueError, "at_least must be a finite number"),
        ({"at_most": "0.9"}, ValueError, "at_most must be a finite number"),
        ({"recorded": run("r", 5)}, ValueError, "r has 5 seeds, but .* 1 figures"),
        ({"recorded": "attention-dot"}, TypeError, "recorded is 'attention-dot', exp"),
    ],
)
@pytest.mark.usefixtures("as_a_reader")
def test_a_bad_claim_names_the_argument(change, error, message):
    with pytest.raises(error, match=message):
        claim(**{**GOOD, **change})


def test_figures_have_the_digits_that_show_why_a_claim_fails():
    made = claim("short", "t", [0.989, 0.999], at_least=0.99, expected=False)
    assert "0.989 to 0.999" in made._repr_html_()
    assert "0.99 to 1.00" in claim("all", "t", [0.991, 0.999], at_least=0.99).span
