"""What cannot be done is refused, and the error names it: here, and in a page alike."""

from typing import NamedTuple

import pytest
import torch
from torch import nn

from attention_book import runs
from attention_book.networks import trace
from attention_book.networks.calls import flat

N_X = 5
ROW = [0.2] * N_X
READS, WRITES, HEADS = "it", "attention-dot", "heads-4"
TAPS = {READS: "attend", WRITES: "attention", HEADS: "attend"}


def told(name, *changes):
    """A question that changes the weights of a network's tap."""
    return name, {"change": {TAPS[name]: changes}}


REFUSED = {
    "a call": ((READS, {"call": "look"}), "call.* is '?look'?, expected one of read"),
    "a tap": (
        (READS, {"change": {"attned": [["uniform"]]}}),
        "tap.* is '?attned'?, expected one of attend",
    ),
    "a tap, writing": (
        (WRITES, {"change": {"encoder": [["uniform"]]}}),
        "tap.* is '?encoder'?, expected one of attention",
    ),
    "a tap of none": (
        ("carry-12-gru", {"change": {"attend": []}}),
        "tap.* is '?attend'?, expected one of none",
    ),
    "a change": (told(READS, ["blur"]), "kind is '?blur'?, expected one of uniform"),
    "an input": ((READS, {"inputs": {}}), "input '?source'? is missing"),
    "an input, writing": ((WRITES, {"inputs": {}}), "input '?source'? is missing"),
    "forced, short": (told(READS, ["forced", [ROW[1:]]]), "forced .*4.* expected .*5"),
    "forced, long": (told(READS, ["forced", [ROW * 2]]), "forced .*10.* expected .*5"),
    "forced, one": (told(READS, ["forced", [[1.0]]]), "forced .*1.* expected .*5"),
    "forced, writing": (
        told(WRITES, ["forced", [ROW[1:]]]),
        "forced .*4.* expected .*5",
    ),
    "hiding, short": (told(READS, ["hiding", [0, 1]]), "hiding .*2.* expected .*5"),
    "hiding, long": (told(READS, ["hiding", [1] * 6]), "hiding .*6.* expected .*5"),
    "hiding, one": (told(READS, ["hiding", [1]]), "hiding .*1.* expected .*5"),
    "off, short": (told(HEADS, ["off", [1, 0]]), "off .*2.* expected .*4"),
    "off, one": (told(HEADS, ["off", [1]]), "off .*1.* expected .*4"),
    "reordered, short": (
        told(READS, ["reordered", [1, 0]]),
        "reordered .*2.* expected .*5",
    ),
    **{
        f"reordered, {name}": (
            told(READS, ["reordered", order]),
            "reordered takes .* expected an order of 0 to 4",
        )
        for name, order in {
            "beyond": [0, 2, 1, 3, 9],
            "below": [0, 2, 1, 3, -1],
            "twice": [0, 2, 1, 3, 3],
            "between": [0, 2, 1, 3, 3.9],
        }.items()
    },
    "masked, narrow": (told(READS, ["masked", [[1]] * 5]), "masked .*1.* expected .*5"),
    "most": ((WRITES, {"options": {"most": 0}}), "(most|words) is 0, expected at lea"),
    "width": ((WRITES, {"options": {"width": 0}}), "width is 0, expected at least 1"),
    **{
        name: (
            (WRITES, {"options": {"sample": {"seed": 1, name: 0}}}),
            f"{name} is 0, expected a .*above 0",
        )
        for name in ("temperature", "top_p")
    },
    "masked, low": (told(READS, ["masked", [[1] * 5]]), "masked .* expected .*5"),
}


def question(name, asked):
    network = runs.load(name).network()
    call = "write" if "step" in network.calls else "read"
    given = {"source": [[3] * N_X], "visible": [[True] * N_X]}
    return network, {
        "call": call,
        "inputs": given,
        "change": {},
        "options": {},
        **asked,
    }


@pytest.mark.parametrize(("asked", "says"), REFUSED.values(), ids=REFUSED)
def test_a_question_is_refused_in_python(asked, says):
    network, asked = question(*asked)
    with pytest.raises(ValueError, match=says):
        network.answer(**asked)


@pytest.mark.parametrize(("asked", "says"), REFUSED.values(), ids=REFUSED)
def test_a_question_is_refused_in_a_page(ask, asked, says):
    network, asked = question(*asked)
    with pytest.raises(RuntimeError, match=says):
        ask(network, [asked])


