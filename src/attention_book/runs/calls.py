"""What a page asks of a task's model: its own `calls`, or one of two usual kinds."""

from collections.abc import Mapping
from typing import Any

from torch import nn

from attention_book.networks import examples, writing
from attention_book.networks.program import Named, Traced
from attention_book.runs.task import Task


def calls_of(task: Task, model: nn.Module) -> Mapping[str, Traced]:
    """Give the calls to trace.

    A task whose model takes something else than a sentence says them itself, in a
    method `calls(model)`. A model that writes is asked to `encode` and `step`; any
    other to `read`: `model(source, visible)` gives the "logits" (1, N_X, N_answers).
    """
    own: Any = getattr(task, "calls", None)
    if own is not None:
        return own(model)
    given = examples(len(task.vocabularies["source"]), "source", "visible")
    if hasattr(model, "step"):
        turned = getattr(task, "reverse_source", False)
        return writing(model, *given, reverse_source=turned)
    return {"read": (read, given)}


def read(model: Any, **given: Any) -> Named:
    """Ask a model for its logits."""
    return {"logits": model(*given.values())}
