"""One training loop for every model, seeds that reach everything, whole files only."""

from attention_book.training.callbacks import (
    Budget,
    Callback,
    Snapshots,
    StopAfter,
    Training,
    Validation,
)
from attention_book.training.checkpoints import (
    load,
    read_config,
    read_vocabularies,
    save,
)
from attention_book.training.fit import (
    History,
    fit,
    smoothed_cross_entropy,
    token_cross_entropy,
    warmup,
)
from attention_book.training.progress import Progress
from attention_book.training.seeds import seeded

__all__ = [
    "Budget",
    "Callback",
    "History",
    "Progress",
    "Snapshots",
    "StopAfter",
    "Training",
    "Validation",
    "fit",
    "load",
    "read_config",
    "read_vocabularies",
    "save",
    "seeded",
    "smoothed_cross_entropy",
    "token_cross_entropy",
    "warmup",
]
