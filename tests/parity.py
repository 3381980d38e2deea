"""Ours against an oracle, in value and gradient."""

from functools import reduce

import torch

TORCHS_NAMES = {
    "layers.": "blocks.",
    "self_attn.": "attend.",
    "multihead_attn.": "cross.",
    "out_proj.weight": "W_O",
    "out_proj.bias": "b_O",
    "in_proj_weight": "W_",
    "in_proj_bias": "b_",
    "linear1.weight": "mlp.W_1",
    "linear1.bias": "mlp.b_1",
    "linear2.weight": "mlp.W_2",
    "linear2.bias": "mlp.b_2",
    **{f"norm{k}.": f"norm_{k}." for k in (1, 2, 3)},
    ".weight": ".gamma",
    ".bias": ".beta",
}


def leaf(*shape, scale=1.0):
    return (scale * torch.randn(*shape, dtype=torch.float64)).requires_grad_()


def agree(ours, theirs, tolerance=1e-12):
    """Hold tensors, or sequences or mappings of them, to each other."""
    torch.testing.assert_close(ours, theirs, atol=tolerance, rtol=0)


def slopes(Y, leaves):
    """Gradients of a fixed mixture of all outputs."""
    pull = torch.sin(torch.arange(Y.numel(), dtype=Y.dtype)).view_as(Y)
    return torch.autograd.grad((Y * pull).sum(), leaves)


def stirred(layer):
    """In double precision, with norms and biases that have learned something."""
    with torch.no_grad():
        for weights in layer.double().parameters():
            if weights.ndim == 1:
                weights.normal_()
    return layer


def all_slopes(Y, layer, **inputs):
    """Gradients by name: to the inputs, and to each weight."""
    of = inputs | dict(layer.named_parameters())
    return dict(zip(of, slopes(Y, [*of.values()]), strict=True))


def torchs_slopes(Y, twin, **inputs):
    """Those of torch's layer, as ours has its weights: x W, and each by itself."""
    found = {}
    for name, slope in all_slopes(Y, twin, **inputs).items():
        name = reduce(lambda a, names: a.replace(*names), TORCHS_NAMES.items(), name)
        slope = slope.T if slope.ndim == 2 else slope
        if name.endswith("_"):
            names = [f"{name}{letter}" for letter in "QKV"]
            found |= zip(names, slope.chunk(3, dim=-1), strict=True)
        else:
            found[name] = slope
    return found
