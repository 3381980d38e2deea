"""A cell that ran can be run again: no later cell has given its names another value."""

import ast
import symtable
from collections import defaultdict
from copy import copy

import nbformat
import pytest
from notebooks.test_plain import NOTEBOOKS, code_cells, ids


def bound_and_read(code):
    """Names that a piece of code binds at the top, and those it reads from there."""
    inside = [symtable.symtable(ast.unparse(code), "cell", "exec")]
    bound = {n for n in inside[0].get_symbols() if n.is_assigned() or n.is_imported()}
    read = {n for n in inside[0].get_symbols() if n.is_referenced()}
    for table in inside:
        inside += table.get_children()
    for table in inside[1:]:
        read |= {n for n in table.get_symbols() if n.is_global()}
    if isinstance(code, ast.AugAssign):
        read |= bound
    return {n.get_name() for n in bound}, {n.get_name() for n in read}


def in_order(statements):
    """(names bound, names read, code) as they are run; of a loop, its head."""
    for code in statements:
        if not isinstance(code, ast.For | ast.With | ast.If):
            yield *bound_and_read(code), ast.unparse(code)
            continue
        head = copy(code)
        head.body, head.orelse = [ast.Pass()], []
        yield *bound_and_read(head), ast.unparse(head)
        yield from in_order([*code.body, *getattr(code, "orelse", [])])


def rebound(cells):
    """Sentences on names that a cell reads and the same or a later one binds anew."""
    made, readers = defaultdict(set), defaultdict(list)
    for cell in cells:
        own, binds = set(), {}
        for bound, read, code in in_order(ast.parse(cell.source).body):
            for name in sorted((read - own) & made.keys()):
                readers[name].append(cell.id)
            own |= bound
            binds |= dict.fromkeys(bound, code)
        for name, code in binds.items():
            if name != "_" and readers[name] and code not in made[name]:
                yield f"{cell.id} binds {name} anew; {readers[name]} read the old one"
            made[name].add(code)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=ids)
def test_no_cell_takes_a_name_from_one_before_it(path):
    cells = [c for c in code_cells(path) if "colab" not in c.metadata.get("tags", [])]
    assert not [*rebound(cells)]


@pytest.mark.parametrize(
    ("sources", "wrong"),
    [
        (["x = 1", "print(x)", "x = 2"], ["c"]),
        (["x = 1", "def f(): return x", "x = 2\nf()"], ["c"]),
        (["x = 1", "x = x + 1"], ["b"]),
        (["x = 1", "for k in range(3):\n    x = x + k"], ["b"]),
        (["x = 1", "x += 1"], ["b"]),
        (["x = 1", "x = 1", "print(x)", "x = 1"], []),
        (["x = 1\nprint(x)", "x = 2\nprint(x)"], []),
        (["x = 1", "for x in 'ab':\n    print(x)"], []),
        (["x = 1", "print([x for x in 'ab'])", "x = 2"], []),
        (["import x", "print(x)", "def x(): pass"], ["c"]),
        (["x = 1", "print(x)", "for x in 'ab':\n    pass"], ["c"]),
        (["x = 1", "print(x)", "with open('a') as x:\n    pass"], ["c"]),
        (["for x in 'ab':\n    print(x)", "for x in 'ab':\n    print(-x)"], []),
    ],
)
def test_a_name_with_two_values_is_found(sources, wrong):
    pairs = zip("abcd", sources, strict=False)
    cells = [nbformat.v4.new_code_cell(source, id=name) for name, source in pairs]
    assert [found.partition(" ")[0] for found in rebound(cells)] == wrong
