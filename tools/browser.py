"""Print the path of a Chromium for the browser tests: the one in BROWSER_PATH, the system's, or Playwright's own.

Playwright's is fetched when there is no other. Without any, say what to install: the browser tests are then skipped,
except under CI, where a missing browser is a failure.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
ADVICE = (
    "No Chromium for the browser tests. Debian, Ubuntu: sudo apt install chromium; or BROWSER_PATH=/path/to/chromium"
)


def of_the_system() -> str | None:
    """Path of a browser that is installed, or None."""
    found = (shutil.which(name) for name in NAMES)
    return next((path for path in (*found, *MAC) if path and os.access(path, os.X_OK)), None)


def of_playwright() -> str | None:
    """Path of Playwright's Chromium, fetched if need be; None if it cannot be had."""
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    if not os.path.exists(path):
        print("Fetching a Chromium for the browser tests ...", file=sys.stderr)
        install = [str(Path(sys.executable).with_name("playwright")), "install", "chromium"]
        subprocess.run(install, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return path if os.path.exists(path) else None


def main() -> int:
    """Print the path, or the advice; 1 when a browser is a must and there is none."""
    wanted = os.environ.get("BROWSER_PATH")
    if wanted and not os.access(wanted, os.X_OK):
        print(f"BROWSER_PATH={wanted} is not a program", file=sys.stderr)
        return 1
    path = wanted or of_the_system() or of_playwright()
    print(path or "")
    if not path:
        print(ADVICE, file=sys.stderr)
    return int(not path and os.environ.get("CI") == "true")


if __name__ == "__main__":
    sys.exit(main())
