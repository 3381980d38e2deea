"""The programs beside the recordings: what a page runs of models with weights."""

import json
from collections.abc import Iterator
from pathlib import Path

from attention_book.networks import trace
from attention_book.runs.calls import calls_of
from attention_book.runs.loading import HOME, load
from attention_book.runs.recipe import recipes
from attention_book.runs.recorded import PROGRAM, RecordedRun
from attention_book.training.checkpoints import write_atomically


def program_of(run: RecordedRun) -> str:
    """Trace a run's model, and write the program as JSON."""
    model = run.model()
    program = trace(model, **calls_of(run.recipe.task, model))
    return json.dumps(program, allow_nan=False, separators=(",", ":"))


def changed_programs(home: Path = HOME) -> Iterator[tuple[Path, str]]:
    """Trace every model whose weights are kept; give the programs that have changed.

    For each, where it is kept, and what it is today.
    """
    for name, recipe in recipes().items():
        path = home / name / PROGRAM
        if recipe.keep_weights and path.parent.is_dir():
            program = program_of(load(name, home))
            if not path.is_file() or path.read_text("utf-8") != program:
                yield path, program


def write_programs(home: Path = HOME) -> Iterator[Path]:
    """Write the programs that have changed, and give their paths."""
    for path, program in changed_programs(home):
        write_atomically(path, program.encode())
        yield path
