"""What is kept comes back, to 16 bits; what does not fit together is named."""

import json

import numpy as np
import pytest

from attention_book.runs.kept import ARRAY, pack, unpack

rng = np.random.default_rng(0)
KEPT = {
    0: {"said": [("a", "b")], "attention": [{"e": rng.normal(size=(3, 5)), "k": 1}]},
    50: {"said": [("b",)], "attention": [], "ids": np.arange(4), "none": {}},
}


def through_json(plain):
    return json.loads(json.dumps(plain))


def test_words_numbers_and_arrays_come_back():
    plain, file = pack(KEPT)
    again = unpack(through_json(plain), file)
    assert list(again) == [0, 50]
    assert again[0]["said"] == [["a", "b"]]
    e = again[0]["attention"][0].pop("e")
    np.testing.assert_array_equal(
        e, KEPT[0]["attention"][0]["e"].astype(np.float16).astype(np.float32)
    )
    assert e.dtype == np.float32
    assert again[0]["attention"] == [{"k": 1}]
    ids = again[50].pop("ids")
    assert ids.dtype == np.arange(4).dtype
    assert ids.tolist() == [0, 1, 2, 3]
    assert again[50] == {"said": [["b"]], "attention": [], "none": {}}


def test_a_slice_is_kept_as_it_looks():
    h = rng.normal(size=(4, 6)).astype(np.float32)
    again = unpack(*pack({0: {"h": h[:, :2].T}}))[0]["h"]
    np.testing.assert_array_equal(again, h[:, :2].T.astype(np.float16))


@pytest.mark.parametrize("bad", [np.nan, np.inf, 7e4])
def test_numbers_that_sixteen_bits_cannot_hold_are_not_packed(bad):
    with pytest.raises(
        ValueError, match="3/each/1/e holds numbers that 16 bits cannot"
    ):
        pack({3: {"each": [{}, {"e": np.array([1.0, bad])}]}})


@pytest.mark.parametrize("bad", [np.nan, -np.inf, np.float32("nan"), 1j, {"set"}])
def test_what_json_cannot_hold_is_not_packed(bad):
    with pytest.raises(ValueError, match=r"3/each/1/aer is .*expected a finite number"):
        pack({3: {"each": [{}, {"aer": bad}]}})


def test_a_number_of_numpy_comes_back_as_one_of_python():
    kept = {"aer": np.float32(0.5), "n": np.int64(3), "right": np.bool_(True)}
    plain, file = pack({3: kept | {"none": None}})
    again = unpack(through_json(plain), file)[3]
    assert again == {"aer": 0.5, "n": 3, "right": True, "none": None}


@pytest.mark.parametrize(
    "kept",
    [
        {"a/b": np.ones(1), "a": {"b": np.zeros(1)}},
        {"a": {1: "x", "1": "y"}},  # one name in JSON
    ],
)
def test_two_things_under_one_path_are_not_packed(kept):
    with pytest.raises(ValueError, match=r"3/a/[b1] is kept twice"):
        pack({3: kept})


@pytest.mark.parametrize("keep", [1, 5, 40, -10])
def test_a_file_that_was_cut_is_named(keep):
    plain, file = pack(KEPT)
    with pytest.raises(ValueError, match="the file of arrays is damaged"):
        unpack(plain, file[:keep])


def test_an_array_that_is_not_in_the_file_is_named():
    plain, file = pack(KEPT)
    plain["50"]["ids"][ARRAY] = "77/ids"
    with pytest.raises(ValueError, match="does not hold '77/ids'"):
        unpack(plain, file)
