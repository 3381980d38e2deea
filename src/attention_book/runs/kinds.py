"""The models that recipes name, each with the configuration it is built from."""

from collections.abc import Mapping
from typing import Any

from attention_book.models import (
    Captioner,
    CaptionerConfig,
    FixedContext,
    Seq2SeqConfig,
    Translator,
    TranslatorConfig,
)

KINDS: Mapping[str, tuple[type, type]] = {
    "fixed": (FixedContext, Seq2SeqConfig),
    "attention": (Translator, TranslatorConfig),
    "captioner": (Captioner, CaptionerConfig),
}


def kind_named(name: str) -> tuple[type, type]:
    """Look a model and its configuration up.

    Raises
    ------
    ValueError
        If there is none of that name; the message lists them.
    """
    if name not in KINDS:
        raise ValueError(f"model is {name!r}, expected one of {', '.join(KINDS)}")
    return KINDS[name]


def build(name: str, config: Any) -> Any:
    """Make a model with fresh weights from its configuration."""
    return kind_named(name)[0](config)
