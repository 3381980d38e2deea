"""Find the bug: a softmax over the queries draws a good map, and costs words."""

from types import SimpleNamespace

import pytest
import torch
import torch.nn.functional as F

from attention_book import data, decoding, runs
from attention_book.chapters.attention.bug import HUNT
from attention_book.chapters.attention.solutions import attend_all

AREA = "area"  # a word of the kept sentence
broken = HUNT.broken
N_Y, N_X, D = 3, 5, 4
generator = torch.Generator().manual_seed(0)
s, h = (torch.randn(n, D, generator=generator, dtype=torch.float64) for n in (N_Y, N_X))


def test_all_steps_are_the_librarys_attention():
    C, A = attend_all(s, h)
    torch.testing.assert_close(C, F.scaled_dot_product_attention(s, h, h, scale=1.0))
    torch.testing.assert_close(A.sum(dim=-1), torch.ones(N_Y, dtype=A.dtype))


def test_the_bug_has_the_right_shapes_and_the_wrong_sums():
    C, A = broken(s, h)
    assert (C.shape, A.shape) == ((N_Y, D), (N_Y, N_X))
    torch.testing.assert_close(A.sum(dim=0), torch.ones(N_X, dtype=A.dtype))
    assert (A.sum(dim=1) - 1).abs().max() > 0.1
    torch.testing.assert_close(C, A @ h)


def test_a_padded_input_would_show_it():
    assert torch.full((N_X, N_Y), -torch.inf).softmax(dim=-1).isnan().all()


@pytest.fixture(scope="module")
def trained():
    run = runs.load("attention-dot")
    look = runs.sentence_with(AREA, runs.kept_attention(run))
    area = data.Pair(look.source[:-1], look.target[:-1], look.alignment)
    return SimpleNamespace(model=run.model(), vocabularies=run.vocabularies, area=area)


def read(trained, pair, program):
    """Weights and right words: by the program, and by the model's own step."""
    ids, visible = data.encode_sources([pair.source], trained.vocabularies[0])
    fed = torch.tensor([trained.vocabularies[1].encode(pair.target, start=True)])
    along = decoding.forced_decoding(trained.model, ids, visible, fed)
    s = torch.stack(along.states[1:], dim=1)[0]
    with torch.no_grad():
        c, A = program(s, trained.model.encode(ids, visible).h[0])
        logits = trained.model.output(
            torch.cat([s, trained.model.target_embedding(fed[0]), c], dim=-1)
        )
    right = torch.tensor(trained.vocabularies[1].encode(pair.target, stop=True))
    return A, logits.argmax(dim=-1) == right, along


def test_repaired_it_is_the_models_own_step(trained):
    A, right, along = read(trained, trained.area, attend_all)
    torch.testing.assert_close(A, along.attention[0], atol=1e-4, rtol=0)
    own = torch.tensor(
        trained.vocabularies[1].encode(trained.area.target, stop=True)
    ) == along.logits[0].argmax(-1)
    assert right.equal(own)


def test_on_the_economic_area_one_word_looks_at_nothing_and_another_twice(trained):
    A, right, _ = read(trained, trained.area, broken)
    words = trained.area.target
    assert A[words.index("a")].sum() < 0.05
    assert A[words.index("sur")].sum() > 1.8
    assert right[words.index("a")]
    assert right[words.index("sur")]
    assert not read(trained, trained.area, attend_all)[1][words.index("sur")]


def test_the_bug_looks_right_word_by_word_and_breaks_sentences(trained):
    pairs = data.corpus("en", "fr", N_train=0, per_bucket=40).test[10, 12]
    right = {
        program: [read(trained, pair, program)[1] for pair in pairs]
        for program in (attend_all, broken)
    }
    words = {program: torch.cat(each).float().mean() for program, each in right.items()}
    whole = {
        program: sum(bool(one.all()) for one in each) / len(each)
        for program, each in right.items()
    }
    assert words[attend_all] > 0.99
    assert 0.9 <= words[broken] <= 0.98
    assert whole[attend_all] - whole[broken] >= 0.3
