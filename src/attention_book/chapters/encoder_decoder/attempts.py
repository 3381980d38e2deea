"""Attempts to write a decoder that looks back, its losses, and its sentences."""

import heapq
import math
import statistics
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F

from attention_book.exercises.verdict import RIGHT
from attention_book.reference import smoothed_loss


def cross_looping(S, X, W_Q, W_K, W_V, visible):
    """One sentence after the other, and in it one step of the decoder."""
    if S.ndim == 3:
        matrices = W_Q, W_K, W_V
        batch = zip(S, X, visible, strict=True)
        each = [cross_looping(s, x, *matrices, seen) for s, x, seen in batch]
        return tuple(map(np.array, zip(*each, strict=True)))
    A = []
    for s, may_look in zip(S, visible, strict=True):
        e_t = np.array([s @ W_Q @ W_K.T @ x for x in X]) / np.sqrt(W_Q.shape[1])
        e_t -= e_t[may_look].max()
        A.append(np.exp(np.minimum(e_t, 0)) * may_look / sum(np.exp(e_t[may_look])))
    return np.array(A) @ X @ W_V, np.array(A)


def cross_with_einsum(S, X, W_Q, W_K, W_V, visible):
    """Arrays, with any axes in front, in two products."""
    E = np.einsum("...ts,sq,xq,...ix->...ti", S, W_Q, W_K, X) / np.sqrt(W_Q.shape[1])
    E = np.where(visible, E, -np.inf)
    A = np.exp(E - np.logaddexp.reduce(E, axis=-1, keepdims=True))
    return np.einsum("...ti,...ix,xv->...tv", A, X, W_V), A


def cross_of_torch(S, X, W_Q, W_K, W_V, visible):
    """Tensors; the weights from log_softmax."""
    Q, K, V = S @ W_Q, X @ W_K, X @ W_V
    E = Q.matmul(K.mT).mul(W_Q.size(1) ** -0.5)
    A = F.log_softmax(E + visible.float().log(), dim=-1).exp()
    return F.scaled_dot_product_attention(Q, K, V, attn_mask=visible), A


def word_by_word(logits, target, real):
    """Python's numbers; statistics.mean refuses an empty list."""
    surprises = []
    for scores, word in zip(logits[real].tolist(), target[real], strict=True):
        others = sum(math.exp(score - max(scores)) for score in scores)
        surprises.append(math.log(others) + max(scores) - scores[word])
    return statistics.mean(surprises)


def with_weights(logits, target, real):
    """NumPy: every place, and a weight of 0 or 1."""
    assert real.any(), "no word"
    shifted = logits - logits.max(-1, keepdims=True)
    picked = (np.eye(logits.shape[-1])[target] * shifted).sum(-1)
    return np.average(np.log(np.exp(shifted).sum(-1)) - picked, weights=real)


def with_an_ignored_id(logits, target, real):
    """torch: what does not count gets the id that cross_entropy leaves out."""
    if not real.any():
        raise ValueError("no word")
    return F.cross_entropy(logits.transpose(1, 2), target.masked_fill(~real, -100))


def smoothed_as_a_mixture(logits, target, epsilon):
    """NumPy: the plain loss, and that of a target with all words alike."""
    costs = np.logaddexp.reduce(logits, axis=-1, keepdims=True) - logits
    plain = np.take_along_axis(costs, target[..., None], axis=-1).mean()
    return (1 - epsilon) * plain + epsilon * costs.mean()


def smoothed_of_torch(logits, target, epsilon):
    """torch smooths as we do."""
    return F.cross_entropy(logits.mT, target, label_smoothing=epsilon)


def smoothed_with_einsum(logits, target, epsilon):
    """NumPy: the sum over places and words at once."""
    N_words = logits.shape[-1]
    q = epsilon / N_words + (1 - epsilon) * np.eye(N_words)[target]
    log_p = logits - np.logaddexp.reduce(logits, axis=2, keepdims=True)
    return -np.einsum("btw,btw->", q, log_p) / target.size


