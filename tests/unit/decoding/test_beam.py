"""Beam search against all sentences and a search in lists; scores against forward."""

from dataclasses import FrozenInstanceError
from itertools import product

import pytest
import torch
from torch import nn

from attention_book.decoding import BeamDecoded, beam, greedy
from attention_book.decoding.beam import FEW, largest
from attention_book.models import (
    FixedContext,
    Seq2SeqConfig,
    Transformer,
    TransformerConfig,
)

START, STOP = 1, 2
N_WORDS = 5


class Looker(nn.Module):
    """A decoder with attention and dropout; its state is a nest of all it may be."""

    def __init__(self, seed, N_source_words=7, D=4, sharpness=4.0):
        super().__init__()
        torch.manual_seed(seed)
        self.source = nn.Embedding(N_source_words, D)
        self.target = nn.Embedding(N_WORDS, D)
        self.place = nn.Embedding(20, D)
        self.cell = nn.Linear(3 * D, D)
        self.output = nn.Linear(2 * D, N_WORDS)
        self.dropout = nn.Dropout(0.5)
        # a random model finds all words alike: make it have preferences
        self.sharpness = sharpness

    def encode(self, source, source_visible):
        h = self.source(source) + self.place.weight[: source.shape[1]]
        if source_visible is None:
            source_visible = torch.ones_like(source, dtype=torch.bool)
        return h, source_visible

    def initial_state(self, memory):
        h, visible = memory
        s_0 = (h * visible.unsqueeze(-1)).sum(1) / visible.sum(1, keepdim=True)
        return s_0, (None, [torch.zeros_like(s_0), 0], 0.5)

    def step(self, token, memory, state):
        h, visible = memory
        s, (nothing, [total, t], half) = state
        assert nothing is None
        assert half == 0.5
        e = (h @ s.unsqueeze(-1)).squeeze(-1) * 3
        a = e.masked_fill(~visible, -torch.inf).softmax(-1)
        c = (a.unsqueeze(1) @ h).squeeze(1)
        s = self.dropout(
            torch.tanh(self.cell(torch.cat([s, c, self.target(token)], -1)))
        )
        total = total + s
        logits = self.output(torch.cat([s, total], -1)) * self.sharpness + 0.1 * t
        return logits, (s, (None, [total, t + 1], half)), a

    def forward(self, source, source_visible, target_in):
        memory = self.encode(source, source_visible)
        state, logits = self.initial_state(memory), []
        for token in target_in.unbind(1):
            out, state, _ = self.step(token, memory, state)
            logits.append(out)
        return torch.stack(logits, 1)


def fixed_context(seed):
    torch.manual_seed(seed)
    model = FixedContext(Seq2SeqConfig(7, N_WORDS, 3, 4))
    with torch.no_grad():
        model.output[-1].weight.mul_(8)
    return model


def transformer(seed):
    """Its state is a list of what each block keeps, longer at each step."""
    torch.manual_seed(seed)
    model = Transformer(TransformerConfig(7, N_WORDS, 4, 2, 4, N_decoder_blocks=2))
    with torch.no_grad():
        model.decoder.norm.gamma.mul_(4)
    return model


MODELS = [Looker, fixed_context, transformer]
SOURCE = torch.tensor([[5, 6, 2, 0], [3, 2, 0, 0], [3, 4, 5, 2]])
VISIBLE = SOURCE != 0
# more slots than there are sentences of up to four words: 1 + 4 + 16 + 64 finished, 256
# cut off
EXACT = 400


def log_p_of(model, row, words):
    """Teacher-forced log P of a list of words."""
    model.eval()
    with torch.no_grad():
        logits = model(
            SOURCE[row : row + 1],
            VISIBLE[row : row + 1],
            torch.tensor([[START, *words[:-1]]]),
        )
    return logits.log_softmax(-1)[0, torch.arange(len(words)), words].sum().item()


def every_sentence(max_words):
    inner = [word for word in range(N_WORDS) if word != STOP]
    return [
        [*words, STOP] for n in range(max_words) for words in product(inner, repeat=n)
    ]


