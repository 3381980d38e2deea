"""Attention, from the bottleneck up: the code, data, widgets and checks of the book.

`import attention_book` is quick; each room is imported when it is first asked for, as
in `attention_book.models`.
"""

from importlib import import_module
from importlib.metadata import version
from typing import Any

ROOMS = (
    "claims",
    "data",
    "decoding",
    "exercises",
    "layers",
    "metrics",
    "models",
    "plots",
    "reading",
    "reference",
    "runs",
    "training",
    "widgets",
)


def __getattr__(name: str) -> Any:
    if name == "__version__":  # a folder that is not installed has none
        return version("attention-book")
    if name in ROOMS:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *ROOMS})