def with_a_while_loop(step, start, stop, max_words):
    """A list that grows."""
    words = [start]
    while len(words) <= max_words and words[-1] != stop:
        words.append(np.argmax(step(words)))
    return [int(word) for word in words[1:] if word != stop]


def by_calling_itself(step, start, stop, max_words, written=()):
    """No loop: the rest of the sentence is written by the same function."""
    log_p = step((start, *written)).tolist()
    word = max(range(len(log_p)), key=log_p.__getitem__)
    if word == stop or max_words == 0:
        return [*written]
    return by_calling_itself(step, start, stop, max_words - 1, (*written, word))


def cut_in_the_end(step, start, stop, max_words):
    """Always `max_words` words, as a batch would be written, and then cut."""
    words = torch.tensor([start])
    for _ in range(max_words):
        words = torch.cat([words, torch.tensor(step(words)).argmax()[None]])
    ids = [*words[1:].tolist(), stop]
    return ids[: ids.index(stop)]


def with_lists(step, start, stop, width, max_words):
    """Pairs of log P and words, sorted; sentences on a list of their own."""
    live, done = [(0, [start])], []
    for _ in range(max_words):
        longer = [(p + q, [*w, k]) for p, w in live for k, q in enumerate(step(w))]
        longer = sorted(longer, reverse=True)[: width - len(done)]
        done += [pair for pair in longer if pair[1][-1] == stop]
        live = [pair for pair in longer if pair[1][-1] != stop]
    _, words = max((p / (len(words) - 1), words) for p, words in done or live)
    return [word for word in words[1:] if word != stop]


def with_a_heap(step, start, stop, width, max_words):
    """Probabilities multiplied, kept by the words; their geometric mean decides."""
    P, live, done = {(start,): 1}, [(start,)], []
    for _ in range(max_words):
        for words in live:
            P |= {(*words, k): P[words] * p for k, p in enumerate(np.exp(step(words)))}
        longer = [(*words, k) for words in live for k in range(5)]
        best = heapq.nlargest(width - len(done), longer, key=P.get)
        done += [words for words in best if words[-1] == stop]
        live = [words for words in best if words[-1] != stop]
    words = max(done or live, key=lambda words: P[words] ** (1 / (len(words) - 1)))
    return [word for word in words if word not in (start, stop)]


