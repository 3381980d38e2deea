"""What readers write about losses, and what they are told."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from attention_book.chapters.encoder_decoder.checks.losses import (
    check_smoothed_loss,
    check_word_loss,
)


def refusing(loss):
    """A mistake must be named even where what is easily refused is refused."""

    def wrapped(logits, target, counts):
        if not counts.any():
            raise ValueError("nothing")
        return loss(
            torch.as_tensor(logits).float(),
            torch.as_tensor(target),
            torch.as_tensor(counts),
        )

    return wrapped


def scored_and_zeroed(logits, target, real):
    losses = F.cross_entropy(logits.flatten(0, 1), target.flatten(), reduction="none")
    return (losses * real.flatten().float()).mean()


def sentence_by_sentence(logits, target, real):
    return sum(
        F.cross_entropy(rows[r], t[r])
        for rows, t, r in zip(logits, target, real, strict=True)
    ) / len(target)


def everything(logits, target, real):
    return F.cross_entropy(logits.transpose(1, 2), target)


def padding_is_0(logits, target, real):
    return F.cross_entropy(logits.transpose(1, 2), target, ignore_index=0)


def viewed(logits, target, real):
    B, N_Y, N_words = logits.shape
    losses = F.cross_entropy(logits.view(B, N_words, N_Y), target, reduction="none")
    return losses[real].mean()


def on_probabilities(logits, target, real):
    return F.cross_entropy(logits.softmax(-1)[real], target[real])


def no_log_softmax(logits, target, real):
    return F.nll_loss(logits[real], target[real])


def after_softmax(logits, target, real):
    return F.nll_loss(F.softmax(logits[real], dim=1), target[real])


def language_model(logits, target, real):
    return F.cross_entropy(logits[:, :-1][real[:, 1:]], target[:, 1:][real[:, 1:]])


def with_the_wrong_ones_ignored(logits, target, counts):
    return F.cross_entropy(logits.transpose(1, 2), target.masked_fill(counts, -100))


def over_sentences(logits, target, real):
    log_p = torch.log_softmax(logits, -1)
    total = -sum(log_p[b, t, target[b, t]] for b, t in real.nonzero().tolist())
    return total / logits.shape[0]


@pytest.mark.parametrize(
    ("function", "diagnosis"),
    [
        (scored_and_zeroed, "set to 0, but divided by all places"),
        (everything, "padding scored"),
        (padding_is_0, "padding found by its id"),
        (viewed, "reshaped where it should be transposed"),
        (on_probabilities, "softmax done twice"),
        (no_log_softmax, "logits taken for log-probabilities"),
        (after_softmax, "probability without its logarithm"),
        (language_model, "target one place ahead"),
        (with_the_wrong_ones_ignored, "mask the wrong way round"),
    ],
)
def test_a_known_mistake_in_the_loss_is_named_in_any_style(function, diagnosis):
    assert check_word_loss(refusing(function)).diagnosis == diagnosis


def test_a_batch_with_nothing_to_score_must_be_refused():
    def quiet(logits, target, real):
        return F.cross_entropy(logits[real], target[real])

    verdict = check_word_loss(quiet)
    assert verdict.diagnosis == "no refusal"
    assert "a mean over no word is no number" in verdict.says


def as_scattered(share):
    """Label smoothing as it is often written: a target, filled and scattered into."""

    def loss(logits, target, epsilon):
        N = logits.shape[-1]
        q = torch.full(logits.shape, epsilon / share(N)).scatter(
            -1, target.unsqueeze(-1), 1 - epsilon
        )
        return -(q * F.log_softmax(logits, dim=-1)).sum(-1).mean()

    return loss


def divergence(logits, target, epsilon):
    q = (1 - epsilon) * F.one_hot(target, logits.shape[-1]) + epsilon / logits.shape[-1]
    return F.kl_div(logits.log_softmax(-1), q, reduction="none").sum(-1).mean()


def divergence_by_hand(logits, target, epsilon):
    q = (1 - epsilon) * F.one_hot(target, logits.shape[-1]) + epsilon / logits.shape[-1]
    return (q * (q.log() - logits.log_softmax(-1))).sum(-1).mean()


def log_of_softmax(logits, target, epsilon):
    log_p = logits.softmax(-1).log()
    right = log_p.gather(-1, target[..., None])[..., 0]
    return -((1 - epsilon) * right + epsilon * log_p.mean(-1)).mean()


def summed_uniform_part(logits, target, epsilon):
    log_p = F.log_softmax(logits, -1)
    return (
        F.nll_loss(log_p.flatten(0, 1), target.flatten()) * (1 - epsilon)
        - epsilon * log_p.sum(-1).mean()
    )


def mean_over_everything(logits, target, epsilon):
    N = logits.shape[-1]
    q = np.where(
        np.arange(N) == target[..., None], 1 - epsilon + epsilon / N, epsilon / N
    )
    shifted = logits - logits.max(-1, keepdims=True)
    return -np.mean(q * (shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))))


def largest_over(*axes):
    """The largest logit is taken over these axes."""

    def loss(logits, target, epsilon):
        z = logits - logits.amax(axes, keepdim=True)
        log_p = z - z.exp().sum(-1, keepdim=True).log()
        right = log_p.gather(-1, target[..., None])
        return -(1 - epsilon) * right.mean() - epsilon * log_p.mean()

    return loss


def of_places(chosen):
    """The mean is over some places."""

    def loss(logits, target, epsilon):
        losses = F.cross_entropy(
            logits.mT, target, label_smoothing=epsilon, reduction="none"
        )
        return chosen(losses, target)

    return loss


def test_a_largest_logit_for_each_place_is_right():
    assert check_smoothed_loss(largest_over(-1))


@pytest.mark.parametrize(
    ("function", "diagnosis"),
    [
        (largest_over(0, 1, 2), "one largest logit for many places"),
        (largest_over(1, 2), "one largest logit for many places"),
        (as_scattered(lambda N: N - 1), "epsilon for the wrong words only"),
        (divergence, "the entropy of the target taken off"),
        (divergence_by_hand, "logarithm of a target of 0"),
        (log_of_softmax, "logarithm of a softmax that has become 0"),
    ],
)
def test_a_known_mistake_in_label_smoothing_is_named_in_any_style(function, diagnosis):
    assert check_smoothed_loss(function).diagnosis == diagnosis


def capped(logits, target, real):
    P = logits.softmax(-1).gather(-1, target.unsqueeze(-1)).squeeze(-1)
    return -torch.log(P + 1e-9)[real].mean()


def with_a_penalty(logits, target, real):
    return F.cross_entropy(logits[real], target[real]) + 0.05


def backwards(logits, target, real):
    return -F.cross_entropy(logits[real], target[real])


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (capped, "log(p + 1e-9)"),
        (sentence_by_sentence, "You average each sentence first"),
        (over_sentences, "You divide by the number of sentences"),
        (with_a_penalty, "the loss is off"),
        (backwards, "put a minus in front"),
    ],
)
def test_a_mistake_that_nobody_recorded_breaks_a_law(function, says):
    verdict = check_word_loss(refusing(function))
    assert verdict.diagnosis == "a law"
    assert says in verdict.says


def half_again(logits, target, epsilon):
    plain = F.cross_entropy(logits.flatten(0, 1), target.flatten())
    return plain + epsilon * math.log(logits.shape[-1])


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (as_scattered(lambda N: N), "Your shares sum to less than 1"),
        (as_scattered(lambda N: 1), "You give epsilon to every wrong word"),
        (summed_uniform_part, "You give epsilon to every word"),
        (
            lambda logits, target, epsilon: F.cross_entropy(logits.mT, target),
            "epsilon is not used",
        ),
        (mean_over_everything, "You also divide by the number of words"),
        (of_places(lambda s, t: s.sum() / len(s)), "divide by that of all places"),
        (of_places(lambda s, t: s[t != 0].mean()), "whose word has the id 0"),
        (of_places(lambda s, t: s[:, :-1].mean()), "the last place of each sentence"),
        (half_again, "Do the shares of all words sum to 1?"),
    ],
)
def test_shares_that_are_not_as_asked_break_a_law(function, says):
    verdict = check_smoothed_loss(function)
    assert verdict.diagnosis == "a law"
    assert says in verdict.says


def test_a_long_double_is_a_number():
    def long(logits, target, epsilon):
        return np.longdouble(check_smoothed_loss.reference(logits, target, epsilon))

    assert check_smoothed_loss(long)
