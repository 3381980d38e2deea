"""Write a model's calls down as a small program: plain data that a page can run.

    program = trace(model, look=(call, [short, longer]))
    places, data = pack(program, model.state_dict(), "float16")

`torch.export` notes which operations a call makes, on which weights. Axes in which the
two examples differ stay open. Attention weights are *taps*: each softmax over inputs is
named by the path of the module that asks for it, such as `decoder.blocks.0.cross`, so
that they can be read, and replaced, while the program runs
(`widgets/js/engine/network.mjs`).

The program belongs to the architecture. Weights trained anew only have to be packed
again.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
import torch
from torch import Tensor, fx, nn

from attention_book import shapes
from attention_book.networks.taps import Taps

Named = dict[str, Tensor]
Call = Callable[..., Named]
Traced = tuple[Call, Sequence[Named]]
Program = dict[str, Any]

# give back what they are given, where all numbers are float32 and nothing is trained
SAME = {"to", "clone", "dropout", "contiguous", "detach", "alias", "atleast_2d"}
BITS = {"bitwise_not", "and", "or"}
UNSEEN = {"dtype", "layout", "device", "pin_memory", "memory_format"}
PRECISIONS = {"float32": "<f4", "float16": "<f2", "int8": "i1"}


def trace(model: nn.Module, **calls: Traced) -> Program:
    """Write down what calls of a model do.

    Parameters
    ----------
    model : nn.Module
        In evaluation mode.
    **calls : (call, [inputs, inputs])
        `call(model, **inputs)` gives tensors by name. Of the two examples, the axes in
        which they differ stay open.

    Returns
    -------
    dict
        "functions": for each call its inputs, its nodes [name, operation, arguments],
        and which node is which output and which tap; "weights": the names of those that
        are used, as in `state_dict`.
    """
    model = readable(model)
    with shapes.unchecked():
        functions = {name: _function(model, *call) for name, call in calls.items()}
    nodes = json.dumps([each["nodes"] for each in functions.values()])
    weights = [name for name in model.state_dict() if json.dumps(name) in nodes]
    return {"functions": functions, "weights": weights}


def pack(
    program: Mapping[str, Any], state: Mapping[str, Tensor], precision: str = "float16"
) -> tuple[dict[str, list[Any]], bytes]:
    """Put a state's weights into one run of bytes, little-endian.

    Parameters
    ----------
    program : dict
        As `trace` gave it, for this model or one of the same architecture.
    state : dict
        A model's `state_dict()`.
    precision : "float32", "float16" or "int8"
        Of int8, matrices have a scale (float32) for each row, before their numbers;
        vectors stay float16. Whole numbers and masks are always float32.

    Returns
    -------
    dict, bytes
        For each weight [kind, where its bytes begin, shape], and all bytes.

    Raises
    ------
    ValueError
        If the precision is unknown, a weight is missing, or one is too large for it.
    """
    shapes.check_choice("precision", precision, PRECISIONS)
    parts, places, size = [], {}, 0
    for name in program["weights"]:
        if name not in state:
            raise ValueError(f"state has no {name!r}, which the traced model has")
        array = state[name].detach().cpu().numpy()
        kind = "float16" if precision == "int8" and array.ndim < 2 else precision
        kind = kind if array.dtype.kind == "f" else "float32"
        places[name] = [kind, size, [*array.shape]]
        parts.append(_bytes(name, array, kind))
        size += len(parts[-1])
    return places, b"".join(parts)


def readable(model: nn.Module) -> nn.Module:
    """Copy a model, each fast layer by the one that it is a faster twin of.

    The fast ones hand their weights to a kernel of torch, which shows none. The copy
    has the model's own tensors: it learns what the model learns.
    """
    own = {id(x): x for x in (*model.parameters(), *model.buffers())}
    model = deepcopy(model, own).eval()
    for part in model.modules():
        kind = type(part)
        if kind.__name__.startswith("Fast"):
            part.__class__ = kind.__base__
    return model


def _bytes(name: str, array: np.ndarray, kind: str) -> bytes:
    with np.errstate(over="ignore"):  # said below
        small = array.astype(PRECISIONS["float32" if kind == "int8" else kind])
    rounded = array.dtype.kind != "f" and (small != array).any()
    if rounded or not np.isfinite(small).all():
        raise ValueError(f"{name} holds numbers that {kind} cannot hold")
    if kind != "int8":
        return small.tobytes()
    rows = array.reshape(len(array), -1)
    scales = np.maximum(np.abs(rows).max(axis=1, keepdims=True), 1e-12) / 127
    numbers = np.rint(rows / scales).astype(PRECISIONS[kind])
    return scales.astype("<f4").tobytes() + numbers.tobytes()


class _Called(nn.Module):
    """One call as a module, which is what `torch.export` takes."""

    def __init__(self, model: nn.Module, call: Call, taps: Taps):
        super().__init__()
        self.model, self.call, self.taps = model, call, taps

    def forward(self, given: Named) -> Named:
        with self.taps:
            return self.call(self.model, **given)


def _function(model: nn.Module, call: Call, examples: Sequence[Named]) -> Program:
    one, other = examples
    if {n: x.dim() for n, x in one.items()} != {n: x.dim() for n, x in other.items()}:
        raise ValueError("the two examples of a call must have the same names and axes")
    free, taps = torch.export.Dim.DYNAMIC, Taps(model)
    open_axes = {
        name: {i: free for i, N in enumerate(x.shape) if other[name].shape[i] != N}
        for name, x in one.items()
    }
    with torch.no_grad():
        outputs, called = [*call(model, **one)], _Called(model, call, taps)
        exported = torch.export.export(
            called, (one,), dynamic_shapes=(open_axes,), strict=False
        )
    softmax = torch.ops.aten.softmax.int  # is seen even where nothing is made of it
    exported.graph.eliminate_dead_code(lambda n: n.is_impure() or n.target is softmax)
    inputs, weights, known = iter(one), model.state_dict(), {}
    specs = exported.graph_signature.input_specs  # of the first nodes
    for spec, node in zip(specs, exported.graph.nodes, strict=False):
        asked = spec.target is None
        name = next(inputs) if asked else str(spec.target).removeprefix("model.")
        if node.users and not asked and name not in weights:
            raise ValueError(f"a call uses {name}, which is no weight of the model's")
        known[node.name] = name
    graph = _graph(exported.graph_module, known)
    taken = Counter([*one, *weights, *(name for name, *_ in graph["nodes"]), "inf"])
    name, times = taken.most_common(1)[0]
    if times > 1:  # a program has one table for all
        raise ValueError(f"{name!r} is two of a call's weights, inputs and operations")
    softmaxes = [name for name, kind, _ in graph["nodes"] if kind == "softmax"]
    if len(softmaxes) != len(taps.paths):  # a kernel of torch's keeps them to itself
        raise ValueError(f"torch computes attention at once in {model!r:.80}")
    named = zip(taps.paths, softmaxes, strict=True)
    return {
        "inputs": [*one],
        "outputs": dict(zip(outputs, graph["outputs"], strict=True)),
        "taps": {path: node for path, node in named if path is not None},
        "nodes": graph["nodes"],
    }


def _graph(module: fx.GraphModule, known: dict[str, Any]) -> Program:
    """Write a graph as data: a text is a name; infinity has one, too."""

    def write(value: Any) -> Any:
        if isinstance(value, fx.Node):
            return known[value.name]
        if isinstance(value, list | tuple):
            return [write(each) for each in value]
        if isinstance(value, str):
            raise ValueError(
                f"{node.name} is given the text {value!r}: expected tensors and numbers"
            )
        return str(value) if value in (float("inf"), -float("inf")) else value

    inputs, nodes, outputs, alike = [], [], [], Counter[str]()
    for node in module.graph.nodes:
        name = node.name
        if node.op == "placeholder":
            inputs.append(known.setdefault(name, name))
        elif node.op == "get_attr":  # the body of a loop
            known[name] = _graph(module.get_submodule(str(node.target)), {})
        elif node.op == "output":
            outputs = write(node.args[0])
        else:
            operation, arguments = _operation(node)
            _check_kinds(node, operation)
            if operation in SAME:
                known[name] = write(node.args[0])
            elif not operation.startswith("_assert"):
                arguments = write(arguments)
                known[name] = (
                    f"{operation[:2]}{alike[operation[:2]]}"  # short in a page
                )
                alike[operation[:2]] += 1
                nodes.append([known[name], operation, arguments])
    return {"inputs": inputs, "outputs": outputs, "nodes": nodes}


def _check_kinds(node: fx.Node, operation: str) -> None:
    """Refuse what gives something else where all numbers are float32."""
    seen = [each.meta.get("val") for each in node.all_input_nodes]
    given = [x.dtype for x in seen if isinstance(x, Tensor)]
    if operation == "to" and _rank(given[0]) > _rank(made := node.meta["val"].dtype):
        raise ValueError(f"{node.name} makes {made} of {given[0]}: numbers would stay")
    if operation in BITS and {*given} != {torch.bool}:
        raise ValueError(f"{node.name} works on the bits of {given[0]}, expected bool")
    if operation == "index" and torch.bool in given[1:]:
        raise ValueError(f"{node.name} takes entries by a mask, expected by numbers")


def _rank(kind: torch.dtype) -> int:
    return kind.is_floating_point + (kind != torch.bool)


def _operation(node: fx.Node) -> tuple[str, list[Any]]:
    """The operation's name, and its arguments in the order of its schema."""
    target: Any = node.target
    if not hasattr(target, "_schema"):  # a loop, or Python's own on sizes
        return target.__name__, [*node.args]
    schema = target._schema.arguments
    given = dict(zip((each.name for each in schema), node.args, strict=False))
    wanted = [each for each in schema if each.name not in UNSEEN]
    given |= node.kwargs
    arguments = [given.get(each.name, each.default_value) for each in wanted]
    while arguments and arguments[-1] == wanted[len(arguments) - 1].default_value:
        arguments.pop()
    name = target._schema.name.removeprefix("aten::")
    if name == "gelu" and arguments[1:] == ["tanh"]:
        return "gelu_tanh", arguments[:1]
    return name.strip("_") if name.startswith("__") else name, arguments  # __and__
