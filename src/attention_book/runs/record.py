"""Train a recipe and keep what came of it.

What is measured is what is kept: the weights are rounded to 16 bits before the model is
evaluated. The files of a run are written beside the old ones, and change places with
them when all are there: an old recording is not lost to a new one that is never
finished.
"""

import hashlib
import json
import math
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from attention_book.data import Pair
from attention_book.runs.captions import CaptionTask
from attention_book.runs.evaluation import translate
from attention_book.runs.kinds import build, kind_named
from attention_book.runs.looks import pack_looks, take_looks, watched
from attention_book.runs.recipes import Recipe
from attention_book.runs.recorded import HOME, as_json
from attention_book.runs.tasks import Task, task_of
from attention_book.training import History, fit, save, seeded
from attention_book.training.checkpoints import write_atomically

N_POINTS = 200  # of a loss curve
N_FIRST = 5  # losses kept as they are, for the replay
PER_LENGTH = 2  # test sentences of every length whose translations are kept


def config_of(recipe: Recipe, task: Task | CaptionTask) -> Any:
    """The model's configuration: the recipe's sizes and the task's vocabularies."""
    _, config = kind_named(recipe.model)
    return config(**task.sizes, **recipe.sizes)


def train(
    recipe: Recipe,
    task: Task | CaptionTask,
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
        model = build(recipe.model, config_of(recipe, task))
    history = fit(
        model,
        task.batches(recipe, seed),
        steps=recipe.steps,
        stop_after=stop_after,
        learning_rate=recipe.learning_rate,
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
        If no seed is given.
    """
    seeds = recipe.seeds if seeds is None else tuple(seeds)
    if not seeds:
        raise ValueError("seeds is empty, expected at least one seed")
    task, kept, folder = task_of(recipe), {}, home / recipe.name
    observe = _observer(recipe, task)
    for seed in seeds:
        is_first = seed == seeds[0]
        wanted = (
            {"snapshot_at": recipe.snapshot_at, "snapshot": observe}
            if is_first and recipe.snapshot_at
            else {}
        )
        model, history = train(recipe, task, seed, progress=progress, **wanted)
        model.half().float()
        kept[seed] = _curve(history) | task.measure(model, recipe)
        if is_first:
            first, seen = (
                model,
                history.snapshots | {recipe.steps: observe(model, recipe.steps)},
            )
    with _in_place_of(folder) as new:
        content = {
            "recipe": as_json(recipe),
            "config": vars(first.config),
            "seeds": kept,
            "predictions": _predictions(recipe, task, seen[recipe.steps]),
            "snapshots": {
                step: seen[step]["said"]
                for step in recipe.snapshot_at
                if recipe.keep_predictions
            },
            "vocabularies": {
                side: words.to_list() for side, words in task.vocabularies.items()
            },
            "torch": torch.__version__,
            "weights_sha256": _keep_weights(new, first)
            if recipe.keep_weights
            else None,
        }
        if recipe.keep_looks:
            content["looks"], content["looks_sha256"] = _keep_looks(new, seen)
        text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        write_atomically(new / "run.json", text.encode())
    return folder


@contextmanager
def _in_place_of(folder: Path) -> Iterator[Path]:
    """A new folder to fill, which takes the place of the old one in the end; after an
    error the old one stays.

    No call of the system exchanges two folders everywhere. Between the two moves here a
    process may still be killed; both versions are then whole, in the hidden folder
    beside.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(
        dir=folder.parent, prefix=f".{folder.name}."
    ) as beside:
        new, old = Path(beside, "new"), Path(beside, "old")
        new.mkdir()
        yield new
        try:
            if folder.exists():
                os.replace(folder, old)
            os.replace(new, folder)
        except BaseException:
            if old.exists() and not folder.exists():
                os.replace(old, folder)
            raise


def _observer(
    recipe: Recipe, task: Task | CaptionTask
) -> Callable[[nn.Module, int], dict[str, Any]]:
    """What is kept of the first seed, along training and at its end."""
    shown = _shown(task.test) if recipe.keep_predictions else []
    watching = watched(recipe.task, task.test) if recipe.keep_looks else []

    def observe(model: nn.Module, _: int) -> dict[str, Any]:
        sources = [pair.source for pair in shown]
        return {
            "said": translate(model, sources, **_sides(recipe, task)) if shown else [],
            "looks": take_looks(model, watching, *task.vocabularies.values())
            if watching
            else [],
        }

    return observe


def _sides(recipe: Recipe, task: Task) -> dict[str, Any]:
    return {
        "source_vocabulary": task.source_vocabulary,
        "target_vocabulary": task.target_vocabulary,
        "reverse_source": recipe.reverse_source,
    }


def _shown(test: Mapping[str, Sequence[Pair]]) -> list[Pair]:
    """The first test pairs of every source length, shortest first."""
    by_length: dict[int, list[Pair]] = {}
    for pairs in test.values():
        for pair in pairs:
            by_length.setdefault(len(pair.source), []).append(pair)
    return [
        pair for length in sorted(by_length) for pair in by_length[length][:PER_LENGTH]
    ]


def _predictions(
    recipe: Recipe, task: Task | CaptionTask, seen: Mapping[str, Any]
) -> list[dict[str, Sequence[str]]]:
    shown = _shown(task.test) if recipe.keep_predictions else []
    return [
        {"source": pair.source, "reference": pair.target, "prediction": words}
        for pair, words in zip(shown, seen["said"], strict=True)
    ]


def _curve(history: History) -> dict[str, Any]:
    width = math.ceil(len(history.loss) / N_POINTS)
    parts = [history.loss[i : i + width] for i in range(0, len(history.loss), width)]
    return {
        "step": [i * width + (len(part) - 1) / 2 for i, part in enumerate(parts)],
        "loss": [round(float(np.mean(part)), 5) for part in parts],
        "first": history.loss[:N_FIRST].tolist(),
        "seconds": round(history.seconds, 1),
    }


def _keep_weights(folder: Path, model) -> str:
    path = folder / "weights.safetensors"
    save(path, model, model.config)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _keep_looks(
    folder: Path, seen: Mapping[int, Mapping[str, Any]]
) -> tuple[dict[str, Any], str]:
    words, file = pack_looks({step: some["looks"] for step, some in seen.items()})
    write_atomically(folder / "looks.safetensors", file)
    return words, hashlib.sha256(file).hexdigest()
