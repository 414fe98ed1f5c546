"""A task as its makers keep it: a folder of files, with what a domain lends to it.

Every command that takes a task takes such a folder too; packing adds roles and hashes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.core.display import Result
from readmark.core.errors import DataError, UsageError
from readmark.core.files import toml_of
from readmark.core.folders import Folder
from readmark.core.json_lines import in_words
from readmark.core.new_folders import making_folder
from readmark.core.source import Source
from readmark.tasks.manifest import (
    ABOUT,
    MANIFEST,
    Manifest,
    TaskFile,
    is_unpacked,
    read_manifest,
    sha256,
)
from readmark.tasks.package import (
    Package,
    document_id,
    domain_folder,
    is_own,
    open_package,
    role_of,
    shipped_domain,
)

if TYPE_CHECKING:
    from rich.console import Console

SHARED = (
    "ontology",
    "rules",
    "guidelines",
    "decomposition",
    "queries",
    "categories",
    "patterns",
    "summary",
)
"""What a domain lends to a task that has none of its own."""
DOMAIN = "domain"
"""What ``task.toml`` calls the shipped domain of a task."""


@dataclass(frozen=True)
class Parts:
    """What is packed: the task's own folder, and what a domain's folder adds to it."""

    package: Package
    lent: dict[str, Folder]
    """Paths that come from the domain's folder."""

    def read(self, path: str) -> bytes:
        """A file's bytes, exactly."""
        return self.package.folder.read(path, whole=True)


def gather(source: str | Path, *, domain: str | Path | None = None, **overrides: Any) -> Parts:
    """What would be packed from a folder laid out as docs/tasks.md says; nothing is written.

    ``overrides`` replace what ``task.toml`` (or an older manifest) says of the task. A domain that
    ``task.toml`` names is used where ``domain`` is absent.
    """
    folder = _folder(source)
    about, named_domain = _about(folder, overrides)
    domain = named_domain if domain is None else domain
    names = [name for name in folder.names if not is_own(name)]
    files = [_entry(folder, name) for name in names]
    lent: dict[str, Folder] = {}
    if domain is not None:
        shared = _folder(domain)
        roles = {file.role for file in files}
        for name in shared.names:
            role, _ = role_of(name)
            if role in SHARED and role not in roles and name not in names:
                lent[name] = shared
                files.append(_entry(shared, name))
    manifest = msgspec.structs.replace(about, files=tuple(files))
    package = Package(JoinedFolder(folder, lent), manifest)
    named = msgspec.structs.replace(manifest, namespaces=_namespaces(package))
    return Parts(Package(package.folder, named), lent)


def _namespaces(package: Package) -> dict[str, str]:
    """The prefixes of the ontology; a check reports what is wrong with it."""
    try:
        ontology = package.ontology(lambda problem: None)
    except DataError:
        return {}
    if ontology is None:
        return {}
    return {**ontology.namespaces.prefixes, "": ontology.namespaces.default}


def open_task(task: str | Path, *, domain: str | None = None) -> Package:
    """A packed task, or a folder that is not packed."""
    source = Source(task)
    if source.folder is not None and is_unpacked(source.folder):
        return gather(task, domain=domain_folder(domain) if domain else None).package
    return open_package(task)


