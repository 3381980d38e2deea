"""Load a recorded run."""

import json
from pathlib import Path
from typing import Any

from attention_book.data import Vocabulary
from attention_book.runs.as_json import from_json
from attention_book.runs.curves import LossCurve
from attention_book.runs.recorded import RecordedRun, damaged

HOME = Path(__file__).parent / "recorded"


def load(name: str, home: Path = HOME) -> RecordedRun:
    """Load a recorded run; of the chapters, only the module of its task is imported."""
    path = home / name / "run.json"
    if not path.is_file():
        known = sorted(each.parent.name for each in home.glob("*/run.json"))
        raise FileNotFoundError(
            f"{name!r} is not recorded ({path} is missing), expected one of "
            f"{', '.join(known) or 'none'}; a recipe is recorded with "
            "`python -m attention_book.runs NAME`"
        )
    try:
        return _assemble(path.parent, json.loads(path.read_text("utf-8")))
    except (KeyError, TypeError, ValueError, AttributeError, ImportError) as error:
        raise damaged(path, error) from error


def _assemble(folder: Path, content: dict[str, Any]) -> RecordedRun:
    seeds = {int(seed): run for seed, run in content["seeds"].items()}
    if not seeds:
        raise ValueError("no seed is recorded")
    recipe = from_json(content["recipe"])
    return RecordedRun(
        recipe=recipe,
        curves={
            seed: LossCurve.from_json(run, recipe.steps) for seed, run in seeds.items()
        },
        measured={seed: run["measured"] for seed, run in seeds.items()},
        watched={
            seed: {int(step): value for step, value in run.get("watched", {}).items()}
            for seed, run in seeds.items()
        },
        vocabularies=tuple(map(Vocabulary, content["vocabularies"].values())),
        torch=content["torch"],
        folder=folder,
        _kept=content["kept"],
        _sha256=content["sha256"],
    )
