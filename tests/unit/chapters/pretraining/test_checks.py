"""What readers write about BERT's loss, and what they are told."""

import pytest
import torch.nn.functional as F

from attention_book.chapters.pretraining.checks import check_masked_word_loss


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


@pytest.mark.parametrize(
    ("function", "diagnosis"),
    [
        (everything, "scored at all places"),
        (scored_and_zeroed, "set to 0, but divided by all places"),
        (sentence_by_sentence, "a law"),
        (language_model, "target one place ahead"),
        (with_the_wrong_ones_ignored, "mask the wrong way round"),
        (quiet, "no refusal"),
    ],
)
def test_a_known_mistake_in_berts_loss_is_named_in_any_style(function, diagnosis):
    def refusing(logits, target, chosen):
        if not chosen.any() and function is not quiet:
            raise ValueError("nothing")
        return function(logits, target, chosen)

    assert check_masked_word_loss(refusing).diagnosis == diagnosis
