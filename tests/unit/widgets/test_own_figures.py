"""The closer look at figures of a reader's own: what it tells one to type works."""

import re
from pathlib import Path

import nbformat

from attention_book.chapters.attention.widgets import own_sentence

PAGE = Path(__file__).resolve().parents[3] / "pages" / "reading-the-figures.ipynb"


def test_a_figure_is_heard_and_followed_as_the_page_says():
    cells = {cell.id: cell.source for cell in nbformat.read(PAGE, as_version=4).cells}
    (code,) = re.findall(r"(?s)```python\n(.*?)```", cells["own-linked"])
    names = {"own_sentence": own_sentence}
    exec(code, names)
    names["figure"].setting = {"English": "we are eating bread"}
    assert names["heard"].value == "we are eating bread"
