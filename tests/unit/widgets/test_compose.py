"""Modules are joined; what cannot be is named with file and line."""

import re

import pytest

from attention_book.widgets import compose


@pytest.fixture
def link(tmp_path, monkeypatch):
    """Join modules given as name -> source, `main` first."""
    monkeypatch.setattr(compose, "HERE", tmp_path)

    def joined(**modules):
        for name, source in modules.items():
            path = tmp_path / "js" / f"{name}.mjs"
            path.parent.mkdir(exist_ok=True)
            path.write_text(source, encoding="utf-8")
        parts = compose.link((tmp_path / "js" / "main.mjs").resolve(), {})
        return "".join(part.text for part in parts.values())

    return joined


OTHER = "export const a = 1;\nexport function b() {}\n"


def test_a_module_stands_after_what_it_imports_without_comments(link):
    main = 'import { a, b } from "./other.mjs"; // both\n\nexport class C {}\n'
    assert link(main=main, other=OTHER) == "const a = 1;\nfunction b() {}\nclass C {}\n"


def test_a_module_that_two_import_stands_once(link):
    third = 'import { a } from "./other.mjs";\nexport const c = a;\n'
    main = 'import { a } from "./other.mjs";\nimport { c } from "./third.mjs";\n'
    joined = link(main=main, third=third, other=OTHER)
    assert joined == "const a = 1;\nfunction b() {}\nconst c = a;\n"


@pytest.mark.parametrize(
    "line",
    ["let b = 2;", "export const b = 2;", "async function b() {}", "class b {}"],
)
def test_a_name_of_two_modules_is_refused(link, line):
    main = f'import {{ a }} from "./other.mjs";\n{line}\n'
    with pytest.raises(ValueError, match=r"main\.mjs and other\.mjs both have 'b'"):
        link(main=main, other=OTHER)


@pytest.mark.parametrize(
    "line",
    [
        "export default 3;",
        "export { a };",
        "export { a as b } from './other.mjs';",
        'export * from "./other.mjs";',
        "export let a = 1;",
        "export async function a() {}",
        "export const { a, b } = c;",
        'import a from "./other.mjs";',
        'import * as other from "./other.mjs";',
        'import { a as b } from "./other.mjs";',
        "import { a } from './other.mjs';",
        'import { a } from "./other.mjs"',
        'import "./other.mjs";',
        "import {",
        'const other = await import("./other.mjs");',
        "const here = import.meta.url;",
    ],
)
def test_a_form_that_cannot_be_joined_is_refused(link, line):
    with pytest.raises(
        ValueError, match=r"main\.mjs, line 2: .* is no import or export"
    ):
        link(main=f"// a comment\n{line}\n", other=OTHER)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('import { c } from "./other.mjs";', r"other\.mjs does not export 'c'"),
        ('import { c } from "./none.mjs";', r"there is no module '\./none\.mjs'"),
        (
            'import { c } from "./main.mjs";',
            r"main\.mjs imports main\.mjs, in a circle",
        ),
        ('const c = "a // b";', "' // ' stands in a text"),
    ],
)
def test_what_would_be_lost_is_refused(link, line, message):
    with pytest.raises(ValueError, match=rf"main\.mjs, line 1: {message}"):
        link(main=f"{line}\n", other=OTHER)


def test_a_circle_of_two_is_refused(link):
    other = 'import { a } from "./main.mjs";\nexport const b = a;\n'
    main = 'import { b } from "./other.mjs";\nexport const a = b;\n'
    with pytest.raises(
        ValueError, match=r"other\.mjs, line 1: main\.mjs imports other"
    ):
        link(main=main, other=other)


def test_no_rule_with_has_styles_any_element():
    """For such a rule, each input has the whole page's style computed anew."""
    style = (compose.HERE / "widgets.css").read_text(encoding="utf-8")
    assert ":has(" in style
    assert not re.findall(r"[^{}]*:has\([^{}]*\s\*\s*[,{]", style)
