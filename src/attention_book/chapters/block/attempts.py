"""Attempts to put a block together, to count it, and to tell senses apart."""

import numpy as np
import torch
from torch import nn

from attention_book import reference
from attention_book.chapters.block.solutions import block_weights
from attention_book.exercises.verdict import RIGHT


def in_one_line(X, attend, mlp, norm_1, norm_2):
    """Functions inside functions."""
    return norm_2((Z := norm_1(X + attend(X))) + mlp(Z))


def from_a_list(X, attend, mlp, norm_1, norm_2):
    """The same thing done twice."""
    for part, norm in zip((attend, mlp), (norm_1, norm_2), strict=True):
        X = norm(np.sum([part(X), X], axis=0))
    return X


def with_tensors(X, attend, mlp, norm_1, norm_2):
    """Tensors; the vectors change under one name, and X is not written to."""
    X = norm_1(X.clone().add_(attend(X)))
    return norm_2(torch.add(mlp(X), X))


def pre_in_one_line(X, attend, mlp, norm_1, norm_2):
    """Functions inside functions."""
    return (Z := X + attend(norm_1(X))) + mlp(norm_2(Z))


def pre_with_a_running_sum(X, attend, mlp, norm_1, norm_2):
    """The stream that everything is added to, as a list of what was added."""
    added = [np.array(X)]
    for part, norm in ((attend, norm_1), (mlp, norm_2)):
        added.append(part(norm(np.sum(added, axis=0))))
    return sum(added)


def pre_with_tensors(X, attend, mlp, norm_1, norm_2):
    """Tensors; the vectors change under one name, and X is not written to."""
    X = X.clone().add_(attend(norm_1(X)))
    return torch.add(mlp(norm_2(X)), X)


def weights_by_shapes(D, D_hidden):
    """The sizes of arrays."""
    W, W_1, b_1, gamma = map(np.zeros, [(D, D), (D, D_hidden), D_hidden, D])
    return {
        "norms": 4 * gamma.size,
        "mlp": 2 * W_1.size + b_1.size + gamma.size,
        "attention": 4 * W.size,
    }


def weights_in_loops(D, D_hidden):
    """One array after the other."""
    counts = dict.fromkeys(("attention", "mlp", "norms"), 0)
    for _ in "QKVO":
        counts["attention"] += D**2
    for rows, columns in ((D, D_hidden), (D_hidden, D)):
        counts["mlp"] += (rows + 1) * columns
    for _ in range(2):
        counts["norms"] += D + D
    return counts


def weights_of_a_layer(D, D_hidden):
    """Those that PyTorch's layers have."""
    linears = torch.nn.Linear(D, D_hidden), torch.nn.Linear(D_hidden, D)
    norm = torch.nn.LayerNorm(D)
    return {
        "attention": 4 * torch.nn.Linear(D, D, bias=False).weight.numel(),
        "mlp": sum(w.numel() for linear in linears for w in linear.parameters()),
        "norms": 2 * sum(w.numel() for w in norm.parameters()),
    }


def senses_in_loops(new, known):
    """One vector after the other."""
    nearest = []
    for x in new:
        away = [np.linalg.norm(x - vectors.mean(axis=0)) for vectors in known]
        nearest.append(int(np.argmin(away)))
    return nearest


def senses_with_torch(new, known):
    """All distances at once."""
    new, known = torch.as_tensor(new), torch.as_tensor(known)
    return torch.cdist(new, known.mean(dim=1)).argmin(dim=-1)


def senses_by_products(new, known):
    """The square of a difference, multiplied out; what all share is left out."""
    centroids = np.mean(known, axis=1)
    scores = new @ centroids.T - (centroids**2).sum(axis=-1) / 2
    return scores.argmax(axis=-1)


def loop_with_one_norm(X, attend, mlp, norm_1, norm_2):
    for part in (attend, mlp):
        X = norm_1(X + part(X))
    return X


def tutorial(X, attend, mlp, norm_1, norm_2):
    def sublayer(X, part, norm):
        return X + part(norm(X))

    return sublayer(sublayer(X, attend, norm_1), mlp, norm_2)


class NormOfThePart(nn.Module):
    def __init__(self, part, norm):
        super().__init__()
        self.part, self.norm = part, norm

    def forward(self, X):
        return torch.add(self.norm(self.part(X)), X)


def norm_of_the_part(X, attend, mlp, norm_1, norm_2):
    return nn.Sequential(NormOfThePart(attend, norm_1), NormOfThePart(mlp, norm_2))(X)


def plus_equals(X, attend, mlp, norm_1, norm_2):
    X += attend(X)
    X = norm_1(X)
    X += mlp(X)
    return norm_2(X)


def under_one_name(X, attend, mlp, norm_1, norm_2):
    for part, norm in [(attend, norm_1), (mlp, norm_2)]:
        X = norm(X)
        X = X + part(X)
    return X


def lectures(X, attend, mlp, norm_1, norm_2):
    Z = norm_1(torch.add(attend(X), X))
    return norm_2(torch.add(mlp(Z), Z))


def attention_over_features(X, attend, mlp, norm_1, norm_2):
    Z = X + attend(norm_1(X).T).T
    return Z + mlp(norm_2(Z))


def too_early(X, attend, mlp, norm_1, norm_2):
    Z = X + attend(norm_1(X))
    return norm_1(X) + mlp(norm_2(Z)) - norm_1(X) * (mlp(X) == 0).all()


