"""What is trained and recorded for chapter 8."""

from attention_book.chapters.three_ways.tasks import Carry, Switch
from attention_book.runs import Recipe

# For each distance: as many layers as it takes to see the name at all.
LAYERS = {
    "gru": {4: 1, 12: 1, 48: 1},
    "open-gru": {4: 1, 12: 1, 48: 1},
    "convolution": {4: 4, 12: 12},
    "dilated": {4: 3, 12: 4, 48: 6},
    "restricted": {4: 1, 12: 1, 48: 4},
    "attention": {4: 1, 12: 1, 48: 1},
}
SWITCHES = {"gru": 1, "dilated": 4, "attention": 4}
WITH_WEIGHTS = ("carry-12-gru",)  # whose memory an exercise measures

RECIPES = (
    *(
        Recipe(
            name,
            Carry(way, distance, N_layers),
            steps=400,
            keep_weights=name in WITH_WEIGHTS,
        )
        for way, layers in LAYERS.items()
        for distance, N_layers in layers.items()
        for name in [f"carry-{distance}-{way}"]
    ),
    *(
        Recipe(f"switch-{way}", Switch(way, N_layers), steps=1000)
        for way, N_layers in SWITCHES.items()
    ),
)
