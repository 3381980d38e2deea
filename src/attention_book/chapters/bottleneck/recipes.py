"""What is trained and recorded for chapter 1."""

from attention_book.chapters.bottleneck.tasks import FixedContextTranslation, Symbols
from attention_book.runs import Recipe

BRIEF, SHORT, LONG = 750, 1500, 4500  # steps


def _spanish(name: str, *, steps: int = SHORT, sizes=None, **settings) -> Recipe:
    task = FixedContextTranslation(
        target="es",
        sizes={"D_embedding": 64, "D_hidden": 128} | (sizes or {}),
        reverse_source=True,
        N_shown=2,
    )
    return Recipe(name, task, steps=steps, **settings)


def _symbols(kind: str) -> Recipe:
    task = Symbols(kind, {"D_embedding": 32, "D_hidden": 128})
    return Recipe(f"{kind}-fixed", task, steps=SHORT, seeds=(0, 1, 2))


RECIPES = (
    _spanish("bottleneck-brief", steps=BRIEF),
    _spanish("bottleneck-short", keep_weights=True),
    _spanish(
        "bottleneck-long", steps=LONG, keep_weights=True, snapshot_at=(500, 1500, 3000)
    ),
    _spanish("bottleneck-width-64", sizes={"D_hidden": 64}),
    _spanish("bottleneck-width-256", sizes={"D_hidden": 256}),
    _spanish("bottleneck-state-only", sizes={"context_at_every_step": False}),
    _symbols("reverse"),
    _symbols("copy"),
    Recipe(  # for chapter 2, whose models write French
        "bottleneck-french",
        FixedContextTranslation(
            target="fr",
            sizes={"D_embedding": 64, "D_hidden": 128},
            reverse_source=True,
            held_out=True,
        ),
        steps=SHORT,
    ),
)
