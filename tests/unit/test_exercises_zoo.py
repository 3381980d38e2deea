"""The kill matrix: every check against its mutants, each to be named, and against right solutions in several styles."""

import pytest

from attention_book.exercises.zoo import CHECKS, STYLES, Trial

MUTANTS = [pytest.param(name, m, id=f"{name}: {m.name}") for name, check in CHECKS.items() for m in check.mutants]
RIGHT = [pytest.param(name, f, id=f"{name}: {f.__name__}") for name, styles in STYLES.items() for f in styles]


@pytest.mark.parametrize(("name", "mutant"), MUTANTS)
def test_a_mutant_is_caught_and_named(name, mutant):
    check = CHECKS[name]
    verdict = check(mutant.of(check.reference))
    assert verdict.state == "wrong"
    assert verdict.diagnosis == mutant.name
    assert verdict.says == mutant.says


@pytest.mark.parametrize(("name", "solution"), RIGHT)
def test_a_right_solution_is_accepted(name, solution):
    verdict = CHECKS[name](solution)
    assert verdict, repr(verdict)


@pytest.mark.parametrize("name", CHECKS)
def test_our_own_is_accepted(name):
    assert CHECKS[name](CHECKS[name].reference)


@pytest.mark.parametrize("name", CHECKS)
def test_every_check_knows_mistakes_and_accepts_three_styles(name):
    assert CHECKS[name].mutants
    assert len(STYLES[name]) >= 3
    assert all(style.__doc__ for style in STYLES[name])


def test_a_mutant_must_be_caught_and_named():
    check = CHECKS["softmax"]
    mutant, another = check.mutants[:2]
    verdict = check(mutant.of(check.reference))
    assert Trial("softmax", mutant.name, mutant, verdict).as_it_should_be
    assert not Trial("softmax", another.name, another, verdict).as_it_should_be  # caught, but named otherwise
    assert not Trial("softmax", mutant.name, mutant, check(check.reference)).as_it_should_be
    assert not Trial("softmax", "a right one", None, verdict).as_it_should_be


@pytest.mark.parametrize("name", CHECKS)
def test_nobody_has_begun(name):
    def unwritten(*arguments):
        raise NotImplementedError("not yet")

    assert CHECKS[name](unwritten).state == "empty"
