"""A folder that is complete or not there at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def in_place_of(folder: Path) -> Iterator[Path]:
    """A new folder to fill, which takes the place of the old one in the end; after an
    error the old one stays.

    No call of the system exchanges two folders everywhere. Between the two moves here a
    process may still be killed; both versions are then whole, in the hidden folder
    beside.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(
        dir=folder.parent, prefix=f".{folder.name}."
    ) as beside:
        new, old = Path(beside, "new"), Path(beside, "old")
        new.mkdir()
        yield new
        try:
            if folder.exists():
                os.replace(folder, old)
            os.replace(new, folder)
        except BaseException:
            if old.exists() and not folder.exists():
                os.replace(old, folder)
            raise
