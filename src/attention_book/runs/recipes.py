"""The recipes of all recorded runs, as data: what is trained, on what, for how many steps, and what is kept.

A recipe and a seed fix a run: the same losses follow on any machine, up to rounding. A test replays the first
steps of every recorded run, so a recipe cannot be changed without recording it again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Recipe:
    """One experiment.

    Attributes
    ----------
    name : str
        Also the name of the folder it is kept in.
    task : str
        What is learned: `translation en-es`, `copy` or `reverse`.
    steps : int
        Batches to learn from, for each seed.
    sizes : mapping
        The model's configuration, by its names.
    seeds : tuple of int
        One run each. A seed fixes the first weights and the order of the batches.
    learning_rate : float
        The largest one.
    reverse_source : bool
        Feed the source's words last to first.
    keep_weights : bool
        Keep the first seed's weights.
    keep_predictions : bool
        Keep the first seed's outputs for two test sentences of every length, for a widget.
    snapshot_at : tuple of int
        Steps of the first seed at which these outputs are kept too.
    """

    name: str
    task: str
    steps: int
    sizes: Mapping[str, int | bool] = field(default_factory=dict)
    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    learning_rate: float = 3e-3
    # Sutskever et al. (2014): reversed, the first source words stand next to the first target words
    reverse_source: bool = False
    keep_weights: bool = False
    keep_predictions: bool = False
    snapshot_at: tuple[int, ...] = ()


BRIEF, SHORT, LONG = 750, 1500, 4500  # steps
SYMBOLS = 1500


def _bottleneck(name: str, D_hidden: int = 128, sizes: Mapping[str, int | bool] | None = None, **settings) -> Recipe:
    sizes = {"D_embedding": 64, "D_hidden": D_hidden} | (sizes or {})
    return Recipe(name, "translation en-es", sizes=sizes, reverse_source=True, keep_predictions=True, **settings)


def _symbols(task: str) -> Recipe:
    sizes = {"D_embedding": 32, "D_hidden": 128}
    return Recipe(f"{task}-fixed", task, steps=SYMBOLS, sizes=sizes, seeds=(0, 1, 2))


_ALL = (
    _bottleneck("bottleneck-brief", steps=BRIEF),
    _bottleneck("bottleneck-short", steps=SHORT, keep_weights=True),
    _bottleneck("bottleneck-long", steps=LONG, keep_weights=True, snapshot_at=(500, 1500, 3000)),
    _bottleneck("bottleneck-width-64", D_hidden=64, steps=SHORT),
    _bottleneck("bottleneck-width-256", D_hidden=256, steps=SHORT),
    _bottleneck("bottleneck-state-only", sizes={"context_at_every_step": False}, steps=SHORT),
    _symbols("reverse"),
    _symbols("copy"),
)
RECIPES: Mapping[str, Recipe] = {recipe.name: recipe for recipe in _ALL}


def recipe_named(name: str) -> Recipe:
    """Look a recipe up.

    Raises
    ------
    ValueError
        If there is none of that name; the message lists them.
    """
    if name not in RECIPES:
        raise ValueError(f"there is no recipe named {name!r}, expected one of {', '.join(RECIPES)}")
    return RECIPES[name]
