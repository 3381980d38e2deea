"""Recipes: what is trained, for how many steps, and what is kept, as data.

A recipe and a seed fix a run: the same losses follow on any machine, up to rounding. A
test replays the first steps of every recorded run, so a recipe cannot be changed
without recording it again. The recipes stand with their chapters, as `RECIPES` in
`chapters/*/recipes.py`, where `attention_book.recipes` finds them.
"""

from dataclasses import dataclass, is_dataclass

from attention_book.runs.task import Task
from attention_book.shapes import check_count


@dataclass(frozen=True)
class Recipe:
    """One experiment.

    `name` is that of the folder it is kept in. A seed fixes the first weights and the
    order of the batches. A `label_smoothing` takes the place of the task's own loss.
    Of the first seed the weights are kept, if `keep_weights`, and what `task.keep`
    gives after the steps `snapshot_at` and at the end. Of all seeds `task.watch` is
    kept every so many steps, if `watch_every` is not 0.
    """

    name: str
    task: Task
    steps: int
    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    learning_rate: float = 3e-3
    warmup_steps: int = 0
    label_smoothing: float = 0.0
    keep_weights: bool = False
    snapshot_at: tuple[int, ...] = ()
    watch_every: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.label_smoothing <= 1:
            raise ValueError(
                f"label_smoothing is {self.label_smoothing}, expected from 0 to 1"
            )
        if not (isinstance(self.task, Task) and is_dataclass(self.task)):
            raise TypeError(
                f"task is {self.task!r}, expected a dataclass that extends runs.Task"
            )
        check_count("watch_every", self.watch_every, 0, self.steps)
        if self.watch_every and type(self.task).watch is Task.watch:
            raise TypeError(
                f"task is {self.task!r}, expected one that writes watch(model), since "
                f"watch_every is {self.watch_every}"
            )