def test_a_program_that_gives_what_it_does_not_compute_is_refused(ask):
    network, asked = question(READS, {})

    def without(program, data):
        read = program["functions"]["read"]
        lost = {**read, "outputs": {**read["outputs"], "more": "nowhere"}}
        return {**program, "functions": {"read": lost}}, data

    with pytest.raises(RuntimeError, match="nowhere is not computed"):
        ask(network, [asked], without)


def test_a_step_that_loses_a_state_is_refused(ask):
    network, asked = question(WRITES, {})

    def losing(program, data):
        outputs = dict(program["functions"]["step"]["outputs"])
        del outputs["state"]
        step = {**program["functions"]["step"], "outputs": outputs}
        return {**program, "functions": {**program["functions"], "step": step}}, data

    with pytest.raises(RuntimeError, match="step gives no state"):
        ask(network, [asked], losing)
    step, examples = network.calls["step"]

    def forgets(model, **given):
        return {k: v for k, v in step(model, **given).items() if k != "state"}

    calls = {**network.calls, "step": (forgets, examples)}
    lost = type(network)(network.name, network.model, calls)
    with pytest.raises(ValueError, match="step of attention-dot gives no state"):
        lost.answer(**asked)


class Untold(nn.Module):
    """Keeps a tensor that no state holds, and attention that torch computes at once."""

    def __init__(self):
        super().__init__()
        self.look = nn.MultiheadAttention(4, 1)
        self.mul, self.own = nn.Parameter(torch.ones(4)), nn.Parameter(torch.ones(4))
        self.register_buffer("places", torch.ones(4), persistent=False)


UNTRACED = {
    "a text": (
        lambda model, x: {"y": torch.div(x, 2, rounding_mode="floor")},
        "div is given the text 'floor'",
    ),
    "a constant": (
        lambda model, x: {"y": x * torch.tensor([1.0, 2, 3, 4])},
        "uses lifted_tensor_0, which is no weight",
    ),
    "a buffer that is not kept": (
        lambda model, x: {"y": x * model.places},
        "uses places, which is no weight",
    ),
    "attention that cannot be seen": (
        lambda model, x: {"y": model.look(x, x, x)[0]},
        "computes attention at once in Untold",
    ),
    "whole numbers of others": (
        lambda model, x: {"y": x.long() * 1.0},
        "makes torch.int64 of torch.float32",
    ),
    "truth of numbers": (
        lambda model, x: {"y": x.bool() * 1.0},
        "makes torch.bool of torch.float32",
    ),
    "truth of whole numbers": (
        lambda model, x: {"y": (x > 0).long().bool() * 1.0},
        "makes torch.bool of torch.int64",
    ),
    "not, of bits": (
        lambda model, x: {"y": ~(x > 0).long()},
        "works on the bits of torch.int64, expected bool",
    ),
    "and, of bits": (
        lambda model, x: {"y": (x > 0).long() & 2},
        "works on the bits of torch.int64, expected bool",
    ),
    "entries by a mask": (
        lambda model, x: {"y": x[0][x[0, :, 0] > 0]},
        "takes entries by a mask",
    ),
}


@pytest.mark.parametrize(("call", "says"), UNTRACED.values(), ids=UNTRACED)
def test_a_call_that_no_program_can_hold_is_refused(call, says):
    examples = [{"x": torch.ones(1, N, 4)} for N in (3, 5)]
    with pytest.raises(ValueError, match=says):
        trace(Untold(), read=(call, examples))


CLASHES = {
    "a weight and an operation": ("z", lambda model, z: {"y": z * model.mu0}, "'mu0'"),
    "a weight and an input": ("own", lambda model, own: {"y": own + 1}, "'own'"),
    "an input and an operation": ("ad0", lambda model, ad0: {"y": ad0 + 1}, "'ad0'"),
}


@pytest.mark.parametrize(("name", "call", "says"), CLASHES.values(), ids=CLASHES)
def test_two_things_of_one_name_are_refused(name, call, says):
    examples, model = [{name: torch.ones(1, N, 4)} for N in (3, 5)], Untold()
    model.mu0 = nn.Parameter(torch.ones(4))
    with pytest.raises(ValueError, match=f"{says} is two of"):
        trace(model, read=(call, examples))


class Pair(NamedTuple):
    one: torch.Tensor
    other: torch.Tensor


def test_a_state_whose_parts_have_no_path_is_refused():
    with pytest.raises(TypeError, match=r"a memory or a state holds \.one"):
        flat(None, Pair(torch.ones(1), torch.ones(1)))
