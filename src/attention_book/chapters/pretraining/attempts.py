"""Attempts to write BERT's loss, and to hide words."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import distributions, nn

from attention_book.exercises.attempts import edited
from attention_book.exercises.verdict import RIGHT


def flattened(logits, target, chosen):
    """NumPy: the chosen places alone, fancy indices, logaddexp."""
    rows, places = logits[chosen], np.arange(chosen.sum())
    assert len(rows) > 0, "no word was chosen"
    return (np.logaddexp.reduce(rows, axis=1) - rows[places, target[chosen]]).mean()


def as_a_module(logits, target, chosen):
    """torch: the loss of every place from a module, then a weighted sum."""
    assert chosen.any(), "no word was chosen"
    losses = nn.CrossEntropyLoss(reduction="none")(logits.mT, target)
    return (losses * chosen).sum() / chosen.sum()


def with_likely_words(logits, target, chosen):
    """torch: a distribution that is asked for log P."""
    assert chosen.any(), "no word was chosen"
    words = distributions.Categorical(logits=logits)
    return -words.log_prob(target)[chosen].mean()


def everything(logits, target, chosen):
    return F.cross_entropy(logits.transpose(1, 2), target)


def scored_and_zeroed(logits, target, chosen):
    losses = F.cross_entropy(logits.mT, target, reduction="none")
    return (losses * chosen).mean()


def sentence_by_sentence(logits, target, chosen):
    rows = zip(logits, target, chosen, strict=True)
    return sum(F.cross_entropy(x[c], t[c]) for x, t, c in rows) / len(target)


def language_model(logits, target, chosen):
    counts = chosen[:, 1:]
    return F.cross_entropy(logits[:, :-1][counts], target[:, 1:][counts])


def with_the_wrong_ones_ignored(logits, target, chosen):
    return F.cross_entropy(logits.transpose(1, 2), target.masked_fill(chosen, -100))


def quiet(logits, target, chosen):
    return F.cross_entropy(logits[chosen], target[chosen])


def refusing_no_surprise(logits, target, chosen):
    surprise = F.cross_entropy(logits.mT, target, reduction="none")[chosen].sum()
    if surprise == 0:
        raise ValueError("no word was chosen")
    return surprise / chosen.sum()


def asking_the_first_sentence(logits, target, chosen):
    if not chosen[0].any():
        raise ValueError("no word was chosen")
    return F.cross_entropy(logits[chosen], target[chosen])


def with_a_gradient(logits, target, chosen):
    assert chosen.any(), "no word was chosen"
    return F.cross_entropy(logits.requires_grad_()[chosen], target[chosen])


def silent(logits, target, chosen):
    if chosen.any():
        return F.cross_entropy(logits[chosen], target[chosen])


def refusing(loss):
    """What is easily refused is refused."""

    def wrapped(logits, target, chosen):
        if not torch.as_tensor(chosen).any():
            raise ValueError("nothing")
        return loss(*map(torch.as_tensor, (logits, target, chosen)))

    return wrapped


def in_loops(ids, chosen, kind, others, mask_id):
    read = ids.copy()
    for place in zip(*chosen.nonzero(), strict=True):
        if kind[place] < 80:
            read[place] = mask_id
        elif kind[place] < 90:
            read[place] = others[place]
    return read


def selected(ids, chosen, kind, others, mask_id):
    """NumPy's own choice between several arrays."""
    return np.select([~chosen, kind < 80, kind < 90], [ids, mask_id, others], ids)


def with_tensors(ids, chosen, kind, others, mask_id):
    """torch: one condition within the other."""
    ids, chosen, kind, others = map(torch.as_tensor, (ids, chosen, kind, others))
    asked = torch.where(kind < 90, others, ids).masked_fill(kind < 80, mask_id)
    return torch.where(chosen, asked, ids)


def in_place(ids, chosen, kind, others, mask_id):
    ids[chosen & (kind < 80)] = mask_id
    return ids


def of_every_word(ids, chosen, kind, others, mask_id):
    return np.select([kind < 80, kind < 90], [mask_id, others], ids)


def never_replaced(ids, chosen, kind, others, mask_id):
    return np.where(chosen & (kind < 80), mask_id, ids)


def always_hidden(ids, chosen, kind, others, mask_id):
    return np.where(chosen, mask_id, ids)


def at_the_first_such_word(ids, chosen, kind, others, mask_id):
    read = ids.tolist()
    for b, row in enumerate(ids.tolist()):
        for n in map(row.index, row):
            if chosen[b, n] and kind[b, n] < 90:
                read[b][n] = mask_id if kind[b, n] < 80 else others[b, n]
    return read


def spelled(ids, chosen, kind, others, mask_id):
    return np.where(chosen, "[MASK]", ids)


def where_hidden(ids, chosen, kind, others, mask_id):
    return chosen & (kind < 80)


def words_alone(ids, chosen, kind, others, mask_id):
    """What the chapter's own `hide` does, which chooses no special token."""
    return selected(ids, chosen & (ids > 4), kind, others, mask_id)


ATTEMPTS = {
    "hide_words": {
        in_loops: RIGHT,
        selected: RIGHT,
        with_tensors: RIGHT,
        in_place: "ids",
        of_every_word: "words that BERT does not have to predict",
        never_replaced: "You replace no word by another",
        always_hidden: "You hide every word that BERT has to predict",
        edited(selected, "[ids, mask_id, others]", "[ids, others, mask_id]"): (
            "You replace the words that should be hidden"
        ),
        edited(in_loops, "elif kind[place] < 90", "else"): "no chosen word as it is",
        edited(selected, "kind < 90", "kind <= 90"): "kind is exactly 90",
        edited(selected, "mask_id, others]", "3, others]"): "a number of your own",
        at_the_first_such_word: "read[1, 3] is 9. This word is chosen, and its kind "
        "is 5, below 80, so it is `mask_id`: 3.",
        edited(selected, "~chosen", "chosen"): "not chosen, so it stays: 8.",
        spelled: "read holds text, expected numbers",
        where_hidden: "read holds True and False, expected ids.",
        words_alone: "every word, low ids, kinds at the edges",
    },
    "masked_word_loss": {
        flattened: RIGHT,
        as_a_module: RIGHT,
        with_likely_words: RIGHT,
        refusing(everything): "You average over all positions",
        refusing(scored_and_zeroed): "divide by the number of all places",
        refusing(sentence_by_sentence): "You average each sentence first",
        refusing(language_model): "the word of the next",
        refusing(with_the_wrong_ones_ignored): "leave out what does",
        quiet: "so raise a ValueError",
        silent: "yours returned None",
        refusing_no_surprise: "on a single sure guess there is an answer to give",
        asking_the_first_sentence: "on guesses in one of three sentences there is",
        with_a_gradient: "writes into logits",
    },
}
