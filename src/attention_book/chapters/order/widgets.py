"""Chapter 6's widgets."""

from attention_book import runs
from attention_book.chapters.order.shuffle import inside as _inside
from attention_book.chapters.order.shuffle import shuffle as _shuffle
from attention_book.chapters.order.tasks import LONGEST
from attention_book.chapters.order.waves import waves as _waves
from attention_book.widgets import Widget


def waves() -> Widget:
    """Show positions as waves, a learned table beside them, and which are alike."""
    reader = runs.load("order-who-learned").model()
    learned = reader.positions.P.detach().numpy()
    return _waves(learned, LONGEST + 1)  # the question stands last


def shuffle() -> Widget:
    """Let the reader drag words, and show what is shuffled along."""
    return _shuffle()


def inside() -> Widget:
    """Let the reader drag words, and show what the layer computes on the way."""
    return _inside()
