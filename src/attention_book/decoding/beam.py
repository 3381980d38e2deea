"""Beam search: keep the `width` likeliest hypotheses, as a worse word may still win.

    score(y) = log P(y | x) / |y|^length_penalty        |y| counts [STOP]

log P alone, `length_penalty=0`, prefers short sentences; with 1 the score is log P per
word, as in `reference.beam_search`. Wu et al. [wu2016google] take a power between the
two, and go on to ((5 + |y|) / 6)^length_penalty. With `width=1`, this is greedy.

A hypothesis that writes [STOP] is a sentence: it leaves the beam, and its slot stays
empty; the search ends when all slots are.
"""

from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial
from math import isfinite
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float, Int, Shaped
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from attention_book.decoding.decodable import (
    Decodable,
    Rows,
    Writer,
    lean,
    stacked,
)
from attention_book.decoding.greedy import Decoded
from attention_book.decoding.mode import writing
from attention_book.devices import device_of, moved
from attention_book.shapes import START, STOP, check_count

FEW = 8  # hypotheses that are found one after another


@dataclass(frozen=True)
class Hypothesis:
    """One sentence that the search found.

    `ids` are without [START] and [STOP]. `finished` says whether the model wrote
    [STOP], which `log_probability` then counts, or was cut off at `max_words`. `score`
    is the same divided by |y|^length_penalty. Row t of `attention`: where the model
    looked when it wrote word t ([STOP] included).
    """

    ids: list[int]
    finished: bool
    log_probability: float
    score: float
    attention: Float[Tensor, "N_Y N_X"] | None


@dataclass(frozen=True)
class BeamTree:
    """All hypotheses that were ever kept, as a tree that can be drawn or walked.

    For each slot after each step the last word of the hypothesis there, the slot, one
    step before, that this word was added to (0 at the first step), and log P of the
    whole hypothesis: -inf where the slot is empty, and the others mean nothing.
    """

    words: Int[Tensor, "B N_steps width"]
    parents: Int[Tensor, "B N_steps width"]
    log_probability: Float[Tensor, "B N_steps width"]


@dataclass(frozen=True)
class BeamDecoded(Decoded):
    """The best sentence of each source, as `greedy` gives it, and the search.

    In `attention`, rows after a sentence's own end are 0.

    `hypotheses` are all sentences found, finished before cut off, then by score.
    """

    log_probability: Float[Tensor, "B"]
    score: Float[Tensor, "B"]
    hypotheses: list[list[Hypothesis]]
    tree: BeamTree


def beam(
    model: Decodable,
    source: Shaped[Tensor, "B *axes"],
    source_visible: Bool[Tensor, "B N_X"] | None,
    *,
    width: int = 4,  # as Vaswani et al. (2017) chose it
    max_words: int = 40,
    length_penalty: float = 1.0,
) -> BeamDecoded:
    """Decode a batch of sources, keeping `width` hypotheses of each.

    A cut-off hypothesis is no sentence, and its P is that of all sentences that begin
    so: it is taken only where no sentence was finished.

    The model is put back into the mode it was in. Its memory and its state are tensors
    of B rows, None, numbers and functions (the same for all rows), tuples, lists, dicts
    and dataclasses of them, or objects whose method `take_rows` gives rows of theirs.
    `source_visible` is None where every input may be looked at, as in a picture.
    `width` may be larger than the vocabulary; `max_words` counts [STOP].
    """
    _check_settings(width, max_words, length_penalty)
    source, source_visible = moved((source, source_visible), device_of(model))
    with writing(model):
        writer = lean(model)
        *records, looked = _search(writer, source, source_visible, width, max_words)
    tree = BeamTree(*(torch.stack(record, dim=1).cpu() for record in records))
    attention = torch.stack(looked).cpu().unbind(1) if looked else None
    of_source = attention or [None] * len(source)
    hypotheses = [
        _sentences(tree, b, attended, length_penalty)
        for b, attended in enumerate(of_source)
    ]
    best = [found[0] for found in hypotheses]
    attended = [one.attention for one in best if one.attention is not None]
    return BeamDecoded(
        ids=[one.ids for one in best],
        finished=torch.tensor([one.finished for one in best]),
        attention=pad_sequence(attended, batch_first=True) if attended else None,
        log_probability=torch.tensor([one.log_probability for one in best]),
        score=torch.tensor([one.score for one in best]),
        hypotheses=hypotheses,
        tree=tree,
    )


def _check_settings(width: int, max_words: int, length_penalty: float) -> None:
    check_count("width", width)
    check_count("max_words", max_words)
    if not isfinite(length_penalty) or length_penalty < 0:
        raise ValueError(
            f"length_penalty is {length_penalty}, expected a finite number of at least "
            "0"
        )


