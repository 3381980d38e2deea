"""Chapter 2's experiments: what its cells measure, without the bookkeeping."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from attention_book import data, decoding, metrics, models, runs
from attention_book.chapters.attention import tasks

Vocabularies = tuple[data.Vocabulary, data.Vocabulary]
AttendAll = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]
Change = Callable[[Tensor, Tensor | None, int], Tensor]
# French words that take their form from the noun that follows
ARTICLES = ("le", "la", "l'", "les", "un", "une", "du", "des")
DETERMINERS = {*ARTICLES, "ce", "cet", "cette", "ces", "mon", "ma", "notre", "nos"}


def on_gold(
    model: models.Translator, pairs: Sequence[data.Pair], vocabularies: Vocabularies
) -> float:
    """Share of the attention on gold links, in forced decoding of the pairs, 0 to 1."""
    read = runs.forced_attention(model, pairs, *vocabularies)
    mass = [
        metrics.mass_on_gold(A, pair.alignment)
        for pair, (A, _, _) in zip(pairs, read, strict=True)
    ]
    return float(np.nanmean(np.concatenate(mass)))


def same_place(pairs: Sequence[data.Pair]) -> list[set[tuple[int, int]]]:
    """Link each target word to the input at the same place, as a lazy rule would.

    The place counts from the start, in shares of the sentence.
    """
    return [
        {
            (int((j + 0.5) * len(pair.source) / len(pair.target)), j)
            for j in range(len(pair.target))
        }
        for pair in pairs
    ]


def too_far_right(
    kept: Sequence[runs.SentenceAttention],
) -> dict[str, tuple[int, int]]:
    """Count words whose strongest input stands right of all their gold ones.

    Given as (too far right, how many have a gold link).
    """
    counts = {"determiners": [0, 0], "other words": [0, 0]}
    for one in kept:
        for j in sorted({j for _, j in one.alignment}):
            kind = "determiners" if one.target[j] in DETERMINERS else "other words"
            last = max(i for i, linked in one.alignment if linked == j)
            counts[kind][0] += int(one.A[j].argmax() > last)
            counts[kind][1] += 1
    return {kind: (slips, of) for kind, (slips, of) in counts.items()}


def gold_at(pairs: Sequence[data.Pair], words: Collection[str], among: bool) -> Change:
    """Use gold weights where the word to write is among these, or where it is not.

    A change for `models.Intervened`, for a batch of these pairs.
    """
    gold = tasks.gold_attention(pairs)
    due = torch.zeros(gold.shape[:2], dtype=torch.bool)
    for each, pair in zip(due, pairs, strict=True):
        each[: len(pair.target)] = torch.tensor([word in words for word in pair.target])

    def change(a_t: Tensor, visible: Tensor | None, t: int) -> Tensor:
        t = min(t, gold.shape[1] - 1)
        return torch.where(due[:, t, None] == among, gold[:, t].to(a_t.dtype), a_t)

    return change


def greedy_and_beam(
    run: runs.RecordedRun, pairs: Sequence[data.Pair], reverse_source: bool = False
) -> dict[str, float]:
    """Exact match of a recorded model's two searches on the same pairs, 0 to 1."""
    (source, target), model = run.vocabularies, run.model()
    sentences = [pair.source for pair in pairs]
    inputs = data.encode_sources(sentences, source, reverse_source)
    exact = {}
    for name, search in (("greedy", decoding.greedy), ("beam of 4", decoding.beam)):
        said = [target.decode(words) for words in search(model, *inputs).ids]
        exact[name] = metrics.exact_match(said, [pair.target for pair in pairs])
    return exact


class Unmasked(models.Translator):
    """A translator that may look at the padding of a batch."""

    def encode(
        self, source: Int[Tensor, "B N_X"], source_visible: Bool[Tensor, "B N_X"]
    ) -> models.InputSet:
        """Read the sources, and forget which of the inputs are words."""
        return replace(super().encode(source, source_visible), visible=None)


def without_mask(model: models.Translator) -> Unmasked:
    """Make a translator with the same weights that may look at the padding."""
    unmasked = Unmasked(model.config)
    unmasked.load_state_dict(model.state_dict())
    return unmasked


def read_all(
    attend_all: AttendAll,
    model: models.Translator,
    pair: data.Pair,
    vocabularies: Vocabularies,
) -> tuple[Float[Tensor, "N_Y N_X"], Bool[Tensor, "N_Y"], Bool[Tensor, "N_Y"]]:
    """Let a model read a right translation, attending to all its words at once.

    `attend_all` takes the states s_t (N_Y, D_S) and h (N_X, D_H), and returns contexts
    (N_Y, D_H) and weights (N_Y, N_X). Returned are the weights, whose last row writes
    [STOP] and whose last column is the source's; and whether each word comes out right,
    with these contexts and with the model's own.
    """
    ids, visible = data.encode_sources([pair.source], vocabularies[0])
    fed = torch.tensor([vocabularies[1].encode(pair.target, start=True)])
    along = decoding.forced_decoding(model, ids, visible, fed)
    s = torch.stack(along.states[1:], dim=1)[0]  # s_1, s_2, ...: s_t asks
    with torch.no_grad():
        c, A = attend_all(s, model.encode(ids, visible).h[0])
        logits = model.output(torch.cat([s, model.target_embedding(fed[0]), c], dim=-1))
    due = torch.tensor(vocabularies[1].encode(pair.target, stop=True))
    right, its_own = (each.argmax(dim=-1) == due for each in (logits, along.logits[0]))
    return A, right, its_own


def read_report(
    attend_all: AttendAll,
    model: models.Translator,
    pairs: Sequence[data.Pair],
    vocabularies: Vocabularies,
    area: data.Pair,
) -> dict[str, float | str]:
    """Let a model read right translations with `read_all`, and sum up how it does.

    Rows are of weights; [STOP] counts as a word.
    """
    read = [read_all(attend_all, model, pair, vocabularies) for pair in pairs]
    sums = torch.cat([A.sum(dim=1) for A, _, _ in read])
    right = [each for _, each, _ in read]
    words = [*area.target, "[STOP]"]
    _, of_area, _ = read_all(attend_all, model, area, vocabularies)
    wrong = [word for word, fine in zip(words, of_area, strict=True) if not fine]
    return {
        "rows sum to": f"{sums.min():.2f} - {sums.max():.2f}",
        "words right": torch.cat(right).float().mean().item(),
        "whole sentences": float(np.mean([bool(each.all()) for each in right])),
        "said wrong on the economic area": " ".join(wrong),
    }