def slow_beam(model, row, width, max_words):
    """Beam search in lists: finished sentences, and open ones, with their log P."""
    live, done = [([], 0.0)], []
    for _ in range(max_words):
        longer = [
            ([*words, w], log_p_of(model, row, [*words, w]))
            for words, _ in live
            for w in range(N_WORDS)
        ]
        longer.sort(key=lambda one: -one[1])
        kept = longer[: width - len(done)]
        done += [one for one in kept if one[0][-1] == STOP]
        live = [one for one in kept if one[0][-1] != STOP]
        if not live:
            break
    return done, live


def written(hypothesis):
    return [*hypothesis.ids, STOP] if hypothesis.finished else hypothesis.ids


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("length_penalty", [0, 1.0])
def test_a_beam_wide_enough_finds_the_best_of_all_sentences(model, length_penalty):
    model = model(seed=3)
    how = {"width": EXACT, "max_words": 4, "length_penalty": length_penalty}
    decoded = beam(model, SOURCE, VISIBLE, **how)
    for row in range(len(SOURCE)):
        log_p = {
            tuple(words): log_p_of(model, row, words) for words in every_sentence(4)
        }
        score = {words: p / len(words) ** length_penalty for words, p in log_p.items()}
        best = max(score, key=score.get)
        assert (*decoded.ids[row], STOP) == best
        assert decoded.finished[row]
        found = decoded.score[row].item(), decoded.log_probability[row].item()
        assert found == pytest.approx((score[best], log_p[best]), abs=1e-4)
        assert len(decoded.hypotheses[row]) == 85 + 256


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("width", [1, 2, 3, 6])
def test_a_narrow_beam_keeps_what_a_slow_search_keeps(model, width):
    model = model(seed=8)
    decoded = beam(model, SOURCE, VISIBLE, width=width, max_words=5, length_penalty=0)
    for row in range(len(SOURCE)):
        done, live = slow_beam(model, row, width, 5)
        expected = sorted(done, key=lambda one: -one[1]) + sorted(
            live, key=lambda one: -one[1]
        )
        found = decoded.hypotheses[row]
        assert [written(one) for one in found] == [words for words, _ in expected]
        assert [one.log_probability for one in found] == pytest.approx(
            [p for _, p in expected], abs=1e-4
        )


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("seed", range(5))
def test_width_1_is_greedy(model, seed):
    model = model(seed=seed)
    one, other = (
        beam(model, SOURCE, VISIBLE, width=1, max_words=8),
        greedy(model, SOURCE, VISIBLE, max_words=8),
    )
    assert one.ids == other.ids
    assert torch.equal(one.finished, other.finished)
    if other.attention is not None:
        for row, found in enumerate(one.hypotheses):
            torch.testing.assert_close(
                found[0].attention, other.attention[row, : len(written(found[0]))]
            )


@pytest.mark.parametrize("build", [Looker, transformer])
def test_attention_is_that_of_stepping_the_winning_words_again(build):
    swapped = 0
    for seed in range(5):
        model = build(seed).eval()
        decoded = beam(model, SOURCE, VISIBLE, width=4, max_words=6)
        for row, found in enumerate(decoded.hypotheses):
            for one in found:
                memory = model.encode(SOURCE[row : row + 1], VISIBLE[row : row + 1])
                state, rows = model.initial_state(memory), []
                for token in [START, *written(one)[:-1]]:
                    _, state, a_t = model.step(torch.tensor([token]), memory, state)
                    rows.append(a_t)
                torch.testing.assert_close(one.attention, torch.cat(rows).detach())
            n = len(written(found[0]))
            assert torch.equal(decoded.attention[row, :n], found[0].attention)
            assert not decoded.attention[row, n:].any()
        swapped += int((decoded.tree.parents > 0).sum())
    assert swapped > 10  # or the test would pass without any reordering


@pytest.mark.parametrize("model", MODELS)
def test_a_sentence_does_not_depend_on_its_batch_or_on_padding(model):
    model, how = model(seed=2), {"width": 3, "max_words": 6}
    together = beam(model, SOURCE, VISIBLE, **how)
    for row, n in enumerate(VISIBLE.sum(1).tolist()):
        at = slice(row, row + 1), slice(n)
        alone = beam(model, SOURCE[at], VISIBLE[at], **how)
        ids, expected = (
            [one.ids for one in found]
            for found in (alone.hypotheses[0], together.hypotheses[row])
        )
        assert ids == expected
        torch.testing.assert_close(alone.score, together.score[row : row + 1])


