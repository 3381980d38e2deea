"""What all figures share: one script and style, a spec, a face without a kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import anywidget
import traitlets

from attention_book.widgets.compose import compose_module, stylesheet
from attention_book.widgets.static import inline_assets, network_html, static_html


class Mounted(anywidget.AnyWidget):
    """A figure that is alive in a kernel and on a page without one.

    `js/widget.mjs` draws every kind.

    A subclass says with `inside` what stands on the page before the script runs (and
    where it never does), and in `kept` which of its traits the page starts from.
    """

    _esm = compose_module()
    _css = stylesheet()
    spec = traitlets.Dict().tag(sync=True)
    kept: ClassVar[tuple[str, ...]] = ()
    carried: Mapping[str, Any] = {}  # networks that the page starts from

    def inside(self) -> str:
        """Return the HTML inside the frame, with every text escaped."""
        raise NotImplementedError

    def reserved(self) -> list[int] | None:
        """Return the height to keep free on the page, wide and narrow, in pixels.

        None where the text takes its own.
        """
        return None

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        bundle, metadata = super()._repr_mimebundle_(**kwargs)
        state = {name: getattr(self, name) for name in ("spec", *self.kept)}
        return bundle | {
            "text/html": static_html(state, self.inside(), self.reserved())
            + "".join(map(network_html, self.carried.values()))
            + inline_assets()
        }, metadata
