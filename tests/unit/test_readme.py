"""The README's code runs as it stands, on a corpus of the reader's own."""

import ast
import re
import shutil
from pathlib import Path

from attention_book import data, runs, training

README = Path(__file__).parents[2] / "README.md"


def blocks():
    return re.findall(r"^```python\n(.*?)^```$", README.read_text("utf-8"), re.M | re.S)


def test_a_file_of_pairs_becomes_a_translation_in_ten_lines(
    tmp_path, monkeypatch, capsys
):
    shutil.copy(data.FIFTY_PAIRS, tmp_path / "pairs.tsv")
    monkeypatch.chdir(tmp_path)
    (own,) = (code for code in blocks() if "pairs.tsv" in code)
    assert len([line for line in own.splitlines() if line]) <= 10
    names = {}
    with training.seeded(0):
        # fewer steps than it takes real pairs to be learned
        exec(own.replace("steps=2000", "steps=150"), names)
    said = capsys.readouterr().out
    ((*words,),) = ast.literal_eval(said)
    assert {*words} - {"[UNK]"}
    assert "steps=2000" in own
    kept = 'training.save("model.safetensors", model, config, (source, target))'
    assert kept in README.read_text("utf-8")
    exec(kept, names)
    source, target = training.read_vocabularies("model.safetensors")
    model = training.load("model.safetensors")
    sentences = [pair.source for pair in names["train"]]
    before = runs.translate(names["model"].eval(), sentences, source, target)
    after = runs.translate(model, sentences, source, target)
    same = sum(a == b for a, b in zip(before, after, strict=True))
    assert same >= len(sentences) - 2  # weights are kept in 16 bits
