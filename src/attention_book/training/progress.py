"""How far training has come: a bar in a terminal, a line in a notebook, no log lines.

A notebook's last output is what the static page shows for ever. So there the line is
updated in place through one display handle and ends as plain text, such as `step
400/400 · loss 0.412 · 21 s`: no widget that would be dead on the page, no carriage
returns, nothing on stderr.
"""

import sys
import time

from tqdm import tqdm

SECONDS_BETWEEN_UPDATES = 0.5


class Progress:
    """Shows the step, the loss (a running mean of the last steps) and the time.

    Parameters
    ----------
    N_steps : int
        How many steps there will be.
    """

    def __init__(self, N_steps: int):
        self.N_steps, self.step, self.loss = N_steps, 0, float("nan")
        self.began = time.perf_counter()
        self._shown = self.began
        self._handle = _notebook_line(self.line())
        # disable=None: tqdm is silent by itself when stderr is no terminal
        self._bar = (
            None
            if self._handle
            else tqdm(total=N_steps, unit="step", file=sys.stderr, disable=None)
        )

    def line(self) -> str:
        """The plain-text line."""
        seconds = time.perf_counter() - self.began
        return (
            f"step {self.step}/{self.N_steps} · loss {self.loss:.3f} · {seconds:.0f} s"
        )

    def advance(self, loss: float) -> None:
        """Count one step."""
        self.step += 1
        self.loss = loss if self.step == 1 else 0.95 * self.loss + 0.05 * loss
        if self._bar is not None:
            self._bar.set_postfix_str(f"loss {self.loss:.3f}", refresh=False)
            self._bar.update()
        elif time.perf_counter() - self._shown > SECONDS_BETWEEN_UPDATES:
            self._refresh()

    def close(self) -> None:
        """Leave the last line as it should stay."""
        if self._bar is not None:
            self._bar.close()
        else:
            self._refresh()

    def _refresh(self) -> None:
        self._shown = time.perf_counter()
        self._handle.update({"text/plain": self.line()}, raw=True)


def _notebook_line(text: str):
    """A display handle inside a Jupyter kernel, else None."""
    if "ipykernel" not in sys.modules:
        return None
    from IPython import get_ipython
    from IPython.display import display

    if not hasattr(get_ipython(), "kernel"):
        return None
    return display({"text/plain": text}, raw=True, display_id=True)
