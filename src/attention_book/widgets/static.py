"""Writes a widget as HTML: its state, a still picture in words for readers without JavaScript, and reserved height.

The inline copy of script and style stands between two comments, so that a page with its own copy can take it off.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from html import escape
from typing import Any

from attention_book.widgets.compose import compose_script, stylesheet

INLINE_OPEN, INLINE_CLOSE = "<!--attention-widget:inline-->", "<!--/attention-widget:inline-->"


def static_html(spec: dict[str, Any], data: bytes, index: Sequence[int], still: Sequence[str]) -> str:
    """Return the HTML that `mount.mjs` brings to life.

    Parameters
    ----------
    spec, data, index : the widget's state
    still : sentences that say what is shown
    """
    state = {"spec": spec, "data": base64.b64encode(data).decode("ascii"), "index": list(index), "focus": {}}
    wide, narrow = spec["height"]
    return (
        f'<div class="aw-host" data-attention-widget="{escape(spec["link"] or "")}" '
        f'style="--aw-wide:{wide}px;--aw-narrow:{narrow}px"><div class="aw">'
        f'<p class="aw-title">{escape(spec["title"])}</p>'
        + (f'<p class="aw-question">{escape(spec["question"])}</p>' if spec["question"] else "")
        + "".join(f'<p class="aw-still">{escape(line)}</p>' for line in still)
        + f'</div><script type="application/json">{safe_json(state)}</script></div>'
    )


def inline_assets() -> str:
    """Return style and script between the two comments."""
    return f"{INLINE_OPEN}<style>{stylesheet()}</style><script>{safe_script(compose_script())}</script>{INLINE_CLOSE}"


def safe_json(state: Any) -> str:
    """Write JSON that no HTML parser can leave by mistake."""
    return json.dumps(state, separators=(",", ":"), ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")


def safe_script(script: str) -> str:
    """Check that a script may stand inside a page.

    Raises
    ------
    ValueError : if it holds the end tag of a script
    """
    if "</script" in script.lower() or "<!--" in script:
        raise ValueError("the widgets' script holds '</script' or '<!--' and would end early inside a page")
    return script
