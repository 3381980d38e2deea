"""Writes a widget as HTML: its state, what stands there for readers without JavaScript,
and reserved height.

The inline copy of script and style stands between two comments, so that a page with its
own copy can take it off.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from attention_book.widgets.compose import compose_script, stylesheet

INLINE_OPEN, INLINE_CLOSE = (
    "<!--attention-widget:inline-->",
    "<!--/attention-widget:inline-->",
)


def static_html(
    state: Mapping[str, Any], inside: str, reserved: Sequence[int] | None = None
) -> str:
    """Return the HTML that `mount.mjs` brings to life, with height reserved for the
    figure.

    The state holds the traits that the page starts from, `spec` among them; bytes are
    written in base64. `inside` is HTML for the frame until the script has run;
    `reserved` are pixels, wide and narrow.
    """
    spec = state["spec"]
    written = {name: _plain(value) for name, value in state.items()}
    height = "--aw-wide:{}px;--aw-narrow:{}px".format(*reserved) if reserved else ""
    return (
        f'<div class="aw-host" data-attention-widget="{escape(spec["link"])}" '
        f'style="{height}"><div class="aw">{inside}</div>'
        f'<script type="application/json">{safe_json(written)}</script></div>'
    )


def network_html(sent: Mapping[str, Any]) -> str:
    """Return a network as data inside the page: its program and weights, by its key."""
    state = {"program": sent["program"], "data": _plain(sent["data"])}
    return (
        f'<script type="application/json" data-attention-network="{sent["key"]}">'
        f"{safe_json(state)}</script>"
    )


def _plain(value: Any) -> Any:
    return (
        base64.b64encode(value).decode("ascii") if isinstance(value, bytes) else value
    )


def inline_assets() -> str:
    """Return style and script between the two comments."""
    script = safe_script(compose_script())
    style = stylesheet()
    return f"{INLINE_OPEN}<style>{style}</style><script>{script}</script>{INLINE_CLOSE}"


def safe_json(state: Any) -> str:
    """Write JSON that no HTML parser can leave by mistake."""
    return json.dumps(
        state, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).replace("<", "\\u003c")


def safe_script(script: str) -> str:
    """Check that a script may stand inside a page."""
    if "</script" in script.lower() or "<!--" in script:
        raise ValueError(
            "the widgets' script holds '</script' or '<!--' and would end early inside "
            "a page"
        )
    return script
