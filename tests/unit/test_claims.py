"""A claim shows its figure, goes to its page, and stops the build when it is wrong."""

import html
import json
import re

import pytest

from attention_book.claims import ATTRIBUTE, Claim, ClaimError, claim


def test_a_claim_that_holds_returns_its_figure():
    made = claim("short", "short sentences are easy", [0.97, 0.99], at_least=0.95)
    assert (made.measured, made.bound, made.relation, made.holds, made.seeds) == (
        0.98,
        0.95,
        "≥",
        True,
        2,
    )


def test_the_mean_over_seeds_decides():
    with pytest.raises(ClaimError, match=r"0\.50"):
        claim("mean", "one good seed is not enough", [0.99, 0.01], at_least=0.6)


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
        ({"at_least": None}, ValueError, "exactly one"),
        ({"at_most": 0.9}, ValueError, "exactly one"),
        ({"at_least": float("nan")}, ValueError, "bound must be a finite number"),
    ],
)
@pytest.mark.usefixtures("as_a_reader")
def test_a_bad_claim_names_the_argument(change, error, message):
    with pytest.raises(error, match=message):
        claim(**{**GOOD, **change})
