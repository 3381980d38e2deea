"""Make the virtual environment the book is built in: `.venv`, with torch's CPU build
and the pinned requirements.

Run by the system's Python (standard library only), so every complaint is one line that
says what to do. A stamp written last makes the next run instant; a run that was stopped
half-way leaves no stamp, and the next one goes on from there.
"""

import errno
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, os.environ.get("VENV", ".venv"))
BIN = os.path.join(VENV, "bin")
PYTHON = os.path.join(BIN, "python")
STAMP = os.path.join(VENV, ".attention-book")
LOG = os.path.join(ROOT, "_build", "setup.log")
NEEDED_GB = 4
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
FULL = "The disk is full: free some space and run the same command again."
FULL_WORDS = re.compile(r"No space left on device|Errno 28|ENOSPC|Disk quota exceeded")
MISSING_WORDS = re.compile(
    r"(?:satisfies the requirement|No matching distribution found for) (\S+)"
)
OFFLINE_WORDS = re.compile(
    r"Max retries|NewConnection|name resolution|timed out|ProxyError"
    r"|ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|failed, reason"
)
# JupyterLab saves its figures, too, so that they are there when a notebook is opened
# again without its kernel; else each of them reads "model not found".
LAB_SETTINGS = {"@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": True}}
# A package whose files are not all there was being written when an earlier run was
# stopped: make pip forget it.
FORGET = """
import importlib.metadata, shutil
for d in list(importlib.metadata.distributions()):
    code = [f for f in d.files or () if f.suffix in (".py", ".so")]
    if d.files is None or not all(f.locate().exists() for f in code):
        shutil.rmtree(d._path)
"""


class Trouble(Exception):
    """Something the reader can do something about; the message is one line."""


def complaint(output, what):
    """Turn the output of a failed pip or npm into one line."""
    if FULL_WORDS.search(output):
        return FULL
    missing, offline = MISSING_WORDS.search(output), OFFLINE_WORDS.search(output)
    if missing or offline:
        name = missing.group(1) if missing else what
        why = (
            "the network or the package index does not answer"
            if offline
            else "the package index does not have it"
        )
        again = "Run the same command again once it does: it resumes."
        return f"Could not fetch {name}: {why}. {again}"
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return f"Could not install {what}: {lines[-1] if lines else 'no output'}"