def with_slots(step, start, stop, width, max_words):
    """Tensors: a row of words for each slot that is still open."""
    words, live, best = torch.tensor([[start]]), torch.zeros(1), (-math.inf, [])
    for t in range(1, max_words + 1):
        if width > 0:
            log_p = torch.stack([torch.tensor(step(row.tolist())) for row in words])
            scores = (live[:, None] + log_p).flatten()
            live, place = scores.topk(min(width, len(scores)))
            words = torch.hstack([words[place // 5], place[:, None] % 5])
            ended = words[:, -1] == stop
            for score, row in zip(live[ended] / t, words[ended, 1:-1], strict=True):
                best = max(best, (score.item(), row.tolist()))
            words, live, width = words[~ended], live[~ended], width - int(ended.sum())
    return words[live.argmax(), 1:].tolist() if best[0] == -math.inf else best[1]


def with_a_running_count(step, start, stop, references, max_words):
    """One sentence after the other."""
    right = 0
    for b, reference in enumerate(references):
        said = with_a_while_loop(partial(step, b), start, stop, max_words)
        right += sum(map(int.__eq__, said, reference))
    return right / sum(map(len, references))


def with_numpy(step, start, stop, references, max_words):
    """NumPy: no word, -1, behind what is written."""
    hits = []
    for b, reference in enumerate(references):
        said = by_calling_itself(partial(step, b), start, stop, max_words)
        said += [-1] * len(reference)
        hits.extend(np.equal(said[: len(reference)], reference))
    return np.mean(hits)


def with_tensors(step, start, stop, references, max_words):
    """All sentences a step at a time, as in a batch; -1 behind the first stop."""
    words = torch.full((len(references), 1), start)
    for _ in range(max_words):
        log_p = [torch.as_tensor(step(b, w.tolist())) for b, w in enumerate(words)]
        words = torch.cat([words, torch.stack(log_p).argmax(-1, keepdim=True)], dim=1)
    words = words.masked_fill((words == stop).cumsum(1) > 0, -1)[:, 1:].tolist()
    hits = [sum(map(int.__eq__, *pair)) for pair in zip(words, references, strict=True)]
    return sum(hits) / sum(map(len, references))


def torch_scores(Q, K):
    return Q @ K.transpose(-2, -1) / math.sqrt(K.shape[-1])


def looks_at_itself(S, X, W_Q, W_K, W_V, visible):
    A = torch_scores(S @ W_Q, S @ W_K).masked_fill(~visible, -torch.inf).softmax(-1)
    return A @ (S @ W_V), A


def the_encoder_asks(S, X, W_Q, W_K, W_V, visible):
    E = np.einsum("...ix,xd,...jy,yd->...ij", X, W_Q, X, W_K) / np.sqrt(W_Q.shape[1])
    powers = np.where(visible, np.exp(E), 0)
    A = powers / powers.sum(-1, keepdims=True)
    return A @ (X @ W_V), A


def encoder_and_decoder_exchanged(S, X, W_Q, W_K, W_V, visible):
    S, X = X, S
    E = (S @ W_Q) @ (X @ W_K).mT / W_Q.shape[1] ** 0.5
    A = E.masked_fill(visible.logical_not(), -torch.inf).softmax(-1)
    return A @ (X @ W_V), A


def asking(
    Q=lambda S, X: S,
    K=lambda S, X: X,
    V=lambda S, X: X,
    *,
    turned=lambda K: K.mT,
    width=lambda S, X, Q: Q.shape[-1],
    mask=lambda visible: visible,
    hidden=-torch.inf,
    axis=-1,
    returned=lambda Y: Y,
):
    """Cross-attention of tensors, with switches for mistakes."""

    def function(S, X, W_Q, W_K, W_V, visible):
        q, k, v = Q(S, X) @ W_Q, K(S, X) @ W_K, V(S, X) @ W_V
        E = q @ turned(k) / width(S, X, q) ** 0.5
        A = E.masked_fill(~mask(visible), hidden).softmax(axis)
        return returned(A @ v), returned(A)

    return function


def beside_each_other(S, X):
    """The vectors of both in one array, which have to be of one width."""
    return torch.cat([S, X], dim=-2)[..., S.shape[-2] :, :]


def running_length(step, start, stop, max_words):
    words = [start]
    while len(words) < max_words and words[-1] != stop:
        words.append(int(step(words).argmax()))
    return [word for word in words[1:] if word != stop]


def like_a_recurrent_net(step, start, stop, max_words):
    word, written = start, []
    for _ in range(max_words):
        word = int(np.argmax(step([word])))
        if word == stop:
            return written
        written.append(word)
    return written


def forgetting(step, start, stop, max_words):
    written = []
    log_p = torch.from_numpy(step((start,)))
    for _ in range(max_words):
        word = log_p.argmax().item()
        if word == stop:
            break
        written.append(word)
    return written


def with_the_end(step, start, stop, max_words):
    written = torch.tensor([start])
    for _ in range(max_words):
        written = torch.cat([written, torch.tensor(step(written)).argmax().view(1)])
        if written[-1] == stop:
            break
    return written[1:].tolist()


def nothing_if_cut_off(step, start, stop, max_words):
    words = [start]
    for _ in range(max_words):
        words.append(int(step(words).argmax()))
        if words[-1] == stop:
            return words[1:-1]
    return []


def filtered(step, start, stop, max_words):
    words = [start]
    for _ in range(max_words):
        words += [int(step(words).argmax())]
    return [word for word in words if word not in (start, stop)]


def never_the_same_twice(step, start, stop, max_words):
    words = [start]
    for _ in range(max_words):
        log_p = step(words)
        log_p[words] = -np.inf
        if int(log_p.argmax()) == stop:
            break
        words.append(int(log_p.argmax()))
    return words[1:]


def searching(
    *,
    per_word=True,
    copies=False,
    first=False,
    kept=True,
    frozen=True,
    own=False,
    unpruned=False,
    fewer=0,
    open_=True,
):
    """Beam search in lists of dictionaries, with switches for mistakes."""

    def search(step, start, stop, width, max_words):
        beam = [{"words": [start], "sum": 0.0}] * (width if copies else 1)
        done = []
        for _ in range(max_words):
            families = []
            for one in beam:
                log_p = step(one["words"])
                best = np.argsort(-log_p)[: max(1, width - fewer)]
                families.append(
                    [
                        {"words": [*one["words"], int(w)], "sum": one["sum"] + log_p[w]}
                        for w in best
                    ]
                )
            if own and len(beam) > 1:
                families = [family[:1] for family in families]
            longer = sorted(
                [one for family in families for one in family],
                key=lambda one: -one["sum"],
            )
            if not unpruned:
                longer = longer[: width - (len(done) if kept else 0)]
            done += [one for one in longer if one["words"][-1] == stop and frozen]
            beam = [one for one in longer if one["words"][-1] != stop or not frozen]
            if first and done:
                break
        length = (lambda one: len(one["words"]) - 1) if per_word else (lambda one: 1)
        if not done and not open_:
            return []
        best = max(done or beam, key=lambda one: one["sum"] / length(one))
        return [w for w in best["words"][1:] if w != stop]

    return search


def topk_of_too_few(step, start, stop, width, max_words):
    """Asks for `width` of the first words, however few there are."""
    torch.from_numpy(step((start,))).topk(width)
    return searching()(step, start, stop, width, max_words)


def last_scores(step, start, stop, width, max_words):
    """Tensors; the new scores take the place of the old ones."""
    live, done = [[start]], []
    for _ in range(max_words):
        if not live:
            break
        scores = torch.stack([torch.from_numpy(step(words)) for words in live])
        best, place = scores.flatten().topk(min(width - len(done), scores.numel()))
        found = [
            (s, [*live[k // scores.shape[1]], k % scores.shape[1]])
            for s, k in zip(best, place.tolist(), strict=True)
        ]
        done += [
            (float(s) / (len(words) - 1), words[1:-1])
            for s, words in found
            if words[-1] == stop
        ]
        live = [words for _, words in found if words[-1] != stop]
        open_ = [
            (float(s) / (len(words) - 1), words[1:])
            for s, words in found
            if words[-1] != stop
        ]
    return max(done or open_)[1]


def free_slots(step, start, stop, width, max_words):
    """As in many libraries: more continuations than slots, `width` always go on."""
    live, done = [((start,), 0.0)], []
    while len(live[0][0]) <= max_words and len(done) < width:
        longer = [
            ((*words, w), s + p) for words, s in live for w, p in enumerate(step(words))
        ]
        longer = sorted(longer, key=lambda one: one[1])[: -2 * width - 1 : -1]
        done += [one for one in longer[:width] if one[0][-1] == stop]
        live = [one for one in longer if one[0][-1] != stop][:width]
    best = max(done or live, key=lambda one: one[1] / (len(one[0]) - 1))[0]
    return [*best[1:-1]] if done else [*best[1:]]


def best_by(worth):
    """Beam search whose winner has the largest `worth`, of log P and of how many words
    there are with [START] and [STOP].
    """

    def search(step, start, stop, width, max_words):
        live, done = [(0.0, (start,))], []
        for _ in range(max_words):
            live = [
                (s + p, (*words, w))
                for s, words in live
                for w, p in enumerate(step(words))
            ]
            live = sorted(live, reverse=True)[: width - len(done)]
            done += [one for one in live if one[1][-1] == stop]
            live = [one for one in live if one[1][-1] != stop]
        best = max(done or live, key=lambda one: worth(one[0], len(one[1])))
        return [w for w in best[1][1:] if w != stop]

    return search


def longer_by_a_word(live, step):
    return sorted(
        (
            ([*words, k], p + float(q))
            for words, p in live
            for k, q in enumerate(step(words))
        ),
        key=lambda one: -one[1],
    )


def counting(**wrong):
    """Make a solution of `words_right` with another way to write, or to count."""

    def words_right(step, start, stop, references, max_words):
        written = []
        for b, reference in enumerate(references):
            words, seen = [start], wrong.get("seen", tuple)
            if wrong.get("shared") and written:
                words += written[-1]
            for _ in range(wrong["most"](reference) if "most" in wrong else max_words):
                words.append(int(step(b, seen(words)).argmax()))
                if words[-1] == stop and not wrong.get("endless"):
                    break
            kept = wrong.get("kept", stop)
            written.append([word for word in words[1:] if word != kept])
        return wrong.get("count", share)(written, references)

    return words_right


def share(written, references):
    pairs = zip(written, references, strict=True)
    return sum(sum(map(int.__eq__, *pair)) for pair in pairs) / sum(
        map(len, references)
    )


def whole_sentences(written, references):
    return sum(map(list.__eq__, written, references)) / len(references)


def wherever_they_stand(written, references):
    pairs = zip(written, references, strict=True)
    hits = sum(word in said for said, right in pairs for word in right)
    return hits / sum(map(len, references))


def of_the_longer(written, references):
    pairs = zip(written, references, strict=True)
    hits = sum(sum(map(int.__eq__, *pair)) for pair in pairs)
    return hits / sum(map(max, map(len, written), map(len, references)))


def to_the_end_of_the_output(written, references):
    hits = [
        r[i] == w
        for s, r in zip(written, references, strict=True)
        for i, w in enumerate(s)
    ]
    return sum(hits) / sum(map(len, references))


def with_stop(written, references):
    return share(*([[*each, -1] for each in some] for some in (written, references)))


def from_the_end(written, references):
    return share(*([each[::-1] for each in some] for some in (written, references)))


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
    if not real.any():
        raise ValueError("no word")
    means = [
        F.cross_entropy(row[seen], ids[seen])
        for row, ids, seen in zip(logits, target, real, strict=True)
    ]
    return torch.stack(means).mean()


def everything(logits, target, real):
    return F.cross_entropy(logits.transpose(1, 2), target)


def padding_is_0(logits, target, real):
    return F.cross_entropy(logits.transpose(1, 2), target, ignore_index=0)


def over_sentences(logits, target, real):
    log_p = torch.log_softmax(logits, -1)
    total = -sum(log_p[b, t, target[b, t]] for b, t in real.nonzero().tolist())
    return total / logits.shape[0]


def capped(logits, target, real):
    P = logits.softmax(-1).gather(-1, target.unsqueeze(-1)).squeeze(-1)
    return -torch.log(P + 1e-9)[real].mean()


def with_a_penalty(logits, target, real):
    return F.cross_entropy(logits[real], target[real]) + 0.05


def as_scattered(share):
    """Label smoothing as it is often written: a target, filled and scattered into."""

    def loss(logits, target, epsilon):
        N = logits.shape[-1]
        q = torch.full(logits.shape, epsilon / share(N)).scatter(
            -1, target.unsqueeze(-1), 1 - epsilon
        )
        return -(q * F.log_softmax(logits, dim=-1)).sum(-1).mean()

    return loss


def summed_uniform_part(logits, target, epsilon):
    log_p = F.log_softmax(logits, -1)
    return (
        F.nll_loss(log_p.flatten(0, 1), target.flatten()) * (1 - epsilon)
        - epsilon * log_p.sum(-1).mean()
    )


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


def half_again(logits, target, epsilon):
    plain = F.cross_entropy(logits.flatten(0, 1), target.flatten())
    return plain + epsilon * math.log(logits.shape[-1])


def word_loss_of_torch(logits, target, real):
    return F.cross_entropy(logits[real], target[real])


def as_a_long_double(logits, target, epsilon):
    """A number of NumPy's with more digits."""
    return np.longdouble(smoothed_loss(logits, target, epsilon))


def as_many_inputs_as_steps(S, X, W_Q, W_K, W_V, visible):
    E = np.array([[s @ W_Q @ (X[j] @ W_K) for j in range(len(S))] for s in S])
    A = np.exp(E / np.sqrt(W_Q.shape[1])) * visible
    A = A / A.sum(-1, keepdims=True)
    return A @ (X @ W_V), A


def without_a_limit(step, start, stop, max_words):
    words = [start]
    while words[-1] != stop:
        words.append(int(step(words).argmax()))
    return words[1:-1]


def returning_the_first(step, start, stop, max_words):
    words = [start]
    for _ in range(max_words):
        words.append(int(step(words).argmax()))
        return [word for word in words[1:] if word != stop]


def tensors_in_a_list(step, start, stop, max_words):
    """Each word is a tensor without an axis."""
    words = [torch.tensor(start)]
    while len(words) <= max_words:
        words.append(torch.from_numpy(step(words)).argmax())
        if words[-1] == stop:
            return words[1:-1]
    return words[1:]


def tensors_with_the_end(step, start, stop, max_words):
    words = [torch.tensor(start)]
    while words[-1] != stop and len(words) <= max_words:
        words.append(torch.from_numpy(step(words)).argmax())
    return words[1:]


def without_b(step, start, stop, references, max_words):
    return step((start,))


def returning_inside_the_loop(step, start, stop, width, max_words):
    live, done = [([start], 0.0)], []
    for _ in range(max_words):
        live = longer_by_a_word(live, step)[: width - len(done)]
        done += [one for one in live if one[0][-1] == stop]
        live = [one for one in live if one[0][-1] != stop]
        best, _ = max(done or live, key=lambda one: one[1] / (len(one[0]) - 1))
        return [word for word in best[1:] if word != stop]


ATTEMPTS = {
    "cross_attention": {
        cross_looping: RIGHT,
        cross_with_einsum: RIGHT,
        cross_of_torch: RIGHT,
        looks_at_itself: "Your decoder looks at itself",
        the_encoder_asks: "the queries are made from X",
        encoder_and_decoder_exchanged: "Your encoder looks at the decoder",
        asking(): RIGHT,
        asking(K=beside_each_other): "Sizes of tensors must match",
        asking(axis=1): "On a batch of three: A sums to 1 over the steps",
        asking(returned=torch.squeeze): "expected (1, 3, 2)",
        asking(width=lambda S, X, Q: X.shape[-1]): "divide the dot products by",
        asking(width=lambda S, X, Q: X.shape[-2]): "scores are 0.707 times",
        asking(returned=lambda Y: Y.half().float()): "two or three digits",
        asking(hidden=-100): "Its score must be -inf when the softmax begins",
        as_many_inputs_as_steps: "Your code raised IndexError",
    },
    "word_loss": {
        word_by_word: RIGHT,
        with_weights: RIGHT,
        with_an_ignored_id: RIGHT,
        refusing(scored_and_zeroed): "divide by the number of all places",
        refusing(everything): "padding included",
        refusing(padding_is_0): "do not use `real`",
        refusing(sentence_by_sentence): "You average each sentence first",
        refusing(over_sentences): "You divide by the number of sentences",
        refusing(capped): "log(p + 1e-9)",
        refusing(with_a_penalty): "the loss is off",
        refusing(lambda *inputs: -word_loss_of_torch(*inputs)): "put a minus in front",
        refusing(lambda *inputs: word_loss_of_torch(*inputs).exp()): "the perplexity",
        word_loss_of_torch: "a mean over no word is no number",
    },
    "smoothed_loss": {
        smoothed_as_a_mixture: RIGHT,
        smoothed_of_torch: RIGHT,
        smoothed_with_einsum: RIGHT,
        largest_over(-1): RIGHT,
        largest_over(0, 1, 2): "take the largest of each place",
        largest_over(1, 2): "take the largest of each place",
        as_scattered(lambda N: N - 1): "That is another convention",
        as_scattered(lambda N: N): "Your shares sum to less than 1",
        as_scattered(lambda N: 1): "You give epsilon to every wrong word",
        summed_uniform_part: "You give epsilon to every word",
        of_places(lambda s, t: s.sum() / len(s)): "divide by that of all places",
        of_places(lambda s, t: s[t != 0].mean()): "whose word has the id 0",
        of_places(lambda s, t: s[:, :-1].mean()): "the last place of each sentence",
        half_again: "Do the shares of all words sum to 1?",
        as_a_long_double: RIGHT,
    },
    "greedy": {
        with_a_while_loop: RIGHT,
        by_calling_itself: RIGHT,
        cut_in_the_end: RIGHT,
        running_length: "you wrote 4 words with `max_words` 5",
        like_a_recurrent_net: "step takes all the words so far, [START] = 1",
        forgetting: "with [START] every time",
        returning_the_first: "Does your `return` stand inside the loop?",
        filtered: "[STOP] has P = 0.35",
        with_the_end: "words holds 0, which is [STOP]",
        nothing_if_cut_off: "you return nothing where no [STOP] came",
        tensors_in_a_list: RIGHT,
        tensors_with_the_end: "which is [STOP]",
        never_the_same_twice: "has P =",
        without_a_limit: "computed for more than",
        lambda step, start, stop, max_words: []: "after 1 you wrote [STOP]",
        lambda step, start, stop, max_words: [
            start,
            stop,
        ]: "which is [START]",
        lambda step, start, stop, max_words: [0.5]: "which is no id",
        lambda step, start, stop, max_words: [4] * 9: "you wrote 9 words",
    },
    "beam_search": {
        with_lists: RIGHT,
        with_a_heap: RIGHT,
        with_slots: RIGHT,
        searching(): RIGHT,
        searching(per_word=False): "by log P itself",
        searching(copies=True): "what greedy decoding finds",
        searching(first=True): "the sentence that is finished first",
        searching(fewer=1): "with the largest sum of log P",
        searching(open_=False): "you return nothing where no [STOP] came",
        searching(unpruned=True): "no more and no others",
        free_slots: "what is finished in its slot",
        last_scores: "with the largest sum of log P",
        topk_of_too_few: "selected index k out of range",
        best_by(lambda log_p, N: np.exp(log_p) / (N - 1)): "compare log P per word?",
        best_by(lambda log_p, N: log_p / (N - 1) ** 0.6): "-1.05 for each of 1 words",
        best_by(lambda log_p, N: log_p / N**2): "log P =",
        returning_inside_the_loop: "Does your `return` stand inside the loop?",
        lambda step, start, stop, width, max_words: [start]: "which is [START]",
    },
    "words_right": {
        with_a_running_count: RIGHT,
        with_numpy: RIGHT,
        with_tensors: RIGHT,
        counting(): RIGHT,
        counting(count=whole_sentences): "You give the share of sentences",
        counting(count=wherever_they_stand): "[0 3 1 3] of the [1 5 1 5]",
        counting(seen=lambda words: words[-1:]): "step takes all the words so far",
        counting(seen=lambda words: words[:1]): "the share is off",
        counting(count=of_the_longer): "You divide by the longer of the two",
        counting(count=to_the_end_of_the_output): "IndexError",
        counting(count=with_stop): "You count [STOP] as a word",
        counting(count=from_the_end): "the share is off",
        counting(count=lambda *both: 100 * share(*both)): "the share in percent",
        counting(endless=True, kept=None): "Your model goes on after [STOP]",
        counting(most=lambda reference: 3): "one word less than `max_words`",
        counting(shared=True): "begins with what it wrote of the sentence before",
        without_b: "argument: 'words'",
    },
}
