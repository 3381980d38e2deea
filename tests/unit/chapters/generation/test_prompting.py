"""Networks that are told by examples what to do: the task, and its experiments."""

from collections import Counter
from itertools import islice
from random import Random

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from typechecker import unchecked

from attention_book import models, runs
from attention_book.chapters.generation.experiments import prompting
from attention_book.chapters.generation.operations import (
    EVERY,
    OPERATIONS,
    WORDS,
    decode,
    encode,
    operation_of,
    pair,
    parsed,
    prompt,
    sentences,
)
from attention_book.chapters.generation.running_example import ASKED, INPUTS
from attention_book.chapters.generation.tasks.prompting import Prompting
from attention_book.data import PAD, STOP
from attention_book.data.batching import padded


@pytest.fixture
def tiny():
    sizes = {"D": 8, "N_heads": 2, "D_hidden": 8, "N_positions": 128, "std": 1.0}
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return models.GPT(models.GPTConfig(len(WORDS), N_blocks=2, **sizes)).eval()


class Writer(nn.Module):
    """Writes what `answer(examples, asked)` says, of words."""

    def __init__(self, answer):
        super().__init__()
        self.answer = answer

    def encode(self, source, visible):
        answers = [self.answer(*split(decode(row.tolist()))) for row in source]
        return padded([[*encode(each), STOP] for each in answers])

    def initial_state(self, memory):
        return 0

    def step(self, token, memory, t):
        t_last = min(t, memory.shape[1] - 1)
        return F.one_hot(memory[:, t_last], len(WORDS)).float(), t + 1, None


def split(prompt):
    """The examples of a prompt, as pairs, and what is asked."""
    *examples, asked = " ".join(prompt).split(" . ")
    pairs = [each.removeprefix("in: ").split(" out: ") for each in examples]
    asked = asked.removeprefix("in: ").removesuffix(" out:")
    return [tuple(tuple(x.split()) for x in pair) for pair in pairs], asked.split()


def follows(place):
    """Does what one example shows, or says "the" if it shows nothing known."""

    def answer(examples, asked):
        given, output = examples[place]
        name = operation_of(output, parsed(given))
        return EVERY[name](parsed(asked)) if name else ("the",)

    return Writer(answer)


def always(name):
    return Writer(lambda examples, asked: EVERY[name](parsed(asked)))


def batch(**settings):
    return next(Prompting(**settings).batches(0, 1))


def texts(ids):
    """Rows as lists of (given, output)."""
    for row in ids.tolist():
        text = decode(i for i in row if i != PAD)
        assert text[-1] == "."
        yield split((*text, "in:", "out:"))[0]


# the task


def test_it_is_shown_six_pairs_of_one_operation_and_no_sentence_of_another_split():
    for ids in islice(Prompting().batches(0, 2), 2):
        assert len(ids) == 21
        for pairs in texts(ids):
            drawn = [parsed(given) for given, _ in pairs]
            assert {each.split for each in drawn} == {"training"}
            shown = zip(pairs, drawn, strict=True)
            names = {operation_of(output, each) for (_, output), each in shown}
            assert len(names) == 1
            assert names < {*OPERATIONS}
            assert len(pairs) == 6


def test_operations_are_drawn_as_often_as_they_weigh():
    def counted(weights):
        names = Counter()
        with unchecked():
            for ids in islice(Prompting(weights=weights).batches(0, 30), 30):
                for (given, output), *_ in texts(ids):
                    names[operation_of(output, parsed(given))] += 1
        return names

    alike, heavy = counted({}), counted({"passive": 3})
    assert [*alike.values()] == pytest.approx(7 * [90], abs=30)
    assert heavy.pop("passive") == pytest.approx(210, abs=40)
    assert [*heavy.values()] == pytest.approx(6 * [70], abs=25)


def test_an_operation_that_does_not_exist_cannot_weigh(as_a_reader):
    with pytest.raises(ValueError, match="weights is 'sung', expected one of corr"):
        Prompting(weights={"sung": 3})


def test_a_seed_gives_its_batches_again():
    one, same, other = (next(Prompting().batches(seed, 1)) for seed in (0, 0, 1))
    assert torch.equal(one, same)
    assert one.tolist() != other.tolist()


def test_the_loss_is_the_surprise_at_every_next_word(tiny):
    ids = batch()
    log_P = tiny(ids).log_softmax(dim=-1)
    surprise = [
        -log_P[b, t - 1, ids[b, t]].item()
        for b in range(len(ids))
        for t in range(1, ids.shape[1])
        if ids[b, t] != PAD
    ]
    assert (ids == PAD).any()
    expected = sum(surprise) / len(surprise)
    assert Prompting().loss(tiny, ids).item() == pytest.approx(expected, rel=1e-5)


def test_a_text_fits_with_five_examples_and_what_is_written():
    longest = max(len(each) for each in every_output(300))
    sizes = runs.load("prompting").recipe.task.sizes
    assert longest + 1 <= prompting.MAX_WORDS
    prompts = prompting.cases("long", 20, 5, ["passive"])
    most = max(len(each.prompt) for each in prompts) + prompting.MAX_WORDS
    assert most <= sizes["N_positions"]


