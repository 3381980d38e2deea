"""Every chapter's widgets open, fed from the recorded runs as on the page."""

import re
from inspect import getmembers, isfunction
from pathlib import Path

import pytest

from attention_book.registry import modules
from attention_book.widgets import Widget

ROOT = Path(__file__).parents[3]
# than a screen, or a phone's
LARGER = {"laboratory", "length_collapse", "misread"}
MAKERS = [
    pytest.param(make, id=f"{chapter}-{name}")
    for chapter, module in modules("widgets")
    for name, make in getmembers(module, isfunction)
    if name in getattr(module, "__all__", ())
    or (make.__module__ == module.__name__ and not name.startswith("_"))
]


def test_there_are_widgets():
    assert len(MAKERS) >= 5


@pytest.mark.parametrize("make", MAKERS)
def test_a_chapters_widget_opens_from_its_recordings(make):
    widget = make()
    assert isinstance(widget, Widget)
    assert widget.spec["link"], "its state cannot be shared as an address"
    assert widget.static_text()
    wide, narrow = widget.spec["height"]
    assert (wide <= 620 and narrow <= 760) == (make.__name__ not in LARGER)


@pytest.mark.parametrize("make", MAKERS)
def test_a_chapters_widget_stands_in_its_notebook(make):
    chapter = make.__module__.split(".")[-2]
    (notebook,) = (
        path
        for folder in (".", "chapters", "pages")
        for path in ROOT.glob(f"{folder}/*.ipynb")
        if re.sub(r"^\d+_", "", path.stem) == chapter
    )
    assert re.search(rf"\b{make.__name__}\(", notebook.read_text("utf-8"))
