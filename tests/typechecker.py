"""The checker of the shapes in our signatures: beartype, an int being a float, too."""

from contextlib import contextmanager

import jaxtyping
from beartype import BeartypeConf, beartype

check = beartype(conf=BeartypeConf(is_pep484_tower=True))


@contextmanager
def unchecked():
    """Switch the checks off: what draws a corpus would take a hundred times as long."""
    jaxtyping.config.update("jaxtyping_disable", True)
    try:
        yield
    finally:
        jaxtyping.config.update("jaxtyping_disable", False)