def run(what, *command, must=True):
    """Run a command, log its output; when it fails False, or Trouble if it `must`."""
    with open(LOG, "ab+") as log:
        log.write(f"\n$ {' '.join(command)}\n".encode())
        log.flush()
        start = log.tell()
        try:
            code = subprocess.call(
                command,
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        except OSError as error:  # not a program at all
            code = log.write(str(error).encode())
            log.flush()
        log.seek(start)
        line = complaint(log.read().decode("utf-8", "replace"), what)
    if code and (must or line == FULL):
        raise Trouble(f"{line} (Log: {os.path.relpath(LOG, ROOT)})")
    return code == 0


def pip(what, *arguments, must=True):
    """Install with the environment's pip."""
    command = (PYTHON, "-m", "pip", "install", "--disable-pip-version-check")
    return run(what, *command, *arguments, must=must)


def fingerprint():
    """Hash of what the environment is made from, and made again when that changes."""
    digest = hashlib.sha256((ROOT + json.dumps(LAB_SETTINGS)).encode())
    names = [
        "requirements.txt",
        "package-lock.json",
        "pyproject.toml",
        os.path.join(VENV, "pyvenv.cfg"),
    ]
    for name in names:
        with open(os.path.join(ROOT, name), "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def is_ready():
    """True when environment and node_modules are those the stamp was written for."""
    try:
        with open(STAMP) as file:
            stamp = file.read()
        return (
            os.path.isdir(f"{ROOT}/node_modules/katex")
            and os.path.exists(PYTHON)
            and stamp == fingerprint()
        )
    except OSError:
        return False


def check_machine():
    """Raise Trouble for too old a Python, a missing venv module, too small a disk."""
    if sys.version_info < (3, 11):  # noqa: UP036, the system's Python runs this file
        found = ".".join(map(str, sys.version_info[:2]))
        raise Trouble(
            f"Python 3.11 or newer is needed, and this is {found}: try `make book "
            "PYTHON=python3.11`."
        )
    if not importlib.util.find_spec("venv") or not importlib.util.find_spec(
        "ensurepip"
    ):
        raise Trouble(
            "Python's venv module is missing: on Debian or Ubuntu, `sudo apt install "
            "python3-venv`."
        )
    free = shutil.disk_usage(ROOT).free / 1e9
    if free < NEEDED_GB and not os.path.exists(PYTHON):
        raise Trouble(
            f"{NEEDED_GB} GB of disk are needed and {free:.1f} are free: free some "
            "space first."
        )


def make_venv():
    """Create the virtual environment, again if what is there does not run."""
    os.makedirs(os.path.dirname(LOG), exist_ok=True)
    probe = (PYTHON, "-c", "import pip, sys; sys.exit(sys.version_info < (3, 11))")
    if not os.path.exists(PYTHON) or not run("Python", *probe, must=False):
        print(f"Creating {os.path.relpath(VENV, ROOT)} ...", flush=True)
        run("Python's pip", sys.executable, "-m", "venv", "--clear", VENV)


def install_torch(torch):
    """Install torch (`torch==2.13.0`); on Linux the CPU build, a tenth of the size."""
    wanted = torch.split("==")[1]
    version = "importlib.metadata.version('torch').split('+')[0]"
    have = f"import importlib.metadata; assert {version} == '{wanted}'"
    if run(torch, PYTHON, "-c", have, must=False):
        return
    print(f"Installing {torch} ...", flush=True)
    if sys.platform.startswith("linux"):
        quick = ("--retries", "1", "--timeout", "15", torch + "+cpu")
        if pip(torch, *quick, must=False) or pip(
            torch, "--index-url", CPU_INDEX, *quick, must=False
        ):
            return
        print(
            "No CPU build within reach. Trying the default one, with CUDA (about 3 "
            "GB) ...",
            flush=True,
        )
    pip(torch, torch)


def install():
    """Install everything into the environment, then write the stamp."""
    with open(os.path.join(ROOT, "requirements.txt")) as file:
        pins = {
            re.split("[= ;]", line)[0].lower(): line.strip()
            for line in file
            if re.match(r"\w", line)
        }
    run("Python", PYTHON, "-c", FORGET)
    install_torch(pins["torch"])
    print(f"Installing {len(pins)} pinned packages ...", flush=True)
    pip("the packages of requirements.txt", "-r", "requirements.txt")
    pip("attention-book", "--no-deps", "--no-build-isolation", "-e", ROOT)
    folder = os.path.join(VENV, "share", "jupyter", "lab", "settings")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "overrides.json"), "w") as file:
        json.dump(LAB_SETTINGS, file)
    print("Installing KaTeX's css and fonts ...", flush=True)
    os.environ["PATH"] = BIN + os.pathsep + os.environ.get("PATH", "")
    # trust whom the machine trusts, as pip does
    os.environ.setdefault("NODE_USE_SYSTEM_CA", "1")
    npm = os.path.join(BIN, "npm")
    run("KaTeX", npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund")
    with open(STAMP, "w") as file:
        file.write(fingerprint())


def main():
    """Bring the environment up to date; 1, with a line on stderr, if that fails."""
    try:
        if not is_ready():
            check_machine()
            make_venv()
            install()
            print("Ready.", flush=True)
        return 0
    except Trouble as trouble:
        line = str(trouble)
    except OSError as error:
        line = FULL if error.errno in (errno.ENOSPC, errno.EDQUOT) else str(error)
    except KeyboardInterrupt:
        line = "Stopped. Run the same command again: it goes on from here."
    print(f"setup: {line}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
