"""How far training has come: a bar in a terminal, a line in a notebook, and in a log a
line now and then.

A notebook's last output is what the static page shows for ever. So there the line is
updated in place through one display handle and ends as plain text, such as `step
400/400 · loss 0.412 · 21 s`: no widget that would be dead on the page, no carriage
returns, nothing on stderr.
"""

import math
import sys
import time
from collections.abc import Callable

import torch
from torch import nn
from tqdm import tqdm

from attention_book.shapes import check_count
from attention_book.training.callbacks import Callback, Training

SECONDS_IN_A_NOTEBOOK, SECONDS_IN_A_LOG = 0.5, 30.0  # between two lines


class Progress(Callback):
    """Show the step, the loss (a running mean of the last steps) and the time; and with
    `say(model)`, what it gives every so many steps, such as one sentence's translation.

    The model is in evaluation mode and without gradients then.
    """

    def __init__(
        self, say: Callable[[nn.Module], str] | None = None, *, every: int = 100
    ):
        check_count("every", every)
        self.say, self.every = say, every

    def begin(self, training: Training) -> None:
        """Show an empty bar or line; a log has its first line later."""
        self.loss, self.began, self.said = math.nan, time.perf_counter(), ""
        self._shown = self.began
        self._handle = _notebook_line(self._line(training))
        self._pause = SECONDS_IN_A_NOTEBOOK if self._handle else SECONDS_IN_A_LOG
        in_terminal = self._handle is None and sys.stderr.isatty()
        self._bar = tqdm(total=training.steps, unit="step") if in_terminal else None

    def before(self, training: Training) -> None:
        """Count the step before this one."""
        if not training.losses:
            return
        loss = training.losses[-1]
        self.loss = loss if training.step == 1 else 0.95 * self.loss + 0.05 * loss
        if self.say is not None and training.step % self.every == 0:
            training.model.eval()
            with torch.no_grad():
                self.said = f" · {self.say(training.model)}"
        if self._bar is not None:
            self._bar.set_postfix_str(f"loss {self.loss:.3f}{self.said}", refresh=False)
            self._bar.total = training.steps  # a Budget estimates it anew
            self._bar.update()
        elif time.perf_counter() - self._shown > self._pause:
            self._show(training)

    def end(self, training: Training) -> None:
        """Leave the last line as it should stay."""
        if self._bar is not None:
            self._bar.close()
        else:
            self._show(training)

    def _line(self, training: Training) -> str:
        seconds = time.perf_counter() - self.began
        step = f"step {training.step}/{training.steps or '…'}"
        return f"{step} · loss {self.loss:.3f} · {seconds:.0f} s{self.said}"

    def _show(self, training: Training) -> None:
        self._shown = time.perf_counter()
        if self._handle is None:
            tqdm.write(self._line(training), file=sys.stderr)
        else:
            self._handle.update({"text/plain": self._line(training)}, raw=True)


def _notebook_line(text: str):
    """A display handle inside a Jupyter kernel, else None."""
    if "ipykernel" not in sys.modules:
        return None
    from IPython import get_ipython
    from IPython.display import display

    if not hasattr(get_ipython(), "kernel"):
        return None
    return display({"text/plain": text}, raw=True, display_id=True)
