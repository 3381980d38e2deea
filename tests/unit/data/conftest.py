"""Thousands of sentences are drawn here."""

import pytest
import typechecker


@pytest.fixture(scope="module")
def unchecked():
    """Draw without shape checks, which the grammar has not."""
    with typechecker.unchecked():
        yield
