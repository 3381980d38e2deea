"""Measure again what a recording says of its kept weights."""

import numpy as np

from attention_book.runs.figures import leaves, plain
from attention_book.runs.recorded import RecordedRun

# The weights were rounded before they were measured, so the same figures come again. On
# another processor a close call between two words may fall otherwise; a test bucket
# holds 100 sentences or more, so one of them changes a share by this, at most.
A_SENTENCE = 0.01 + 1e-9  # sums are not exact
NONE = 0.002  # and this is close to none
EXAMINED = "examined"  # what needs more training, and goes another way elsewhere


def measured_again(run: RecordedRun) -> dict[str, float]:
    """Let the task measure the kept weights, and hold them to the recorded figures.

    Gives how far each figure is from the recorded one, of its scale: 0 to 100 for BLEU,
    else 0 to 1. ValueError if one is further away than a sentence in a hundred.
    """
    seed, recorded = next(iter(run.measured.items()))
    recorded = {name: one for name, one in recorded.items() if name != EXAMINED}
    then = dict(leaves(recorded))
    now = dict(leaves(plain(run.recipe.task.measure(run.model()))))
    differences = {}
    for path in then | now:
        # shares close to none are left out where they are measured, on either side
        was, came = then.get(path, 0.0), now.get(path, 0.0)
        name, scale = " / ".join(path), 100 if path[-1] == "bleu" else 1
        alike = np.shape(was) == np.shape(came)
        away = np.abs(np.subtract(came, was)).max() if alike else np.inf
        differences[name] = float(away) / scale
        if differences[name] > (A_SENTENCE if {path} <= then.keys() & now else NONE):
            raise ValueError(
                f"{run.recipe.name}, seed {seed}: {name} was recorded as {was}, but "
                f"the kept weights measure {came}, which is more than a sentence in a "
                "hundred away: the weights have changed, or the code that measures"
            )
    return differences
