"""Mistakes in norm, block, losses and decoding, written as somebody else would."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from attention_book.chapters.attention_layer.checks import check_attention
from attention_book.chapters.block.checks import check_block
from attention_book.chapters.encoder_decoder.checks.decoding import (
    check_beam_search,
    check_greedy,
)
from attention_book.chapters.encoder_decoder.checks.losses import (
    check_smoothed_loss,
    check_word_loss,
)
from attention_book.chapters.masks_and_heads.checks.masks import (
    check_causal_mask,
    check_contexts,
)
from attention_book.chapters.norm_and_residuals.checks import check_layer_norm
from attention_book.chapters.pretraining.checks import check_masked_word_loss


def torchs_std(x, gamma, beta, eps):
    return (
        gamma
        * (x - x.mean(-1, keepdim=True))
        / torch.sqrt(torch.var(x, -1, keepdim=True) + eps)
        + beta
    )


def annotated(x, gamma, beta, eps):
    return (
        gamma * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + eps) + beta
    )


def numpys_std(x, gamma, beta, eps):
    return (
        gamma * (x - x.mean(-1, keepdims=True)) / (x.std(-1, keepdims=True) + eps)
        + beta
    )


def batch_norm_like(x, gamma, beta, eps):
    return (x - x.mean(-2, keepdims=True)) / np.sqrt(
        x.var(-2, keepdims=True) + eps
    ) * gamma + beta


def in_place(x, gamma, beta, eps):
    x -= x.mean(-1, keepdims=True)
    return gamma * x / np.sqrt(x.var(-1, keepdims=True) + eps) + beta


def with_layers(X, attend, mlp, norm_1, norm_2):
    for layer, norm in ((attend, norm_1), (mlp, norm_2)):
        X = X + layer(norm(X))
    return X


def forgetful(X, attend, mlp, norm_1, norm_2):
    return norm_2(mlp(norm_1(attend(X) + X)))


def padded_mean(logits, target, real):
    assert real.any()
    return F.cross_entropy(logits.flatten(0, 1), target.flatten())


def zeroed(logits, target, real):
    assert real.any()
    loss = F.cross_entropy(
        logits.flatten(0, 1), target.flatten(), reduction="none"
    ).view(target.shape)
    return (loss * real).mean()


def sentence_by_sentence(logits, target, real):
    if not real.any():
        raise ValueError("no word")
    means = [
        F.cross_entropy(row[seen], ids[seen])
        for row, ids, seen in zip(logits, target, real, strict=True)
    ]
    return torch.stack(means).mean()


def softmax_then_log(logits, target, real):
    assert real.any()
    P = logits.softmax(-1).gather(-1, target[..., None])[..., 0]
    return -P.log()[real].mean()


def softmax_first(logits, target, real):
    assert real.any()
    return F.cross_entropy(logits.softmax(-1)[real], target[real])


def kl(logits, target, epsilon):
    answer = (1 - epsilon) * np.eye(logits.shape[-1])[target] + epsilon / logits.shape[
        -1
    ]
    log_p = logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)
    return (answer * np.log(answer) - answer * log_p).sum(axis=-1).mean()


def among_the_others(logits, target, epsilon):
    answer = torch.full_like(logits, epsilon / (logits.shape[-1] - 1)).scatter(
        -1, target[..., None], 1 - epsilon
    )
    return -(answer * logits.log_softmax(-1)).sum(-1).mean()


def always_the_start(step, start, stop, max_words):
    word = int(np.argmax(step([start])))
    return [] if word == stop else [word] * max_words


def unnormalised(step, start, stop, width, max_words):
    live, done = [(0.0, [start])], []
    for _ in range(max_words):
        grown = [
            (p + q, [*w, k]) for p, w in live for k, q in enumerate(step(w).tolist())
        ]
        grown = sorted(grown, key=lambda one: -one[0])[: width - len(done)]
        done, live = (
            done + [g for g in grown if g[1][-1] == stop],
            [g for g in grown if g[1][-1] != stop],
        )
        if not live:
            break
    return [w for w in max(done or live)[1][1:] if w != stop]


def contexts_hidden_by(number):
    def contexts(s, h, lengths):
        outside = torch.arange(h.shape[1]) >= torch.tensor(lengths)[:, None]
        e = torch.einsum("bd,bnd->bn", s, h).masked_fill(outside, number)
        return torch.einsum("bn,bnd->bd", e.softmax(-1), h), e.softmax(-1)

    return contexts


def attention_hidden_by(number):
    def attention(Q, K, V, visible):
        assert visible.any(-1).all()
        E = Q @ K.mT / Q.shape[-1] ** 0.5
        A = E.masked_fill(~visible, number).softmax(-1)
        return A @ V, A

    return attention


def perplexity(logits, target, real):
    assert real.any()
    return F.cross_entropy(logits[real], target[real]).exp()


def longer_by_a_word(live, step):
    return sorted(
        (
            ([*words, k], p + float(q))
            for words, p in live
            for k, q in enumerate(step(words))
        ),
        key=lambda one: -one[1],
    )


def removed_while_looping(step, start, stop, width, max_words):
    live, done = [([start], 0.0)], []
    for _ in range(max_words):
        live = longer_by_a_word(live, step)[: width - len(done)]
        for one in live:
            if one[0][-1] == stop:
                done.append(one)
                live.remove(one)
    best, _ = max(done or live, key=lambda one: one[1] / (len(one[0]) - 1))
    return [word for word in best[1:] if word != stop]


def first_finished(step, start, stop, width, max_words):
    live, done = [([start], 0.0)], []
    for _ in range(max_words):
        kept = longer_by_a_word(live, step)[: width - len(done)]
        done += [one for one in kept if one[0][-1] == stop]
        live = [one for one in kept if one[0][-1] != stop]
    return [word for word in (done or live)[0][0][1:] if word != stop]


@pytest.mark.parametrize(
    ("check", "function", "diagnosis"),
    [
        (check_layer_norm, torchs_std, "variance with 1/(D-1)"),
        (check_layer_norm, annotated, "1/(D-1), and eps outside the root"),
        (check_layer_norm, numpys_std, "eps outside the root"),
        (check_layer_norm, batch_norm_like, "over the positions"),
        (check_layer_norm, in_place, "overwrites its input"),
        (check_block, with_layers, "norms in front of the parts"),
        (check_block, forgetful, "the sums: X + found, found"),
        (check_word_loss, padded_mean, "padding scored"),
        (check_word_loss, zeroed, "set to 0, but divided by all places"),
        (check_word_loss, softmax_then_log, "logarithm of a softmax that has become 0"),
        (check_word_loss, softmax_first, "softmax done twice"),
        (check_masked_word_loss, padded_mean, "scored at all places"),
        (check_smoothed_loss, kl, "logarithm of a target of 0"),
        (check_smoothed_loss, among_the_others, "epsilon for the wrong words only"),
        (check_greedy, always_the_start, "own words not shown"),
        (check_beam_search, unnormalised, "log P not divided by the length"),
        (
            check_beam_search,
            removed_while_looping,
            "removed from the list that is looped over",
        ),
        (check_beam_search, first_finished, "ends with the first sentence"),
        (
            check_attention,
            attention_hidden_by(-1e9),
            "a finite number in place of minus infinity",
        ),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_mistake_is_named_in_another_style(check, function, diagnosis):
    verdict = check(function)
    assert verdict.diagnosis == diagnosis, repr(verdict)


def shifted(x, gamma, beta, eps):
    return F.layer_norm(x, x.shape[-1:], gamma, beta, eps) + 0.5


def negative(logits, target, real):
    assert real.any()
    return -F.cross_entropy(logits[real], target[real])


def with_stop(step, start, stop, max_words):
    return [start, stop]


@pytest.mark.parametrize(
    ("check", "function", "says"),
    [
        (check_layer_norm, shifted, "is then scaled by 1.5 and shifted by 1.1"),
        (check_causal_mask, lambda N: np.tril(np.ones((N, N))), "numbers 0 and 1"),
        (check_causal_mask, lambda N: torch.ones(N, N).tril(), "numbers 0 and 1"),
        (check_contexts, contexts_hidden_by(-1e9), "gives weight to padding"),
        (check_word_loss, perplexity, "You return exp of the loss, the perplexity"),
        (check_word_loss, negative, "put a minus in front"),
        (check_greedy, with_stop, "words holds 1, which is [START]"),
        (check_word_loss, sentence_by_sentence, "You average each sentence first"),
    ],
)
def test_a_mistake_that_nobody_recorded_breaks_a_law(check, function, says):
    verdict = check(function)
    assert verdict.diagnosis == "a law"
    assert says in verdict.says