@dataclass(frozen=True, repr=False)
class NewTask(Result):
    """A folder that was made, with every file of a small task."""

    folder: str
    files: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What to do next."""
        steps = (f"check {self.folder}", f"task gold {self.folder} -o FILE")
        return (
            f"{self.folder}: {len(self.files)} files; edit them, then readmark {steps[0]}",
            f"gold answers: readmark {steps[1]}",
        )

    def as_json(self) -> dict[str, Any]:
        """The folder and its files."""
        return {"folder": self.folder, "files": list(self.files)}

    def show(self, console: Console) -> None:
        """A file a line."""
        for name in self.files:
            print(f"{self.folder}/{name}", file=console.file)


def new_task(folder: str | Path) -> NewTask:
    """Make a commented skeleton of a task, in a folder that is not there yet or is empty.

    It is a whole task: two documents with annotated statements, an ontology with a subclass, a
    rule and a contradiction, guidelines and queries. Everything in it is there to be replaced.
    """
    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{folder} is there already; name a new folder")
    name = re.sub(r"[^A-Za-z0-9]+", "-", target.resolve().name).strip("-").lower() or "task"
    skeleton = Path(str(resources.files("readmark.tasks"))) / "skeleton"
    names = []
    with making_folder(target) as whole:
        for source in sorted(path for path in skeleton.rglob("*") if path.is_file()):
            inside = source.relative_to(skeleton)
            (whole / inside).parent.mkdir(parents=True, exist_ok=True)
            text = source.read_text(encoding="utf-8").replace("NAME", name)
            (whole / inside).write_bytes(text.encode())
            names.append(inside.as_posix())
    return NewTask(str(folder), tuple(names))


class JoinedFolder(Folder):
    """A folder into which another lends some files, and in which some have new content."""

    def __init__(
        self, own: Folder, lent: dict[str, Folder], new: Mapping[str, bytes] | None = None
    ) -> None:
        self.path = own.path
        self.is_zip = own.is_zip
        self.names = (*own.names, *lent)
        self._own = own
        self._lent = lent
        self._new = new or {}
        self._folded = {name.lower(): name for name in self.names}

    def place(self, name: str) -> str:
        """What a file is called in a message."""
        return f"{self._lent.get(name, self._own).path}/{name}"

    def read(self, name: str, *, whole: bool = False) -> bytes:
        """A file's bytes, from whichever folder has it."""
        if name in self._new:
            return self._new[name]
        return self._lent.get(name, self._own).read(name, whole=whole)


def _folder(path: str | Path) -> Folder:
    path = Path(path)
    if not path.is_dir() and not (path.is_file() and path.suffix.lower() == ".zip"):
        raise DataError("expected the folder of a task", file=path)
    folder = Folder(path)
    folder.require_contained()
    return folder


def _about(folder: Folder, overrides: dict[str, Any]) -> tuple[Manifest, Path | None]:
    """What the makers say of a task: ``task.toml``, else the manifest of before, and overrides.

    Also the folder of the shipped domain that it names, if any.
    """
    members: dict[str, Any] = {}
    file: str | None = None
    if about := folder.find(ABOUT):
        file = folder.place(about)
        members = toml_of(folder.read(about), file)
    elif folder.find(MANIFEST):
        file = folder.place(MANIFEST)
        members = msgspec.to_builtins(msgspec.structs.replace(read_manifest(folder), files=()))
    domain = _shipped(members.pop(DOMAIN), file) if DOMAIN in members else None
    members.setdefault("name", folder.path.resolve().name)
    overrides = {name: value for name, value in overrides.items() if value not in (None, ())}
    try:
        return msgspec.convert(members | overrides, Manifest), domain
    except msgspec.ValidationError as error:
        fault = in_words(error)
    try:
        msgspec.convert(members, Manifest)
    except msgspec.ValidationError:
        raise DataError(fault, file=file) from None
    raise UsageError(f"description of the task: {fault}")


def _shipped(name: Any, file: str | None) -> Path:
    """The folder of a domain that ships; a path would lead out of the task."""
    if not isinstance(name, str) or Path(name).name != name:
        raise DataError(f"domain is {name!r}, expected the name of one that ships", file=file)
    try:
        return shipped_domain(name)
    except UsageError as wrong:
        raise DataError(str(wrong), file=file) from None


def _entry(folder: Folder, name: str) -> TaskFile:
    data = folder.read(name, whole=True)
    role, split = role_of(name)
    id = document_id(name) if role == "document" else None
    return TaskFile(path=name, role=role, sha256=sha256(data), bytes=len(data), id=id, split=split)
