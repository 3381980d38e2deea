"""Train a recipe and keep what came of it.

What is measured is what is kept: the weights are rounded to 16 bits before the model is evaluated.
"""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from attention_book.data import Pair
from attention_book.models import FixedContext, Seq2SeqConfig
from attention_book.runs.evaluation import evaluate, translate
from attention_book.runs.recipes import Recipe
from attention_book.runs.recorded import HOME, as_json
from attention_book.runs.tasks import Task, task_of
from attention_book.training import History, fit, save, seeded
from attention_book.training.checkpoints import write_atomically

N_POINTS = 200  # of a loss curve
N_FIRST = 5  # losses kept as they are, for the replay
PER_LENGTH = 2  # test sentences of every length whose translations are kept


def config_of(recipe: Recipe, task: Task) -> Seq2SeqConfig:
    """The model's configuration: the recipe's widths and the task's vocabularies."""
    return Seq2SeqConfig(len(task.source_vocabulary), len(task.target_vocabulary), **recipe.sizes)


def train(
    recipe: Recipe, task: Task, seed: int, *, stop_after: int | None = None, progress: bool = False, **snapshots
) -> tuple[FixedContext, History]:
    """Train one seed of a recipe; with `stop_after`, only its first steps (a replay).

    Raises
    ------
    ValueError
        If `stop_after` is not between 1 and the recipe's steps.
    """
    with seeded(seed):
        model = FixedContext(config_of(recipe, task))
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


def record(recipe: Recipe, *, seeds: Sequence[int] | None = None, home: Path = HOME, progress: bool = True) -> Path:
    """Train a recipe over its seeds, evaluate each, and write the run's files when all is done.

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
    shown = _shown(task.test) if recipe.keep_predictions else []
    for seed in seeds:
        first = seed == seeds[0]
        wanted = _snapshots(recipe, task, shown) if first and recipe.snapshot_at else {}
        model, history = train(recipe, task, seed, progress=progress, **wanted)
        model.half().float()
        kept[seed] = _curve(history) | {"metrics": evaluate(model, task.test, **_sides(recipe, task))}
        if first:
            first_model, snapshots = model, history.snapshots
    content = {
        "recipe": as_json(recipe),
        "config": vars(first_model.config),
        "seeds": kept,
        "predictions": _predictions(first_model, recipe, task, shown),
        "snapshots": snapshots,
        "vocabularies": {
            "source": task.source_vocabulary.to_list(),
            "target": task.target_vocabulary.to_list(),
        },
        "torch": torch.__version__,
        "weights_sha256": _keep_weights(folder, first_model) if recipe.keep_weights else None,
    }
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    write_atomically(folder / "run.json", text.encode())
    return folder


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
    return [pair for length in sorted(by_length) for pair in by_length[length][:PER_LENGTH]]


def _snapshots(recipe: Recipe, task: Task, shown: list[Pair]) -> dict[str, Any]:
    def said(model, _):
        return translate(model, [pair.source for pair in shown], **_sides(recipe, task))

    return {"snapshot_at": recipe.snapshot_at, "snapshot": said}


def _predictions(model, recipe: Recipe, task: Task, shown: list[Pair]) -> list[dict[str, Sequence[str]]]:
    if not shown:
        return []
    said = translate(model, [pair.source for pair in shown], **_sides(recipe, task))
    return [
        {"source": pair.source, "reference": pair.target, "prediction": words}
        for pair, words in zip(shown, said, strict=True)
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
