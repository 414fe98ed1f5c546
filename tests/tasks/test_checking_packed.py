"""A packed task is checked against its manifest."""

import json
from pathlib import Path

import pytest

from readmark.tasks.checks import check_task
from readmark.tasks.package import open_package
from readmark.tasks.packer import pack
from readmark.tasks.task_folder import gather
from task_files import write_task


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    pack(gather(write_task(tmp_path / "made")), tmp_path / "packed")
    return tmp_path / "packed"


def test_a_packed_task_is_sound(packed: Path) -> None:
    assert list(check_task(open_package(packed))) == []


def test_a_changed_document_is_told_by_its_hash(packed: Path) -> None:
    document = packed / "documents/train/otters.txt"
    document.write_text(document.read_text() + " ", encoding="utf-8")
    [problem] = check_task(open_package(packed))
    assert (problem.file, problem.code) == (str(document), "changed")


def test_missing_and_unlisted_files_are_told(packed: Path) -> None:
    (packed / "guidelines.md").unlink()
    (packed / "notes.txt").write_text("x", encoding="utf-8")
    manifest = (packed / "task.json").read_text(encoding="utf-8").splitlines()
    line = 1 + next(at for at, one in enumerate(manifest) if "guidelines.md" in one)
    assert [(one.file, one.where, one.code) for one in check_task(open_package(packed))] == [
        (str(packed / "task.json"), line, "missing_file"),
        (str(packed / "notes.txt"), 1, "unlisted_file"),
    ]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"annotation": "some"}, "schema"),
        ({"hidden": ["exam"]}, "hidden"),
        ({"files": []}, "no_files"),
    ],
)
def test_what_the_manifest_says_is_checked(
    change: dict[str, object], code: str, packed: Path
) -> None:
    manifest = packed / "task.json"
    said = json.loads(manifest.read_text(encoding="utf-8"))
    manifest.write_text(json.dumps(said | change), encoding="utf-8")
    assert code in [one.code for one in check_task(open_package(packed))]


def test_a_manifest_cannot_lead_out_of_its_folder(packed: Path) -> None:
    manifest = packed / "task.json"
    (packed.parent / "secret.txt").write_text("secret", encoding="utf-8")
    text = manifest.read_text(encoding="utf-8")
    text = text.replace("documents/train/otters.txt", "../secret.txt")
    manifest.write_text(text, encoding="utf-8")
    package = open_package(packed)
    assert "missing_file" in [one.code for one in check_task(package)]
    assert "secret" not in str(package.documents)
