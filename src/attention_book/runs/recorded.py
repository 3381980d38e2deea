"""What a recipe's training left behind: losses, measurements, what was kept along the
way, and for some runs the weights.

A run is a folder `recorded/NAME/`: `run.json`, and where there is something to keep in
them `weights.safetensors` and `kept.safetensors`. `run.json` carries the recipe and the
checksums of the others, so none can be damaged or exchanged unnoticed.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Shaped
from torch import nn

from attention_book.data import Vocabulary
from attention_book.networks import Network
from attention_book.runs import figures
from attention_book.runs.calls import calls_of
from attention_book.runs.curves import LossCurve
from attention_book.runs.kept import unpack
from attention_book.runs.recipe import Recipe
from attention_book.training import checkpoints

WEIGHTS, ARRAYS = "weights.safetensors", "kept.safetensors"
PROGRAM = "program.json"  # derived from the model: written by `runs --programs`
TEST = "test"  # where the figures of the test set in buckets stand


@dataclass(frozen=True)
class RecordedRun:
    """A recorded run.

    `measured` has for each seed what its task measured, a nested mapping, such as
    measured[seed]["test"][bucket][metric]. `vocabularies` are source and target, or the
    target's alone. `watched` has for each seed what its task watched, by step; nothing
    where the recipe watches nothing. `torch` is the version it was recorded with.
    """

    recipe: Recipe
    curves: Mapping[int, LossCurve]
    measured: Mapping[int, Mapping[str, Any]]
    watched: Mapping[int, Mapping[int, float]]
    vocabularies: tuple[Vocabulary, ...]
    torch: str
    folder: Path
    _kept: Mapping[str, Any]
    _sha256: Mapping[str, str]

    @property
    def buckets(self) -> tuple[str, ...]:
        """Labels of the test set's buckets, shortest first."""
        return tuple(figures.at(next(iter(self.measured.values())), [TEST]))

    def table(self, *names: str) -> Shaped[np.ndarray, "N_seeds N_buckets"]:
        """One metric for every seed (rows) and bucket (columns).

        The names lead to the buckets, then comes the metric: `table("test",
        "exact_match")`.
        """
        *path, metric = names
        return np.array(
            [
                [figures.at(group, [*path, bucket, metric]) for bucket in buckets]
                for group in self.measured.values()
                for buckets in [figures.at(group, path)]
            ]
        )

    def per_seed(self, *names: str) -> Shaped[np.ndarray, "N_seeds *axes"]:
        """One figure for every seed: `per_seed("alignment", "aer")`."""
        found = [figures.at(group, names) for group in self.measured.values()]
        if isinstance(found[0], Mapping):
            raise ValueError(
                f"{names[-1]!r} is a group of figures, expected one more name: "
                f"{', '.join(found[0])}"
            )
        return np.array(found)

    def kept(self, name: str, step: int | None = None) -> Any:
        """What was kept of the first seed: words, numbers, arrays.

        `step` is one of `kept_at`; the end unless told otherwise.
        """
        step = self.recipe.steps if step is None else step
        if step not in self.kept_at:
            raise ValueError(
                f"{self.recipe.name} keeps nothing at step {step}, expected one of "
                f"{', '.join(map(str, self.kept_at))}"
            )
        if name not in self._unpacked[step]:
            raise ValueError(
                f"{self.recipe.name} keeps no {name!r}, expected one of "
                f"{', '.join(self._unpacked[step]) or 'none'}"
            )
        return self._unpacked[step][name]

    @property
    def kept_at(self) -> tuple[int, ...]:
        """Steps after which something is kept; the last is the end."""
        return tuple(int(step) for step in self._kept)

    @cached_property
    def _unpacked(self) -> dict[int, dict[str, Any]]:
        file = self._file(ARRAYS).read_bytes() if ARRAYS in self._sha256 else b""
        try:
            return unpack(self._kept, file)
        except ValueError as error:
            raise damaged(self.folder / "run.json", error) from error

    def model(self) -> nn.Module:
        """Build the first seed's trained model, in evaluation mode."""
        if WEIGHTS not in self._sha256:
            raise ValueError(
                f"{self.recipe.name} keeps no weights: only its measurements are "
                "recorded"
            )
        return checkpoints.load(self._file(WEIGHTS), self.recipe.task.model())

    def network(self, precision: str = "float16") -> Network:
        """The first seed's trained model as a network that a page can run.

        `precision` is of the weights that travel: see `networks.pack`.
        """
        path, model = self.folder / PROGRAM, self.model()
        if not path.is_file():
            raise FileNotFoundError(
                f"{path} is missing: write it with "
                f"`python -m attention_book.runs --programs`"
            )
        program = json.loads(path.read_text("utf-8"))
        calls = calls_of(self.recipe.task, model)
        pieces = self.recipe.task.pieces
        return Network(self.recipe.name, model, calls, precision, program, pieces)

    def _file(self, name: str) -> Path:
        path = self.folder / name
        if not path.is_file():
            raise FileNotFoundError(f"{path} is missing: {again(path)}")
        if hashlib.sha256(path.read_bytes()).hexdigest() != self._sha256[name]:
            raise ValueError(f"{path} is damaged or of another run: {again(path)}")
        return path


def damaged(path: Path, error: Exception) -> ValueError:
    """The error that names a damaged file, and what to do."""
    return ValueError(
        f"{path} is damaged, or of another version ({type(error).__name__}: {error}): "
        f"{again(path)}"
    )


def again(path: Path) -> str:
    """What to do when a file of a run is missing or damaged."""
    return f"record it again with `python -m attention_book.runs {path.parent.name}`"
