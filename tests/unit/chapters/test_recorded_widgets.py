"""Every chapter's widgets open, fed from the recorded runs as on the page."""

from inspect import getmembers, isfunction

import pytest

from attention_book.parts import modules
from attention_book.widgets import Widget

MAKERS = [
    pytest.param(make, id=f"{chapter}-{name}")
    for chapter, module in modules("widgets")
    for name, make in getmembers(module, isfunction)
    if make.__module__ == module.__name__ and not name.startswith("_")
]


def test_there_are_widgets():
    assert len(MAKERS) >= 5


@pytest.mark.parametrize("make", MAKERS)
def test_a_chapters_widget_opens_from_its_recordings(make):
    widget = make()
    assert isinstance(widget, Widget)
    assert widget.spec["link"], "its state cannot be shared as an address"
    assert widget.still()
