"""The ids of [PAD], [START] and [STOP] are written once, in `shapes`."""

import ast
from pathlib import Path

import attention_book

ROOT = Path(attention_book.__file__).parent
SPECIAL = {"PAD", "START", "STOP"}


def assigned(path):
    """Names that a module gives a value at its top."""
    statements = ast.parse(path.read_text("utf-8")).body
    targets = [
        target
        for statement in statements
        if isinstance(statement, ast.Assign)
        for target in statement.targets
    ]
    names = [name for target in targets for name in ast.walk(target)]
    return {name.id for name in names if isinstance(name, ast.Name)}


def test_nobody_else_writes_them():
    writers = {path.name for path in ROOT.rglob("*.py") if assigned(path) & SPECIAL}
    assert writers == {"shapes.py"}
