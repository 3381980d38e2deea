"""A claim says where its figures are from: what was read from a recorded run is traced
through the cells of each notebook.
"""

import ast
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted([*ROOT.glob("chapters/*.ipynb"), *ROOT.glob("pages/*.ipynb")])
OTHERWISE = {"model", "recipe", "buckets"}  # of a run, but no recorded figure


class Trace(ast.NodeVisitor):
    """Walks code in order; knows the names that hold recorded figures, and lists the
    claims: (line, are its figures recorded, does it say so).
    """

    def __init__(self):
        self.recorded, self.claims = set(), []

    def reads(self, node):
        if isinstance(node, ast.Attribute) and node.attr in OTHERWISE:
            return False
        if isinstance(node, ast.Attribute) and ast.unparse(node) == "runs.load":
            return True
        if isinstance(node, ast.Name):
            return node.id in self.recorded
        return any(map(self.reads, ast.iter_child_nodes(node)))

    def bind(self, target, recorded):
        if isinstance(target, ast.Name):
            change = self.recorded.add if recorded else self.recorded.discard
            change(target.id)
        elif isinstance(target, (ast.Subscript, ast.Attribute)):
            if recorded:
                self.bind(target.value, True)
        else:
            for part in ast.iter_child_nodes(target):
                self.bind(part, recorded)

    def visit_Assign(self, node):
        self.generic_visit(node)
        for target in node.targets:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = zip(target.elts, node.value.elts, strict=True)
            for name, reads in [(name, self.reads(value)) for name, value in pairs]:
                self.bind(name, reads)

    def visit_AugAssign(self, node):
        self.bind(node.target, self.reads(node.target) or self.reads(node.value))

    def visit_For(self, node):
        self.bind(node.target, self.reads(node.iter))
        self.generic_visit(node)

    def visit_comprehension(self, node):
        self.bind(node.target, self.reads(node.iter))

    def visit_FunctionDef(self, node):
        self.bind(ast.Name(node.name), any(map(self.reads, node.body)))

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr in {"append", "add"}:
            self.bind(node.func.value, any(map(self.reads, node.args)))
        if ast.unparse(node.func) == "claim":
            said = any(each.arg == "recorded" for each in node.keywords)
            self.claims.append((node.lineno, self.reads(node.args[2]), said))


def claims(code):
    trace = Trace()
    trace.visit(ast.parse(code))
    return trace.claims


def program(path):
    cells = nbformat.read(path, as_version=4).cells
    return "\n".join(
        cell.source
        for cell in cells
        if cell.cell_type == "code" and "colab" not in cell.metadata.get("tags", [])
    )


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_claim_says_whether_its_figures_are_recorded(path):
    code = program(path)
    for line, recorded, said in claims(code):
        assert recorded == said, code.splitlines()[line - 1 : line + 2]


def test_both_kinds_of_claims_are_found():
    found = [each for path in NOTEBOOKS for each in claims(program(path))]
    assert sum(recorded for _, recorded, _ in found) >= 20
    assert sum(not recorded for _, recorded, _ in found) >= 8


@pytest.mark.parametrize(
    ("code", "recorded"),
    [
        ("x = run.table('test')", True),
        (
            "y = {k: each.per_seed('aer') for k, each in {'a': run}.items()}\nx = y",
            True,
        ),
        ("for each in (run, run):\n    x = each.table('test')", True),
        ("y = {}\ny['a'] = run.table('test')\nx = y['a'].mean()", True),
        ("x = []\nx.append(run.table('test'))", True),
        ("def f(): return run.table('test')\nx = f()", True),
        ("y, z = 1, run.table('test')\nx = z", True),
        ("y, z = 1, run.table('test')\nx = y", False),
        ("x = run.table('test')\nx = 1", False),
        ("model = run.model()\nx = measure(model)", False),
        ("x = measure(run.recipe.task.test)", False),
    ],
)
@pytest.mark.parametrize("said", [True, False])
def test_a_recorded_figure_is_traced(code, recorded, said):
    origin = ", recorded=run" * said
    code = f"run = runs.load('a')\n{code}\nclaim('a', 'b', x, at_least=0{origin})"
    ((_, found, stated),) = claims(code)
    assert (found, stated) == (recorded, said)
