"""A text that a reader types is cut in a page as Python cuts it, and gone on with."""

import json
import random
import subprocess

import numpy as np
import pytest
from unit.networks.conftest import SCRIPT

from attention_book import runs
from attention_book.data import START

ENGINE = SCRIPT.parents[2] / "src/attention_book/widgets/js/engine/pieces.mjs"
PARTS = [
    "Return the",
    " True if",
    "it's",
    "we'll",
    "'S",
    "x_1",
    "12ab½٣",
    ".\n\n    If",
]
PARTS += [" ", "  ", "\n", "\t", "\x00", "\x85", "\u00a0", "\u2003", "\ufeff", "\u0301"]
PARTS += ["é", "ß", "漢", "ǅ", "ª", "😀", "[STOP]", "Ġ", "▁", "²", "-->", "\\"]
MOST = 12


@pytest.fixture(scope="module")
def network():
    return runs.load("docstrings").network("float32")


def texts():
    draw = random.Random(5)
    letters = [chr(code) for code in range(32, 127)]
    for size in range(400):
        parts = draw.choices(PARTS + draw.choices(letters, k=20), k=size % 25)
        yield "".join(parts)


def test_a_page_cuts_every_text_as_python_does(network, node, tmp_path):
    told, given = tmp_path / "told.json", [*texts()]
    told.write_text(json.dumps([given, network.packed()[0]["pieces"]["merges"]]))
    script = f"""import {{ encode }} from {json.dumps(str(ENGINE))};
        import {{ readFileSync }} from "node:fs";
        const [texts, merges] = JSON.parse(readFileSync({json.dumps(str(told))}));
        console.log(JSON.stringify(texts.map((text) => encode(text, merges))))"""
    command = [node, "--input-type=module", "--eval", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert len(set(given)) > 300
    for text, ids in zip(given, json.loads(done.stdout), strict=True):
        assert ids == network.pieces.encode(text), repr(text)


def asked(text):
    """What a page asks: draw pieces that go on with a text."""
    options = {"most": MOST, "sample": {"seed": 2, "temperature": 0.8}}
    return {"call": "write", "inputs": {"source": [text]}, "options": options}


@pytest.mark.parametrize("text", ["", "Return  the naïve\u00a0file", "a" * 30])
def test_a_page_goes_on_with_a_text_as_python_does(network, ask, text):
    ((outputs, _),) = ask(network, [asked(text)])
    ids = [START, *network.pieces.encode(text)]
    how = asked(text)["options"]
    right, _ = network.answer("write", {"source": [ids]}, {}, how)
    np.testing.assert_array_equal(outputs["ids"], right["ids"])
    np.testing.assert_allclose(outputs["chances"], right["chances"], atol=1e-4)


def test_a_text_is_as_long_as_it_can_be_gone_on_with_and_no_longer(network, ask):
    room = network.model.config.N_positions - MOST
    ((outputs, _),) = ask(network, [asked("7!" * (room // 2))])
    assert len(outputs["ids"]) == MOST
    with pytest.raises(RuntimeError, match=f"has {room + 1} pieces, expected {room} "):
        ask(network, [asked("7!" * (room // 2) + "7")])


def test_only_a_network_that_reads_texts_brings_pieces():
    other = runs.load("look-up").network()
    assert other.pieces is None
    assert "pieces" not in other.packed()[0]
