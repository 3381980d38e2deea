"""Print the path of a Chromium for the browser tests: the one in BROWSER_PATH, the
system's, or one that is fetched.

Its headless shell is preferred: the same engine without windows that nobody sees, which
take two thirds of the time to open a page. On Debian, as root or with a sudo that asks
for nothing, that is installed, else the system's Chromium is taken. Without one it is
Playwright's, with the system's libraries where that is allowed. Without any, one line
says what to install; the tests that need none run all the same.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
ADVICE = (
    "install Chromium (Debian: sudo apt install chromium-headless-shell; elsewhere: "
    ".venv/bin/playwright install --with-deps chromium), or name one: BROWSER_PATH=..."
)


def succeeds(*command: str) -> bool:
    """Run a command without a word; True if it is there and did well."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        return subprocess.call(command, stdin=subprocess.DEVNULL, **quiet) == 0
    except OSError:  # no such program
        return False


def of_the_system(*names: str) -> str | None:
    """Path of a browser, or of one of these, that is installed and starts, or None."""
    found = [shutil.which(name) for name in names or NAMES] + [*MAC] * (not names)
    # Ubuntu's chromium-browser outside a desktop only says that it is a snap
    starts = (path for path in found if path and succeeds(path, "--version"))
    return next(starts, None)


def as_root() -> list[str] | None:
    """What makes a command root's without asking for a word; None if nothing does."""
    if os.geteuid() == 0:
        return []
    return ["sudo", "-n"] if succeeds("sudo", "-n", "true") else None


def of_the_machine() -> str | None:
    """Path of the system's Chromium, on Debian with its shell installed if allowed."""
    root = as_root()
    if root is not None and is_debian():
        print("Installing Chromium's headless shell ...", file=sys.stderr)
        apt = (*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-y")
        succeeds(*apt, "update")
        install = (*apt, "install", "--no-install-recommends")
        if not succeeds(*install, SHELL) and not of_the_system():  # an older Debian
            succeeds(*install, "chromium")
    return of_the_system()


def is_debian() -> bool:
    """Whether Debian's packages can be had."""
    if sys.platform != "linux" or not shutil.which("apt-get"):
        return False
    return platform.freedesktop_os_release().get("ID") == "debian"


def of_playwright() -> str | None:
    """Path of Playwright's Chromium, fetched if need be; None if it cannot be had."""
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    if not os.path.exists(path):
        print("Fetching a Chromium for the browser tests ...", file=sys.stderr)
        install = (str(Path(sys.executable).with_name("playwright")), "install")
        if as_root() is None or not succeeds(*install, "--with-deps", "chromium"):
            succeeds(*install, "chromium")
    return path if succeeds(path, "--version") else None


def main() -> int:
    """Print the path, or on stderr the advice; 1 if BROWSER_PATH is no program."""
    wanted = os.environ.get("BROWSER_PATH")
    if wanted and not os.access(wanted, os.X_OK):
        print(f"BROWSER_PATH={wanted} is not a program", file=sys.stderr)
        return 1
    path = wanted or of_the_system(SHELL) or of_the_machine() or of_playwright()
    print(path or "")
    if not path:
        print(f"No browser: {ADVICE}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
