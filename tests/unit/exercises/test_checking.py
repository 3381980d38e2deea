"""What a check does with crashes, wrong types, overwritten input, other styles."""

from dataclasses import replace

import numpy as np
import pytest
import torch
import torch as th

from attention_book.chapters.attention_layer.checks import check_softmax
from attention_book.exercises.checking import Case, Check
from attention_book.exercises.mutants import Mutant, instead
from attention_book.exercises.results import fit, same, torch_inputs
from attention_book.exercises.wording import shown
from attention_book.reference import softmax
from attention_book.zoo import CHECKS


def twice(x):
    return 2 * x


X = np.array([[1.0, -2.0, 4.0], [0.5, 3.0, 7.0]])
check_twice = Check(
    name="twice",
    reference=twice,
    gives={"y": "N_X"},
    task="",
    cases=(
        Case("two rows", x=X),
        Case("the other way round", x=X[::-1].copy()),
    ),
    batch=("x",),
    forms=("single", "batched"),
)


def helper(e):
    return list(e)[7]


def in_a_helper(e):
    return helper(e)


def test_a_crash_is_shown_with_the_line_that_failed_and_the_input():
    verdict = check_softmax(in_a_helper)
    assert verdict.says.startswith("Your code raised IndexError: list index")
    line = helper.__code__.co_firstlineno + 1
    assert verdict.evidence.startswith(f"line {line}: return list(e)[7]")
    assert "3. ,  3. ,  1. , -0.5" in verdict.evidence


class Secret(Exception):
    def __str__(self):
        raise RuntimeError("no message")


def raising(error, where=lambda x: True):
    """Twice, but for an error on some inputs."""

    def function(x):
        if where(x):
            raise error
        return 2 * x

    return function


def overwriting(x):
    x *= 2
    return x


def right_six_times(x, calls=[]):  # noqa: B006
    calls.append(1)
    return 2 * x + (len(calls) > 6)


@pytest.mark.parametrize(
    ("function", "diagnosis", "says"),
    [
        (raising(KeyError(7), lambda x: x[0] == 0.5), "crash", "raised KeyError: 7"),
        (raising(KeyError("x" * 1000)), "crash", "xxx ..."),
        (raising(Secret()), "crash", "Your code raised Secret"),
        (raising(NotImplementedError()), "not written", "is not written yet"),
        (lambda x: torch.softmax(torch.as_tensor(x).long(), -1), "crash", "for 'Long'"),
        (overwriting, "overwrites its input", "writes into x"),
        (right_six_times, "not the same twice", "a default argument"),
    ],
)
def test_how_it_ended_is_named(function, diagnosis, says):
    verdict = check_twice(function)
    assert verdict.diagnosis == diagnosis
    assert says in verdict.says


@pytest.mark.parametrize(
    ("function", "diagnosis", "says"),
    [
        (lambda e: None, "shape", "returned None. Is the `return` missing?"),
        (lambda e: "weights", "shape", "a is a str, expected numbers of shape (3, 4)"),
        (lambda e: e + 0j, "shape", "a is an array of complex128, expected numbers"),
        (lambda e: e.T, "shape", "a has shape (4, 3), expected (3, 4) (N_Q, N_X)"),
        (
            lambda e: [[1.0], [1.0, 2.0]],
            "shape",
            "a is a list, expected numbers of shape (3, 4). Are its rows of unequal",
        ),
        (lambda e: e * float("nan"), "NaN", "a holds NaN or infinity"),
        (lambda e: np.where(e > 1, -np.inf, e), "NaN", "a holds -inf. Are these the"),
        (
            lambda e, axis: e,
            "arguments",
            "is called with 1 arguments, (e); yours takes (e, axis)",
        ),
        (lambda e: 3 * torch.softmax(torch.as_tensor(e), -1), "a law", "sums to 3.000"),
        (
            lambda e: np.full_like(e, 1 / e.shape[1]),
            "numbers",
            "Not right on scores of both signs",
        ),
    ],
    ids=[
        "nothing",
        "text",
        "complex",
        "transposed",
        "ragged",
        "NaN",
        "scores",
        "arguments",
        "law",
        "numbers",
    ],
)
def test_what_came_is_named(function, diagnosis, says):
    verdict = check_softmax(function)
    assert not verdict
    assert verdict.diagnosis == diagnosis
    assert says in verdict.says


