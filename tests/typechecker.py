"""The checker of the shapes in our signatures: beartype, an int being a float, too."""

from contextlib import contextmanager

import jaxtyping
from beartype import BeartypeConf, beartype

check = beartype(conf=BeartypeConf(is_pep484_tower=True))


@contextmanager
def unchecked():
    """Without the checks, as for a reader, and a hundred times as fast."""
    jaxtyping.config.update("jaxtyping_disable", True)
    try:
        yield
    finally:
        jaxtyping.config.update("jaxtyping_disable", False)
