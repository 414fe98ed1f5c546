"""A reading task that was annotated in the hall is the same task again, with other statements."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

pytest.importorskip("fastapi", reason="needs the extra serve")

import readmark
from halls import hall_in
from organised import add_annotators, send, work_on
from readmark.server.configurations import change_configuration, newest_version
from readmark.server.items import ItemSource
from readmark.server.projects import prepare_project, project_named, store_project
from readmark.server.shipped import shipped_configuration
from readmark.server.tables import ProjectFile
from readmark.server.work_export import export_project
from readmark.server.work_import import read_work, store_work
from readmark.tasks.extraction.induction import train_patterns
from readmark.tasks.new_task import new_task
from readmark.tasks.package import Package
from readmark.tasks.packer import pack
from readmark.tasks.task_folder import gather, open_task

ABOUT = """\
name = "Storms"
language = "en"
licence = "CC BY 4.0"
source = "https://example.org/storms"
phase = "2"
capabilities = ["dates", "speeds"]
annotation = "complete"
hidden = ["test"]

[preparation]
hours = 3.5
people = ["ida", "bo"]

[fields]
"a key" = { nested = [1, true, "\\u007f 𝄞"] }
"""
PATTERNS = """\
[type.Storm]
category = "Storm"
names = true

[scope.storm]

[[pattern]]
find = "winds of {speed:Number} km \\\\/ h"
mark = "Wind"
"""
SUMMARY = '[storms]\nclass = "Storm"\n\n[storms.members]\nwind = "windSpeed"\n'
MORE = {
    "task.toml": ABOUT,
    "patterns.toml": PATTERNS,
    "summary.toml": SUMMARY,
    "background/news/calm.txt": "Nothing happened. 𝄞\n",
    "guidelines.md": "# Storms\n\nMark “storms” — 𝄞 and \x7f.\n",
    "notes/readme.txt": "For the makers.\n",
}
TELLING = ("annotations", "answers", "history")


@pytest.fixture
def storms(tmp_path: Path) -> Path:
    """A packed task with a member of every kind."""
    folder = tmp_path / "storms"
    new_task(folder)
    for name, text in MORE.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
    pack(gather(folder), tmp_path / "storms.zip")
    return tmp_path / "storms.zip"


def project_of(app: Any, task: Path, configuration: str = "reading_task") -> Any:
    new = prepare_project(shipped_configuration(configuration), [ItemSource(task)])
    with hall_in(app).database.writing() as session:
        return store_project(session, new, slug="storms")


def annotate(app: Any, project: Any, path: Path) -> None:
    """Take in the statements of a file as finished work."""
    with hall_in(app).database.writing() as session:
        found = project_named(session, project.slug)
        store_work(session, found, read_work(session, found, path))


def exported(app: Any, folder: Path) -> Package:
    with hall_in(app).database.reading() as session:
        export_project(session, project_named(session, "storms"), folder)
    return open_task(folder / "task")


def members(package: Package) -> dict[str, bytes]:
    """Every file that no annotator makes."""
    return {
        file.path: package.folder.read(file.path, whole=True)
        for file in package.manifest.files
        if file.role not in TELLING
    }


def about(package: Package) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(package.manifest)
    found.pop("files")
    return found


def category_tables(package: Package) -> dict[str, Any]:
    return tomllib.loads(package.folder.read("categories.toml").decode())


def test_every_member_of_a_task_comes_back_from_the_hall(
    hall_app: Any, storms: Path, tmp_path: Path
) -> None:
    annotate(hall_app, project_of(hall_app, storms), storms)
    task = exported(hall_app, tmp_path / "out")
    original = open_task(storms)
    assert members(task) == members(original)
    assert about(task) == about(original)
    stated = {one.statement for one in task.asserted()}
    assert stated == {one.statement for one in original.asserted() if one.graph == "delia"}
    checked = readmark.check(tmp_path / "out" / "task")
    assert checked.is_sound, str(checked)
    assert {path.name for path in (tmp_path / "out" / "people").iterdir()} == {"me"}
    assert members(open_task(tmp_path / "out" / "people" / "me")) == members(original)


def test_annotation_from_the_hall_trains_an_extractor(
    hall_app: Any, storms: Path, tmp_path: Path
) -> None:
    annotate(hall_app, project_of(hall_app, storms), storms)
    exported(hall_app, tmp_path / "out")
    files = [tmp_path / f"{name}.toml" for name in ("hall", "original")]
    for task, file in zip((tmp_path / "out" / "task", storms), files, strict=True):
        train_patterns(task, file)
    assert files[0].read_text("utf-8") == files[1].read_text("utf-8")
    assert "[[pattern]]" in files[0].read_text("utf-8")


def test_what_is_not_handed_in_is_no_complete_annotation(
    hall_app: Any, storms: Path, tmp_path: Path
) -> None:
    project = project_of(hall_app, storms)
    person = add_annotators(hall_app, project, "ann")["ann"]
    mark = {"type": "mark", "text": "document", "category": "Storm", "start": 0, "end": 15}
    objects = {"s": {**mark, "quote": "Hurricane Delia", "attributes": {"sort": "Hurricane"}}}
    item = work_on(hall_app, person)["delia"]
    send(hall_app, person, item, objects)
    task = exported(hall_app, tmp_path / "begun")
    assert task.manifest.annotation == "incomplete"
    text = (tmp_path / "begun/task/task.toml").read_text("utf-8")
    assert text.startswith("# Begun and not handed in: delia by Ann.\n")
    send(hall_app, person, item, {"status": {"type": "status", "done": True}})
    assert exported(hall_app, tmp_path / "done").manifest.annotation == "complete"


def test_categories_that_the_organiser_changed_are_exported_as_changed(
    hall_app: Any, storms: Path, tmp_path: Path
) -> None:
    project = project_of(hall_app, storms)
    annotate(hall_app, project, storms)
    with hall_in(hall_app).database.writing() as session:
        text = newest_version(session, project.id).text
        changed = text.replace('en = "place"', 'en = "town"')
        change_configuration(session, project_named(session, "storms"), changed)
    task = exported(hall_app, tmp_path / "out")
    categories = category_tables(open_task(storms))
    categories["category"]["Place"]["label"]["en"] = "town"
    assert category_tables(task) == categories
    assert readmark.check(tmp_path / "out" / "task").is_sound


def test_a_project_without_materials_exports_what_its_header_and_configuration_say(
    hall_app: Any, storms: Path, tmp_path: Path
) -> None:
    """Projects of halls before materials were kept."""
    project = project_of(hall_app, storms)
    annotate(hall_app, project, storms)
    with hall_in(hall_app).database.writing() as session:
        session.query(ProjectFile).filter_by(project_id=project.id).delete()
    task = exported(hall_app, tmp_path / "out")
    manifest = task.manifest
    assert (manifest.licence, manifest.phase, manifest.hidden) == ("CC BY 4.0", "2", ())
    assert manifest.capabilities == ("dates", "speeds")
    assert manifest.annotation == "incomplete"
    assert category_tables(task) == category_tables(open_task(storms))
    assert readmark.check(tmp_path / "out" / "task").is_sound
