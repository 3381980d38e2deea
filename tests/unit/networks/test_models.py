"""A network answers by the weights that its model has now, and by no other program."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from attention_book import runs
from attention_book.chapters.self_attention.model import PronounModel
from attention_book.networks import Network, pack


class Fixed(nn.Module):
    """Looks by weights of its own, whatever it reads; and once for nothing."""

    def __init__(self):
        super().__init__()
        self.scores = nn.Parameter(torch.tensor([[[0.0, 1.0, 2.0]]]))
        self.rows = nn.Parameter(torch.eye(3))

    def forward(self, x):
        A = self.scores.softmax(dim=-1)
        x.softmax(dim=-1)
        return A @ self.rows + 0 * x.sum()


def fixed():
    call = lambda model, x: {"y": model(x)}  # noqa: E731
    given = [{"x": torch.zeros(1, N, 3)} for N in (2, 4)]
    return Network("fixed", Fixed().eval(), {"read": (call, given)}, "float32")


@pytest.mark.parametrize("told", [{}, {"attention": [["strongest"]]}])
def test_a_tap_of_weights_alone_and_one_that_nobody_uses_are_seen(ask, told):
    network, given = fixed(), {"x": [[[1.0, 2.0, 3.0]]]}
    ((outputs, taps),) = ask(
        network, [{"call": "read", "inputs": given, "change": told}]
    )
    right, attended = network.answer("read", given, told, {})
    np.testing.assert_allclose(outputs["y"], right["y"], atol=1e-6)
    assert taps.keys() == attended.keys() == {"attention", "attention#2"}
    for name, A in taps.items():
        np.testing.assert_allclose(A, attended[name], atol=1e-6)


@torch.no_grad()
def test_python_answers_by_the_weights_of_today():
    network = fixed()
    before, _ = network.run("read", {"x": [[[0.0, 0.0, 0.0]]]})
    network.model.rows += 1
    after, _ = network.run("read", {"x": [[[0.0, 0.0, 0.0]]]})
    np.testing.assert_allclose(after["y"], before["y"] + 1, atol=1e-6)


@pytest.mark.parametrize("name", ["it", "attention-dot"])
def test_a_model_of_the_same_make_takes_a_networks_place(name):
    network, anew = runs.load(name).network(), runs.load(name).recipe.task.model()
    assert network.of(anew).model is anew
    assert network.of(anew).program == network.program


def test_a_model_of_another_make_that_computes_the_same_does_too():
    class Own(Fixed):
        pass

    network = fixed()
    assert network.of(Own()).program is network.program


def test_a_model_that_computes_something_else_is_refused():
    network = runs.load("it").network()
    flat = PronounModel(replace(network.model.config, flat=True))
    with pytest.raises(ValueError, match="computes something else than 'it'"):
        network.of(flat)


PACKED = {
    "NaN, int8": (torch.tensor([[1.0, float("nan")]]), "int8"),
    "infinity, int8": (torch.tensor([[1.0, float("inf")]]), "int8"),
    "NaN, float16": (torch.tensor([[1.0, float("nan")]]), "float16"),
    "too large a whole number": (torch.tensor([2**24 + 1]), "float16"),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("given", "precision"), PACKED.values(), ids=PACKED)
def test_numbers_that_cannot_be_kept_are_refused(given, precision):
    with pytest.raises(ValueError, match=r"W holds numbers that .* cannot hold"):
        pack({"weights": ["W"]}, {"W": given}, precision)


@pytest.mark.parametrize("precision", ["float16", "int8", "float32"])
def test_whole_numbers_and_masks_travel_exactly(precision):
    state = {"ids": torch.tensor([[2049, 70_001]]), "mask": torch.tensor([True, False])}
    places, data = pack({"weights": [*state]}, state, precision)
    for name, (kind, start, shape) in places.items():
        assert kind == "float32"
        found = np.frombuffer(data, "<f4", int(np.prod(shape)), start).reshape(shape)
        np.testing.assert_array_equal(found, state[name])
