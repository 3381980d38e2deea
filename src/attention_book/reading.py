"""Read the book's own code inside the book: ``source(function)`` shows what a chapter is about to use."""

from __future__ import annotations

import ast
import inspect
import textwrap

from IPython.display import Markdown


def source(*things: object) -> Markdown:
    """Show the source of functions or classes, each docstring shortened to its first
    line.

    Raises
    ------
    TypeError
        Something that has no Python source, such as a number or a built-in.
    """
    if not things:
        raise TypeError("source() needs at least one function or class")
    shown = "\n\n\n".join(map(_shortened, things))
    return Markdown(
        f"From `{inspect.getmodule(things[0]).__name__}`:\n\n```python\n{shown}\n```"
    )


def _shortened(thing: object) -> str:
    lines = textwrap.dedent(inspect.getsource(thing)).rstrip().splitlines()
    for node in reversed(list(ast.walk(ast.parse("\n".join(lines))))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node):
            doc = node.body[0]
            indent = " " * doc.col_offset
            first = ast.get_docstring(node).splitlines()[0]
            lines[doc.lineno - 1 : doc.end_lineno] = [f'{indent}"""{first}"""']
    return "\n".join(lines)
