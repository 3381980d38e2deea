"""The command that records: it lists, trains what is asked for, and names the rest."""

from dataclasses import replace

import pytest

from attention_book.recipes import recipes
from attention_book.runs import OtherData, load
from attention_book.runs import __main__ as command
from attention_book.runs.record import record


@pytest.fixture(autouse=True)
def one_recipe(monkeypatch, toy):
    monkeypatch.setattr("attention_book.recipes.recipes", lambda: {"toy": toy})
    monkeypatch.setattr(command, "recipes", lambda: recipes() | {"toy": toy})


def test_it_lists_what_is_recorded(home, capsys):
    command.main(["--to", str(home)])
    listed = capsys.readouterr().out.splitlines()
    there = {line.split()[0]: not line.endswith("not recorded") for line in listed}
    assert there == {name: name == "toy" for name in (*recipes(), "toy")}


def test_it_records_the_seeds_asked_for_and_shows_every_figure(tmp_path, capsys):
    command.main(["toy", "--seeds", "7", "9", "--to", str(tmp_path)])
    run = load("toy", tmp_path)
    assert list(run.curves) == [7, 9]
    rows = capsys.readouterr().out.splitlines()
    assert rows[1].split() == ["seed", "7", "9"]
    mean = run.per_seed("test", "low", "mean")
    (shown,) = (row for row in rows if row.startswith("test / low / mean"))
    assert shown.split()[-2:] == [f"{figure:.3f}" for figure in mean]


def test_a_trial_does_not_take_the_place_of_the_books_own_run(monkeypatch, home):
    monkeypatch.setattr(command, "HOME", home)
    monkeypatch.chdir(home.parent)
    (home.parent / "link").symlink_to(home)
    for to in (str(home), home.name, f"../{home.parent.name}/{home.name}", "link"):
        with pytest.raises(SystemExit, match="--seeds is for trials"):
            command.main(["toy", "--seeds", "7", "--to", to])
    assert list(load("toy", home).curves) == [4, 2]


def test_it_adds_weights_to_a_run_without_them(tmp_path, toy, monkeypatch):
    record(replace(toy, keep_weights=False), home=tmp_path, progress=False)
    monkeypatch.setattr(command, "record", lambda *_, **__: 1 / 0)
    command.main(["toy", "--weights", "--to", str(tmp_path)])
    assert load("toy", tmp_path).recipe == toy
    load("toy", tmp_path).model()


def test_it_names_an_unknown_recipe(tmp_path):
    with pytest.raises(SystemExit, match="no recipe named 'nonsense'"):
        command.main(["nonsense", "--to", str(tmp_path)])


def test_it_says_what_cannot_be_recorded_goes_on_and_fails(
    tmp_path, capsys, monkeypatch
):
    def refuse(recipe, **_):
        raise OtherData("the text is another")

    monkeypatch.setattr(command, "record", refuse)
    with pytest.raises(SystemExit) as left:
        command.main(["toy", "toy", "--to", str(tmp_path)])
    assert left.value.code == 1
    assert capsys.readouterr().out.count("not recorded: the text is another") == 2
