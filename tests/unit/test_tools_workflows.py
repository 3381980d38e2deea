"""The workflows: pinned actions, no token that writes beside our code, no forks."""

import re
from pathlib import Path

import pytest
import yaml

WORKFLOWS = sorted((Path(__file__).parents[2] / ".github" / "workflows").glob("*.yml"))
PINNED = re.compile(r"[\w-]+/[\w/-]+@[0-9a-f]{40}")
VERSION = re.compile(r"uses: \S+@[0-9a-f]{40} # v\d+\.\d+\.\d+$")


def workflow(path):
    return yaml.safe_load(path.read_text("utf8"))


def permissions(job, of_workflow):
    """What a job may: its own table if it has one, else the workflow's."""
    granted = job.get("permissions", of_workflow["permissions"])
    assert isinstance(granted, dict), "a table: read-all and write-all say too little"
    return granted


def writes(granted):
    return {what for what, how in granted.items() if how != "read" and how != "none"}


JOBS = [
    pytest.param(job, workflow(path), id=f"{path.stem}-{name}")
    for path in WORKFLOWS
    for name, job in workflow(path)["jobs"].items()
]


def test_there_are_workflows():
    assert {path.stem for path in WORKFLOWS} >= {"test", "pages", "weekly"}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_every_action_is_pinned_with_its_version_beside_it(path):
    lines = [line for line in path.read_text("utf8").splitlines() if "uses:" in line]
    assert all(VERSION.search(line) for line in lines), lines


@pytest.mark.parametrize(("job", "of_workflow"), JOBS)
def test_a_job_uses_only_pinned_actions_and_keeps_no_token_on_disk(job, of_workflow):
    assert "uses" not in job
    assert job["timeout-minutes"] <= 60
    for step in job["steps"]:
        assert ("run" in step) != ("uses" in step)
        assert "uses" not in step or PINNED.fullmatch(step["uses"])
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


@pytest.mark.parametrize(("job", "of_workflow"), JOBS)
def test_what_runs_our_code_can_write_nothing(job, of_workflow):
    assert of_workflow["permissions"]["contents"] == "read"
    assert not writes(of_workflow["permissions"])
    uses = [step.get("uses", "") for step in job["steps"]]
    if any(use.startswith("actions/checkout@") for use in uses):
        assert not writes(permissions(job, of_workflow))


def test_only_what_passed_its_tests_here_is_published():
    """`branches: [main]` matches a fork's main too, whose code would be built here."""
    pages = workflow(WORKFLOWS[[path.stem for path in WORKFLOWS].index("pages")])
    triggers = pages[True]  # YAML's `on`
    assert triggers.keys() == {"workflow_run"}
    assert triggers["workflow_run"]["workflows"] == ["test"]
    condition = re.sub(r"\s+", " ", pages["jobs"]["build"]["if"])
    run = "github.event.workflow_run"
    assert condition.split(" && ") == [
        f"{run}.conclusion == 'success'",
        f'contains(fromJSON(\'["push", "workflow_dispatch"]\'), {run}.event)',
        f"{run}.head_repository.full_name == github.repository",
    ]
    assert pages["jobs"]["deploy"]["needs"] == "build"
    assert "if" not in pages["jobs"]["deploy"]
    allowed = {"pages", "id-token"}
    assert writes(permissions(pages["jobs"]["deploy"], pages)) == allowed
