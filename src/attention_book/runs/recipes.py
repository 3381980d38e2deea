"""The recipes of all recorded runs, as data: what is trained, on what, for how many
steps, and what is kept.

A recipe and a seed fix a run: the same losses follow on any machine, up to rounding. A
test replays the first steps of every recorded run, so a recipe cannot be changed
without recording it again.
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
        What is learned: `translation en-es`, `copy`, `reverse` or `captions`.
    model : str
        Which model learns it: a name in `runs.kinds.KINDS`.
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
    longest_source : int
        Train on sources of at most this many words; the test sentences are as long as
        ever.
    keep_weights : bool
        Keep the first seed's weights.
    keep_predictions : bool
        Keep the first seed's outputs for two test sentences of every length, for a
        widget.
    snapshot_at : tuple of int
        Steps of the first seed at which these outputs are kept too.
    keep_looks : bool
        Keep where the first seed looks in a few sentences, at the end and at the steps
        of `snapshot_at`.
    interventions : bool
        Measure what becomes of the output when the attention weights are replaced.

    Raises
    ------
    ValueError
        If something is asked for that the model or the task cannot give.
    """

    name: str
    task: str
    steps: int
    model: str = "fixed"
    sizes: Mapping[str, int | bool | str] = field(default_factory=dict)
    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    learning_rate: float = 3e-3
    # Sutskever et al. (2014): reversed, the first source words stand next to the first
    # target words
    reverse_source: bool = False
    longest_source: int = 24
    keep_weights: bool = False
    keep_predictions: bool = False
    snapshot_at: tuple[int, ...] = ()
    keep_looks: bool = False
    interventions: bool = False

    def __post_init__(self):  # before the training, not after it
        looks = self.model == "attention" and self.task.startswith("translation ")
        possible = {
            "keep_looks": looks,
            "interventions": looks,
            "keep_predictions": self.task != "captions",
        }
        for name, is_possible in possible.items():
            if getattr(self, name) and not is_possible:
                raise ValueError(
                    f"{name} is True, expected False for model {self.model!r} and task "
                    f"{self.task!r}"
                )
        if self.reverse_source and self.model == "attention":
            raise ValueError(
                "reverse_source is True, expected False for model 'attention': gold "
                "links count from the first word"
            )


BRIEF, SHORT, LONG = 750, 1500, 4500  # steps
SYMBOLS = 1500
CAPTIONS = 2000


def _bottleneck(
    name: str,
    D_hidden: int = 128,
    sizes: Mapping[str, int | bool] | None = None,
    **settings,
) -> Recipe:
    sizes = {"D_embedding": 64, "D_hidden": D_hidden} | (sizes or {})
    return Recipe(
        name,
        "translation en-es",
        sizes=sizes,
        reverse_source=True,
        keep_predictions=True,
        **settings,
    )


def _symbols(task: str) -> Recipe:
    sizes = {"D_embedding": 32, "D_hidden": 128}
    return Recipe(f"{task}-fixed", task, steps=SYMBOLS, sizes=sizes, seeds=(0, 1, 2))


def _attention(
    name: str, score: str, scored_state: str, *, bidirectional: bool = True, **settings
) -> Recipe:
    sizes = {"D_embedding": 64, "D_hidden": 128}
    sizes |= {
        "score": score,
        "scored_state": scored_state,
        "bidirectional": bidirectional,
    }
    settings = {"steps": SHORT, "keep_looks": True} | settings
    return Recipe(name, "translation en-fr", model="attention", sizes=sizes, **settings)


def _captions(name: str, *, attention: bool, **settings) -> Recipe:
    sizes, settings = {"attention": attention}, {"steps": CAPTIONS} | settings
    return Recipe(
        name, "captions", model="captioner", sizes=sizes, learning_rate=2e-3, **settings
    )


WATCHED = (0, 50, 100, 150, 200, 300, 500)  # steps: attention is found early

_ALL = (
    _bottleneck("bottleneck-brief", steps=BRIEF),
    _bottleneck("bottleneck-short", steps=SHORT, keep_weights=True),
    _bottleneck(
        "bottleneck-long", steps=LONG, keep_weights=True, snapshot_at=(500, 1500, 3000)
    ),
    _bottleneck("bottleneck-width-64", D_hidden=64, steps=SHORT),
    _bottleneck("bottleneck-width-256", D_hidden=256, steps=SHORT),
    _bottleneck(
        "bottleneck-state-only", sizes={"context_at_every_step": False}, steps=SHORT
    ),
    _symbols("reverse"),
    _symbols("copy"),
    Recipe(
        "bottleneck-french",
        "translation en-fr",
        steps=SHORT,
        sizes={"D_embedding": 64, "D_hidden": 128},
        reverse_source=True,
    ),
    _attention(
        "attention-dot",
        "dot",
        "current",
        keep_weights=True,
        snapshot_at=WATCHED,
        interventions=True,
    ),
    _attention("attention-bilinear", "bilinear", "current"),
    _attention("attention-mlp", "mlp", "previous", interventions=True),
    _attention("attention-mlp-forward", "mlp", "previous", bidirectional=False),
    _attention("attention-dot-forward", "dot", "current", bidirectional=False),
    _attention(
        "attention-dot-brief-sentences",
        "dot",
        "current",
        longest_source=12,
        keep_looks=False,
    ),
    _captions("caption-attention", attention=True, keep_weights=True),
    _captions("caption-fixed", attention=False),
    _captions(
        "caption-fixed-long", attention=False, steps=3 * CAPTIONS, seeds=(0, 1, 2)
    ),
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
        raise ValueError(
            f"there is no recipe named {name!r}, expected one of {', '.join(RECIPES)}"
        )
    return RECIPES[name]
