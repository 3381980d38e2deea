"""The two tasks and the network: what is asked, and what each way can see of it."""

import pytest
import torch

from attention_book.chapters.three_ways.experiments import influence
from attention_book.chapters.three_ways.model import Network, NetworkConfig
from attention_book.chapters.three_ways.recipes import DEEP, RECIPES
from attention_book.chapters.three_ways.tasks import (
    NAMES,
    SWITCH,
    WORDS,
    Carry,
    presses,
    right,
    sentences,
)
from attention_book.data import PAD


def rng(seed=0):
    return torch.Generator().manual_seed(seed)


def test_a_sentence_asks_for_the_name_so_many_words_back():
    words, answers = sentences(5, 200, rng())
    assert words.shape == (200, 6)
    for row, answer in zip(words.tolist(), answers.tolist(), strict=True):
        name, *fillers, question = WORDS.decode(row)
        assert name in NAMES
        assert not {*NAMES, "who?"} & {*fillers}
        assert question == "who?"
        assert answer == [PAD] * 5 + [row[0]]
    assert len({*words[:, 0].tolist()}) == len(NAMES)


def test_the_light_is_on_after_an_odd_number_of_presses():
    words, answers = presses(9, 50, rng())
    for row, lights in zip(words.tolist(), answers.tolist(), strict=True):
        on = False
        for word, light in zip(SWITCH.decode(row), SWITCH.decode(lights), strict=True):
            on ^= word == "press"
            assert light == ("on" if on else "off")


def test_right_looks_at_the_last_word_only():
    answers = torch.tensor([[3, 4, 5], [3, 4, 6]])

    class Says(torch.nn.Module):
        def forward(self, words):
            logits = torch.zeros(2, 3, 8)
            logits[:, -1, 5] = 1
            return logits

    assert right(Says(), answers, answers) == 0.5


@pytest.mark.parametrize(
    "task", [recipe.task for recipe in RECIPES], ids=[r.name for r in RECIPES]
)
def test_every_network_that_is_trained_can_see_what_it_is_asked_for(task):
    """And with a layer less it could not, but for the one made as deep as another."""
    distance = getattr(task, "distance", 15)
    assert _sees(task.way, task.N_layers, distance)
    if task.N_layers > 1 and isinstance(task, Carry) and task != DEEP:
        assert not _sees(task.way, task.N_layers - 1, distance)


def _sees(way, N_layers, distance):
    model = Network(NetworkConfig(9, way, N_layers, D=8)).double()
    return influence([model.states], torch.randn(distance + 1, 8).double())[0] > 0


def test_the_gate_of_the_open_gru_keeps_its_state():
    kept = []
    for way in ("gru", "open-gru"):
        torch.manual_seed(0)
        model = Network(NetworkConfig(9, way, 1, D=8))
        cell = model.mixes[0].cell
        state = torch.randn(100, 8)
        after = cell(torch.randn(100, 8), state)
        kept.append(((after - state).norm() / state.norm()).item())
    assert kept[1] < 0.1
    assert kept[0] > 4 * kept[1]


@pytest.mark.parametrize("way", ["gru", "open-gru", "attention"])
def test_what_comes_later_changes_nothing_in_a_causal_network(way):
    model = Network(NetworkConfig(9, way, 2, D=8))
    words = torch.randint(9, (2, 7))
    later = words.clone()
    later[:, 4] = (later[:, 4] + 1) % 9
    was, now = model(words), model(later)
    torch.testing.assert_close(now[:, :4], was[:, :4])
    assert (now[:, 4:] - was[:, 4:]).abs().amax(dim=-1).min() > 1e-5
