"""Chapter 9's widget, fed from recorded runs."""

from attention_book import runs
from attention_book.chapters.cnn_attention.image_attention import (
    image_attention as _image_attention,
)
from attention_book.chapters.cnn_attention.key_task import TEST_SEED, look
from attention_book.chapters.cnn_attention.keys import key_scenes
from attention_book.widgets import Widget

N_SCENES = 6  # the first of the test scenes: two of each kind


def image_attention() -> Widget:
    """Let the reader click a cell of unseen scenes, and show where it looks."""
    scenes = key_scenes(N_SCENES, seed=TEST_SEED)
    says, A = look(runs.load("cnn-attention").model(), scenes)
    says_convolution, _ = look(runs.load("cnn-convolution").model(), scenes)
    said = {"attention": says, "a convolution": says_convolution}
    return _image_attention(scenes, A, said)
