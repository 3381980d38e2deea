"""The engine's operations: those that the book's programs and ordinary models need."""

import json
import math
import subprocess
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from attention_book.chapters.norm_and_residuals import fresh_stack
from attention_book.networks import Network
from attention_book.runs.loading import HOME
from attention_book.runs.recorded import PROGRAM

N_WORDS, D, N_HEADS = 12, 16, 4
ENGINE = Path(__file__).resolve().parents[3] / "src/attention_book/widgets/js/engine"


class Own(nn.Module):
    """What a reader may write who knows torch and not this book."""

    def __init__(self, by_view):
        super().__init__()
        self.words, self.places = nn.Embedding(N_WORDS, D), nn.Embedding(20, D)
        self.Q, self.K, self.V, self.O = (nn.Linear(D, D) for _ in range(4))
        self.norms = nn.ModuleList([nn.LayerNorm(D), nn.LayerNorm(D)])
        self.mlp = nn.Sequential(nn.Linear(D, 32), nn.ReLU(), nn.Linear(32, D))
        self.out, self.by_view = nn.Linear(D, N_WORDS, bias=False), by_view

    def heads(self, X):
        if self.by_view:
            X = X.view(*X.shape[:2], N_HEADS, D // N_HEADS)
        else:
            X = X.unflatten(-1, (N_HEADS, -1))
        return X.transpose(1, 2)

    def forward(self, source, visible):
        places = torch.arange(source.shape[1])
        X = self.words(source) + self.places(places)
        Y = self.norms[0](X)
        Q, K, V = (self.heads(each(Y)) for each in (self.Q, self.K, self.V))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(D // N_HEADS)
        seen = visible[:, None, None] & (places[:, None] >= places)
        A = scores.masked_fill(~seen, -math.inf).softmax(dim=-1)
        X = X + self.O((A @ V).transpose(1, 2).flatten(2))
        return self.out(X + self.mlp(self.norms[1](X)))


def sentence(N):
    visible = torch.arange(N)[None] < N - 1
    return {"source": torch.arange(N)[None] % N_WORDS, "visible": visible}


def read(model, **given):
    return {"logits": model(**given)}


def own(by_view):
    calls = {"read": (read, (sentence(7), sentence(9)))}
    return Network("own", Own(by_view).eval(), calls, "float32")


@pytest.mark.parametrize("by_view", [True, False])
def test_an_ordinary_model_of_a_readers_own_gives_what_torch_gives(ask, by_view):
    network, asked = own(by_view), {n: x.tolist() for n, x in sentence(6).items()}
    change = {"attention": [["uniform"], ["off", [1, 0, 0, 1]]]}
    questions = [{"change": {}}, {"change": change}]
    answers = ask(network, [{"call": "read", "inputs": asked, **q} for q in questions])
    for question, (outputs, taps) in zip(questions, answers, strict=True):
        right, attended = network.answer("read", asked, **question, options={})
        np.testing.assert_allclose(outputs["logits"], right["logits"], atol=1e-5)
        np.testing.assert_allclose(taps["attention"], attended["attention"], atol=1e-6)


# a line of torch's own, asked below
SHORT = {"bmm"}
COLOURS = [[0.1, -0.2, 0.3], [1.0, 0.5, 2.0], [3.0, 2.0, 1.0], [-1.0, 0.0, 1.0]]
OPERATIONS = {
    "clamp, no low": lambda x, m: x.clamp(max=-0.25),
    "clamp, no high": lambda x, m: x.clamp(min=0.25),
    "clamp": lambda x, m: x.clamp(-0.5, 0.5),
    "bmm": lambda x, m: torch.bmm(x[:, 0], x[:, 1].mT),
    "neg": lambda x, m: -x,
    "gelu": lambda x, m: F.gelu(4 * x),
    "gelu, by tanh": lambda x, m: F.gelu(4 * x, approximate="tanh"),
    "log2": lambda x, m: x.exp().log2(),
    "zeros_like": lambda x, m: x + torch.zeros_like(x),
    "lt": lambda x, m: (x < 0) * 1.0,
    "expand": lambda x, m: x[:, :1].expand(-1, 3, -1, -1),
    "pad": lambda x, m: F.pad(x, (1, 2, 0, 3)),
    "flip": lambda x, m: x.flip(1, 3),
    "flip nothing": lambda x, m: torch.cat([x[..., :0].flip(3), x], dim=-1),
    "one_hot": lambda x, m: F.one_hot((x > 0).long(), 2) * 1.0,
    "softmax of rows": lambda x, m: x.softmax(dim=1),
    "conv2d": lambda x, m: F.conv2d(x, m.filters, m.ones, 2, 1),
    "batch_norm": lambda x, m: F.batch_norm(x, *m.channels, eps=0.1),
    "max_pool2d": lambda x, m: F.max_pool2d(x, 3, 2),
    "chunk": lambda x, m: x.chunk(2, dim=-1)[1],
    "squeeze": lambda x, m: x[:, :1].squeeze()[None],
    "squeeze several": lambda x, m: x[:, :1].squeeze((1, 2))[None],
    "batch_norm of vectors": lambda x, m: F.batch_norm(x[..., 0, 0], *m.channels),
    "batch_norm of rows": lambda x, m: F.batch_norm(x[..., 0], *m.channels),
    "batch_norm, no gamma": lambda x, m: F.batch_norm(x, *m.channels[:2]),
    "conv2d, oblong": lambda x, m: F.conv2d(x, m.wide, m.ones, (1, 2), (0, 1)),
    "max_pool2d, oblong": lambda x, m: F.max_pool2d(x, (2, 4)),
    "max_pool2d, steps": lambda x, m: F.max_pool2d(x, (3, 2), (1, 2)),
    "matmul, NaN": lambda x, m: (x.relu() / x.relu()) @ x.mT,
}
MISFITS = {
    "broadcast": (lambda x, m: x * m.row, "of 6 does not fit 1 × 3 × 7 × 5"),
    "reshape": (lambda x, m: x.reshape(1, -1, 18), "105 numbers do not fit"),
    "linear": (lambda x, m: F.linear(x, m.square), "rows of 5, expected 6"),
    "expand": (lambda x, m: x.expand(-1, -1, -1, 6), "does not fit 1 × 3 × 7 × 6"),
    "statistics": (lambda x, m: F.batch_norm(x, None, None, training=True), "batch"),
}


def asking(operations):
    """A network whose calls are operations, and what it is asked."""
    model = nn.Module()
    model.filters = nn.Parameter(torch.linspace(-1, 1, 54).reshape(2, 3, 3, 3))
    model.wide = nn.Parameter(torch.linspace(-1, 1, 90).reshape(2, 3, 3, 5))
    model.ones, model.row = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(6))
    model.square = nn.Parameter(torch.ones(6, 6))
    model.channels = nn.ParameterList(map(torch.tensor, COLOURS))
    drawn = torch.Generator().manual_seed(0)
    examples = [{"x": torch.randn(1, 3, N, 6, generator=drawn)} for N in (5, 7)]

    def call(operation):
        return lambda model, x: {"y": operation(x, model)}

    calls = {name: (call(each), examples) for name, each in operations.items()}
    return Network("operations", model, calls, "float32"), examples[1]


@pytest.fixture(scope="module")
def computed(ask):
    """What the engine and torch give of every operation."""
    network, given = asking(OPERATIONS)
    calls = network.calls
    asked = {"x": given["x"].tolist()}
    answers = ask(network, [{"call": name, "inputs": asked} for name in calls])
    return {
        name: (got[0]["y"], network.run(name, given)[0]["y"])
        for name, got in zip(calls, answers, strict=True)
    }


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_is_torchs(computed, name):
    got, right = computed[name]
    assert got.shape == right.shape
    np.testing.assert_allclose(got, right, rtol=0, atol=1e-5)


@pytest.mark.parametrize("name", MISFITS)
def test_sizes_that_do_not_fit_are_refused_in_a_page(ask, name):
    operation, says = MISFITS[name]
    network, given = asking({name: operation})
    narrow = {"x": given["x"][..., :5].tolist()}
    with pytest.raises(RuntimeError, match=says):
        ask(network, [{"call": name, "inputs": narrow}])


def named(nodes):
    """The operations of nodes, those in the bodies of loops included."""
    for _, operation, arguments in nodes:
        yield operation
        for each in arguments:
            if isinstance(each, dict):
                yield from named(each["nodes"])


def test_every_operation_is_one_that_the_book_or_an_ordinary_model_needs(node):
    programs = [json.loads(path.read_text()) for path in HOME.rglob(PROGRAM)]
    programs += [json.loads(fresh_stack.PROGRAM.read_text())]
    programs += [own(by_view).program for by_view in (True, False)]
    functions = [each for one in programs for each in one["functions"].values()]
    needed = {name for each in functions for name in named(each["nodes"])}
    script = f"import {{ OPS }} from {json.dumps(str(ENGINE / 'ops.mjs'))}; "
    script += "console.log(Object.keys(OPS).join(' '))"
    told = [node, "--input-type=module", "--eval", script]
    known = subprocess.run(told, capture_output=True, text=True, check=True).stdout
    assert set(known.split()) - needed == SHORT
