"""KaTeX's renderer is waited for, and one that does not start is an error."""

import sys

import pytest
from sphinx.errors import ExtensionError
from sphinxcontrib import katex

from attention_book.site import math

LATE = """
import socket, time
time.sleep(0.2)
line = socket.socket(socket.AF_UNIX)
line.bind("katex.sock")
time.sleep(0.2)
line.listen()
line.accept()[0].sendall(b"here")
"""


@pytest.fixture
def renderer(monkeypatch):
    """Puts a Python program in the place of KaTeX's server."""

    def use(code):
        program = [sys.executable, "-c", code]
        monkeypatch.setattr(katex.KaTeXServer, "build_command", lambda socket: program)

    return use


def test_a_renderer_that_listens_late_is_waited_for(renderer, tmp_path):
    renderer(LATE)
    process, line = math._start_renderer(tmp_path, timeout=60)
    assert line.recv(4) == b"here"
    line.close()
    assert process.wait(timeout=60) == 0
    process.stdin.close()
    process.stdout.close()


@pytest.mark.parametrize(
    ("code", "timeout"), [("", 60), ("import time; time.sleep(60)", 0.2)]
)
def test_a_renderer_that_does_not_start_is_an_error(renderer, tmp_path, code, timeout):
    renderer(code)
    with pytest.raises(ExtensionError, match="renderer does not start"):
        math._start_renderer(tmp_path, timeout=timeout)
