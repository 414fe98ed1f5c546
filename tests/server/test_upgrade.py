"""The program's files are replaced under a running hall: it goes on, and says when it cannot."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from halls import add_person, hall_in, signed_in
from organised import add_annotators, work_on
from readmark.core import program_files
from readmark.core.errors import DataError
from readmark.server.items import ItemSource
from readmark.server.projects import prepare_project, store_project
from readmark.server.shipped import bundled_test, shipped_configuration
from readmark.works import heavy_calls

SERVES_ON = """
import importlib.abc, sys
from pathlib import Path
from halls import signed_in
from readmark.server.start import open_hall

folder, person, item = Path(sys.argv[1]), *sys.argv[2:]
app = open_hall(f"sqlite:///{folder}/hall.db", folder=folder)
browser = signed_in(app, person)

class OtherVersion(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.startswith("readmark."):
            raise ImportError(f"{name} is of another version")

sys.meta_path.insert(0, OtherVersion())
change = {"sequence": 1, "object": "note", "value": {"type": "note", "value": "x"}}
saved = browser.post(
    f"/api/assignments/{item}/events", json={"client": "a-browser", "events": [change]}
)
assert saved.status_code == 200, saved.text
checked = browser.post(f"/api/assignments/{item}/check", json={"objects": {}})
assert checked.status_code == 200, checked.text
for page in ("/", f"/assignments/{item}", "/account", "/tasks", "/api/reading-tasks"):
    assert browser.get(page).status_code == 200, page
"""


def test_all_that_a_hall_serves_with_is_loaded_when_it_starts(
    hall_app: Any, tmp_path: Path
) -> None:
    """Works, kinds and formats were imported by the first request that needed them."""
    with bundled_test("task.en.zip") as path:
        prepared = prepare_project(shipped_configuration("lives"), [ItemSource(path)])
    with hall_in(hall_app).database.writing() as session:
        project = store_project(session, prepared, slug="lives")
    person = add_annotators(hall_app, project, "ann")["ann"]
    item = next(iter(work_on(hall_app, person).values()))
    tests = str(Path(__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", SERVES_ON, str(tmp_path), person, item],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([tests, *sys.path])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture
def other_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of the program, to change."""
    file = tmp_path / "program" / "module.py"
    file.parent.mkdir()
    file.write_text("old = 1\n")
    monkeypatch.setattr(program_files, "FOLDER", file.parent)
    monkeypatch.setattr(program_files, "_stamps", {})
    program_files.remember_files()
    assert not program_files.is_replaced()
    return file


def test_an_error_after_an_upgrade_says_that_the_hall_restarts(
    hall_app: Any, other_version: Path
) -> None:
    @hall_app.get("/api/broken")
    def broken() -> None:
        raise AttributeError("the new version has it")

    owner = signed_in(hall_app, add_person(hall_app, "owner", is_owner=True))
    assert owner.get("/api/broken").status_code == 500
    other_version.write_text("new = 12\n")
    answer = owner.get("/api/broken")
    assert (answer.status_code, answer.json()["detail"]) == (503, program_files.UPGRADED)


@pytest.mark.parametrize("change", ["replaced", "removed"])
def test_a_call_of_the_new_version_is_not_the_senders_fault(
    other_version: Path, change: str
) -> None:
    def ask() -> Any:
        return heavy_calls.run_call(ended, {}, seconds=30)

    with pytest.raises(DataError, match="send less at a time"):
        ask()
    if change == "removed":
        other_version.unlink()
    else:
        other_version.with_name("next").write_text("new = 12\n")
        other_version.with_name("next").replace(other_version)
    with pytest.raises(program_files.Upgraded) as caught:
        ask()
    assert caught.value.status == 503


def ended(_: Any) -> None:
    """A call whose process ends."""
    os._exit(3)
