"""Print the path of a Chromium for the browser tests: the one in BROWSER_PATH, the
system's, or one that is fetched.

On Debian, as root or with a sudo that asks for nothing, its own is installed; elsewhere
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

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
ADVICE = (
    "install Chromium (Debian: sudo apt install chromium; elsewhere: "
    ".venv/bin/playwright install --with-deps chromium), or name one: BROWSER_PATH=..."
)


def succeeds(*command: str) -> bool:
    """Run a command without a word; True if it is there and did well."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        return subprocess.call(command, stdin=subprocess.DEVNULL, **quiet) == 0
    except OSError:  # no such program
        return False


def of_the_system() -> str | None:
    """Path of a browser that is installed and starts, or None."""
    found = (shutil.which(name) for name in NAMES)
    # Ubuntu's chromium-browser outside a desktop only says that it is a snap
    starts = (path for path in (*found, *MAC) if path and succeeds(path, "--version"))
    return next(starts, None)


def as_root() -> list[str] | None:
    """What makes a command root's without asking for a word; None if nothing does."""
    if os.geteuid() == 0:
        return []
    return ["sudo", "-n"] if succeeds("sudo", "-n", "true") else None


def of_debian() -> str | None:
    """Path of Debian's Chromium, installed for us; None elsewhere or if forbidden."""
    root = as_root()
    debian = sys.platform == "linux" and shutil.which("apt-get")
    if root is None or not debian:
        return None
    if platform.freedesktop_os_release().get("ID") != "debian":
        return None
    print("Installing Chromium with apt-get ...", file=sys.stderr)
    apt = (*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-y")
    succeeds(*apt, "update")
    succeeds(*apt, "install", "--no-install-recommends", "chromium")
    return of_the_system()


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
    path = wanted or of_the_system() or of_debian() or of_playwright()
    print(path or "")
    if not path:
        print(f"No browser: {ADVICE}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
