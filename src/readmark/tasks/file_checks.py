"""Whether the files of a task are those that its manifest names, unchanged."""

from __future__ import annotations

from collections.abc import Iterator

from readmark.core.problems import Problem
from readmark.tasks.file_roles import describes_task
from readmark.tasks.manifest import MANIFEST, ROLES, content, sha256
from readmark.tasks.package import Package
from readmark.tasks.records import ANNOTATIONS

NEEDED = ("document", "ontology", "queries")
"""Roles without which a task asks nothing."""
SINGLE = ("ontology",)


def file_problems(package: Package) -> Iterator[Problem]:
    """Files that are missing, not named, changed, named twice, or not text."""
    folder, manifest = package.folder, package.manifest
    lines = _ManifestLines(package)
    listed: set[str] = set()
    ids: dict[str, str] = {}
    for file in manifest.files:
        if file.path in listed:
            yield lines.problem(
                lines.line(file.path), "duplicate_file", f"{file.path} is named twice"
            )
        listed.add(file.path)
        if file.role not in ROLES:
            message = (
                f"the role of {file.path} is {file.role!r}, expected one of {', '.join(ROLES)}"
            )
            yield lines.problem(lines.line(file.path), "role", message)
        if file.path not in folder:
            message = f"{file.path} is named but missing"
            yield lines.problem(lines.line(file.path), "missing_file", message)
            continue
        place, data = folder.place(file.path), content(folder, file.path, whole=True)
        if sha256(data) != file.sha256:
            what = "document" if file.role == "document" else "file"
            message = f"the {what} is not the one that was packed: its hash has changed"
            yield Problem(place, 1, "changed", message)
        if file.role == "document":
            yield from _document(place, data)
            id = file.id or file.path
            if id in ids:
                message = f"the document id {id!r} is that of {ids[id]} too"
                yield lines.problem(lines.line(file.path), "duplicate_id", message)
            ids[id] = file.path
    for name in folder.names:
        if name not in listed and not describes_task(name):
            message = "the manifest does not name this file"
            yield Problem(folder.place(name), 1, "unlisted_file", message)


def manifest_problems(package: Package) -> Iterator[Problem]:
    """What the manifest says of the task as a whole, and what is not there at all."""
    manifest, lines = package.manifest, _ManifestLines(package)
    for role in NEEDED:
        if not any(manifest.of(role)):
            yield lines.problem(1, "no_files", f"the task has no {role}")
    for role in SINGLE:
        if len(list(manifest.of(role))) > 1:
            yield lines.problem(1, "duplicate_file", f"the task has more than one {role}")
    if manifest.annotation not in ANNOTATIONS:
        message = f"annotation is {manifest.annotation!r}, expected one of {', '.join(ANNOTATIONS)}"
        yield lines.problem(lines.line('"annotation"'), "schema", message)
    splits = {task_file.split for task_file in manifest.of("document")}
    for name in manifest.hidden:
        if name not in splits:
            message = f"no document is of the hidden split {name!r}"
            yield lines.problem(lines.line('"hidden"'), "hidden", message)
    for file in manifest.of("answers"):
        if file.split is not None and file.split not in splits:
            message = f"{file.path} answers the split {file.split!r}, which has no documents"
            yield lines.problem(lines.line(file.path), "hidden", message)


def _document(place: str, data: bytes) -> Iterator[Problem]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        yield Problem(place, line, "unreadable", f"not valid UTF-8 (byte {error.start + 1})")
        return
    if not text.strip():
        yield Problem(place, 1, "empty_text", "the document has no text")


class _ManifestLines:
    """The lines of the manifest, to point at what is wrong in it."""

    def __init__(self, package: Package) -> None:
        name = package.folder.find(MANIFEST)
        self._file = package.folder.place(name or MANIFEST)
        self._text = package.folder.read(name).decode("utf-8", "replace") if name else ""

    def line(self, text: str) -> int:
        """The first line with a text; the first of all where it is nowhere."""
        offset = self._text.find(text)
        return self._text.count("\n", 0, offset) + 1 if offset >= 0 else 1

    def problem(self, line: int, code: str, message: str) -> Problem:
        """A problem of the manifest."""
        return Problem(self._file, line, code, message)
