"""Whatever a function returns, a check says that it is wrong; it never fails itself."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch

from attention_book.chapters.attention.checks import check_attention_step
from attention_book.exercises.mutants import Mutant, instead
from attention_book.exercises.wording import mismatch
from attention_book.zoo import CHECKS

OBJECTS = np.array([None, "a", 1.0], dtype=object)
ARRAYS = np.array([np.ones(2), np.ones(3)], dtype=object)
RESULTS = {
    "nothing": None,
    "one value": 1.0,
    "three values": (1.0, 2.0, 3.0),
    "nothing twice": (None, None),
    "ragged": [[1.0], [1.0, 2.0]],
    "ragged twice": ([[1.0], [1.0, 2.0]], [[1.0], [1.0, 2.0]]),
    "objects": OBJECTS,
    "objects twice": (OBJECTS, OBJECTS),
    "an array of arrays": ARRAYS,
    "texts": np.array(["a", "b"]),
    "a text": np.array("a"),
    "a complex number": 1j,
    "complex numbers": np.ones((2, 3)) * 1j,
    "a list of nothing": [None],
    "a list of texts": ["a", "b"],
    "an empty list": [],
    "a dict": {"a": None},
    "a function": len,
    "too large for a float": 10**400,
}
CHANGES = {
    "objects": lambda part: np.asarray(part, dtype=object),
    "texts": lambda part: np.asarray(part).astype(str),
    "complex": lambda part: np.asarray(part).astype(complex),
    "nothing": lambda part: [part, None][part is not None],
    "lists": lambda part: [[part], [part, part]],
    "empty": lambda part: np.zeros(0),
}
OF_TEXTS = {"flatten", "misread_or_mislooked", "pivot"}  # their results hold no number


def changed(value, change):
    """Replace the numbers in a result, wherever they stand."""
    if isinstance(value, tuple | list):
        return type(value)(changed(part, change) for part in value)
    if isinstance(value, dict):
        return {key: changed(part, change) for key, part in value.items()}
    return value if value is None or isinstance(value, str) else change(value)


@pytest.mark.parametrize("name", CHECKS)
def test_a_nonsensical_result_is_wrong(name):
    for kind, result in RESULTS.items():
        assert CHECKS[name](lambda *_, it=result: it).state == "wrong", kind


@pytest.mark.parametrize("name", sorted(CHECKS.keys() - OF_TEXTS))
def test_the_right_shape_of_the_wrong_things_is_wrong(name):
    reference = CHECKS[name].reference

    def nonsense(*inputs, change):
        arrays = (x.numpy() if isinstance(x, torch.Tensor) else x for x in inputs)
        return changed(reference(*arrays), change)

    for kind, change in CHANGES.items():
        assert CHECKS[name](partial(nonsense, change=change)).state == "wrong", kind


@pytest.mark.parametrize(
    ("result", "says"),
    [
        (None, "your function returned None. Is the `return` missing?"),
        (np.ones(5), "expected 2 results, c_t and a_t; your function returned an arr"),
        ((1, 2, 3), "expected 2 results, c_t and a_t; your function returned 3 things"),
    ],
    ids=["nothing", "one", "three"],
)
def test_a_wrong_number_of_results_is_named(result, says):
    verdict = check_attention_step(lambda *inputs: result)
    assert verdict.diagnosis == "shape"
    assert says in verdict.says


def test_a_known_mistake_may_be_a_result_too_few():
    def forgetful(*inputs):
        return None

    mutant = Mutant("forgotten", "Yours gives nothing.", twin=instead(forgetful))
    check = replace(check_attention_step, mutants=(mutant,))
    assert check(forgetful).diagnosis == "forgotten"


@pytest.mark.parametrize(
    ("got", "want", "says"),
    [
        (np.array(["a", "b"]), "a", "is an array of shape (2,), expected a str"),
        (3, "a", "is a int, expected a str"),
        ("a", "b", None),
        (np.ones(2), True, "is an array of shape (2,), expected True or False"),
        (1, True, None),
        (np.ones(2), None, "is an array of shape (2,), expected None"),
        ("a", None, "is a str, expected None"),
        (3, None, None),  # a number where there is none to give: for a law to tell
        (np.array("a"), 1.0, "is an array of shape (), expected one number"),
        (1j, 1.0, "is a complex, expected one number"),
        (np.array(2.0), 1.0, None),
        ([OBJECTS], [1, 2], "is a list, expected a list of numbers"),
        (["a"], [1, 2], None),  # for a law to tell
        ([None], [], "is a list, expected a list of numbers"),
        ([1], [1, 2], None),
        ((1, 2.0), [1, 2], None),
        ([[1]], [[1, 2]], None),
        (7, [[1, 2]], "is a int, expected a list"),
    ],
)
def test_what_is_not_of_the_kind_is_named(got, want, says):
    complaint = mismatch("it", got, want, "")
    assert complaint is None if says is None else says in complaint
