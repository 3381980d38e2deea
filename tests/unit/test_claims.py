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
    assert (made.at_least, made.at_most, made.bound) == (0.95, None, "at least 0.95")
    assert made.holds


def test_every_seed_decides_and_not_their_mean():
    with pytest.raises(ClaimError, match=r"0\.60 to 1\.00 \(claimed at least 0\.7"):
        claim("mean", "the mean hides a seed", [1.0, 0.6], at_least=0.7)


@pytest.mark.parametrize("figures", [[0.2, 0.5], [0.3, 0.8]])
def test_a_claim_with_two_sides_fails_on_either(figures):
    bounds = {"at_least": 0.25, "at_most": 0.75}
    assert claim("sides", "in between", [0.3, 0.7], **bounds).bound == "0.25 to 0.75"
    with pytest.raises(ClaimError, match=r"claimed 0\.25 to 0\.75"):
        claim("sides", "in between", figures, **bounds)


FIVE, TWO, HERE = (
    " · recorded, 5 seeds",
    " · recorded, 2 seeds",
    " · computed in this build",
)


@pytest.mark.parametrize(
    ("measured", "at_least", "at_most", "seeds", "shown", "said"),
    [
        # recorded, one a seed: their mean, which is not rounded to an end of the range
        ([0.9, 0.8], 0.5, None, 2, "mean 0.85",
         "claimed at least 0.5 in each seed: 0.80 to 0.90" + TWO),
        ([1, 1, 1, 1, 0.98], 0.98, None, 5, "mean 0.996",
         "claimed at least 0.98 in each seed: 0.98 to 1.00" + FIVE),
        ([0.99] * 5, 0.9, None, 5, "0.99", "claimed at least 0.9 in each seed" + FIVE),
        # all of them right: a share
        ([1.0] * 5, 1, None, 5, "100 %", "as claimed in each seed" + FIVE),
        (1.0, 1, None, 0, "100 %", "as claimed" + HERE),
        ([1.0] * 5, 0.95, 1, 5, "1.00", "claimed 0.95 to 1 in each seed" + FIVE),
        # computed: maybe unlike things, which have no mean
        ([0.23, 1.8], None, 2, 0, "0.23 to 1.80", "claimed at most 2 for both" + HERE),
        ([0.2, 0.5, 0.3], 0.1, 0.6, 0, "0.20 to 0.50",
         "claimed 0.1 to 0.6 for all 3 numbers" + HERE),
        (-0.5, None, -0.25, 0, "−0.50", "claimed at most −0.25" + HERE),
        ([3e-16, 2e-07], None, 1e-5, 0, "3e−16 to 2e−7",
         "claimed at most 1e−5 for both" + HERE),
        ([433253.47, 904042.0], 1e5, None, 0, "433,253 to 904,042",
         "claimed at least 100,000 for both" + HERE),
        (999.994, 0, None, 0, "999.99", "claimed at least 0" + HERE),
        ([-0.0, 0.25], -1, None, 0, "0 to 0.25", "claimed at least −1 for both" + HERE),
        # counts
        ([42, 42], 42, None, 0, "42", "as claimed for both" + HERE),
        ([0] * 3, 0, 0, 0, "0", "as claimed for all 3 numbers" + HERE),
        ([1, 1, 1], 1, 1, 0, "1", "as claimed for all 3 numbers" + HERE),
        ([0, 2], 0, 2, 2, "0 to 2", "claimed 0 to 2 in each seed" + TWO),
        ([7, 9], 3, None, 2, "7 to 9", "claimed at least 3 in each seed" + TWO),
    ],
)  # fmt: skip
def test_a_claim_speaks_english(measured, at_least, at_most, seeds, shown, said):
    recorded = run("r", seeds) if seeds else ()
    bounds = {"at_least": at_least, "at_most": at_most, "recorded": recorded}
    made = claim("a", "figures", measured, **bounds)
    assert f">{shown}</b>" in made._repr_html_()
    assert f">{said}</span>" in made._repr_html_()
    assert str(made) == f"figures: {shown} ({said}): holds"


def test_a_bound_of_one_number_says_so():
    made = claim("a", "equal", 0.5, at_least=0, at_most=0, expected=False)
    assert "claimed exactly 0 · computed" in made._repr_html_()


def test_a_claim_names_its_runs():
    two = {"measured": [0.9, 1.0], "at_least": 0.5}
    made = claim("a", "read from two runs", **two, recorded=(run("r", 2), run("s", 2)))
    assert made.recorded == ["r", "s"]
    assert claim("a", "one run", **two, recorded=run("r", 2)).recorded == ["r"]


@pytest.mark.parametrize("bounds", [{"at_least": 0.96}, {"at_most": 0.94}])
def test_a_claim_that_does_not_hold_raises(bounds):
    with pytest.raises(ClaimError, match="claim 'broken'"):
        claim("broken", "a figure out of bounds", 0.95, **bounds)


def test_a_failure_the_book_reports_is_shown_as_one():
    made = claim("width", "a wider state rescues it", 0.1, at_least=0.9, expected=False)
    assert not made.holds
    assert "does not hold here" in made._repr_html_()


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
