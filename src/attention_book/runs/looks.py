"""Looks: where a model looks while it is shown right translations, kept along training
for the figures that move.

Of each sentence and step two arrays are kept as 16-bit numbers, the scores and the
first entries of the encoder's states; the weights are the softmax of the scores. What
the sentences are stands in `run.json`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import safetensors.numpy
import torch
from jaxtyping import Float

from attention_book.data import START, Pair, Vocabulary, classic, encode_sources
from attention_book.decoding import forced_decoding
from attention_book.decoding.mode import evaluating
from attention_book.runs.evaluation import translate

END = "[STOP]"
D_SHOWN = 12  # entries of h_i that are kept
LENGTHS = ("7-9", "10-12", "13-15", "16-18", "19-21")


@dataclass(frozen=True, eq=False)  # arrays do not compare to one truth value
class Look:
    """Where a model looks while it is shown one sentence and its right translation.

    Attributes
    ----------
    source, target : tuple of str
        The words, each side with [STOP].
    alignment : frozenset of (int, int)
        Gold links (i, j) of the words.
    e, A : (N_Y, N_X)
        Scores and weights; row t belongs to the step that is to write target word t.
    h : (N_X, 12)
        The first entries of each encoder state.
    said : tuple of str
        What the model writes when nobody helps.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    alignment: frozenset[tuple[int, int]]
    e: Float[np.ndarray, "N_Y N_X"]
    A: Float[np.ndarray, "N_Y N_X"]
    h: Float[np.ndarray, "N_X D_shown"]
    said: tuple[str, ...]


def watched(recipe_task: str, test: Mapping[str, Sequence[Pair]]) -> list[Pair]:
    """The sentences whose attention is kept: two known from the literature, and the first test pair of some lengths."""
    source, target = recipe_task.split(" ")[1].split("-")
    known = [classic(name) for name in ("area", "bread")]
    pairs = [
        Pair(one.tokens(source), one.tokens(target), one.alignment(source, target))
        for one in known
    ]
    return pairs + [test[label][0] for label in LENGTHS]


def read_pairs(
    model: Any,
    pairs: Sequence[Pair],
    source_vocabulary: Vocabulary,
    target_vocabulary: Vocabulary,
) -> Iterator[
    tuple[
        Float[np.ndarray, "N_Y N_X"],
        Float[np.ndarray, "N_Y N_X"],
        Float[np.ndarray, "N_X D_H"],
    ]
]:
    """Show a model right translations, one sentence at a time, and yield its weights,
    scores and encoder states.

    Both sides include [STOP]: the last row is the step that should write it, the last
    column the source's.
    """
    for pair in pairs:
        source, visible = encode_sources([pair.source], source_vocabulary)
        target_in = torch.tensor([[START, *target_vocabulary.encode(pair.target)]])
        along = forced_decoding(model, source, visible, target_in)
        states = torch.stack(along.states, dim=1)  # (1, N_Y + 1, D_S)
        asked = states[:, :-1] if model.scored_state == "previous" else states[:, 1:]
        with evaluating(model):
            memory = model.encode(source, visible)
            e = model.score(asked, memory.keys)
        yield along.attention[0].numpy(), e[0].numpy(), memory.h[0].numpy()


def take_looks(
    model: Any,
    pairs: Sequence[Pair],
    source_vocabulary: Vocabulary,
    target_vocabulary: Vocabulary,
) -> list[Look]:
    """Show a model the sentences, and note where it looks and what it would have written itself."""
    said = translate(
        model, [pair.source for pair in pairs], source_vocabulary, target_vocabulary
    )
    read = read_pairs(model, pairs, source_vocabulary, target_vocabulary)
    return [
        _look(pair, e, h[:, :D_SHOWN], words)
        for pair, words, (_, e, h) in zip(pairs, said, read, strict=True)
    ]


def pack_looks(looks: Mapping[int, Sequence[Look]]) -> tuple[dict[str, Any], bytes]:
    """Looks by step of training as what goes into `run.json`, and what goes into a file
    beside it.

    Raises
    ------
    ValueError
        If there are none, or a number is not finite, or too large for 16 bits.
    """
    if not looks:
        raise ValueError("looks is empty, expected those of at least one step")
    last = looks[max(looks)]
    words = {
        "sentences": [
            {
                "source": one.source[:-1],
                "target": one.target[:-1],
                "alignment": sorted(one.alignment),
            }
            for one in last
        ],
        "said": {step: [one.said for one in some] for step, some in looks.items()},
    }
    arrays = {
        f"{step}/{k}/{name}": np.ascontiguousarray(getattr(one, name), dtype=np.float16)
        for step, some in looks.items()
        for k, one in enumerate(some)
        for name in ("e", "h")
    }
    for name, array in arrays.items():
        if not np.isfinite(array).all():
            raise ValueError(
                f"{name} holds numbers that 16 bits cannot hold (NaN, inf or above "
                "65504)"
            )
    return words, safetensors.numpy.save(arrays)


def unpack_looks(words: Mapping[str, Any], file: bytes) -> dict[int, list[Look]]:
    """The reverse of `pack_looks`.

    Raises
    ------
    ValueError
        If the file is damaged, or does not hold what `words` speaks of.
    """
    try:
        arrays = safetensors.numpy.load(file)
    except safetensors.SafetensorError as error:
        raise ValueError(f"the file of looks is damaged: {error}") from error
    try:
        pairs = [
            Pair(
                tuple(one["source"]),
                tuple(one["target"]),
                frozenset(map(tuple, one["alignment"])),
            )
            for one in words["sentences"]
        ]
        return {
            int(step): [
                _look(
                    pair,
                    *(
                        arrays[f"{step}/{k}/{name}"].astype(np.float32)
                        for name in ("e", "h")
                    ),
                    tuple(said[k]),
                )
                for k, pair in enumerate(pairs)
            ]
            for step, said in words["said"].items()
        }
    except (KeyError, IndexError, TypeError) as error:
        raise ValueError(
            f"words and file do not fit together ({type(error).__name__}: {error})"
        ) from error


def _look(pair: Pair, e: np.ndarray, h: np.ndarray, said: Sequence[str]) -> Look:
    A = torch.from_numpy(e).softmax(dim=-1).numpy()
    return Look(
        (*pair.source, END), (*pair.target, END), pair.alignment, e, A, h, tuple(said)
    )