def every_output(N):
    for sentence in islice(sentences(Random(0), "training"), N):
        yield from (do(sentence) for do in EVERY.values())


# what is right


def test_parts_of_a_text():
    text = [
        "in:",
        "the",
        "cat",
        "out:",
        "my",
        "dog",
        ".",
        "in:",
        "the",
        "out:",
        "my",
        ".",
    ]
    ids = torch.tensor([[*encode(text), PAD]])
    number, is_output = prompting.parts(ids)
    assert number[0].tolist() == 7 * [0] + 6 * [1]
    assert is_output[0].int().tolist() == [*map(int, "0000111000110")]


def knows(ids):
    """Logits of the word that follows in a text."""
    return F.one_hot(F.pad(ids[:, 1:], (0, 1)), len(WORDS)).float()


def test_who_writes_every_word_has_all_right_and_one_wrong_word_costs_its_pair():
    asked = prompting.cases("right", 2)
    ids = padded([encode(each.text) for each in asked])
    logits = knows(ids)
    assert prompting.completed(logits, ids).all()
    number, is_output = prompting.parts(ids)
    for place in range(1, ids.shape[1], 2):
        wrong = logits.clone()
        wrong[3, place - 1] = F.one_hot(torch.tensor(1), len(WORDS)).float()
        right = prompting.completed(wrong, ids)
        expected = torch.ones_like(right)
        if is_output[3, place]:
            expected[3, number[3, place]] = False
        assert torch.equal(right, expected)


def test_what_is_completed_is_what_is_written():
    model = runs.load("prompting").model()
    asked = prompting.cases("both", 6, 0)
    ids = padded([encode(each.text) for each in asked])
    with torch.no_grad():
        right = prompting.completed(model(ids), ids)[:, -1]
    outputs = prompting.written(model, [each.prompt for each in asked])
    same = [o == each.answer for o, each in zip(outputs, asked, strict=True)]
    assert right.tolist() == same
    assert {*same} == {True, False}


def test_prompts_of_all_lengths_are_answered_in_their_order():
    asked = prompting.cases("order", 5)
    assert len({len(each.prompt) for each in asked}) > 5
    outputs = prompting.written(follows(0), [each.prompt for each in asked])
    assert outputs == [each.answer for each in asked]


def test_cases_are_of_unseen_sentences_of_each_operation():
    asked = prompting.cases("unseen", 3, 4)
    assert [each.operation for each in asked[::3]] == [*OPERATIONS]
    for each in asked:
        given = [parsed(given) for given, _ in each.examples]
        assert len(given) == 4
        assert {s.split for s in (*given, each.sentence)} == {"test"}
    assert asked == prompting.cases("unseen", 3, 4)
    assert asked != prompting.cases("others", 3, 4)
    for each in prompting.cases("unseen", 3, 0, split="development"):
        assert each.sentence.split == "development"


def test_shares_by_examples_are_by_operation(tiny):
    class Knows(nn.Module):
        def forward(self, ids):
            logits = knows(ids)
            does = (ids == encode(["does"])[0]).any(dim=1)  # negation and question
            logits[does, -1] = 0
            number, _ = prompting.parts(ids)
            logits[does] *= (number[does] > 0)[..., None]  # wrong in the first pair
            return logits

    found = prompting.by_examples(Knows(), 3)
    assert [*found] == ["0", "1", "2", "3", "4", "5"]
    zero = dict.fromkeys(OPERATIONS, 1.0) | {"negation": 0.0, "question": 0.0}
    assert found["0"] == pytest.approx({"all": 5 / 7, **zero})
    assert {*found["3"].values()} == {1.0}


# experiments


def test_without_an_example_the_operation_is_counted():
    assert prompting.without_examples(always("past"), 3) == {"past": 1.0}


def test_new_operations_are_told_from_their_parts():
    found = prompting.never_trained(follows(2), 3)
    assert all(each["exact"] == 1 for each in found.values())
    found = prompting.never_trained(always("passive"), 3)
    assert found["passive + question"] == {"exact": 0, "a part": 1}
    assert found["plural + past"] == {"exact": 0, "a part": 0}
    found = prompting.never_trained(always("backwards"), 3)
    assert found["backwards"] == {"exact": 1, "a part": 1}


@pytest.mark.parametrize(
    ("place", "expected"), [(0, "aaab"), (-1, "bbaa"), (1, "baba")]
)
def test_of_contradicting_examples_it_is_told_which_is_followed(place, expected):
    found = prompting.contradicted(follows(place), 1)
    assert found == {
        order: {each: 1.0}
        for order, each in zip(prompting.ORDERS, expected, strict=True)
    }


def test_of_contradicting_examples_none_may_be_followed():
    assert {*prompting.contradicted(always("past"), 1)["ab"]} == {"a", "b", "another"}
    silent = Writer(lambda *_: ("the",))
    assert prompting.contradicted(silent, 1)["ab"] == {"neither": 1.0}


