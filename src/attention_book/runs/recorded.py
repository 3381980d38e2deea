"""Load what a recipe's training left behind: sizes, losses, measurements, and for some runs the weights.

A run is two files in `recorded/NAME/`: `run.json`, and `weights.safetensors` where the recipe keeps weights.
`run.json` names the recipe and the checksum of the weights, so neither can be damaged or exchanged unnoticed.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from attention_book.data import Vocabulary
from attention_book.models import FixedContext, Seq2SeqConfig
from attention_book.runs.recipes import Recipe, recipe_named
from attention_book.training import checkpoints

HOME = Path(__file__).parent / "recorded"


@dataclass(frozen=True)
class LossCurve:
    """A seed's losses, averaged over neighbouring steps down to 200 points at most.

    Attributes
    ----------
    step : (N_points,)
        The middle of the steps that a point stands for.
    loss : (N_points,)
        Their mean loss, nats per word.
    first : (5,)
        The losses of the first steps, as they were.
    seconds : float
        Wall-clock time on the machine that recorded it, which had other work too: no measure of speed.
    """

    step: Float[np.ndarray, "N_points"] | Int[np.ndarray, "N_points"]
    loss: Float[np.ndarray, "N_points"]
    first: Float[np.ndarray, "N_first"]
    seconds: float


@dataclass(frozen=True)
class RecordedRun:
    """A recorded run.

    Attributes
    ----------
    recipe : Recipe
        What was trained.
    config : Seq2SeqConfig
        The sizes of the model.
    history : dict
        A `LossCurve` for each seed.
    metrics : dict
        metrics[seed][bucket][name], with buckets labelled by source words, such as `3-6`, or by length, such as
        `20`; names are `exact_match`, `token_accuracy` (0 to 1) and `bleu` (0 to 100).
    predictions : list of dict
        `source`, `reference` and `prediction` (lists of words) of two test sentences of every length.
    snapshots : dict
        The predictions for the same sentences, by the step of training they were made at.
    vocabularies : pair of Vocabulary
        Source and target.
    torch : str
        The version it was recorded with.
    """

    recipe: Recipe
    config: Seq2SeqConfig
    history: Mapping[int, LossCurve]
    metrics: Mapping[int, Mapping[str, Mapping[str, float]]]
    predictions: list[dict[str, list[str]]]
    snapshots: Mapping[int, list[list[str]]]
    vocabularies: tuple[Vocabulary, Vocabulary]
    torch: str
    folder: Path
    weights_sha256: str | None

    @property
    def buckets(self) -> tuple[str, ...]:
        """Labels of the test buckets, shortest first."""
        return tuple(next(iter(self.metrics.values())))

    def measured(self, name: str) -> Float[np.ndarray, "N_seeds N_buckets"]:
        """One metric for every seed (rows) and bucket (columns).

        Raises
        ------
        ValueError
            If no metric has that name.
        """
        known = next(iter(self.metrics.values()))[self.buckets[0]]
        if name not in known:
            raise ValueError(f"{name!r} was not measured, expected one of {', '.join(known)}")
        return np.array([[by[bucket][name] for bucket in self.buckets] for by in self.metrics.values()])

    def model(self) -> FixedContext:
        """Build the first seed's trained model, in evaluation mode.

        Raises
        ------
        ValueError
            If the recipe keeps no weights, or the file is damaged.
        FileNotFoundError
            If the file is missing.
        """
        if self.weights_sha256 is None:
            raise ValueError(f"{self.recipe.name} keeps no weights: only its measurements are recorded")
        path = self.folder / "weights.safetensors"
        if not path.is_file():
            raise FileNotFoundError(f"{path} is missing: {_again(self.recipe.name)}")
        if hashlib.sha256(path.read_bytes()).hexdigest() != self.weights_sha256:
            raise ValueError(f"{path} is damaged or of another run: {_again(self.recipe.name)}")
        return checkpoints.load(path, FixedContext(self.config))


def load(name: str, home: Path = HOME) -> RecordedRun:
    """Load a recorded run.

    Parameters
    ----------
    name : str
        A recipe's name.
    home : path
        The folder that holds the runs; the package's own unless told otherwise.

    Returns
    -------
    RecordedRun

    Raises
    ------
    ValueError
        If there is no such recipe, `run.json` is damaged, or the run was made by another recipe.
    FileNotFoundError
        If the recipe has not been recorded.
    """
    recipe, path = recipe_named(name), home / name / "run.json"
    if not path.is_file():
        raise FileNotFoundError(f"{name} is not recorded ({path} is missing): {_again(name)}")
    try:
        kept = json.loads(path.read_text("utf-8"))
        run = _assemble(recipe, path.parent, kept)
        same = kept["recipe"] == as_json(recipe)
    except (KeyError, TypeError, ValueError, AttributeError, StopIteration) as error:
        raise ValueError(f"{path} is damaged ({type(error).__name__}: {error}): {_again(name)}") from error
    if not same:
        raise ValueError(f"{path} was recorded by another version of the recipe: {_again(name)}")
    return run


def as_json(recipe: Recipe) -> dict[str, Any]:
    """A recipe as it looks after a trip through JSON."""
    return json.loads(json.dumps(vars(recipe)))


def _assemble(recipe: Recipe, folder: Path, kept: dict[str, Any]) -> RecordedRun:
    seeds = {int(seed): run for seed, run in kept["seeds"].items()}
    if not seeds:
        raise ValueError("no seed is recorded")
    return RecordedRun(
        recipe=recipe,
        config=Seq2SeqConfig(**kept["config"]),
        history={
            seed: LossCurve(*(np.array(run[key]) for key in ("step", "loss", "first")), run["seconds"])
            for seed, run in seeds.items()
        },
        metrics={seed: run["metrics"] for seed, run in seeds.items()},
        predictions=kept["predictions"],
        snapshots={int(step): said for step, said in kept["snapshots"].items()},
        vocabularies=tuple(Vocabulary.from_list(kept["vocabularies"][side]) for side in ("source", "target")),
        torch=kept["torch"],
        folder=folder,
        weights_sha256=kept["weights_sha256"],
    )


def _again(name: str) -> str:
    return f"record it again with `python -m attention_book.train {name}`"
