"""A toy task, which stands in no chapter, and tiny recordings of it."""

import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
import torch
from torch import nn

from attention_book.data import Vocabulary
from attention_book.runs import Recipe, Task
from attention_book.runs import record as recording

MODULE = "attention_book.toy"


@dataclass(frozen=True)
class ToyConfig:
    """The toy model's one size."""

    D: int


class Successor(nn.Module):
    """Reads a word, and learns which comes next."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(5, config.D)
        self.output = nn.Linear(config.D, 5)

    def forward(self, source, source_visible, target_in):
        return self.output(self.embedding(target_in))


@dataclass(frozen=True)
class Toy(Task):
    """Count up to five; it keeps words, numbers and arrays."""

    sizes: Mapping[str, int] = field(default_factory=lambda: {"D": 3})
    by: int = 1
    marks: tuple[str, ...] = ("a", "b")
    keeps: bool = True

    @property
    def vocabularies(self):
        return {"target": Vocabulary(self.marks)}

    def model(self):
        return Successor(ToyConfig(**self.sizes))

    def batches(self, seed, steps):
        generator = torch.Generator().manual_seed(seed)
        for _ in range(steps):
            words = torch.randint(1, 5, (6, 4), generator=generator)
            target_out = (words + self.by - 1) % 4 + 1
            yield SimpleNamespace(
                source=words,
                source_visible=None,
                target_in=words,
                target_out=target_out,
            )

    def measure(self, model):
        E = model.embedding.weight.detach().numpy().astype(float)
        spread = {"mean": float(E.mean()), "widest": E.max() - E.min()}
        return {
            "test": {"low": spread, "high": {name: -x for name, x in spread.items()}},
            "shape": {"size": E.size, "columns": E.mean(axis=0)},
        }

    def watch(self, model):
        return model.output.bias[0].item()

    def keep(self, model):
        if not self.keeps:
            return super().keep(model)
        weights = model.embedding.weight.detach().numpy()
        rows = [{"word": k, "row": row} for k, row in enumerate(weights)]
        return {"rows": rows, "marks": self.marks, "ids": np.arange(3)}


Toy.__module__ = MODULE


@pytest.fixture(scope="session", autouse=True)
def toy_module():
    """The toy's class is found inside the package, where those of tasks must stand."""
    module = ModuleType(MODULE)
    module.Toy = Toy
    sys.modules[MODULE] = module
    yield
    del sys.modules[MODULE]


@pytest.fixture(scope="session")
def toy():
    """The toy recipe; replace what a test needs otherwise."""
    return Recipe(
        "toy",
        Toy(),
        23,
        seeds=(4, 2),
        keep_weights=True,
        snapshot_at=(0, 20),
        watch_every=10,
    )


@pytest.fixture(scope="session")
def made(tmp_path_factory, toy, toy_module):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("attention_book.runs.curves.N_POINTS", 10)
        home = tmp_path_factory.mktemp("made")
        recording.record(toy, home=home, progress=False)
    return home


@pytest.fixture
def home(made, tmp_path):
    """A folder with the toy's recording, to damage."""
    shutil.copytree(made, tmp_path / "runs")
    return tmp_path / "runs"
