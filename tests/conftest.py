"""Every test sees the package with the shapes in its signatures enforced."""

from jaxtyping import install_import_hook

install_import_hook(
    "attention_book", "typechecker.check"
)  # before the package is first imported

import jaxtyping  # noqa: E402
import pytest  # noqa: E402
import torch  # noqa: E402

torch.set_num_threads(1)


@pytest.fixture
def as_a_reader():
    """Switch the shape checks off, as they are for a reader: bad input must be named by our own errors."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)
