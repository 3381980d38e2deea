"""Beam search: keep the `width` likeliest beginnings, so that a word that looks worse
now may still win.

    score(y) = log P(y | x) / lp(y)        lp(y) = ((5 + |y|) / 6)^length_penalty        |y| counts [STOP]

Every word makes log P smaller, so that log P alone prefers short sentences. Dividing by
lp [wu2016google] makes up for it. Wu et al. start from |y|^length_penalty and add the 5
so that the first few words do not weigh too much: it is their form that is used here.
With `length_penalty=0`, score is log P; with `width=1`, this is greedy decoding.

A beginning that writes [STOP] is a sentence: it leaves the beam, and its slot stays
empty. So `width` slots give `width` sentences, and the search ends when all slots are
empty. What is compared inside the beam is equally long, so the length matters only in
the end, among sentences.
"""

from dataclasses import dataclass
from math import isfinite
from typing import Any

import torch
from jaxtyping import Bool, Float, Int, Shaped
from torch import Tensor

from attention_book.decoding.greedy import START, STOP, Decoded
from attention_book.decoding.mode import evaluating


@dataclass(frozen=True)
class Hypothesis:
    """One sentence that the search found.

    Attributes
    ----------
    ids : list of int
        Word ids without [START] and [STOP].
    finished : bool
        Whether the model wrote [STOP]; False where it was cut off at `max_words`.
    log_probability : float
        log P of the words, and of [STOP] if it was written, in nats.
    score : float
        The same divided by lp.
    attention : (N_Y, N_X) or None
        Row t: where the model looked when it wrote word t ([STOP] included).
    """

    ids: list[int]
    finished: bool
    log_probability: float
    score: float
    attention: Float[Tensor, "N_Y N_X"] | None


@dataclass(frozen=True)
class BeamTree:
    """All beginnings that were ever kept, as a tree that can be drawn or walked.

    Attributes
    ----------
    words : (B, N_steps, width)
        The last word of the beginning in each slot after each step.
    parents : (B, N_steps, width)
        The slot, one step before, of the beginning that this word was added to; 0 at
        the first step.
    log_probability : (B, N_steps, width)
        log P of the whole beginning; -inf where the slot is empty, and words and
        parents mean nothing.
    """

    words: Int[Tensor, "B N_steps width"]
    parents: Int[Tensor, "B N_steps width"]
    log_probability: Float[Tensor, "B N_steps width"]


@dataclass(frozen=True)
class BeamDecoded(Decoded):
    """The best sentence of each source, as `greedy` gives it, and what else the search
    knows.

    In `attention`, rows after a sentence's own end are 0.

    Attributes
    ----------
    log_probability, score : (B,)
        Of the best sentences.
    hypotheses : list of B lists of Hypothesis
        All sentences found, finished before cut off, then by score: the best one first,
        then the runners-up.
    tree : BeamTree
        The search itself.
    """

    log_probability: Float[Tensor, "B"]
    score: Float[Tensor, "B"]
    hypotheses: list[list[Hypothesis]]
    tree: BeamTree


def beam(
    model: Any,
    source: Shaped[Tensor, "B *axes"],
    source_visible: Bool[Tensor, "B N_X"] | None,
    *,
    width: int = 4,  # width and length_penalty as Vaswani et al. (2017) chose them
    max_words: int = 40,
    length_penalty: float = 0.6,
) -> BeamDecoded:
    """Decode a batch of sources, keeping `width` beginnings of each.

    A cut-off beginning is no sentence, and its P is that of all sentences that begin
    so: it is taken only where no sentence was finished.

    Parameters
    ----------
    model : module
        With `encode`, `initial_state` and `step`; run in evaluation mode, then put back
        as it was. Its state is a tensor of B rows, or a tuple or list of states, None
        and numbers (the same for all rows).
    source : (B, ...)
        What the model reads: word ids (B, N_X), or pictures.
    source_visible : (B, N_X) or None
        True where there is a word; None where every input may be looked at, as in a
        picture.
    width : int
        How many beginnings to keep. May be larger than the vocabulary.
    max_words : int
        Longest output, [STOP] included.
    length_penalty : float
        0 for none; at 1 the score of a long sentence is nearly its log P per word.

    Returns
    -------
    BeamDecoded

    Raises
    ------
    ValueError
        If `width` or `max_words` is below 1, `length_penalty` is negative or not
        finite, the model rejects its input, or its logits give no probabilities.
    TypeError
        If `width` or `max_words` is not an int, or the model's state holds something
        else than said above.
    """
    _check_settings(width, max_words, length_penalty)
    with evaluating(model):
        tree, attention = _search(model, source, source_visible, width, max_words)
    hypotheses = [
        _sentences(
            tree, b, None if attention is None else attention[:, b], length_penalty
        )
        for b in range(len(source))
    ]
    best = [found[0] for found in hypotheses]
    return BeamDecoded(
        ids=[one.ids for one in best],
        finished=torch.tensor([one.finished for one in best]),
        attention=None
        if attention is None
        else _stack_ragged([one.attention for one in best]),
        log_probability=torch.tensor([one.log_probability for one in best]),
        score=torch.tensor([one.score for one in best]),
        hypotheses=hypotheses,
        tree=tree,
    )