def norm_of_a_norm(X, attend, mlp, norm_1, norm_2):
    N = norm_1(X)
    return X + attend(N) + mlp(norm_2(N))


def after_the_mlp(X, attend, mlp, norm_1, norm_2):
    Z = norm_1(X + attend(X))
    return norm_2(Z + mlp(Z)) + X


def minus(X, attend, mlp, norm_1, norm_2):
    Z = norm_1(X + attend(X))
    return norm_2(Z - mlp(Z))


def halves(X, attend, mlp, norm_1, norm_2):
    Z = norm_1((X + attend(X)) / 2)
    return norm_2((Z + mlp(Z)) / 2)


def last_norm_twice(X, attend, mlp, norm_1, norm_2):
    Z = norm_1(X + attend(X))
    return norm_2(norm_2(Z + mlp(Z)))


def pre_norm_of_doubles(X, attend, mlp, norm_1, norm_2):
    Z = X + attend(norm_1(X))
    return Z + mlp(norm_2(2 * Z + 1))


def with_another(part, count):
    return lambda D, D_hidden: block_weights(D, D_hidden) | {part: count(D, D_hidden)}


def by_medians(new, known):
    away = new[:, None] - np.median(known, axis=1)
    return (away**2).sum(axis=-1).argmin(axis=-1)


def keeping(block):
    """What came once comes again."""
    kept = {}
    return lambda X, *parts: kept.setdefault(X.shape, block(X, *parts))


def rounded(block):
    return lambda *parts: np.round(block(*parts), 2)


def unpacking_weights(X, attend, mlp, norm_1, norm_2):
    A, W = attend(X)
    return norm_2(norm_1(X + A) + mlp(W))


def three_times_X(X, attend, mlp, norm_1, norm_2):
    return X + attend(X, X, X)


def to_the_nearest_vector(new, known):
    away = [[np.linalg.norm(v - x, axis=-1).min() for v in known] for x in new]
    return np.argmin(away, axis=1)


def by_dot_products(new, known):
    return (new @ known.mean(1).T).argmax(-1)


def by_mean_distances(new, known):
    away = torch.cdist(new, known.flatten(0, 1)).unflatten(1, known.shape[:2])
    return away.mean(-1).argmin(-1)


def from_one_on(new, known):
    return torch.cdist(new, known.mean(1)).argmin(-1) + 1


def distances(new, known):
    return torch.cdist(new, known.mean(1)).min(-1).values


def truth_values(new, known):
    away = new[:, None] - known.mean(1)
    return (away**2).sum(-1).argmin(-1).astype(bool)


def always_the_first(new, known):
    return np.zeros(len(new), dtype=bool)


ATTEMPTS = {
    "block": {
        in_one_line: RIGHT,
        from_a_list: RIGHT,
        with_tensors: RIGHT,
        loop_with_one_norm: "norm_1 both times",
        tutorial: "Yours is a pre-norm block",
        norm_of_the_part: "First the sum, then the norm",
        plus_equals: "writes into X",
        after_the_mlp: "what you add and normalise after the MLP.)",
        minus: "(attend gives 0 here: look at the second half",
        halves: "On other norms: with layer norms your block is right",
        last_norm_twice: "On other norms: with layer norms your block is right",
        keeping(reference.block): "s something kept between calls",
        rounded(reference.block): "right to two or three digits",
        unpacking_weights: "Look at what attend gives: is it that",
    },
    "pre_norm_block": {
        pre_in_one_line: RIGHT,
        pre_with_a_running_sum: RIGHT,
        pre_with_tensors: RIGHT,
        under_one_name: "add what was normalised",
        lectures: "the block of the first Transformer",
        attention_over_features: "features look at features",
        too_early: "(mlp gives 0 here: look at the first half",
        norm_of_a_norm: "Does the MLP read what the first half",
        pre_norm_of_doubles: "On other norms: with layer norms your block is right",
        keeping(reference.pre_norm_block): "s something kept between calls",
        rounded(reference.pre_norm_block): "right to two or three digits",
        three_times_X: "attend takes the vectors alone: attend(X).",
    },
    "block_weights": {
        weights_by_shapes: RIGHT,
        weights_in_loops: RIGHT,
        weights_of_a_layer: RIGHT,
        with_another("attention", lambda D, H: 4 * D * D + 4 * D): "Ours has none.",
        with_another("attention", lambda D, H: 5 * D * D): "W_K, W_V and W_O",
        with_another("mlp", lambda D, H: D * H + H + D): "There are W_1 and W_2.",
        with_another("mlp", lambda D, H: D * H): "you leave out the biases b_1 and b_2",
        with_another("norms", lambda D, H: 2 * D): "one norm, or one vector",
    },
    "nearest_sense": {
        senses_in_loops: RIGHT,
        senses_with_torch: RIGHT,
        senses_by_products: RIGHT,
        to_the_nearest_vector: "nearest single vector",
        by_dot_products: "compare by dot products",
        by_mean_distances: "average the distances",
        by_medians: "its distances to the mean vectors",
        from_one_on: "the whole numbers from 0 to 1;",
        distances: "a sense that does not exist: 3.124.",
        truth_values: "you give True and False; expected are whole numbers",
        always_the_first: "you give new[0] the sense 0;",
    },
}
