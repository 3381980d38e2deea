"""Texts of questions, answers and verdicts: plain, but for `code` and *stress*.

`widgets/js/prose.mjs` cuts a text at the same places; there is no other markup, and no
text is ever read as HTML.
"""

from __future__ import annotations

import re
from html import escape
from typing import Any

# a card looks alike on the site, in JupyterLab, Colab and VS Code: its style travels
_EDGES = {
    "good": "var(--pst-color-success, #009e73)",
    "bad": "var(--pst-color-warning, #d55e00)",
    "open": "var(--pst-color-text-muted, #888)",
}
_CARD = (
    "margin: 0.5rem 0; padding: 0.5rem 0.9rem; border-left: 4px solid {}; "
    "border-radius: 0.25rem; color: inherit; "
    "background: var(--pst-color-surface, var(--jp-layout-color2, #8882))"
)
_CUT = re.compile(r"(`[^`]+`|\*[^\s*](?:[^*]*[^\s*])?\*)")


def parts(text: str) -> list[tuple[str, str]]:
    """Cut a text into (tag, words): the tag is "code", "em", or "" for plain words."""
    cut = _CUT.split(text)
    tags = [
        ("" if i % 2 == 0 else "code" if piece[0] == "`" else "em", piece)
        for i, piece in enumerate(cut)
    ]
    return [(tag, piece[1:-1] if tag else piece) for tag, piece in tags if piece]


def as_html(text: str) -> str:
    """Write a text as HTML."""
    return "".join(
        f"<{tag}>{escape(words)}</{tag}>" if tag else escape(words)
        for tag, words in parts(text)
    )


def check_said(name: str, text: Any) -> str:
    """Check that something is said."""
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a text, but came as {text!r:.80}")
    if not text.strip():
        raise ValueError(f"{name} is empty: expected a text")
    return text


def card(
    state: str, name: str, inside: str, attributes: str = "", layout: str = ""
) -> str:
    """Put HTML in a card whose edge is coloured "good", "bad" or "open".

    `name` is its class; `attributes` are more of them as HTML, `layout` more style.
    """
    style = _CARD.format(_EDGES[state]) + (f"; {layout}" if layout else "")
    return f'<div class="{name}" style="{style}"{attributes}>{inside}</div>'
