"""Every test sees the package with the shapes in its signatures enforced."""

import importlib.util
import pkgutil
from pathlib import Path

from jaxtyping import install_import_hook

PACKAGE, ROOM, WORDS = "attention_book", "data", "translation"


def checked():
    """Names of what is checked: all but the grammar, which draws a corpus in a million
    calls of functions without shapes, and would take eight times as long.
    """
    folder = Path(importlib.util.find_spec(PACKAGE).origin).parent
    rooms = {part.name for part in pkgutil.iter_modules([str(folder)])}
    parts = {part.name for part in pkgutil.iter_modules([str(folder / ROOM)])}
    assert ROOM in rooms
    assert WORDS in parts
    yield from (f"{PACKAGE}.{name}" for name in rooms - {ROOM})
    yield from (f"{PACKAGE}.{ROOM}.{name}" for name in parts - {WORDS})


install_import_hook(list(checked()), "typechecker.check")  # before the first import

import pytest  # noqa: E402
from hypothesis import settings  # noqa: E402
from missing_browser import pytest_sessionfinish  # noqa: E402, F401, a hook
from typechecker import unchecked  # noqa: E402

from attention_book.devices import one_thread  # noqa: E402

one_thread()
# its 200 ms for an example are a time, and no test of the book asserts one
settings.register_profile("book", parent=settings(), deadline=None)
settings.load_profile("book")


@pytest.fixture
def as_a_reader():
    """Switch the shape checks off, as they are for a reader, who sees our errors."""
    with unchecked():
        yield
