"""Right ways to write the encoder block."""

from torch import nn


def in_two_lines(X, attend, mlp, norm_1, norm_2):
    """The two formulas."""
    Z = norm_1(X + attend(X))
    return norm_2(Z + mlp(Z))


def by_a_loop(X, attend, mlp, norm_1, norm_2):
    """The same step twice."""
    for layer, norm in ((attend, norm_1), (mlp, norm_2)):
        X = norm(layer(X) + X)
    return X


class Block(nn.Module):
    """A module, for tensors."""

    def __init__(self, attend, mlp, norm_1, norm_2):
        super().__init__()
        self.layers, self.norms = (attend, mlp), (norm_1, norm_2)

    def forward(self, X):
        """Both halves, one after the other."""
        for layer, norm in zip(self.layers, self.norms, strict=True):
            X = norm(X.add(layer(X)))
        return X


def as_a_module(X, attend, mlp, norm_1, norm_2):
    """Tensors: a module made on the spot."""
    return Block(attend, mlp, norm_1, norm_2).forward(X)


STYLES = {"block": (in_two_lines, by_a_loop, as_a_module)}
