"""Source as the book shows it, the idea first.

    def forward(self, X, visible=None):  # (N_X, D) -> (N_X, D), A (N_X, N_X)

Types are left out, and the shapes they hold become one comment; axes of a batch, which
any number of may come first, are left out of it where they are in the way. Of a
docstring the first paragraph stays. Calls of `check_*`, which refuse bad input, are
left out.
"""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any, get_args, get_origin

WIDTH = 88
CONTAINERS = {"list": "list", "Sequence": "list", "dict": "dict"}
BROADCASTS = "..."  # a mask's axes begin with it: its shape says nothing
Edit = tuple[int, int, list[str]]  # the first line, the last, and what replaces them


def listing(thing: Any) -> str:
    """Give the source of a function or class as the book shows it."""
    text = textwrap.dedent(inspect.getsource(thing)).rstrip()
    lines, known = text.splitlines(), vars(inspect.getmodule(thing))
    edits = sorted(_edits(ast.parse(text), text, known), reverse=True)
    for first, last, shown in edits:
        lines[first - 1 : last] = shown
    return "\n".join(lines)


def _edits(node: ast.AST, text: str, known: Mapping[str, Any]) -> Iterator[Edit]:
    if isinstance(node, ast.FunctionDef):
        yield _header(node, text, known)
    if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node):
        yield _docstring(node)
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt) and _checks(child):
            yield child.lineno, child.end_lineno or child.lineno, []
        elif isinstance(child, ast.AnnAssign) and not isinstance(node, ast.ClassDef):
            yield _untyped(child, text)
        else:
            yield from _edits(child, text, known)


def _checks(statement: ast.stmt) -> bool:
    """Whether a statement calls a check, and does nothing else."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))):
            return name.lstrip("_").startswith("check_")
        case ast.If(body=body, orelse=[]):
            return all(map(_checks, body))
    return False


def _untyped(node: ast.AnnAssign, text: str) -> Edit:
    if not node.value:
        return node.lineno, node.end_lineno or node.lineno, []
    line = text.splitlines()[node.value.lineno - 1].encode()
    value = line[node.value.col_offset :].decode()
    shown = f"{' ' * node.col_offset}{ast.unparse(node.target)} = {value}"
    return node.lineno, node.value.lineno, [shown]


def _docstring(node: ast.FunctionDef | ast.ClassDef) -> Edit:
    doc, indent = node.body[0], " " * node.body[0].col_offset
    summary, *_ = (ast.get_docstring(node) or "").split("\n\n")
    summary = f'"""{summary.strip()}"""'
    shown = textwrap.indent(summary, indent).splitlines()
    if max(map(len, shown)) > WIDTH:
        shown = _filled(summary.split(), indent)
    return doc.lineno, doc.end_lineno or doc.lineno, shown


def _header(node: ast.FunctionDef, text: str, known: Mapping[str, Any]) -> Edit:
    lines, indent = text.splitlines(), " " * node.col_offset
    ends = [getattr(part, "end_lineno", 0) for part in ast.walk(node.args)]
    last = max(node.lineno, getattr(node.returns, "end_lineno", 0), *ends)
    while not re.search(r":\s*(#.*)?$", lines[last - 1]):
        last += 1
    bare = _bare(node.args, text)
    shown = [f"{indent}def {node.name}({bare}):"]
    if len(shown[0]) > WIDTH:
        inside = _filled(bare.split(), f"{indent}    ")
        shown = [f"{indent}def {node.name}(", *inside, f"{indent}):"]
    inputs, outputs = _shapes(node, known)
    arrow = [f"-> {', '.join(outputs)}"] if outputs else []
    parts = [f"{each}," for each in inputs[:-1]] + inputs[-1:] + arrow
    said = " ".join(parts)
    if len(shown) == 1 and len(f"{shown[0]}  # {said}") <= WIDTH:
        shown = [f"{shown[0]}  # {said}"] if said else shown
    else:
        shown += _filled(parts, f"{indent}    # ")
    return node.lineno, last, shown


def _bare(args: ast.arguments, text: str) -> str:
    """Arguments without types, and with their defaults as they were typed."""

    def typed(default: ast.expr) -> ast.expr:
        return ast.Name(ast.get_source_segment(text, default) or "")

    args = deepcopy(args)
    for each in ast.walk(args):
        if isinstance(each, ast.arg):
            each.annotation = None
    args.defaults = [typed(each) for each in args.defaults]
    args.kw_defaults = [each and typed(each) for each in args.kw_defaults]
    return ast.unparse(args)


def _filled(words: Iterable[str], indent: str) -> list[str]:
    """Lines of words, as long as the page is wide."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + 1 + len(word) <= WIDTH:
            lines[-1] += f" {word}"
        else:
            lines.append(indent + word)
    return lines