def _check_settings(width: int, max_words: int, length_penalty: float) -> None:
    for name, value in (("width", width), ("max_words", max_words)):
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(
                f"{name} must be an int, got {value!r} of type {type(value).__name__}"
            )
        if value < 1:
            raise ValueError(f"{name} is {value}, expected at least 1")
    if not isfinite(length_penalty) or length_penalty < 0:
        raise ValueError(
            f"length_penalty is {length_penalty}, expected a finite number of at least "
            "0"
        )


def _search(
    model: Any,
    source: Tensor,
    source_visible: Tensor | None,
    width: int,
    max_words: int,
) -> tuple[BeamTree, Float[Tensor, "N_steps B width N_X"] | None]:
    """Grow the tree; the attention at [t, b, slot] is that of the beginning in that slot *before* step t."""
    B = len(source)
    # Each source stands there `width` times, side by side: beginnings only ever change
    # rows with the same source, so the memory never has to be put in order.
    visible = (
        None
        if source_visible is None
        else source_visible.repeat_interleave(width, dim=0)
    )
    memory = model.encode(source.repeat_interleave(width, dim=0), visible)
    state = model.initial_state(memory)
    token = torch.full((B * width,), START)
    live = torch.full((B, width), -torch.inf)
    live[:, 0] = 0  # all slots hold the same empty beginning: count it once
    room = torch.full((B, 1), width)
    first_row = width * torch.arange(B).unsqueeze(1)  # (B, 1)
    words, parents, log_p, attention = [], [], [], []
    for t in range(max_words):
        logits, state, a_t = model.step(token, memory, state)
        N_words = logits.shape[-1]
        longer = live.unsqueeze(-1) + logits.log_softmax(dim=-1).view(B, width, N_words)
        if longer.isnan().any():
            raise ValueError(
                f"the model's logits of word {t} hold NaN or +inf, or -inf only: they "
                "give no probability"
            )
        kept, place = longer.flatten(1).topk(width)  # (B, width), best first
        kept = kept.masked_fill(torch.arange(width) >= room, -torch.inf)
        parent, word = place // N_words, place % N_words
        words.append(word)
        parents.append(parent)
        log_p.append(kept)
        if a_t is not None:
            attention.append(a_t.view(B, width, -1))
        stopped = (word == STOP) & kept.isfinite()
        room = room - stopped.sum(dim=1, keepdim=True)
        live = kept.masked_fill(stopped, -torch.inf)
        if not live.isfinite().any():
            break
        state = _take_rows(state, (first_row + parent).flatten())
        token = word.flatten()
    tree = BeamTree(*(torch.stack(record, dim=1) for record in (words, parents, log_p)))
    return tree, torch.stack(attention) if attention else None


def _take_rows(state: Any, rows: Int[Tensor, "N_rows"]) -> Any:
    """Give each slot the state of the beginning it now continues."""
    if isinstance(state, Tensor):
        if state.dim() == 0 or len(state) != len(rows):
            raise ValueError(
                f"the model's state has shape {tuple(state.shape)}, expected "
                f"{len(rows)} rows"
            )
        return state[rows]
    if type(state) in (tuple, list):
        return type(state)(_take_rows(part, rows) for part in state)
    if state is None or isinstance(state, int | float):
        return state
    what = "expected tensors, None or numbers, or tuples or lists of them"
    raise TypeError(f"the model's state holds a {type(state).__name__}, {what}")


def _sentences(
    tree: BeamTree,
    b: int,
    attention: Float[Tensor, "N_steps width N_X"] | None,
    length_penalty: float,
) -> list[Hypothesis]:
    """All leaves of one source, best first: where [STOP] was written, and what was still open after the last step."""
    words, parents, log_p = (
        record[b].tolist()
        for record in (tree.words, tree.parents, tree.log_probability)
    )
    found = []
    for t, row in enumerate(words):
        for slot, word in enumerate(row):
            finished = word == STOP
            if not isfinite(log_p[t][slot]) or not (finished or t == len(words) - 1):
                continue
            path = _path(parents, t, slot)
            ids = [words[step][place] for step, place in enumerate(path)]
            looked = (
                None
                if attention is None
                else attention[torch.arange(t + 1), torch.tensor([0, *path[:-1]])]
            )
            score = log_p[t][slot] / ((5 + len(ids)) / 6) ** length_penalty
            found.append(
                Hypothesis(
                    ids[:-1] if finished else ids,
                    finished,
                    log_p[t][slot],
                    score,
                    looked,
                )
            )
    return sorted(found, key=lambda one: (one.finished, one.score), reverse=True)


def _path(parents: list[list[int]], t: int, slot: int) -> list[int]:
    """The slots a beginning stood in after steps 0 to t, found by walking back from the last."""
    path = [slot]
    for step in range(t, 0, -1):
        path.append(parents[step][path[-1]])
    return path[::-1]


def _stack_ragged(rows: list[Float[Tensor, "_ N_X"]]) -> Float[Tensor, "B N_Y N_X"]:
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)
