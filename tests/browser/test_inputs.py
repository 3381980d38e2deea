"""An input leaves alone what stays the same, for every widget on every page."""

import pytest
from browser.hands import MOST
from browser.pages import MEASURE, WITH_WIDGETS


@pytest.mark.parametrize("path", WITH_WIDGETS)
def test_an_input_changes_little(path, site, open_page):
    page = open_page(f"{site}/{path}")
    page.locator(".aw").first.wait_for()
    page.evaluate(MEASURE)
    controls = page.evaluate("measure.inputs()")
    assert len(controls) == page.locator(".aw [data-control]").count()
    worst = {f"{c['widget']}, {c['control']}": max(c["changes"]) for c in controls}
    assert {name: most for name, most in worst.items() if most > MOST} == {}
    assert all(sum(c["changes"]) > 0 for c in controls), "an input that nothing answers"