def _shapes(
    node: ast.FunctionDef, known: Mapping[str, Any]
) -> tuple[list[str], list[str]]:
    """What a signature says of shapes: of the arguments, and of the results."""
    given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    types = {each.arg: _type(each.annotation, known) for each in given}
    result = _type(node.returns, known)
    several = get_origin(result) is tuple and ... not in get_args(result)
    results = get_args(result) if several else [result]
    arrays = [*_arrays(*types.values(), *results)]
    if not any(arrays):
        return [], []
    short = _may_be_short(arrays)
    shapes = {name: _shape(each, short) for name, each in types.items()}
    shapes = {name: shape for name, shape in shapes.items() if shape}
    N_optional = len(node.args.defaults) + sum(map(bool, node.args.kw_defaults))
    alone = len(types.keys() - {"self"}) - N_optional == len(shapes) == 1
    inputs = [each if alone else f"{name} {each}" for name, each in shapes.items()]
    outputs = []
    for place, each in enumerate(results):
        name = _returned(node, place, len(results)) if several else ""
        outputs.append(f"{name} {_shape(each, short)}".strip())
    return inputs, [each for each in outputs if each]


def _type(annotation: ast.expr | None, known: Mapping[str, Any]) -> Any:
    """What an annotation stands for; None if only a type checker knows."""
    try:
        return annotation and eval(ast.unparse(annotation), dict(known))
    except (NameError, AttributeError):
        return None


def _arrays(*types: Any) -> Iterator[list[str]]:
    """The axes of every array in types; none of a mask that broadcasts."""
    for each in types:
        if hasattr(each, "dim_str"):
            axes = each.dim_str.replace("#", "").split()
            if axes[:1] != [BROADCASTS]:
                yield axes
        elif get_origin(each) is not Callable:
            yield from _arrays(*(part for part in get_args(each) if part is not ...))


def _may_be_short(arrays: list[list[str]]) -> bool:
    """Whether shapes can be told apart without the axes `*axes` of a batch."""
    batched = [axes for axes in arrays if axes and axes[0].startswith("*")]
    least = 1 if len(batched) == len(arrays) else 2
    return all(len(axes) > least for axes in batched)


def _shape(kind: Any, short: bool) -> str:
    """The shape of an array, or of those in a list or dict; "" if there are none."""
    arrays = [*_arrays(kind)]
    if len(arrays) != 1:
        return ""
    axes = [BROADCASTS if each.startswith("*") else each for each in arrays[0]]
    if short and axes[:1] == [BROADCASTS]:
        axes = axes[1:]
    comma = "," if len(axes) == 1 and axes != [BROADCASTS] else ""
    shape = f"({', '.join(axes)}{comma})"
    container = CONTAINERS.get(getattr(get_origin(kind), "__name__", ""))
    return f"{container} of {shape}" if container else shape


def _returned(node: ast.FunctionDef, place: int, N: int) -> str:
    """The name that a part of the result has where it is returned; "" if none."""
    values = [each.value for each in ast.walk(node) if isinstance(each, ast.Return)]
    parts = [
        each.elts[place]
        for each in values
        if isinstance(each, ast.Tuple) and len(each.elts) == N
    ]
    names = {ast.unparse(each) for each in parts} - {"None"}
    name = names.pop() if len(names) == 1 else ""
    return name if re.fullmatch(r"[^\W\d]\w*|\((\w+(, )?)+\)", name) else ""