def test_outputs_of_other_sentences_show_their_operation_all_the_same():
    assert prompting.unpaired(always("past"), 3) == pytest.approx(
        {"all": 1 / 7, **dict.fromkeys(OPERATIONS, 0.0), "past": 1.0}
    )
    assert prompting.unpaired(follows(0), 3)["all"] == 0.0


def test_outputs_are_judged():
    asked = prompting.cases("judged", 4)
    assert prompting.judged(follows(1), asked) == {"right": 1.0}
    found = prompting.judged(always("past"), asked)
    assert found == pytest.approx({"right": 1 / 7, "past": 6 / 7})
    silent = prompting.judged(Writer(lambda *_: ("the",)), asked)
    assert silent == {"right": 0.0, "neither": 1.0}


def test_each_head_is_silenced_by_itself(tiny, monkeypatch):
    seen = []

    def judged(model, asked):
        rows = [
            block.attend.W_O.unflatten(0, (2, -1)).abs().sum(dim=(1, 2)) == 0
            for block in model.encoder.blocks
        ]
        seen.append(torch.stack(rows).nonzero().tolist())
        return {"right": 1.0}

    monkeypatch.setattr(prompting, "judged", judged)
    found = prompting.without_heads(tiny, "some", 1)
    assert [*found] == ["", "1.1", "1.2", "2.1", "2.2"]
    assert seen == [[], [[0, 0]], [[0, 1]], [[1, 0]], [[1, 1]]]


def test_what_is_barred_from_all_sight_cannot_matter(tiny):
    ids = batch()[:2]
    number, _ = prompting.parts(ids)
    own = number == 5
    hidden = own[:, :, None] & ~own[:, None]
    others = ids.where(own, ids.flip(0))

    def own_logits(ids, blocks):
        return prompting.barred(tiny, ids, hidden, blocks)[own]

    both = own_logits(ids, (0, 1)), own_logits(others, (0, 1))
    torch.testing.assert_close(*both)
    for blocks in ((), (0,), (1,)):
        now, then = own_logits(ids, blocks), own_logits(others, blocks)
        assert not torch.allclose(now, then, atol=1e-3)
    free = prompting.barred(tiny, ids, hidden, ())
    torch.testing.assert_close(free, tiny(ids))


def test_inputs_or_outputs_of_examples_are_barred_from_the_last_pair(tiny, monkeypatch):
    seen = {}

    def barred(model, ids, hidden, blocks):
        number, is_output = prompting.parts(ids)
        b, asks, asked = hidden.nonzero().T
        assert {*number[b, asks].tolist()} == {3}
        assert {*number[b, asked].tolist()} == {0, 1, 2}
        kinds = {*is_output[b, asked].tolist()}
        seen.setdefault(tuple(kinds), []).append((len(b), list(blocks)))
        return knows(ids)

    monkeypatch.setattr(prompting, "barred", barred)
    found = prompting.without_parts(tiny, 3)
    every = {"1": 1.0, "2": 1.0, "1 and 2": 1.0}
    assert found == {"examples' inputs": every, "examples' outputs": every}
    for made in seen.values():
        assert [blocks for _, blocks in made] == [[0], [1], [0, 1]]
    assert {*seen} == {(False,), (True,)}


def test_where_heads_look_is_a_mean_over_what_writes_the_last_output(tiny):
    found = prompting.looks(tiny, 2)
    asked = prompting.cases("looks", 2)
    sums = torch.zeros(2, 2, 4)
    N = 0
    for each in asked:
        ids = torch.tensor([encode(each.text)])
        A = tiny.attention(ids)[0]  # (N_blocks, N_heads, N, N)
        begin, end = len(each.prompt) - 1, len(each.text) - 1
        last = len(each.prompt) - len(each.sentence.given) - 2  # "in:"
        kind = []
        for t, word in enumerate(each.text):
            is_output = kind[-1] % 2 if t else 0
            after = each.text[t - 1] if t else "in:"
            is_output = 1 if after == "out:" else 0 if word == "in:" else is_output
            kind.append(2 * (t >= last) + is_output)
        to = F.one_hot(torch.tensor(kind), 4).float()
        sums += (A[:, :, begin:end] @ to).sum(dim=2)
        N += end - begin
    for name, expected in zip(models.heads(tiny), sums.flatten(0, 1) / N, strict=True):
        shares = [*found[name].values()]
        assert shares == pytest.approx(expected.tolist(), abs=1e-4)
        assert sum(shares) == pytest.approx(1, abs=1e-4)


# the recorded network


@pytest.mark.parametrize("name", OPERATIONS)
def test_the_first_network_does_what_one_two_or_three_examples_show(name):
    model = runs.load("prompting").model()
    shown = *INPUTS, "the big bird hides our queen"
    examples = [pair(parsed(each.split()), name) for each in shown]
    prompts = [prompt(examples[:k], ASKED.split()) for k in (1, 2, 3)]
    right = OPERATIONS[name](parsed(ASKED.split()))
    assert prompting.written(model, prompts) == 3 * [right]
