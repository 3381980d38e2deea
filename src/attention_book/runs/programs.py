"""The programs beside the recordings: what a page runs of models with weights."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from attention_book.networks import trace
from attention_book.runs.calls import calls_of
from attention_book.runs.loading import HOME, load
from attention_book.runs.recipe import Recipe
from attention_book.runs.recorded import PROGRAM, RecordedRun
from attention_book.training.checkpoints import write_atomically


def program_of(run: RecordedRun) -> str:
    """Trace a run's model, and write the program as JSON."""
    model = run.model()
    program = trace(model, **calls_of(run.recipe.task, model))
    return json.dumps(program, allow_nan=False, separators=(",", ":"))


def changed_programs(
    recipes: Mapping[str, Recipe], home: Path = HOME
) -> Iterator[tuple[Path, str]]:
    """Trace every model whose weights are kept, and yield the programs that changed.

    Each comes as its path and its new text.
    """
    for name, recipe in recipes.items():
        path = home / name / PROGRAM
        if recipe.keep_weights and path.parent.is_dir():
            program = program_of(load(name, home))
            if not path.is_file() or path.read_text("utf-8") != program:
                yield path, program


def write_programs(recipes: Mapping[str, Recipe], home: Path = HOME) -> Iterator[Path]:
    """Write the programs that have changed, and yield their paths."""
    for path, program in changed_programs(recipes, home):
        write_atomically(path, program.encode())
        yield path
