"""Right ways to put a block together, to count it, and to tell senses apart."""

import numpy as np
import torch

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


ATTEMPTS = {
    "block": {
        in_one_line: RIGHT,
        from_a_list: RIGHT,
        with_tensors: RIGHT,
    },
    "pre_norm_block": {
        pre_in_one_line: RIGHT,
        pre_with_a_running_sum: RIGHT,
        pre_with_tensors: RIGHT,
    },
    "block_weights": {
        weights_by_shapes: RIGHT,
        weights_in_loops: RIGHT,
        weights_of_a_layer: RIGHT,
    },
    "nearest_sense": {
        senses_in_loops: RIGHT,
        senses_with_torch: RIGHT,
        senses_by_products: RIGHT,
    },
}
