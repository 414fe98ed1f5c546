"""A task as its makers keep it: a folder of files, with what a domain lends to it.

Every command that takes a task takes such a folder too; packing adds roles and hashes.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError, UsageError
from readmark.core.files import toml_of
from readmark.core.folders import Folder
from readmark.core.json_lines import in_words
from readmark.core.source import Source
from readmark.tasks.domain_folders import domain_folder, shipped_domain
from readmark.tasks.file_roles import describes_task, id_from_path, role_of
from readmark.tasks.joined_folder import JoinedFolder
from readmark.tasks.manifest import (
    ABOUT,
    MANIFEST,
    Manifest,
    TaskFile,
    is_unpacked,
    read_manifest,
    sha256,
)
from readmark.tasks.package import Package, open_package

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
    names = [name for name in folder.names if not describes_task(name)]
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
    id = id_from_path(name) if role == "document" else None
    return TaskFile(path=name, role=role, sha256=sha256(data), bytes=len(data), id=id, split=split)
