"""Train a recipe and keep what came of it.

What is measured is what is kept: the weights are rounded to 16 bits before the model is
evaluated. The files of a run are written beside the old ones, and change places with
them when all are there: an old recording is not lost to a new one that is never
finished.
"""

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from attention_book.runs.again import EXAMINED, measured_again
from attention_book.runs.as_json import to_json
from attention_book.runs.curves import LossCurve
from attention_book.runs.figures import plain
from attention_book.runs.folders import in_place_of
from attention_book.runs.kept import pack
from attention_book.runs.loading import HOME, load
from attention_book.runs.recipe import Recipe
from attention_book.runs.recorded import ARRAYS, WEIGHTS
from attention_book.training import (
    Callback,
    History,
    Progress,
    Snapshots,
    fit,
    save,
    seeded,
    smoothed_cross_entropy,
    warmup,
)
from attention_book.training.checkpoints import write_atomically

# Losses of a curve are kept with five decimals. Where training stays with the recorded
# run, rounding on another processor moves the last of them; where it leaves it, losses
# part by thousandths and more.
ALIKE = 1e-4


def train(recipe: Recipe, seed: int, *callbacks: Callback) -> tuple[nn.Module, History]:
    """Train one seed of a recipe; `StopAfter(5)` replays its first steps."""
    with seeded(seed):
        model = recipe.task.model()
    smoothed = smoothed_cross_entropy(recipe.label_smoothing)
    history = fit(
        model,
        recipe.task.batches(seed, recipe.steps),
        steps=recipe.steps,
        seed=seed,
        learning_rate=warmup(recipe.learning_rate, recipe.warmup_steps),
        loss=smoothed if recipe.label_smoothing else recipe.task.loss,
        callbacks=callbacks,
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

    `seeds` are others than the recipe's, for a trial. What is not a finite number
    cannot be kept; this is looked at after the first seed.
    """
    seeds = recipe.seeds if seeds is None else tuple(seeds)
    if not seeds:
        raise ValueError("seeds is empty, expected at least one seed")
    content, curves = {"recipe": to_json(recipe)}, {}  # what cannot be kept: said first
    first, kept, arrays = None, {}, b""
    along = Snapshots(lambda model: _keep(recipe, model), at=recipe.snapshot_at)
    watched = Snapshots(recipe.task.watch, every=recipe.watch_every or None, at=())
    always = [watched, *([Progress()] if progress else [])]
    callbacks = [*always, along]
    for seed in seeds:
        model, history = train(recipe, seed, *callbacks)
        model.half().float()
        measured = dict(recipe.task.measure(model))
        if examined := recipe.task.examine(model, seed):
            measured[EXAMINED] = examined
        curves[seed] = LossCurve.of(history).to_json() | {"measured": plain(measured)}
        if watched.taken:
            curves[seed]["watched"] = plain(watched.taken)
        if first is None:
            first, callbacks = model, always
            taken = along.taken | {recipe.steps: _keep(recipe, model)}
            kept, arrays = pack(taken)  # before the other seeds: it may be refused
    content |= {"seeds": curves, "kept": kept}
    folder = home / recipe.name
    with in_place_of(folder) as new:
        _write(new, recipe, first, arrays, content)
    return folder


def add_weights(recipe: Recipe, *, home: Path = HOME, progress: bool = True) -> Path:
    """Train the first seed alone, and add its weights to a run recorded without them.

    All that was recorded stays as it is: losses and figures have to come out again.
    """
    run = load(recipe.name, home)
    if replace(run.recipe, keep_weights=True) != recipe:
        raise ValueError(
            f"{recipe.name} was recorded as {run.recipe}, expected the recipe of today "
            "but for keep_weights, which has to be True: record all of it again"
        )
    seed, curve = next(iter(run.curves.items()))
    model, history = train(recipe, seed, *([Progress()] if progress else []))
    away = np.abs(LossCurve.of(history).loss - curve.loss).max()
    if away > ALIKE:
        raise ValueError(
            f"{recipe.name}, seed {seed}: a loss is {away:.1g} from the recorded one, "
            f"expected {ALIKE:.0g} at most: this machine rounds otherwise, and from "
            "there training led to another network; record all of it again"
        )
    content = json.loads((run.folder / "run.json").read_text("utf-8"))
    with in_place_of(run.folder) as new:
        if (run.folder / ARRAYS).exists():
            shutil.copy(run.folder / ARRAYS, new)
        save(new / WEIGHTS, model, model.config)
        _seal(new, content | {"recipe": to_json(recipe)})
        measured_again(load(new.name, new.parent))
    return run.folder


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
    }
    _seal(folder, content)


def _seal(folder: Path, content: dict[str, Any]) -> None:
    """Write `run.json`, with the checksums of what lies beside it."""
    sums = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
    }
    text = json.dumps(
        content | {"sha256": sums},
        allow_nan=False,
        ensure_ascii=False,
        separators=(",", ":"),
    )
    write_atomically(folder / "run.json", text.encode())
