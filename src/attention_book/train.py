"""Record runs from the command line: `python -m attention_book.train NAME`; without a name, list them."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import torch

from attention_book.runs.recipes import RECIPES, recipe_named
from attention_book.runs.record import record
from attention_book.runs.recorded import HOME, load


def main(arguments: Sequence[str] | None = None) -> None:
    """Parse the command line and do what it says."""
    asked = _parser().parse_args(arguments)
    names = list(RECIPES) if asked.all else asked.names
    if asked.list or not names:
        sys.stdout.write(_listing(asked.to))
        return
    if asked.seeds and asked.to == HOME:
        sys.exit(
            "--seeds is for trials: say with --to where to keep them, so that the "
            "book's own run stays"
        )
    try:
        recipes = [recipe_named(name) for name in names]
    except ValueError as error:
        sys.exit(str(error))
    torch.set_num_threads(
        1
    )  # the losses of a run must not depend on how many cores a machine has
    for recipe in recipes:
        sys.stdout.write(f"{recipe.name}: {recipe.task}, {recipe.steps} steps a seed\n")
        sys.stdout.flush()
        folder = record(recipe, seeds=asked.seeds, home=asked.to)
        sys.stdout.write(f"{_results(recipe.name, asked.to)}kept in {folder}\n")
        sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m attention_book.train", description=__doc__
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="recipes to train and record"
    )
    parser.add_argument("--all", action="store_true", help="train every recipe")
    parser.add_argument(
        "--list", action="store_true", help="list the recipes and what is recorded"
    )
    parser.add_argument(
        "--seeds",
        nargs="+",
        type=int,
        metavar="SEED",
        help="other seeds than the recipe's",
    )
    parser.add_argument(
        "--to", type=Path, default=HOME, metavar="FOLDER", help="where to keep the runs"
    )
    return parser


def _listing(home: Path) -> str:
    lines, width = [], max(map(len, RECIPES))
    for recipe in RECIPES.values():
        state = (
            "recorded"
            if (home / recipe.name / "run.json").is_file()
            else "not recorded"
        )
        lines.append(
            f"{recipe.name:{width}} {recipe.task:18} {recipe.steps:5} steps x "
            f"{len(recipe.seeds)} seeds  {state}"
        )
    return "\n".join(lines) + "\n"


def _results(name: str, home: Path) -> str:
    run = load(name, home)
    rows = ["bucket    " + "".join(f"{bucket:>10}" for bucket in run.buckets)]
    for seed, exact in zip(run.metrics, run.measured("exact_match"), strict=True):
        curve = run.history[seed]
        rows.append(
            f"EM seed {seed} "
            + "".join(f"{value:10.2f}" for value in exact)
            + f"  {curve.seconds:.0f} s"
        )
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    main()
