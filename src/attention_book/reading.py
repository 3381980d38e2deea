"""Read the book's own code inside the book: `source(function)` shows what is used."""

from __future__ import annotations

import ast
import inspect
import textwrap

from IPython.display import Markdown


def source(*things: object) -> Markdown:
    """Show the source of functions or classes, their docstrings without the details.

    Of each docstring the first paragraph is shown: what the thing does, in a sentence.

    Parameters
    ----------
    *things : functions or classes
        At least one.

    Returns
    -------
    IPython.display.Markdown

    Raises
    ------
    TypeError
        If there is nothing to show, or something has no Python source, such as a number
        or a built-in.
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
            summary = ast.get_docstring(node).split("\n\n")[0].strip()
            shown = textwrap.indent(f'"""{summary}"""', indent).splitlines()
            lines[doc.lineno - 1 : doc.end_lineno] = shown
    return "\n".join(lines)
