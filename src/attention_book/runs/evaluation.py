"""Let a model write, and measure what it wrote."""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from jaxtyping import Bool
from torch import Tensor

from attention_book.data import (
    PAD,
    Pair,
    Subwords,
    Vocabulary,
    collate_pairs,
    encode_sources,
)
from attention_book.data.batching import groups
from attention_book.data.pairs import check_pairs
from attention_book.data.vocabulary import UNKNOWN
from attention_book.decoding import Decoded, forced_decoding, greedy
from attention_book.metrics import bleu, exact_match, token_accuracy
from attention_book.shapes import check_type

SENTENCES_AT_ONCE = 100


def translate(
    model: Any,
    sentences: Sequence[Sequence[str]],
    source_vocabulary: Vocabulary,
    target_vocabulary: Vocabulary,
    *,
    reverse_source: bool = False,
    max_words: int = 70,
    copy_unknown: bool = False,
    subwords: Subwords | None = None,
) -> list[tuple[str, ...]]:
    """Decode sentences greedily, words in, words out.

    A word that the source's vocabulary does not know is read as "[UNK]" if it has that,
    and the model may write "[UNK]" where it learned to.

    Parameters
    ----------
    reverse_source : bool
        Read the words backwards, for a model that was trained so.
    max_words : int
        A translation is cut off after so many words, or pieces, [STOP] included.
    copy_unknown : bool
        Replace each "[UNK]" by the source word that the model attends to most when it
        writes it, as Jean et al. [jean2015using] do: a name is often the same in both
        languages. With `subwords` it is a piece that is copied.
    subwords : Subwords, optional
        For a model of pieces: they cut the sentences, and join what it writes.
    """
    if not len(sentences):
        raise ValueError("sentences is empty: there is nothing to translate")
    if subwords is not None:
        check_type("subwords", subwords, Subwords)
        sentences = [subwords.cut(words) for words in sentences]
    outputs = []
    for batch in groups(sentences, SENTENCES_AT_ONCE):
        source, visible = encode_sources(
            batch, source_vocabulary, reverse_source=reverse_source
        )
        decoded = greedy(model, source, visible, max_words=max_words)
        said = [target_vocabulary.decode(ids) for ids in decoded.ids]
        if copy_unknown:
            attended = _attended(decoded, visible)
            read = [words[::-1] if reverse_source else words for words in batch]
            said = [
                _copied(*each, target_vocabulary)
                for each in zip(decoded.ids, attended, read, strict=True)
            ]
        outputs += said
    return [subwords.join(pieces) for pieces in outputs] if subwords else outputs


def _attended(decoded: Decoded, visible: Bool[Tensor, "B N_X"]) -> list[list[int]]:
    """Which source word each written word attends to most; [STOP] is none."""
    if decoded.attention is None:
        raise ValueError(
            "copy_unknown needs a model that attends, and this one does not"
        )
    last = visible.sum(dim=1, keepdim=True) - 1  # where [STOP] is
    words = torch.arange(visible.shape[1]) < last
    return decoded.attention.masked_fill(~words[:, None], -1).argmax(dim=-1).tolist()


def _copied(
    ids: Sequence[int],
    attended: Sequence[int],
    source: Sequence[str],
    vocabulary: Vocabulary,
) -> tuple[str, ...]:
    """Words of ids, for each "[UNK]" the source word attended to."""
    said: list[str] = []
    for i, j in zip(ids, attended, strict=False):  # the row of [STOP] is left over
        word = vocabulary.decode([i])  # none, of a special
        said += [source[j]] if word == (UNKNOWN,) else word
    return tuple(said)


def evaluate(
    model: Any,
    test: Mapping[str, Sequence[Pair]],
    source_vocabulary: Vocabulary,
    target_vocabulary: Vocabulary,
    **options: Any,
) -> dict[str, dict[str, float]]:
    """Measure a model on each bucket of a test set.

    `exact_match` and `token_accuracy` are 0 to 1, `bleu` is 0 to 100. `options` are
    those of `translate`. For a model of pieces, give pairs of words and `subwords`: on
    pairs that are cut, BLEU counts pieces, and is mostly higher.
    """
    words, measured = (source_vocabulary, target_vocabulary), {}
    for label, pairs in test.items():
        check_pairs(f"test[{label!r}]", pairs)
        sources = [pair.source for pair in pairs]
        references = [pair.target for pair in pairs]
        said = translate(model, sources, *words, **options)
        measured[label] = {
            "exact_match": exact_match(said, references),
            "token_accuracy": token_accuracy(said, references),
            "bleu": bleu(said, references),
        }
    return measured


def log_probability(
    model: Any,
    pairs: Sequence[Pair],
    source_vocabulary: Vocabulary,
    target_vocabulary: Vocabulary,
) -> list[float]:
    """Log P of each pair's target, [STOP] included, in nats."""
    batch = collate_pairs(pairs, source_vocabulary, target_vocabulary)
    along = forced_decoding(model, batch.source, batch.source_visible, batch.target_in)
    log_P = along.logits.log_softmax(dim=-1)
    due = log_P.gather(-1, batch.target_out.unsqueeze(-1)).squeeze(-1)
    return (due * (batch.target_out != PAD)).sum(dim=1).tolist()
