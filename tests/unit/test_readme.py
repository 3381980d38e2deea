"""The README's code runs as it stands, on a corpus of the reader's own."""

import ast
import re
import shutil
from pathlib import Path

import pytest

from attention_book import data, runs, training

README = Path(__file__).parents[2] / "README.md"


def blocks():
    return re.findall(r"^```python\n(.*?)^```$", README.read_text("utf-8"), re.M | re.S)


def lines(code):
    return [line for line in code.splitlines() if line]


@pytest.fixture(autouse=True)
def own_corpus(tmp_path, monkeypatch):
    shutil.copy(data.FIFTY_PAIRS, tmp_path / "pairs.tsv")
    monkeypatch.chdir(tmp_path)


def test_a_file_of_pairs_becomes_a_translation_in_ten_lines(capsys):
    (own,) = (code for code in blocks() if "pairs.tsv" in code)
    assert len(lines(own)) <= 10
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


def test_the_lines_for_pieces_take_the_place_of_those_that_count_words(capsys):
    (own,) = (code for code in blocks() if "pairs.tsv" in code)
    (pieces,) = (code for code in blocks() if "Subwords" in code)
    assert len(lines(pieces)) <= 10
    read, _, rest = own.partition("source = ")
    trained = rest[rest.index("config = ") : rest.index("print(")]
    cut, after = re.split(r"^# (?=config).* as above\n", pieces, flags=re.M)
    cut = cut.replace("train])", "train], size=80)")
    names = {}
    with training.seeded(0):
        exec(read + cut + trained.replace("steps=2000", "steps=150") + after, names)
    assert max(len(pair.source) for pair in names["train"]) > 12  # pieces
    ((*words,),) = ast.literal_eval(capsys.readouterr().out)
    assert words
    assert "\u2581" not in "".join(words)
    measured = 'runs.evaluate(model, {"test": test}, source, target, subwords=subwords)'
    assert f"`{measured}`" in README.read_text("utf-8")
    assert 0 <= eval(measured, names)["test"]["bleu"] <= 100


def test_ten_lines_more_end_in_time_and_score_what_is_held_out(capsys):
    own, watched = (code for code in blocks() if "training.fit(" in code)
    assert len(lines(watched)) <= 10
    (fit,) = (line for line in lines(own) if line.startswith("training.fit("))
    names = {}
    exec(own.replace(fit, watched.replace("Budget(600)", "Budget(5)")), names)
    assert "Budget(600)" in watched
    *_, budget, best = names["watch"]
    assert budget.seconds == 5
    assert len(best.scores) >= 2
    assert names["score"](names["model"].eval()) == max(best.scores.values())
    said = capsys.readouterr().err
    assert re.fullmatch(r"(step \d+/(\d+|…) · loss .* · \d+ s( · .*)?\n)+", said), said
