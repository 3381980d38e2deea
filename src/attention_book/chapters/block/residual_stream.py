"""ResidualStream: what attention and MLP add to the vector of one word, block by block,
and what becomes of it, and of the loss, without a part.

A part is left out in two ways: of the model before it is trained (recorded, a model for
each seed), and of the model that was trained with all its parts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from attention_book import runs
from attention_book.chapters.block.model import MaskedWords, NoAttention, NoMLP
from attention_book.chapters.block.sentences import MASK
from attention_book.chapters.block.tasks import unseen
from attention_book.data import PAD, START, STOP, Vocabulary
from attention_book.shapes import check_choice
from attention_book.widgets.controls import select, slider
from attention_book.widgets.fields import control, over
from attention_book.widgets.streams import stream
from attention_book.widgets.strips import bars, tokens
from attention_book.widgets.widget import Widget

WORD, OFF = "word", "switched off"
WORDS, HIDDEN = f"the child will {MASK} my egg".split(), "eat"
NOTHING = "nothing"
RECORDED = {
    "attention": "hidden-no-attention",
    "MLP": "hidden-no-mlp",
    "all norms": "hidden-no-norm",
    "residual": "hidden-no-residual",
    "positions": "hidden-no-positions",
}
GUESSES = 2


@dataclass(frozen=True)
class Grown:
    """How the vectors of a sentence grow, part by part."""

    parts: list[str]
    before: Float[np.ndarray, "N_parts N"]  # the length of each vector
    added: Float[np.ndarray, "N_parts N"]  # the length of what is added, 0 if off
    cosines: Float[np.ndarray, "N_parts N"]  # of the two
    logits: Float[Tensor, "N N_words"]  # at the end


def switch_off(model: MaskedWords, part: str) -> None:
    """Switch a part off in all blocks of a model: one of RECORDED, or nothing."""
    check_choice("part", part, (NOTHING, *RECORDED))
    for block in model.encoder.blocks:
        if part == "attention":
            block.attend = NoAttention()
        elif part == "MLP":
            block.mlp = NoMLP()
        elif part == "all norms":
            block.norm_1 = block.norm_2 = model.encoder.norm = nn.Identity()
        elif part == "residual":
            block.residual = False
        elif part == "positions":
            model.positions = nn.Identity()


@torch.no_grad()
def grow(model: MaskedWords, source: Int[Tensor, " N"]) -> Grown:
    """Send a sentence through a pre-norm model, and measure all that is added."""
    check_choice("model.config.norm", model.config.norm, ("pre", "none"))
    visible = torch.ones(1, len(source), dtype=torch.bool)
    X = model.states(source[None], visible)[0]
    parts, measured = [], []
    for k, block in enumerate(model.encoder.blocks, start=1):
        for name in ("attention", "MLP"):
            if name == "attention":
                change, _ = block.attend(block.norm_1(X), visible[:, None])
            else:
                change = block.mlp(block.norm_2(X))
            parts.append(f"{name} {k}")
            cosines = F.cosine_similarity(X, change, dim=-1)
            measured.append((X.norm(dim=-1), change.norm(dim=-1), cosines))
            X = X + change if block.residual else change
    before, added, cosines = (
        torch.cat(each).numpy() for each in zip(*measured, strict=True)
    )
    return Grown(parts, before, added, cosines, model.read(X[0]))


def residual_stream(*, link: str = "residual-stream") -> Widget:
    """Show what is added to the stream of a word, and the loss without a part."""
    run = runs.load("hidden-full")
    vocabulary = run.recipe.task.vocabularies["source"]
    source = torch.tensor(vocabulary.encode(WORDS))
    whole, blocks = run.per_seed("loss"), run.recipe.task.sizes["N_blocks"]
    said, grown, losses = {}, {}, {NOTHING: [("the whole model", whole)]}
    for part in (NOTHING, *RECORDED):
        model = run.model()
        switch_off(model, part)
        grown[part] = grow(model, source)
        measured = run.recipe.task.measure(model)
        shown = "whole" if part == NOTHING else f"{part} switched off"
        said[part] = (
            f"Hidden: {HIDDEN}. Model of seed 0, {shown}: "
            f"{_guesses(grown[part], vocabulary)}. Unseen sentences: first guess "
            f"{sureness(model):.2f} sure, {measured['right']:.0%} right."
        )
        if part != NOTHING:
            losses[part] = [
                *losses[NOTHING],
                ("trained without", runs.load(RECORDED[part]).per_seed("loss")),
                ("off in seed 0", [measured["loss"]]),
            ]

    def of(name):
        return over(OFF, WORD, lambda part, word: _of(grown[part], name, word))

    def loss(measure):
        return over(OFF, lambda part: [measure(each) for _, each in losses[part]])

    return Widget(
        title="What each part adds to the stream of a word",
        question=f"Predict: which part is worth least in {blocks} blocks? "
        "Switch each off.",
        controls=[
            select(OFF, [NOTHING, *RECORDED]),
            slider(WORD, WORDS, default=MASK),
        ],
        panels=[
            tokens("sentence", WORDS, axis="word", chooses=control(WORD)),
            stream(
                over(OFF, lambda part: grown[part].parts),
                of("before"),
                of("added"),
                of("cosines"),
                carried=over(OFF, lambda part: float(part != "residual")),
                label="the stream before, drawn upwards; scaled to fit",
            ),
            bars(
                over(OFF, lambda part: [name for name, _ in losses[part]]),
                loss(np.mean),
                band=(loss(np.min), loss(np.max)),
                label=f"loss, nats a word; lines: range of {len(whole)} seeds",
                measure="mean",
                axis="model",
            ),
        ],
        follow={"word": WORD},
        summary=over(OFF, said.get),
        link=link,
    )


def _of(grown: Grown, name: str, word: str) -> Float[np.ndarray, " N_parts"]:
    return getattr(grown, name)[:, WORDS.index(word)]


@torch.no_grad()
def sureness(model: MaskedWords) -> float:
    """Mean weight of the first guess, over the hidden words of unseen sentences."""
    batch = unseen()
    logits = model(batch.source, batch.source_visible)[batch.target_out > 0]
    return logits.softmax(-1).amax(-1).mean().item()


def _guesses(grown: Grown, vocabulary: Vocabulary) -> str:
    """What the model says at the hidden word; of the ids, only those of words."""
    weights = grown.logits[WORDS.index(MASK)].softmax(-1)
    weights[[PAD, START, STOP, *vocabulary.encode([MASK])]] = 0
    best = weights.topk(GUESSES)
    return ", ".join(
        f"{vocabulary.words[word]} {weight:.2f}"
        for word, weight in zip(
            best.indices.tolist(), best.values.tolist(), strict=True
        )
    )
