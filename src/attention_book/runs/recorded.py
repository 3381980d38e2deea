"""Load what a recipe's training left behind: sizes, losses, measurements, and for some
runs the weights.

A run is a folder `recorded/NAME/`: `run.json`, and where the recipe keeps them
`weights.safetensors` and `looks.safetensors`. `run.json` names the recipe and the
checksums of the others, so none can be damaged or exchanged unnoticed.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float, Int
from torch import nn

from attention_book.data import Vocabulary
from attention_book.runs.kinds import build, kind_named
from attention_book.runs.looks import Look, unpack_looks
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
        Wall-clock time on the machine that recorded it, which had other work too: no
        measure of speed.
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
    config : dataclass
        The sizes of the model.
    history : dict
        A `LossCurve` for each seed.
    metrics : dict
        metrics[seed][bucket][name], with buckets labelled by source words, such as
        `3-6`, or by length, such as `20`; names are `exact_match`, `token_accuracy` (0
        to 1) and `bleu` (0 to 100), and those of captions.
    held_out : dict
        The same for sentences with two words that training never shows together; empty
        where none were measured.
    alignment : dict
        alignment[seed], as `runs.attention.alignment` gives it; empty for a model that
        does not look at words.
    interventions : dict
        interventions[seed][name][bucket][metric]; empty where the recipe does not ask
        for them.
    predictions : list of dict
        `source`, `reference` and `prediction` (lists of words) of two test sentences of
        every length.
    snapshots : dict
        The predictions for the same sentences, by the step of training they were made
        at.
    vocabularies : tuple of Vocabulary
        Source and target; of captions, the target's alone.
    torch : str
        The version it was recorded with.
    """

    recipe: Recipe
    config: Any
    history: Mapping[int, LossCurve]
    metrics: Mapping[int, Mapping[str, Mapping[str, float]]]
    held_out: Mapping[int, Mapping[str, Mapping[str, float]]]
    alignment: Mapping[int, Mapping[str, Any]]
    interventions: Mapping[int, Mapping[str, Mapping[str, Mapping[str, float]]]]
    predictions: list[dict[str, list[str]]]
    snapshots: Mapping[int, list[list[str]]]
    vocabularies: tuple[Vocabulary, ...]
    torch: str
    folder: Path
    weights_sha256: str | None
    looks_sha256: str | None
    looks_words: Mapping[str, Any] | None

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
        return self._table(name, list(self.metrics.values()))

    def unheard(self, name: str) -> Float[np.ndarray, "N_seeds N_buckets"]:
        """One metric of the held-out sentences, for every seed (rows) and bucket
        (columns).

        Raises
        ------
        ValueError
            If no metric has that name, or no held-out sentences were measured.
        """
        if not self.held_out:
            raise ValueError(
                f"{self.recipe.name} was not measured on held-out sentences"
            )
        return self._table(name, list(self.held_out.values()))

    def aligned(self, name: str) -> Float[np.ndarray, "N_seeds"]:
        """One figure of the alignment, such as `aer`, for every seed.

        Raises
        ------
        ValueError
            If none has that name, or the run was not held against an alignment.
        """
        known = [
            figure
            for figure in next(iter(self.alignment.values()), {})
            if figure != "offsets"
        ]
        if name not in known:
            raise ValueError(
                f"{name!r} was not measured, expected one of "
                f"{', '.join(known) or 'none'}"
            )
        return np.array([of_seed[name] for of_seed in self.alignment.values()])

    def intervened(
        self, intervention: str, name: str
    ) -> Float[np.ndarray, "N_seeds N_buckets"]:
        """One metric of the outputs under an intervention, for every seed (rows) and
        bucket (columns).

        Raises
        ------
        ValueError
            If there is no such intervention or metric.
        """
        known = next(iter(self.interventions.values()), {})
        if intervention not in known:
            raise ValueError(
                f"{intervention!r} was not measured, expected one of "
                f"{', '.join(known) or 'none'}"
            )
        return self._table(
            name, [of_seed[intervention] for of_seed in self.interventions.values()]
        )

    def _table(
        self, name: str, seeds: list[Mapping[str, Mapping[str, float]]]
    ) -> np.ndarray:
        known = seeds[0][self.buckets[0]]
        if name not in known:
            raise ValueError(
                f"{name!r} was not measured, expected one of {', '.join(known)}"
            )
        return np.array(
            [[of_seed[bucket][name] for bucket in self.buckets] for of_seed in seeds]
        )

    def looks(self) -> dict[int, list[Look]]:
        """Where the first seed looked, by the step of training: a list of sentences
        each.

        Raises
        ------
        ValueError
            If the recipe keeps no looks, or the file is damaged.
        FileNotFoundError
            If the file is missing.
        """
        if self.looks_words is None:
            raise ValueError(f"{self.recipe.name} keeps no looks")
        path = self._file("looks.safetensors", self.looks_sha256)
        try:
            return unpack_looks(self.looks_words, path.read_bytes())
        except ValueError as error:
            raise ValueError(
                f"{self.folder / 'run.json'} is damaged ({error}): "
                f"{_again(self.recipe.name)}"
            ) from error

    def model(self) -> nn.Module:
        """Build the first seed's trained model, in evaluation mode.

        Raises
        ------
        ValueError
            If the recipe keeps no weights, or the file is damaged.
        FileNotFoundError
            If the file is missing.
        """
        if self.weights_sha256 is None:
            raise ValueError(
                f"{self.recipe.name} keeps no weights: only its measurements are "
                "recorded"
            )
        path = self._file("weights.safetensors", self.weights_sha256)
        return checkpoints.load(path, build(self.recipe.model, self.config))

    def _file(self, name: str, sha256: str) -> Path:
        path = self.folder / name
        if not path.is_file():
            raise FileNotFoundError(f"{path} is missing: {_again(self.recipe.name)}")
        if hashlib.sha256(path.read_bytes()).hexdigest() != sha256:
            raise ValueError(
                f"{path} is damaged or of another run: {_again(self.recipe.name)}"
            )
        return path


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
        If there is no such recipe, `run.json` is damaged, or the run was made by
        another recipe.
    FileNotFoundError
        If the recipe has not been recorded.
    """
    recipe, path = recipe_named(name), home / name / "run.json"
    if not path.is_file():
        raise FileNotFoundError(
            f"{name} is not recorded ({path} is missing): {_again(name)}"
        )
    try:
        kept = json.loads(path.read_text("utf-8"))
        same = from_json(kept["recipe"]) == recipe
        run = _assemble(recipe, path.parent, kept) if same else None
    except (KeyError, TypeError, ValueError, AttributeError, StopIteration) as error:
        raise ValueError(
            f"{path} is damaged ({type(error).__name__}: {error}): {_again(name)}"
        ) from error
    if run is None:
        raise ValueError(
            f"{path} was recorded by another version of the recipe: {_again(name)}"
        )
    return run


def as_json(recipe: Recipe) -> dict[str, Any]:
    """A recipe as it looks after a trip through JSON."""
    return json.loads(json.dumps(vars(recipe)))


def from_json(kept: Mapping[str, Any]) -> Recipe:
    """The reverse of `as_json`; a setting that was added to recipes since is as it is by default."""
    return Recipe(
        **{
            name: tuple(value) if isinstance(value, list) else value
            for name, value in kept.items()
        }
    )


def _assemble(recipe: Recipe, folder: Path, kept: dict[str, Any]) -> RecordedRun:
    seeds = {int(seed): run for seed, run in kept["seeds"].items()}
    if not seeds:
        raise ValueError("no seed is recorded")
    first = next(iter(seeds.values()))
    for name, size in recipe.sizes.items():
        if kept["config"][name] != size:
            raise ValueError(
                f"{name} is {kept['config'][name]!r}, but the recipe says {size!r}"
            )
    return RecordedRun(
        recipe=recipe,
        config=kind_named(recipe.model)[1](**kept["config"]),
        history={
            seed: LossCurve(
                *(np.array(run[key]) for key in ("step", "loss", "first")),
                run["seconds"],
            )
            for seed, run in seeds.items()
        },
        metrics={seed: run["metrics"] for seed, run in seeds.items()},
        held_out={seed: run["held_out"] for seed, run in seeds.items()}
        if "held_out" in first
        else {},
        alignment={
            seed: run["alignment"]
            for seed, run in seeds.items()
            if recipe.model == "attention"
        },
        interventions={
            seed: run["interventions"]
            for seed, run in seeds.items()
            if recipe.interventions
        },
        predictions=kept["predictions"],
        snapshots={int(step): said for step, said in kept["snapshots"].items()},
        vocabularies=tuple(
            Vocabulary.from_list(words) for words in kept["vocabularies"].values()
        ),
        torch=kept["torch"],
        folder=folder,
        weights_sha256=kept["weights_sha256"],
        looks_sha256=kept["looks_sha256"] if recipe.keep_looks else None,
        looks_words=kept["looks"] if recipe.keep_looks else None,
    )


def _again(name: str) -> str:
    return f"record it again with `python -m attention_book.train {name}`"
