"""What a notebook of the book needs in order to be read.

figure = start("attention")      the style, the figures' captions, kinder errors
source(function)                 the code that is used, without types and checks
solution(function, result=...)   the same folded, with what comes out
"""

from __future__ import annotations

import inspect
import linecache
import os
import re
import sys
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any

from IPython import get_ipython
from IPython.display import Markdown
from threadpoolctl import threadpool_limits

from attention_book.listing import listing
from attention_book.plots import Figure, figures, use_style

ABOVE = (
    "\N{BULLET} {name} is not there yet. Is it misspelt? If it is made in a cell "
    "further up, run those cells first: in JupyterLab Run, Run All Above Selected "
    "Cell; in Colab Runtime, Run before; in VS Code Execute Above Cells."
)


def start(chapter: str | None = None) -> Callable[[str], Figure] | None:
    """Begin a notebook: switch the style on and read its chapter's figures' captions.

    From then on a cell that uses a name before it is made says what to do. If PyTorch
    is imported already, it and NumPy compute with one thread, unless OMP_NUM_THREADS
    says how many: models as small as the book's gain nothing from a second, and lose
    much where the processor is shared.

    Parameters
    ----------
    chapter : str, optional
        Such as "attention"; left out by a page, which has no figures of its own.

    Returns
    -------
    function or None
        `figure(name)` shows what was drawn last, with the caption of that name; None
        without a chapter.
    """
    figure = None if chapter is None else figures(chapter)
    use_style()
    if "torch" in sys.modules and "OMP_NUM_THREADS" not in os.environ:
        sys.modules["torch"].set_num_threads(1)
        threadpool_limits(1)
    if shell := get_ipython():
        shell.set_custom_exc((NameError,), _say_what_to_run)
    return figure


def _say_what_to_run(
    shell: Any,
    kind: type[NameError],
    error: NameError,
    trace: TracebackType,
    tb_offset: int | None = None,
) -> list[str]:
    """Show a sentence for a name that the reader's cell lacks, else the traceback."""
    while trace.tb_next:
        trace = trace.tb_next
    if trace.tb_frame.f_globals is shell.user_ns and error.name:
        at = trace.tb_lineno
        line = linecache.getline(trace.tb_frame.f_code.co_filename, at).strip()
        shown = [ABOVE.format(name=error.name), f"Line {at}: {line}"]
    else:
        shown = shell.InteractiveTB.structured_traceback(
            kind, error, error.__traceback__, tb_offset=tb_offset
        )
    shell._showtraceback(kind, error, shown)
    return shown


def source(*things: object) -> Markdown:
    """Show the source of functions or classes, the idea first: see `listing`.

    It is shown without types, whose shapes become one comment, without the calls of
    checks, and with the first paragraph of each docstring.
    """
    return Markdown(_source(things))


def solution(
    *functions: object, result: object = None, title: str = "Show the solution"
) -> Markdown:
    """Show a worked solution that stays folded until the reader asks for it.

    The fold is part of the output, so that running all cells reveals nothing, wherever
    the notebook is open.

    Parameters
    ----------
    *functions : functions or classes
        Their source is shown.
    result : text, something that shows itself as HTML, or a list of those
        What comes out, below the source: tables, figures, sentences in Markdown.
    title : str
        What the reader sees of it before it is opened.
    """
    results = result if isinstance(result, list) else [result] * (result is not None)
    shown = [_source(functions)] if functions or not results else []
    shown += [_as_markdown(each) for each in results]
    inside = "\n\n".join(shown)
    return Markdown(
        f'<details class="solution"><summary>{title}</summary>\n\n'
        f"{inside}\n\n</details>"
    )


def _as_markdown(thing: object) -> str:
    if isinstance(thing, str):
        return thing
    if not hasattr(thing, "_repr_html_"):
        raise TypeError(
            f"result has {thing!r:.60}: expected a text, or a table, a figure or a "
            "claim, which show themselves as HTML"
        )
    return re.sub(r"\n\s*\n", "\n", thing._repr_html_())  # a blank line would end HTML


def _source(things: Iterable[object]) -> str:
    things = list(things)
    if not things:
        raise TypeError("there is nothing to show: expected a function or a class")
    shown = "\n\n\n".join(map(listing, things))
    return f"From `{inspect.getmodule(things[0]).__name__}`:\n\n```python\n{shown}\n```"
