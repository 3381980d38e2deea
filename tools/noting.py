"""Notes, inside a notebook's kernel, which files of the package the notebook uses.

`execution.py` runs this text before the first cell, with `report` set to the file that
the names are written to after each cell. A module counts when it is loaded, a file when
it is opened, a folder when its contents are listed by anything but the import system.
"""

import json
import os
import sys

PACKAGE = "attention_book"
opened, walked = set(), set()


def note(event, arguments):
    """Audit hook: must be quick, raises nothing, opens nothing."""
    if event == "open":
        noted = opened
    elif event in ("os.listdir", "os.scandir"):
        if "importlib" in sys._getframe(1).f_code.co_filename:
            return  # looking for one module; what was found is in sys.modules
        noted = walked
    else:
        return
    if isinstance(arguments[0], (str, bytes, os.PathLike)):
        path = os.fsdecode(arguments[0])
        if PACKAGE in path:
            noted.add(os.path.abspath(path))


def modules():
    """Files of the package's modules that are loaded."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == PACKAGE and getattr(module, "__file__", None):
            yield module.__file__


def write(*_):
    """Write all names noted so far."""
    names = {"opened": sorted({*opened, *modules()}), "walked": sorted(walked)}
    with open(report, "w", encoding="utf8") as file:
        json.dump(names, file)


sys.addaudithook(note)
get_ipython().events.register("post_run_cell", write)
write()