class Scripted(nn.Module):
    """P of each next word, looked up by the words so far; unknown hypotheses stop."""

    def __init__(self, table):
        super().__init__()
        self.table = {words: torch.tensor(p).log() for words, p in table.items()}

    def encode(self, source, source_visible):
        return source

    def initial_state(self, memory):
        return torch.full((len(memory), 0), 0)

    def step(self, token, memory, state):
        state = torch.cat([state, token.unsqueeze(1)], dim=1)
        stop = torch.tensor([0.0, 0, 1, 0, 0]).log()
        return (
            torch.stack(
                [self.table.get(tuple(row[1:]), stop) for row in state.tolist()]
            ),
            state,
            None,
        )


TRAP = Scripted(
    {
        (): [0.0, 0, 0, 0.6, 0.4],
        (3,): [0, 0, 0.2, 0.4, 0.4],
        (4,): [0.0, 0, 0.9, 0.05, 0.05],
    }
)


def test_a_word_that_looks_worse_at_first_can_win():
    assert greedy(TRAP, torch.zeros(1, 1).long(), None).ids == [[3, 3]]
    decoded = beam(TRAP, torch.zeros(1, 1).long(), None, width=2, length_penalty=0)
    assert decoded.ids == [[4]]
    assert decoded.log_probability.exp().item() == pytest.approx(0.4 * 0.9)


def test_the_length_penalty_favours_the_longer_sentence():
    # log 0.5 = -0.69 for [STOP] alone, log 0.45 = -0.80 for eight words
    long = {(3,) * n: [0.0, 0, 0, 1, 0] for n in range(1, 7)}
    model = Scripted({(): [0.0, 0, 0.5, 0.45, 0.05], **long})
    source = torch.zeros(1, 1).long()
    assert beam(model, source, None, width=3, length_penalty=0).ids == [[]]
    decoded = beam(model, source, None, width=3, length_penalty=0.6)
    assert decoded.ids == [[3] * 7]
    assert decoded.score.item() == pytest.approx(
        torch.tensor(0.45).log().item() / 8**0.6
    )


def test_a_finished_sentence_goes_before_one_that_was_cut_off():
    long = {(3,) * n: [0.0, 0, 0, 1, 0] for n in range(1, 9)}
    model = Scripted({(): [0.0, 0, 0.1, 0.9, 0], **long})
    source = torch.zeros(1, 1).long()
    decoded = beam(model, source, None, width=2, max_words=5)
    assert decoded.ids == [[]]
    assert [one.finished for one in decoded.hypotheses[0]] == [True, False]
    alone = beam(model, source, None, width=1, max_words=5)
    assert alone.ids == [[3] * 5]
    assert alone.finished.tolist() == [False]


def test_what_was_found_cannot_be_changed():
    decoded = beam(TRAP, torch.zeros(1, 1).long(), None)
    for found in (decoded, decoded.tree, decoded.hypotheses[0][0]):
        with pytest.raises(FrozenInstanceError):
            found.score = 0


def test_impossible_words_are_no_hypotheses():
    decoded = beam(TRAP, torch.zeros(2, 1).long(), None, width=20)
    possible = [(3,), (3, 3), (3, 4), (4,), (4, 3), (4, 4)]  # P([STOP]) is 0 at first
    for found in decoded.hypotheses:
        assert sorted(tuple(one.ids) for one in found) == possible
        P = sum(torch.tensor(one.log_probability).exp() for one in found)
        assert P.item() == pytest.approx(1)


class Painter(nn.Module):
    """Reads pictures: two words that say which quarter is brightest, then [STOP]."""

    def encode(self, source, source_visible):
        assert source_visible is None
        return source.mean(1).flatten(1)  # (B, N_X)

    def initial_state(self, memory):
        return 0

    def step(self, token, memory, state):
        logits = nn.functional.pad(
            memory * 50, (3, 0), value=-torch.inf
        )  # four words, after the specials
        if state == 2:
            logits = torch.zeros(len(memory), 7)
            logits[:, STOP] = 20.0
        return logits, state + 1, memory.softmax(-1)


