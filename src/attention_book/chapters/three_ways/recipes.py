"""What is trained and recorded for chapter 8."""

from attention_book.chapters.three_ways.tasks import Carry, Switch
from attention_book.runs import Recipe

# For each distance: as many layers as it takes to see the name at all. Over 4 and 12
# words the window of restricted attention holds the sentence: it would be attention.
LAYERS = {
    "gru": {4: 1, 12: 1, 48: 1},
    "open-gru": {4: 1, 12: 1, 48: 1},
    "convolution": {4: 4, 12: 12},
    "dilated": {4: 3, 12: 4, 48: 6},
    "restricted": {48: 4},
    "attention": {4: 1, 12: 1, 48: 1},
}
LONG = {"gru": 48, "restricted": 48, "convolution": 12}  # who failed, and how far
LONG_STEPS = 2000
DEEP = Carry("attention", 48, LAYERS["restricted"][48])  # attention as deep as that
SWITCHES = {"gru": 1, "dilated": 4, "attention": 4}
# The three that know the name after 12 words (an exercise measures the GRU's memory),
# and over 48 words the GRU that does not, and attention, which does.
WITH_WEIGHTS = (
    *(f"carry-12-{way}" for way in ("gru", "dilated", "attention")),
    *(f"carry-48-{way}" for way in ("gru", "attention")),
)

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
        Recipe(
            f"carry-{distance}-{way}-long",
            Carry(way, distance, LAYERS[way][distance]),
            steps=LONG_STEPS,
        )
        for way, distance in LONG.items()
    ),
    Recipe("carry-48-attention-deep", DEEP, steps=400),
    *(
        Recipe(f"switch-{way}", Switch(way, N_layers), steps=1000)
        for way, N_layers in SWITCHES.items()
    ),
)
