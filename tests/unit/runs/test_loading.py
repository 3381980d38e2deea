"""Loading: figures by their names; what is missing or damaged is named."""

import json

import numpy as np
import pytest

from attention_book.runs import load

AGAIN = r"python -m attention_book\.runs toy"


@pytest.fixture
def run(home):
    return load("toy", home)


@pytest.fixture
def change(home):
    """Write the recording's `run.json` anew, changed."""
    path = home / "toy" / "run.json"

    def write(how):
        content = json.loads(path.read_text("utf-8"))
        how(content)
        path.write_text(json.dumps(content), "utf-8")

    return write


def test_a_table_has_a_row_for_each_seed_and_a_column_for_each_bucket(run):
    assert run.buckets == ("low", "high")
    expected = [
        [run.measured[seed]["test"][bucket]["widest"] for bucket in ("low", "high")]
        for seed in (4, 2)
    ]
    np.testing.assert_array_equal(run.table("test", "widest"), expected)
    assert expected[0] != expected[1]


def test_a_single_figure_has_a_place_for_each_seed(run):
    np.testing.assert_array_equal(
        run.per_seed("test", "low", "mean"), run.table("test", "mean")[:, 0]
    )
    assert run.per_seed("shape", "size").tolist() == [15, 15]
    assert run.per_seed("shape", "columns").shape == (2, 3)


@pytest.mark.parametrize(
    ("method", "names", "says"),
    [
        ("table", ("test", "loss"), "'test' / 'low' / 'loss' was .* of mean, widest"),
        ("table", ("held_out", "mean"), "'held_out' was not .* of test, shape"),
        ("table", ("shape", "mean"), "'shape' / 'size' / 'mean' was not measured"),
        ("per_seed", ("aer",), "'aer' was not measured, expected one of test, shape"),
        ("per_seed", ("test",), "'test' is a group .* one more name: low, high"),
    ],
)
def test_what_was_not_measured_is_named_with_what_was(run, method, names, says):
    with pytest.raises(ValueError, match=says):
        getattr(run, method)(*names)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (("looks",), "toy keeps no 'looks', expected one of rows, marks, ids"),
        (("rows", 7), "toy keeps nothing at step 7, expected one of 0, 20, 23"),
    ],
)
def test_what_is_not_kept_is_named_with_what_is(run, asked, says):
    with pytest.raises(ValueError, match=says):
        run.kept(*asked)


def test_a_run_that_was_never_recorded_is_named_with_those_there_are(home):
    with pytest.raises(
        FileNotFoundError, match=r"'tie' is not recorded \(.*\), expected one of toy"
    ):
        load("tie", home)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"recipe": {}}', "null", "\x00"])
def test_a_damaged_run_is_named_with_what_to_do(home, content):
    (home / "toy" / "run.json").write_text(content)
    with pytest.raises(ValueError, match=rf"(?s)run\.json is damaged.*{AGAIN}"):
        load("toy", home)


@pytest.mark.parametrize(
    "damage",
    [
        *(
            lambda kept, key=key: kept.pop(key)
            for key in ("recipe", "seeds", "kept", "vocabularies", "torch", "sha256")
        ),
        lambda kept: kept["seeds"]["2"].pop("measured"),
        lambda kept: kept["seeds"]["2"].pop("first"),
        lambda kept: kept["seeds"]["2"]["loss"].pop(),
        lambda kept: kept["seeds"].clear(),
        lambda kept: kept["recipe"]["task"].pop("class"),
        lambda kept: kept["recipe"]["task"].update({"class": "attention_book.gone.T"}),
        lambda kept: kept["recipe"]["task"].update({"no_longer": 1}),
    ],
)
def test_a_run_that_lacks_a_part_or_is_of_another_version_is_named(
    home, change, damage
):
    change(damage)
    with pytest.raises(ValueError, match=rf"run\.json is damaged, or of an.*{AGAIN}"):
        load("toy", home)


@pytest.mark.parametrize(
    ("file", "use"),
    [
        ("weights.safetensors", lambda run: run.model()),
        ("kept.safetensors", lambda run: run.kept("rows")),
    ],
)
def test_damaged_and_missing_files_are_named(home, run, file, use):
    path = home / "toy" / file
    content = bytearray(path.read_bytes())
    content[-10] ^= 1  # one bit, which the format itself would not notice
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"{file} is damaged or of another.*{AGAIN}"):
        use(run)
    path.unlink()
    with pytest.raises(FileNotFoundError, match=f"{file} is missing.*{AGAIN}"):
        use(run)


def test_words_that_do_not_fit_the_file_are_named(home, change):
    change(lambda content: content["kept"]["23"].update(ids={"@array": "23/no"}))
    with pytest.raises(ValueError, match=rf"run\.json is damaged.*'23/no'.*{AGAIN}"):
        load("toy", home).kept("rows")


def test_a_run_without_weights_says_so(home, change):
    change(lambda content: content["sha256"].pop("weights.safetensors"))
    with pytest.raises(ValueError, match="toy keeps no weights"):
        load("toy", home).model()


def test_weights_that_no_longer_fit_the_task_are_named(home, change):
    change(lambda content: content["recipe"]["task"].update(sizes={"D": 4}))
    with pytest.raises(ValueError, match="does not fit the model"):
        load("toy", home).model()