def test_pictures_need_no_mask():
    pictures = torch.rand(2, 3, 2, 2, generator=torch.Generator().manual_seed(0))
    brightest = (3 + pictures.mean(1).flatten(1).argmax(1)).tolist()
    for decoded in (
        greedy(Painter(), pictures, None),
        beam(Painter(), pictures, None, width=2),
    ):
        assert decoded.ids == [[word, word] for word in brightest]
        assert decoded.attention.shape == (2, 3, 4)
    assert isinstance(decoded, BeamDecoded)


def test_log_p_of_a_model_of_half_precision_is_counted_in_single():
    tree = beam(Looker(0).bfloat16(), SOURCE, VISIBLE, max_words=6).tree
    assert tree.log_probability.dtype == torch.float32


@pytest.mark.parametrize("decode", [beam, greedy])
def test_a_part_in_training_is_put_to_evaluation_alone(decode):
    model = Looker(0).eval()
    model.dropout.train()
    expected = decode(Looker(0).eval(), SOURCE, VISIBLE)
    assert decode(model, SOURCE, VISIBLE).ids == expected.ids
    assert [part.training for part in (model, model.dropout)] == [False, True]


@pytest.mark.parametrize("decode", [beam, greedy])
def test_attributes_of_any_name_are_a_models_own(decode):
    model = Looker(0)
    model.lean_writer = model.take_rows = True
    assert decode(model, SOURCE, VISIBLE).ids == decode(Looker(0), SOURCE, VISIBLE).ids


@pytest.mark.parametrize("decode", [beam, greedy])
def test_every_part_of_the_model_is_put_back_even_after_an_error(decode):
    model = Looker(0).train()
    model.place.eval()  # a frozen part
    decode(model, SOURCE, VISIBLE)
    with pytest.raises(IndexError):
        decode(model, SOURCE + 100, VISIBLE)
    assert model.training
    assert model.dropout.training
    assert not model.place.training


class Broken(Painter):
    def __init__(self, state, logit=0.0, memory=0):
        super().__init__()
        self.state, self.logit, self.memory = state, logit, memory

    def encode(self, source, source_visible):
        return self.memory

    def initial_state(self, memory):
        return self.state

    def step(self, token, memory, state):
        return torch.full((len(token), 5), self.logit), self.state, None


@pytest.mark.parametrize(
    ("model", "options", "error", "says"),
    [
        (TRAP, {"width": 0}, ValueError, "width is 0, expected at least 1"),
        (TRAP, {"width": 2.0}, TypeError, "width must be an int, got 2.0"),
        (TRAP, {"max_words": 0}, ValueError, "max_words is 0"),
        (TRAP, {"length_penalty": -0.1}, ValueError, "length_penalty is -0.1"),
        (TRAP, {"length_penalty": float("nan")}, ValueError, "length_penalty is nan"),
        (Broken(0, float("nan")), {}, ValueError, "logits of word 0 hold NaN"),
        (Broken(0, -float("inf")), {}, ValueError, "logits of word 0 hold NaN"),
        (Broken({"s"}), {}, TypeError, "state holds a set"),
        (Broken(0, memory={"h": "it"}), {}, TypeError, "memory holds a str, expected"),
        (
            Broken(0, memory=[torch.zeros(2, 3)]),
            {},
            ValueError,
            r"memory has shape \(2, 3\), expected 1 rows",
        ),
        (
            Broken((0, (None, torch.zeros(1, 3)))),
            {},
            ValueError,
            r"state has shape \(1, 3\), expected 4 rows",
        ),
    ],
)
def test_bad_input_is_named(as_a_reader, model, options, error, says):
    with pytest.raises(error, match=says):
        beam(model, torch.rand(1, 3, 2, 2), None, **options)


@pytest.mark.parametrize("k", [1, FEW, FEW + 1])
def test_the_largest_are_those_of_topk_and_of_equal_ones_the_first(k):
    scores = torch.randn(5, 40)
    scores[1, 3], scores[2, 4], scores[3, 5:] = torch.nan, torch.inf, -torch.inf
    kept, places = largest(scores.clone(), k)
    expected, at = scores.topk(k)
    assert torch.equal(kept.nan_to_num(99), expected.nan_to_num(99))
    assert torch.equal(places[:3], at[:3])
    if k <= FEW:
        _, places = largest(torch.zeros(1, 40), k)
        assert places.tolist() == [[*range(k)]]
