"""A claim says where its figures are from: what was read from a recorded run is traced
through the cells of each notebook.
"""

import ast
from contextlib import contextmanager
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted([*ROOT.glob("chapters/*.ipynb"), *ROOT.glob("pages/*.ipynb")])
OTHERWISE = {"model", "recipe", "buckets"}  # of a run, but no recorded figure
LOADS, FILLS = {"runs.load", "load"}, {"append", "add", "extend", "update"}


class Trace(ast.NodeVisitor):
    """Walks code in order; knows of which recorded runs each name holds figures, and
    lists the claims: (line, the runs its figures are from, the runs it names).
    """

    def __init__(self):
        self.recorded, self.claims = {}, []

    def reads(self, *nodes):
        runs = set()
        for node in nodes:
            if isinstance(node, ast.Attribute) and node.attr in OTHERWISE:
                continue
            if isinstance(node, ast.Call) and ast.unparse(node.func) in LOADS:
                runs.add(ast.unparse(node.args))
            elif isinstance(node, ast.Name):
                runs |= self.recorded.get(node.id, set())
            else:
                with self.inside(node):
                    runs |= self.reads(*ast.iter_child_nodes(node))
        return runs

    @contextmanager
    def inside(self, node):
        """Where a comprehension's variables have their values, if this is one."""
        outside = self.recorded.copy()
        generators = getattr(node, "generators", [])
        for each in generators:
            self.bind(each.target, self.reads(each.iter))
        yield
        if generators:
            self.recorded = outside

    def bind(self, target, runs):
        if isinstance(target, ast.Name):
            self.recorded[target.id] = runs
        elif isinstance(target, (ast.Subscript, ast.Attribute)):
            self.bind(target.value, runs | self.reads(target.value))
        else:
            for part in ast.iter_child_nodes(target):
                self.bind(part, runs)

    def visit_Assign(self, node):
        self.generic_visit(node)
        for target in node.targets:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = zip(target.elts, node.value.elts, strict=True)
            for name, runs in [(name, self.reads(value)) for name, value in pairs]:
                self.bind(name, runs)

    def visit_ListComp(self, node):
        with self.inside(node):
            self.generic_visit(node)

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp

    def visit_NamedExpr(self, node):
        self.generic_visit(node)
        self.bind(node.target, self.reads(node.value))

    def visit_AnnAssign(self, node):
        if node.value:
            self.visit_NamedExpr(node)

    def visit_AugAssign(self, node):
        self.bind(node.target, self.reads(node.target, node.value))

    def visit_For(self, node):
        self.bind(node.target, self.reads(node.iter))
        self.generic_visit(node)

    def visit_FunctionDef(self, node):
        self.bind(ast.Name(node.name), self.reads(*node.body))

    def visit_Call(self, node):
        self.generic_visit(node)
        named = {each.arg: each.value for each in node.keywords}
        if isinstance(node.func, ast.Attribute) and node.func.attr in FILLS:
            filled = node.func.value
            self.bind(filled, self.reads(filled, *node.args, *named.values()))
        if ast.unparse(node.func) in {"claim", "claims.claim"}:
            measured = named["measured"] if "measured" in named else node.args[2]
            said = self.reads(named["recorded"]) if "recorded" in named else set()
            self.claims.append((node.lineno, self.reads(measured), said))


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
    for line, measured, said in claims(code):
        said_at = code.splitlines()[line - 1 : line + 2]
        assert bool(measured) == bool(said), said_at
        assert said <= measured, said_at


def test_both_kinds_of_claims_are_found():
    found = [each for path in NOTEBOOKS for each in claims(program(path))]
    assert {bool(measured) for _, measured, _ in found} == {True, False}


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
        ("x = []\nx.append(run.table('test'))\nx.append(1)", True),
        ("x = []\nx.extend(run.table('test'))", True),
        ("x = {}\nx.update(a=run.table('test'))", True),
        ("print(x := run.table('test'))", True),
        ("x: list = run.table('test')", True),
        ("from attention_book.runs import load\nx = load('a').table('test')", True),
        ("x = run.table('test')\n[x for x in 'ab']", True),
        ("x = 1\n[x for x in run.table('test')]", False),
        ("y = run\nx = [y for y in 'ab']", False),
        ("x = [y for y in run.table('test')]", True),
        ("def f(): return run.table('test')\nx = f()", True),
        ("y, z = 1, run.table('test')\nx = z", True),
        ("y, z = 1, run.table('test')\nx = y", False),
        ("x = run.table('test')\nx = 1", False),
        ("model = run.model()\nx = measure(model)", False),
        ("x = measure(run.recipe.task.test)", False),
    ],
)
@pytest.mark.parametrize("said", ["", "run", "other"])
def test_a_recorded_figure_is_traced(code, recorded, said):
    origin = f", recorded={said}" if said else ""
    code = f"run, other = runs.load('a'), runs.load('b')\n{code}\n"
    ((_, found, stated),) = claims(f"{code}claims.claim('a', 'b', x{origin})")
    assert found == ({"'a'"} if recorded else set())
    assert stated == {"": set(), "run": {"'a'"}, "other": {"'b'"}}[said]


def test_a_figure_is_traced_to_its_runs():
    code = "x = runs.load('a').em - runs.load('b').em\nclaim('a', 'b', measured=x)"
    assert claims(code) == [(2, {"'a'", "'b'"}, set())]
    code = "run = runs.load('a')\n[claim('a', 'b', x) for x in run.per_seed('aer')]"
    assert claims(code) == [(2, {"'a'"}, set())]
