"""The last line of a run without a browser: how many tests it did not run, and why.

Under CI such a run has failed, whatever else came out.
"""

import os

import pytest

NO_BROWSER = "no browser"


def not_run(skipped):
    """How many of the skipped tests lack a browser, and the reason they give."""
    reasons = [report.longrepr[2].removeprefix("Skipped: ") for report in skipped]
    lacking = [reason for reason in reasons if reason.startswith(NO_BROWSER)]
    return len(lacking), lacking[-1] if lacking else ""


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session):
    """Tell after all that pytest itself has to say."""
    yield
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    count, reason = not_run(reporter.stats.get("skipped", []))
    if count:
        reporter.ensure_newline()
        reporter.write_line(f"{count} tests did not run: {reason}", red=True)
        if os.environ.get("CI") == "true":
            session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED
