"""The fresh stack of chapter 10: what a page's engine gives of it is what the recorded
stacks' own blocks give, and what the chapter says of its running example holds.
"""

import subprocess
import sys
from itertools import product

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from attention_book import layers
from attention_book.chapters.norm_and_residuals.fresh_stack import (
    as_asked,
    network,
    way_up,
)
from attention_book.chapters.norm_and_residuals.recipes import (
    DEPTHS,
    NORMS,
    STARTS,
    deep,
)
from attention_book.chapters.norm_and_residuals.sentences import WORDS
from attention_book.chapters.norm_and_residuals.widgets import SENTENCE
from attention_book.training import seeded

FULL = STARTS["full"]
KINDS = [*product(NORMS, (True, False), STARTS.values())]


def question(norm, residual, start, sentence=SENTENCE):
    chosen = {"norm": [as_asked(norm)], "residual": [[float(residual)]]}
    chosen |= {"start": [[start]]}
    return {"ids": [WORDS.encode(sentence.split())], **chosen}


@torch.no_grad()
@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize(("norm", "residual", "start"), KINDS)
def test_its_lowest_blocks_are_those_of_the_recorded_stack(
    depth, norm, residual, start
):
    stack = norm if residual else f"{norm}-cut"
    names = {factor: name for name, factor in STARTS.items()}
    with seeded(0):
        model = deep(stack, depth, names[start]).model()
    X = model.places(model.words(torch.tensor([WORDS.encode(SENTENCE.split())])))
    stream = [X]
    for block in model.encoder.blocks:
        stream.append(block(stream[-1], layers.causal_mask(X.shape[1]))[0])
    stream = torch.cat(stream).double()  # (depth + 1, N_X, D)
    sizes = stream[:, -1].square().mean(-1).sqrt()
    U = F.normalize(stream, dim=-1, eps=1e-99)
    found = way_up(SENTENCE, norm, residual, start)
    np.testing.assert_allclose(found["size"][: depth + 1], sizes, rtol=2e-3)
    cosines = {"kept": U[:, -1] @ U[0, -1]}
    cosines["alike"] = (U[:, :-1] @ U[:, -1:].mT).mean((1, 2))
    for name, due in cosines.items():
        np.testing.assert_allclose(found[name][: depth + 1], due, atol=1e-3)


def test_the_page_computes_it_as_torch_does_to_what_a_reader_can_see(ask):
    kinds = [*KINDS, ("none", True, 2.0)]
    asked = [question(*kind) for kind in kinds]
    asked.append(question("pre", True, FULL, "the car"))
    asked.append(question("none", True, 1.0, "bread"))  # no other words to be like
    answers = ask(network(), [{"call": "climb", "inputs": each} for each in asked])
    for each, (got, _) in zip(asked, answers, strict=True):
        right, _ = network().run("climb", each)
        assert got.keys() == right.keys()
        np.testing.assert_allclose(got["size"], right["size"], rtol=0.1)
        for name in ("kept", "alike"):
            np.testing.assert_allclose(got[name], right[name], atol=0.1, err_msg=name)
        for name in ("rows", "several"):
            np.testing.assert_array_equal(got[name], right[name])
    assert (answers[-1][0]["rows"], answers[-1][0]["several"]) == (0, 0)


def test_in_full_precision_the_engine_gives_the_same(ask):
    whole = network()
    whole = type(whole)(whole.name, whole.model, whole.calls, "float32", whole.program)
    asked = [question(*kind) for kind in KINDS]
    answers = ask(whole, [{"call": "climb", "inputs": each} for each in asked])
    for each, (got, _) in zip(asked, answers, strict=True):
        right, _ = whole.run("climb", each)
        np.testing.assert_allclose(got["size"], right["size"], rtol=0.01)
        np.testing.assert_allclose(got["alike"], right["alike"], atol=0.01)


def test_what_the_chapter_says_of_bread_holds():
    alone = way_up(SENTENCE, "none", residual=False)
    assert alone["size"][12] < 1e-12 * alone["size"][0]
    cut = [way_up(SENTENCE, norm, residual=False) for norm in NORMS]
    assert all((each["alike"][4:] > 0.985).all() for each in cut)
    np.testing.assert_allclose(cut[NORMS.index("post")]["size"][1:], 1, atol=0.01)
    for norm, due in (("none", 0.79), ("post", 0.75), ("pre", 0.20)):
        top = way_up(SENTENCE, norm)["alike"][24]
        assert top == pytest.approx(due, abs=5e-3), norm
    pre = way_up(SENTENCE, "pre", start=FULL)["size"]
    assert pre[[0, 24]] == pytest.approx([1.4, 5.5], abs=0.05)
    sizes = [way_up(SENTENCE, start=start)["size"] for start in (1.0, FULL)]
    assert sizes[0][24] == pytest.approx(7.7, abs=0.05)
    assert sizes[1][24] == pytest.approx(785_000, abs=500)
    grown = (sizes[1][24] / sizes[1][0]) ** (1 / 24)
    assert (sizes[1][0], grown) == (
        pytest.approx(1.4, abs=0.05),
        pytest.approx(1.73, abs=0.01),
    )
    after = way_up(SENTENCE, "post")["size"][1:]
    np.testing.assert_allclose(after, 1, atol=0.01)


def test_a_norm_by_another_name_is_refused():
    """The controls of the figure say pre-norm, which once meant no norm here."""
    assert as_asked("pre") == [1, 0]
    assert as_asked("post") == [0, 1]
    with pytest.raises(ValueError, match="'pre-norm', expected one of none, post, pre"):
        way_up(SENTENCE, "pre-norm")


def test_its_program_is_what_it_does_today():
    """In a process of its own: torch.export would trace the checks of shapes, too."""
    module = "attention_book.chapters.norm_and_residuals.fresh_stack"
    code = f"import {module} as it\nprint(it.traced() == it.PROGRAM.read_text())"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.split()[-1] == "True", f"write it again: python -m {module}"


def test_a_megabyte_travels():
    program, data = network().packed()
    assert len(data) < 1e6
    assert len(str(program)) < 10_000