def _search(
    model: Writer,
    source: Tensor,
    source_visible: Tensor | None,
    width: int,
    max_words: int,
) -> tuple[list[Tensor], ...]:
    """Grow the tree: words, parents, log P and attention of each step.

    The attention of step t, (B, width, N_X), is that of the hypotheses that stood there
    before it.
    """
    B, device = len(source), source.device
    # A source is read once; a row of its memory serves each of its hypotheses, side by
    # side. So they only ever change rows of one source, and the memory stays in order.
    each = torch.arange(B, device=device).repeat_interleave(width)
    memory = _take_rows("memory", model.encode(source, source_visible), each, B)
    state = model.initial_state(memory)
    token = torch.full((B * width,), START, device=device)
    live = torch.full((B, width), -torch.inf, device=device)
    live[:, 0] = 0  # all slots hold the same empty hypothesis: count it once
    room = torch.full((B, 1), width, device=device)
    slots = torch.arange(width, device=device)
    first_row = width * torch.arange(B, device=device).unsqueeze(1)  # (B, 1)
    words, parents, log_p, attention = [], [], [], []
    for t in range(max_words):
        logits, state, a_t = model.step(token, memory, state)
        logits = torch.as_tensor(logits)  # a lean writer's are arrays
        N_words = logits.shape[-1]
        exact = torch.promote_types(logits.dtype, torch.float32)
        longer = logits.log_softmax(dim=-1, dtype=exact).view(B, width, N_words)
        longer += live.unsqueeze(-1)
        kept, place = largest(longer.flatten(1), width)  # (B, width), best first
        if kept.isnan().any():  # NaN counts as the largest number
            raise ValueError(
                f"the model's logits of word {t} hold NaN or +inf, or -inf only: they "
                "give no probability"
            )
        kept = kept.masked_fill(slots >= room, -torch.inf)
        parent, word = place // N_words, place % N_words
        words.append(word)
        parents.append(parent)
        log_p.append(kept)
        if a_t is not None:
            attention.append(torch.as_tensor(a_t).view(B, width, -1))
        stopped = (word == STOP) & kept.isfinite()
        room = room - stopped.sum(dim=1, keepdim=True)
        live = kept.masked_fill(stopped, -torch.inf)
        if not live.isfinite().any():
            break
        rows = (first_row + parent).flatten()
        state = _take_rows("state", state, rows, B * width)
        token = word.flatten()
    return words, parents, log_p, attention


def largest(
    scores: Float[Tensor, "B N"], k: int
) -> tuple[Float[Tensor, "B k"], Int[Tensor, "B k"]]:
    """What `topk` gives; a few are found by NumPy one after another, in a third of the
    time, and of equal ones the first. The scores are used up.
    """
    if scores.device.type != "cpu" or k > FEW:
        return scores.topk(k)
    left, rows = scores.numpy(), range(len(scores))
    kept, places = [], []
    for _ in range(k):
        places.append(left.argmax(axis=1))
        kept.append(left[rows, places[-1]])
        left[rows, places[-1]] = -np.inf
    return stacked(kept), stacked(places)


def _take_rows(name: str, thing: Any, rows: Int[Tensor, "N_rows"], N: int) -> Any:
    """Take rows of all tensors of a memory or a state, which have N of them."""
    if isinstance(thing, Tensor):
        if thing.shape[:1] != (N,):
            raise ValueError(
                f"the model's {name} has shape {tuple(thing.shape)}, expected {N} rows"
            )
        return thing.index_select(0, rows)  # several times as fast as thing[rows]
    if isinstance(thing, Rows):
        return thing.take_rows(rows)
    if thing is None or isinstance(thing, int | float) or callable(thing):
        return thing
    take = partial(_take_rows, name, rows=rows, N=N)
    if type(thing) in (tuple, list):
        return type(thing)(map(take, thing))
    if type(thing) is dict:
        return {key: take(each) for key, each in thing.items()}
    if is_dataclass(thing) and not isinstance(thing, type):
        names = (each.name for each in fields(thing))
        return replace(thing, **{n: take(getattr(thing, n)) for n in names})
    raise TypeError(
        f"the model's {name} holds a {type(thing).__name__}, expected tensors, None, "
        "numbers or functions, or tuples, lists, dicts or dataclasses of them"
    )


def _sentences(
    tree: BeamTree,
    b: int,
    attention: Float[Tensor, "N_steps width N_X"] | None,
    length_penalty: float,
) -> list[Hypothesis]:
    """All leaves of one source, best first: sentences, and what was open at the end."""
    words, parents = tree.words[b].tolist(), tree.parents[b].tolist()
    log_p = tree.log_probability[b].tolist()
    found = []
    for t, row in enumerate(words):
        for slot, word in enumerate(row):
            finished = word == STOP
            if not isfinite(log_p[t][slot]) or not (finished or t == len(words) - 1):
                continue
            path = _path(parents, t, slot)
            ids = [words[step][place] for step, place in enumerate(path)]
            attended = None
            if attention is not None:
                attended = attention[range(t + 1), [0, *path[:-1]]]
            written, total = ids[:-1] if finished else ids, log_p[t][slot]
            score = total / len(ids) ** length_penalty
            found.append(Hypothesis(written, finished, total, score, attended))
    return sorted(found, key=lambda one: (one.finished, one.score), reverse=True)


def _path(parents: list[list[int]], t: int, slot: int) -> list[int]:
    """The slots a hypothesis stood in after steps 0 to t, from the last one back."""
    path = [slot]
    for step in range(t, 0, -1):
        path.append(parents[step][path[-1]])
    return path[::-1]
