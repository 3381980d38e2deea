"""Find the text files of the chapters' packages, without importing a chapter."""

from importlib.util import find_spec
from pathlib import Path

PACKAGE = "attention_book.chapters"


def chapter_file(where: str | Path, name: str) -> Path:
    """Find a chapter's text file of this name, such as "questions.toml".

    `where` is the chapter ("attention"), or the file itself.
    """
    folders = _folders()
    by_name = isinstance(where, str) and not where.endswith(Path(name).suffix)
    paths = [each / where / name for each in folders] if by_name else [Path(where)]
    for path in paths:
        if path.is_file():
            return path
    known = sorted(
        path.parent.name for each in folders for path in each.glob(f"*/{name}")
    )
    raise ValueError(
        f"where is {str(where)!r}: expected a {Path(name).suffix[1:].upper()} file, or "
        f"one of {', '.join(map(repr, known))}"
    )


def _folders() -> list[Path]:
    """List the folders whose subfolders are chapters' packages."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.submodule_search_locations is None:
        raise ModuleNotFoundError(f"there is no package {PACKAGE}")
    return [Path(folder) for folder in spec.submodule_search_locations]
