"""Uploads: every kind of file is taken or refused in one line, and none unpacks to too much."""

from __future__ import annotations

import gzip
import io
import tempfile
import zipfile
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from halls import add_person, signed_in
from organised import answers_project, town_test
from readmark.server.shipped import shipped_names


@pytest.fixture
def owner(hall_app: Any) -> Any:
    return signed_in(hall_app, add_person(hall_app, "olga", is_owner=True))


FOREIGN = ("readability.en.jsonl", "series.en.jsonl", "task.en.zip", "reading.en.jsonl")


def beginning_of(name: str) -> bytes:
    """A bundled test with its first record only; a task as it is."""
    content = files("readmark.bundle").joinpath(name).read_bytes()
    return content if name.endswith(".zip") else b"".join(content.splitlines(True)[:2])


def test_every_kind_of_test_is_taken_or_refused_in_one_line(
    hall_app: Any, owner: Any, tmp_path: Path
) -> None:
    """Every bundled test against every shipped project, as its items and as work on them."""
    uploads = {name: beginning_of(name) for name in FOREIGN}
    taken: dict[str, set[str]] = {}
    for shipped in shipped_names():
        for name in FOREIGN:
            upload = {"test": (name, uploads[name])}
            answer = owner.post("/api/projects", data={"shipped": shipped}, files=upload)
            if answer.status_code == 201:
                taken.setdefault(shipped, set()).add(name)
                slug = answer.json()["project"]
            else:
                assert (answer.status_code, "\n" in answer.json()["detail"]) == (422, False)
        for name in FOREIGN if shipped in taken else ():
            upload = {"file": (name, uploads[name])}
            read = owner.post(f"/api/projects/{slug}/import", files=upload)
            assert read.status_code in (200, 422), (shipped, name)
            assert read.status_code == 200 or "\n" not in read.json()["detail"]
    assert taken["translation"] == taken["questions"] == {"reading.en.jsonl"}
    assert taken["reading_task"] == {"task.en.zip"}


def zipped(*members: tuple[str, bytes]) -> bytes:
    """A zip file, packed as far as that goes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in members:
            target.writestr(name, content)
    return stream.getvalue()


def test_uploads_that_unpack_to_too_much_are_refused(
    hall_app: Any, owner: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers_project(hall_app, town_test(tmp_path / "towns.jsonl"))
    monkeypatch.setattr("readmark.core.limits.UNSUSPECTED", 1 << 20)
    zeros = b" " * (2 << 20)
    head = (tmp_path / "towns.jsonl").read_bytes()
    bombs = {
        "towns.jsonl.gz": (gzip.compress(head + zeros), "unpacks to more than 200 times"),
        "task.zip": (zipped(("task.toml", zeros)), "unpacks to more than 200 times"),
        "sheet.xlsx": (zipped(("xl/workbook.xml", zeros)), "unpacks to more than 200 times"),
        "up.zip": (zipped(("../../up.jsonl", b"{}")), "names a file outside it"),
        "deep.jsonl": (b"[" * 200_000, "nested too deep"),
    }
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # other tests upload at the same time
    for name, (content, message) in bombs.items():
        (tmp_path / name).write_bytes(content)
        for path, part in (("items", "test"), ("import", "file")):
            answer = owner.post(f"/api/projects/answers/{path}", files={part: (name, content)})
            assert answer.status_code == 422, (name, path)
            assert message in answer.json()["detail"], (name, path)
        answer = owner.post(
            "/projects", data={"shipped": "questions"}, files={"test": (name, content)}
        )
        assert (answer.status_code, message in answer.text) == (422, True), name
    assert [row["project"] for row in owner.get("/api/projects").json()] == ["answers"]
    assert list(tmp_path.glob("readmark-upload-*")) == []


def test_a_long_name_of_an_upload_is_cut(owner: Any, tmp_path: Path) -> None:
    content = town_test(tmp_path / "towns.jsonl").read_bytes()
    files = {"test": ("测" * 110 + ".jsonl", content)}
    answer = owner.post("/api/projects", files=files, data={"shipped": "second_answers"})
    assert answer.status_code == 201
