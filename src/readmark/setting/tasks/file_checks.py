"""Whether the files of a task are those that its manifest names, unchanged."""

from __future__ import annotations

from collections.abc import Iterator

from readmark.corpus.documents import ANNOTATIONS
from readmark.corpus.problems import Problem
from readmark.corpus.task_package import MANIFEST, ROLES, content, sha256
from readmark.setting.tasks.layout import is_own
from readmark.setting.tasks.package import Package

NEEDED = ("document", "ontology", "queries")
"""Roles without which a task asks nothing."""
SINGLE = ("ontology",)


def file_problems(package: Package) -> Iterator[Problem]:
    """Files that are missing, not named, changed, named twice, or no text."""
    folder, manifest = package.folder, package.manifest
    told = _Lines(package)
    listed: set[str] = set()
    ids: dict[str, str] = {}
    for file in manifest.files:
        if file.path in listed:
            yield told.problem(
                told.line(file.path), "duplicate_file", f"{file.path} is named twice"
            )
        listed.add(file.path)
        if file.role not in ROLES:
            said = f"the role of {file.path} is {file.role!r}, expected one of {', '.join(ROLES)}"
            yield told.problem(told.line(file.path), "role", said)
        if file.path not in folder:
            said = f"{file.path} is named, and it is not there"
            yield told.problem(told.line(file.path), "missing_file", said)
            continue
        place, data = folder.place(file.path), content(folder, file.path, whole=True)
        if sha256(data) != file.sha256:
            what = "document" if file.role == "document" else "file"
            said = f"the {what} is not the one that was packed: its hash has changed"
            yield Problem(place, 1, "changed", said)
        if file.role == "document":
            yield from _document(place, data)
            id = file.id or file.path
            if id in ids:
                said = f"the document id {id!r} is that of {ids[id]} too"
                yield told.problem(told.line(file.path), "duplicate_id", said)
            ids[id] = file.path
    for name in folder.names:
        if name not in listed and not is_own(name):
            said = "the manifest does not name this file"
            yield Problem(folder.place(name), 1, "unlisted_file", said)


def manifest_problems(package: Package) -> Iterator[Problem]:
    """What the manifest says of the task as a whole, and what is not there at all."""
    manifest, told = package.manifest, _Lines(package)
    for role in NEEDED:
        if not any(manifest.of(role)):
            yield told.problem(1, "no_files", f"the task has no {role}")
    for role in SINGLE:
        if len(list(manifest.of(role))) > 1:
            yield told.problem(1, "duplicate_file", f"the task has more than one {role}")
    if manifest.annotation not in ANNOTATIONS:
        said = f"annotation is {manifest.annotation!r}, expected one of {', '.join(ANNOTATIONS)}"
        yield told.problem(told.line('"annotation"'), "schema", said)
    splits = {one.split for one in manifest.of("document")}
    for name in manifest.hidden:
        if name not in splits:
            said = f"no document is of the hidden split {name!r}"
            yield told.problem(told.line('"hidden"'), "hidden", said)
    for file in manifest.of("answers"):
        if file.split is not None and file.split not in splits:
            said = f"{file.path} answers the split {file.split!r}, of which there is no document"
            yield told.problem(told.line(file.path), "hidden", said)


def _document(place: str, data: bytes) -> Iterator[Problem]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        line = data.count(b"\n", 0, wrong.start) + 1
        yield Problem(place, line, "unreadable", f"not valid UTF-8 (byte {wrong.start + 1})")
        return
    if not text.strip():
        yield Problem(place, 1, "empty_text", "the document has no text")


class _Lines:
    """Where the manifest says something."""

    def __init__(self, package: Package) -> None:
        name = package.folder.find(MANIFEST)
        self._file = package.folder.place(name or MANIFEST)
        self._text = package.folder.read(name).decode("utf-8", "replace") if name else ""

    def line(self, said: str) -> int:
        """The line that something is first said in."""
        at = self._text.find(said)
        return self._text.count("\n", 0, at) + 1 if at >= 0 else 1

    def problem(self, line: int, code: str, message: str) -> Problem:
        """A problem of the manifest."""
        return Problem(self._file, line, code, message)
