"""The bug zoo: every check by its name, and the right solutions it must accept."""

from importlib import import_module
from pkgutil import iter_modules

from attention_book.exercises import styles, subjects
from attention_book.exercises.checking import Check


def _modules(package):
    return [import_module(f"{package.__name__}.{found.name}") for found in iter_modules(package.__path__)]


CHECKS = {
    thing.name: thing
    for module in _modules(subjects)
    for name, thing in vars(module).items()
    if name.startswith("check_") and isinstance(thing, Check)
}
STYLES = {name: functions for module in _modules(styles) for name, functions in module.STYLES.items()}
