"""Train a recipe and keep what came of it.

What is measured is what is kept: the weights are rounded to 16 bits before the model is
evaluated. The files of a run are written beside the old ones, and change places with
them when all are there: an old recording is not lost to a new one that is never
finished.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import torch
from torch import nn

from attention_book.runs.as_json import to_json
from attention_book.runs.curves import LossCurve
from attention_book.runs.figures import plain
from attention_book.runs.folders import in_place_of
from attention_book.runs.kept import pack
from attention_book.runs.loading import HOME
from attention_book.runs.recipe import Recipe
from attention_book.runs.recorded import ARRAYS, WEIGHTS
from attention_book.training import (
    History,
    fit,
    save,
    seeded,
    smoothed_cross_entropy,
)
from attention_book.training.checkpoints import write_atomically


def train(
    recipe: Recipe,
    seed: int,
    *,
    stop_after: int | None = None,
    progress: bool = False,
    **snapshots,
) -> tuple[nn.Module, History]:
    """Train one seed of a recipe; with `stop_after`, only its first steps (a replay).

    Raises
    ------
    ValueError
        If `stop_after` is not between 1 and the recipe's steps.
    """
    with seeded(seed):
        model = recipe.task.model()
    history = fit(
        model,
        recipe.task.batches(seed, recipe.steps),
        steps=recipe.steps,
        stop_after=stop_after,
        learning_rate=recipe.learning_rate,
        warmup_steps=recipe.warmup_steps,
        loss=smoothed_cross_entropy(recipe.label_smoothing),
        seed=seed,
        progress=progress,
        **snapshots,
    )
    return model, history


def record(
    recipe: Recipe,
    *,
    seeds: Sequence[int] | None = None,
    home: Path = HOME,
    progress: bool = True,
) -> Path:
    """Train a recipe over its seeds, evaluate each, and write the run's files when all
    is done.

    Parameters
    ----------
    recipe : Recipe
        What to train.
    seeds : sequence of int, optional
        Other seeds than the recipe's, for a trial.
    home : path
        Where the run's folder goes.
    progress : bool
        Show how far it is.

    Returns
    -------
    path
        The run's folder.

    Raises
    ------
    ValueError
        If no seed is given, the recipe cannot be kept as JSON, or something measured or
        kept is not a finite number. What is kept is looked at after the first seed.
    """
    seeds = recipe.seeds if seeds is None else tuple(seeds)
    if not seeds:
        raise ValueError("seeds is empty, expected at least one seed")
    content, curves = {"recipe": to_json(recipe)}, {}  # what cannot be kept: said first
    first, kept, arrays = None, {}, b""
    for seed in seeds:
        wanted = _snapshots(recipe) if first is None else {}
        model, history = train(recipe, seed, progress=progress, **wanted)
        model.half().float()
        curves[seed] = LossCurve.of(history).to_json() | {
            "measured": plain(recipe.task.measure(model))
        }
        if first is None:
            first = model
            along = history.snapshots | {recipe.steps: _keep(recipe, model)}
            kept, arrays = pack(along)  # before the other seeds: it may be refused
    content |= {"seeds": curves, "kept": kept}
    folder = home / recipe.name
    with in_place_of(folder) as new:
        _write(new, recipe, first, arrays, content)
    return folder


def _snapshots(recipe: Recipe) -> dict[str, Any]:
    if not recipe.snapshot_at:
        return {}
    return {
        "snapshot_at": recipe.snapshot_at,
        "snapshot": lambda model, step: _keep(recipe, model),
    }


def _keep(recipe: Recipe, model: nn.Module) -> Mapping[str, Any]:
    """A copy: a task may hand out weights, which learn on."""
    return deepcopy(recipe.task.keep(model))


def _write(
    folder: Path,
    recipe: Recipe,
    model: nn.Module,
    arrays: bytes,
    content: dict[str, Any],
) -> None:
    if arrays:
        write_atomically(folder / ARRAYS, arrays)
    if recipe.keep_weights:
        save(folder / WEIGHTS, model, model.config)
    content |= {
        "vocabularies": {
            side: words.to_list() for side, words in recipe.task.vocabularies.items()
        },
        "torch": torch.__version__,
        "sha256": {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.iterdir())
        },
    }
    text = json.dumps(
        content, allow_nan=False, ensure_ascii=False, separators=(",", ":")
    )
    write_atomically(folder / "run.json", text.encode())
