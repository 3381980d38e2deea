"""The kill matrix: every mutant is named; what is right, accepted."""

from html import escape

import pytest

from attention_book.zoo import CHECKS, Trial, guide, matrix, sources

MUTANTS = [
    pytest.param(name, m, id=f"{name}: {m.name}")
    for name, check in CHECKS.items()
    for m in check.mutants
]


@pytest.mark.parametrize(("name", "mutant"), MUTANTS)
def test_a_mutant_is_caught_and_named(name, mutant):
    check = CHECKS[name]
    verdict = check(mutant.of(check.reference))
    assert verdict.state == "wrong"
    assert verdict.diagnosis == mutant.name
    assert verdict.says == mutant.says
    assert len(mutant.shown) > 10


@pytest.mark.parametrize("name", CHECKS)
def test_a_check_accepts_our_own_and_knows_mistakes_or_laws(name):
    check = CHECKS[name]
    assert check(check.reference)
    assert check.mutants or check.laws


def test_a_mutant_must_be_caught_and_named():
    check = CHECKS["softmax"]
    mutant, another = check.mutants[:2]
    verdict = check(mutant.of(check.reference))
    assert Trial("softmax", mutant.name, mutant, verdict).as_it_should_be
    caught_as_another = Trial("softmax", another.name, another, verdict)
    assert not caught_as_another.as_it_should_be
    accepted = Trial("softmax", mutant.name, mutant, check(check.reference))
    assert not accepted.as_it_should_be
    assert not Trial("softmax", "a right one", None, verdict).as_it_should_be


def test_the_matrix_marks_every_trial_and_leads_to_its_check():
    check = CHECKS["softmax"]
    caught, missed, *_ = (
        Trial("softmax", m.name, m, check(m.of(check.reference))) for m in check.mutants
    )
    missed = missed._replace(verdict=check(check.reference))
    accepted = Trial("softmax", "ours", None, check(check.reference))
    html = matrix([caught, missed, accepted]).data
    assert "1 of 2 <span" in html
    assert f'<span title="{escape(missed.name)}">✗</span>' in html
    assert "1 of 1 <span" in html
    assert html.count("✓") == 2
    assert 'href="#zoo-softmax"' in html
    laws = "<td>none: its laws name the part that is off</td>"
    assert f"{laws}<td>1 of 1 <span" in matrix([accepted]).data
    assert "</span></td><td>none</td></tr>" in matrix([caught]).data
    assert 'id="zoo-softmax"' in guide("softmax").data


def test_a_guide_shows_the_change_and_names_public_code_that_had_it():
    check = CHECKS["masked_softmax"]
    html = guide("masked_softmax").data
    for mutant in check.mutants:
        _, entry = html.split(f"<summary>{escape(mutant.name)}</summary>")
        entry, _ = entry.split("</details>", 1)
        assert escape(mutant.shown) in entry
        assert ("Seen: " in entry) == (mutant.seen != "common")
    assert "The score that means <em>never</em> is -inf" in html


def test_mistakes_are_counted_by_where_they_were_met():
    issue, other, common = sources().values()
    assert issue + other + common == len(MUTANTS)
    seen = [mutant.seen for check in CHECKS.values() for mutant in check.mutants]
    assert common == seen.count("common")
    assert issue >= seen.count("mead-baseline 679") > 0
    assert other >= seen.count("torch's scaled_dot_product_attention") > 0


@pytest.mark.parametrize("name", CHECKS)
def test_nobody_has_begun(name):
    def unwritten(*arguments):
        raise NotImplementedError("not yet")

    assert CHECKS[name](unwritten).state == "empty"