@pytest.mark.parametrize("name", CHECKS)
def test_a_softmax_is_named_as_a_cause_of_nan_where_weights_are_due(name):
    check = CHECKS[name]

    def lost(*inputs):
        right = check.reference(*inputs)
        return (
            tuple(np.nan * part for part in right)
            if len(check.gives) > 1
            else (right * np.nan)
        )

    if check.weights:  # a known mistake may be as silent
        verdict = check(lost)
        assert verdict.diagnosis != "NaN" or "a softmax over" in verdict.says
    else:
        assert "softmax" not in check(lambda *_: np.nan).says


def test_chance_and_memory_are_told_before_the_numbers():
    seen = []

    def remembering(x):
        seen.extend(x)
        return 2 * x + len(seen)

    for function in (remembering, lambda x: 2 * x + torch.rand(np.shape(x)).numpy()):
        verdict = check_twice(function)
        assert verdict.diagnosis == "not the same twice"
        assert "dropout" in verdict.says
        assert "a default argument" in verdict.says


@pytest.mark.parametrize(
    ("function", "diagnosis"),
    [
        (lambda x: torch.as_tensor(x).half() * 2.02, "half precision"),
        (lambda x: torch.as_tensor(x).bfloat16() * 2.02, "half precision"),
        (lambda x: torch.as_tensor(x).bfloat16().float() * 2.002, "rounded"),
        (lambda x: 2 * x + 1e-3 * abs(x), "rounded"),
        (lambda x: (2 * torch.as_tensor(x)).to_sparse(), ""),
    ],
    ids=["float16", "bfloat16", "and back", "something added", "sparse"],
)
def test_few_digits_are_told_as_such(function, diagnosis):
    assert check_twice(function).diagnosis == diagnosis


@pytest.mark.parametrize("whole", [np.trunc, np.round, np.floor])
def test_whole_numbers_in_place_of_fractions_are_told_as_such(whole):
    check = CHECKS["rms_norm"]
    verdict = check(lambda *inputs: whole(check.reference(*inputs)))
    assert verdict.diagnosis == "whole numbers"
    assert "All your numbers are whole: is the result's array" in verdict.says


def test_results_too_many_are_counted_also_if_they_are_of_one_shape():
    check = CHECKS["block"]
    says = check(lambda *parts: (check.reference(*parts), parts[0])).says
    assert "Y is 2 things, expected numbers of shape (3, 4)." in says


class Unreadable:
    """Neither shown nor compared nor hashed by its value."""

    def __repr__(self):
        raise RuntimeError("no text")

    def __eq__(self, other):
        raise RuntimeError("no answer")

    def __hash__(self):
        return 0


def test_a_result_that_cannot_be_shown_is_wrong():
    for result in (Unreadable(), [Unreadable()], {Unreadable(): Unreadable()}):
        for name in ("softmax", "work_per_word", "first_error", "teacher_forced"):
            verdict = CHECKS[name](lambda *_, it=result: it)
            assert verdict.state == "wrong", (name, repr(verdict))


@pytest.mark.parametrize(
    ("count", "says"),
    [
        (lambda n: n / 1, ""),
        (np.float32, ""),
        (lambda n: n + 0.5, ".5, expected a whole number"),
        (lambda n: n + 1e-6, "expected a whole number"),
        (str, "is a str, expected one number"),
        (torch.tensor, ""),
    ],
)
def test_a_float_may_be_a_whole_number_if_nothing_stands_after_its_point(count, says):
    alone = CHECKS["gru_parameters"]
    among = CHECKS["work_per_word"]
    verdicts = [
        alone(lambda *widths: count(alone.reference(*widths))),
        among(lambda *n: {k: count(v) for k, v in among.reference(*n).items()}),
    ]
    for verdict, name in zip(verdicts, ("count ", "work['dot'] "), strict=True):
        assert bool(verdict) == (not says)
        assert not says or name in verdict.says
        assert says in verdict.says


