"""Chapter 9's widget, fed from recorded runs."""

from attention_book import runs
from attention_book.chapters.cnn_attention.image_attention import (
    image_attention as _image_attention,
)
from attention_book.chapters.cnn_attention.scenes import (
    KEYS,
    NONE,
    answer,
    asked,
    key_scenes,
)
from attention_book.chapters.cnn_attention.tasks import TEST_SEED, look
from attention_book.widgets import Widget

N_EACH = 2  # scenes for each answer: the first with a digit at this cell
CORNER = 9  # row 2, column 2: far from most keys


def image_attention() -> Widget:
    """Let the reader click a cell of unseen scenes, and show where it looks."""
    drawn = [s for s in key_scenes(300, seed=TEST_SEED) if asked(s)[CORNER]]
    scenes = [
        scene
        for word in (*KEYS.values(), NONE)
        for scene in [each for each in drawn if answer(each) == word][:N_EACH]
    ]
    says, A = look(runs.load("cnn-attention").model(), scenes)
    says_convolution, _ = look(runs.load("cnn-convolution").model(), scenes)
    said = {"attention": says, "a convolution": says_convolution}
    return _image_attention(scenes, A, said)
