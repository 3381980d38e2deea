"""Record runs from the command line: `python -m attention_book.runs NAME`; without a
name, list them.
"""

import argparse
import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from attention_book.devices import one_thread
from attention_book.recipes import recipe_named, recipes
from attention_book.runs.figures import leaves
from attention_book.runs.loading import HOME, load
from attention_book.runs.programs import write_programs
from attention_book.runs.record import add_weights, record
from attention_book.runs.task import OtherData


def main(arguments: Sequence[str] | None = None) -> None:
    """Parse the command line and do what it says."""
    asked = _parser().parse_args(arguments)
    if asked.programs:
        sys.stdout.writelines(
            f"{path}\n" for path in write_programs(recipes(), asked.to)
        )
        return
    names = list(recipes()) if asked.all else asked.names
    if asked.list or not names:
        sys.stdout.write(_listing(asked.to))
        return
    if asked.seeds and asked.to.resolve() == HOME.resolve():
        sys.exit(
            "--seeds is for trials: say with --to where to keep them, so that the "
            "book's own run stays"
        )
    try:
        wanted = [recipe_named(name) for name in names]
    except ValueError as error:
        sys.exit(str(error))
    # the losses of a run must not depend on how many cores a machine has
    one_thread()
    refused = False
    for recipe in wanted:
        sys.stdout.write(f"{recipe.name}: {recipe.steps} steps a seed\n")
        sys.stdout.flush()
        try:
            if asked.weights:
                folder = add_weights(recipe, home=asked.to)
            else:
                folder = record(recipe, seeds=asked.seeds, home=asked.to)
        except OtherData as why:
            sys.stdout.write(f"not recorded: {why}\n")
            refused = True
            continue
        sys.stdout.write(f"{_results(recipe.name, asked.to)}kept in {folder}\n")
        sys.stdout.flush()
    if refused:
        sys.exit(1)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m attention_book.runs", description=__doc__
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="recipes to train and record"
    )
    parser.add_argument("--all", action="store_true", help="train every recipe")
    parser.add_argument(
        "--list", action="store_true", help="list the recipes and what is recorded"
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--programs",
        action="store_true",
        help="write down again what pages run of the models that keep weights",
    )
    how.add_argument(
        "--seeds",
        nargs="+",
        type=int,
        metavar="SEED",
        help="other seeds than the recipe's",
    )
    how.add_argument(
        "--weights",
        action="store_true",
        help="train the first seed alone, and add its weights to a run without them",
    )
    parser.add_argument(
        "--to", type=Path, default=HOME, metavar="FOLDER", help="where to keep the runs"
    )
    return parser


def _listing(home: Path) -> str:
    known = recipes()
    lines, width = [], max(map(len, known))
    for name, recipe in known.items():
        is_there = (home / name / "run.json").is_file()
        lines.append(
            f"{name:{width}} {type(recipe.task).__name__:24} {recipe.steps:5} steps x "
            f"{len(recipe.seeds)} seeds  {'recorded' if is_there else 'not recorded'}"
        )
    return "\n".join(lines) + "\n"


def _results(name: str, home: Path) -> str:
    """Every figure that was measured, a column for each seed."""
    run = load(name, home)
    rows = [("seed", [str(seed) for seed in run.curves])]
    by_seed = [dict(leaves(measured)) for measured in run.measured.values()]
    for path in dict.fromkeys(chain(*by_seed)):  # not all seeds need to have them all
        figures = [each.get(path, "") for each in by_seed]
        rows.append((" / ".join(path), list(map(_cell, figures))))
    rows.append(("seconds", [f"{each.seconds:.0f}" for each in run.curves.values()]))
    width = max(len(label) for label, _ in rows)
    return "".join(
        f"{label:{width}}" + "".join(f"{cell:>10}" for cell in cells) + "\n"
        for label, cells in rows
    )


def _cell(figure: Any) -> str:
    return f"{figure:.3f}" if isinstance(figure, float) else str(figure)


if __name__ == "__main__":
    main()