def test_a_whole_number_is_right_where_a_number_is_due():
    measure = CHECKS["error_rate"].reference
    assert CHECKS["error_rate"](
        lambda *it: int(rate) if (rate := measure(*it)) in (0, 1) else rate
    )


def th_is_torch(e):
    return th.softmax(e, dim=-1)[7]


def only_methods(e):
    rows = e.size(0)
    return (e - e.logsumexp(-1)[..., None]).exp()[rows]


def only_keywords(e):
    return e.max(dim=-1, keepdim=True)[0][7, 7]


def by_a_helper(e):
    return hidden_torch(e)[7]


def hidden_torch(e):
    return th.softmax(e, -1)


@pytest.mark.parametrize(
    "function", [th_is_torch, only_methods, only_keywords, by_a_helper]
)
def test_the_error_of_torch_code_is_that_of_torch(function):
    assert check_softmax(function).says.startswith("Your code raised IndexError")


@pytest.mark.parametrize(
    "function",
    [
        lambda x: [2 * number for number in x],
        lambda x: x.mul(2),
        lambda x: torch.stack([row * 2 for row in torch.as_tensor(x)]),
        lambda x: x.new_tensor([[2 * n for n in row] for row in x.tolist()]),
        lambda x: x + x,
    ],
    ids=["list", "tensor", "rows", "batch of tensors", "NumPy"],
)
def test_numpy_and_torch_and_batches_pass(function):
    assert check_twice(function)


def test_of_a_tensors_methods_the_error_with_tensors_is_shown():
    assert "IndexError" in check_twice(lambda x: x.mul(2)[9]).says


def silent(e):
    return np.zeros_like(e) if np.isinf(e).all() else softmax(e)


SILENT = Mutant("silence", "Yours returns zeros.", twin=instead(silent))
check_refusing = Check(
    name="softmax",
    reference=softmax,
    gives={"a": "N"},
    task="",
    cases=(
        Case("three numbers", e=np.array([1.0, 2.0, 5.0])),
        Case("nothing visible", e=np.full(3, -np.inf), refuse="0 / 0 is no weight"),
    ),
    mutants=(SILENT,),
)


def test_what_must_be_refused_must_be_refused():
    assert check_refusing(softmax)
    verdict = check_refusing(lambda e: softmax(np.nan_to_num(e, neginf=0.0)))
    assert verdict.diagnosis == "no refusal"
    assert "nothing visible: 0 / 0 is no weight, so raise a ValueError" in verdict.says


def test_wrong_answers_are_named_before_a_missing_refusal():
    check = replace(
        check_refusing,
        laws=(lambda it: None if it.got["a"].sum() < 1.1 else "more than 1",),
    )
    verdict = check(lambda e: 3 * softmax(np.nan_to_num(e, neginf=0.0)))
    assert verdict.diagnosis == "a law"


def test_a_refusal_of_another_kind_is_a_crash():
    def crash(e):
        if np.isinf(e).all():
            raise IndexError("nothing")
        return softmax(e)

    assert check_refusing(crash).diagnosis == "crash"


@pytest.mark.parametrize(
    ("part", "says"),
    [
        ({"cases": check_refusing.cases[::-1]}, "the first case must have an answer"),
        ({"mutants": (SILENT, SILENT)}, "two mutants share a name"),
    ],
)
def test_a_check_that_cannot_be_is_refused(part, says):
    with pytest.raises(ValueError, match=says):
        replace(check_refusing, **part)


def test_a_result_handed_over_instead_of_the_function_is_named(as_a_reader):
    with pytest.raises(
        TypeError, match=r"function is ndarray: hand over your function itself"
    ):
        check_softmax(X)


def test_html_shows_what_the_reader_wrote_as_text():
    def crash(e):
        raise ValueError("<img src=x onerror=alert(1)>")

    html = check_softmax(crash)._repr_html_()
    assert "<img" not in html
    assert "&lt;img" in html


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (np.array([1.0, np.nan]), np.array([1.0, np.nan]), True),
        (np.ones(2), np.ones((1, 2)), False),
        (np.array([True, False]), np.array([1, 0]), False),
        (True, 1, True),
        (1.0, 1.00001, True),
        (1, 2, False),
        ({"a": 1.0}, {"a": 1.0 + 1e-6}, True),
        ({"a": 1}, {"b": 1}, False),
        ([1, [2, 3]], (1, (2, 3)), True),
        ([1, 2], [1], False),
        ("a", "a", True),
        (None, 0, False),
        ("1", 1, False),
        (fit(16384.0, 16384), 16384, True),
        (fit(16385.0, 16384), 16384, False),
        (np.array(["a", "b"]), np.ones((3, 4)), False),
        (np.array(["a", "b"]), np.array(["a", "c"]), False),
        (np.array([None, "a"]), np.array([None, "a"]), True),
        (np.ones(2) * 1j, np.ones((2, 1)) * 1j, False),
        (np.ones((2, 0)).astype(str), np.ones((2, 0)), False),
    ],
)
def test_results_are_compared_by_value(one, other, equal):
    assert same(one, other) is equal


def test_what_is_not_written_yet_raises_on_the_first_input():
    large = raising(NotImplementedError("later"), lambda e: e.max() > 700)
    assert check_softmax(lambda e: large(e) * 0 + softmax(e)).diagnosis == "crash"


check_two = Check(
    name="two",
    reference=lambda x: (2 * x, 3 * x),
    gives={"y": "N_X", "z": "N_X"},
    task="",
    cases=(Case("two rows", x=X),),
    batch=("x",),
    forms=("single", "batched"),
)


@pytest.mark.parametrize("form", [lambda x: x, lambda x: x.reshape(2, 3)])
def test_two_results_may_come_in_a_list(form):
    assert check_two(lambda x: [2 * form(x), 3 * form(x)])
    assert check_two(lambda x: [(2 * form(x)).tolist(), (3 * form(x)).tolist()])
    assert not check_two(lambda x: [2 * form(x), 4 * form(x)])


def test_the_error_shown_is_that_of_the_attempt_that_got_furthest():
    def for_batches(x):
        B = x.shape[0]
        x = x.reshape(B, 3)
        return 2 * x @ x

    verdict = check_twice(for_batches)
    assert verdict.diagnosis == "crash"
    assert "return 2 * x @ x" in verdict.evidence


def returning_in_the_loop(x):
    for number in x:
        return 2 * number


def returning_behind_it(x):
    for number in x:
        if number > 100:
            return number
    return 3 * x


def skipping(x):
    for number in x:
        if number < 0:
            continue
        return number


def test_a_return_that_ends_its_loop_in_the_first_round_is_pointed_at():
    verdict = check_twice(returning_in_the_loop)
    line = returning_in_the_loop.__code__.co_firstlineno + 2
    assert verdict.says.startswith("Does your `return` stand inside the loop")
    assert f"(line {line})" in verdict.says
    for other in (returning_behind_it, skipping, lambda x: 3 * x):
        assert check_twice(other).diagnosis != "return in a loop"


def test_what_is_wrong_before_a_crash_is_told_first():
    def three_times_or_none(x):
        if x[0, 0] > 0.9:
            raise IndexError("no row")
        return 3 * x

    check = replace(check_twice, forms=("single",), batch=())
    tripled = Mutant(
        "tripled", "You take it three times.", (), instead(lambda x: 3 * x)
    )
    turned = replace(check, cases=check.cases[::-1], mutants=(tripled,))
    verdict = turned(three_times_or_none)
    assert verdict.says == (
        "You take it three times. (And on two rows your code raised IndexError: no "
        "row.)"
    )


def test_arrays_in_a_tuple_become_tensors_that_can_be_shown():
    given = torch_inputs({"W": (np.ones(2), np.arange(2)), "N": 3})
    assert [W.dtype for W in given["W"]] == [torch.float32, torch.int64]
    assert shown(given) == "W = [1., 1.]  (tensor), [0, 1]  (tensor)\nN = 3"
