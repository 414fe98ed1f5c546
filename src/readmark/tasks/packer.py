"""Packing a task: every file gets its role and hash in a manifest, and all go to one place."""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.files import in_words, read_toml, require_distinct_files, writing
from readmark.core.folders import Folder, making_folder
from readmark.core.problems import Problem
from readmark.tasks.checks import check_task
from readmark.tasks.manifest import MANIFEST, Manifest, TaskFile, read_manifest, sha256
from readmark.tasks.package import ABOUT, Package, document_id, is_own, role_of, secrets

_ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # equal content gives equal bytes
SHARED = ("ontology", "rules", "guidelines", "decomposition", "queries")
"""What a domain lends to a task that has none of its own."""


@dataclass(frozen=True)
class Parts:
    """What is packed: the task's own folder, and what a domain's folder adds to it."""

    package: Package
    lent: dict[str, Folder]
    """Paths that come from the domain's folder."""

    def read(self, path: str) -> bytes:
        """A file's bytes, exactly."""
        return self.lent.get(path, self.package.folder).read(path, whole=True)


def gather(source: str | Path, *, domain: str | Path | None = None, **said: Any) -> Parts:
    """What would be packed from a folder laid out as :mod:`layout` says; nothing is written.

    ``said`` overrides what ``task.toml`` (or an older manifest) says of the task.
    """
    folder = _folder(source)
    about = _about(folder, said)
    names = [name for name in folder.names if not is_own(name)]
    files = [_entry(folder, name) for name in names]
    lent: dict[str, Folder] = {}
    if domain is not None:
        shared = _folder(domain)
        have = {one.role for one in files}
        for name in shared.names:
            role, _ = role_of(name)
            if role in SHARED and role not in have and name not in names:
                lent[name] = shared
                files.append(_entry(shared, name))
    manifest = msgspec.structs.replace(about, files=tuple(files))
    package = Package(_Joined(folder, lent), manifest)
    named = msgspec.structs.replace(manifest, namespaces=_namespaces(package))
    return Parts(Package(package.folder, named), lent)


def _namespaces(package: Package) -> dict[str, str]:
    """The prefixes of the ontology; what is wrong with it, checking tells."""
    try:
        ontology = package.ontology(lambda problem: None)
    except DataError:
        return {}
    if ontology is None:
        return {}
    return {**ontology.namespaces.prefixes, "": ontology.namespaces.default}


def pack(
    parts: Parts, output: str | Path, *, public: bool = False, keep: Sequence[str] = ()
) -> Manifest:
    """Write the task as a folder, or a zip when the name says so; whole or not at all.

    ``public`` leaves out what tells the answers of hidden splits, and files of no known use but
    those that ``keep`` names.
    """
    manifest = parts.package.manifest
    if public:
        secret = secrets(parts.package, keep)
        kept = tuple(one for one in manifest.files if one.path not in secret)
        manifest = msgspec.structs.replace(manifest, files=kept)
    if not manifest.files:
        raise DataError("there is nothing to pack", file=parts.package.folder.path)
    data = written(manifest)
    named: list[tuple[str, Callable[[], bytes]]] = [
        (MANIFEST, lambda: data),
        *((one.path, _reader(parts, one)) for one in manifest.files),
    ]
    if Path(output).suffix.lower() == ".zip":
        _zip(output, named)
    else:
        with making_folder(output) as folder:
            for name, read in named:
                target = folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(read())
    return manifest


def written(manifest: Manifest) -> bytes:
    """The manifest as its file; what tells the file apart is never left out as a default."""
    said = {"readmark": manifest.readmark, "file": manifest.file, "kind": manifest.kind}
    data = msgspec.json.encode({**said, **msgspec.to_builtins(manifest)})
    return msgspec.json.format(data, indent=1) + b"\n"


class _Joined(Folder):
    """A folder into which another lends some files."""

    def __init__(self, own: Folder, lent: dict[str, Folder]) -> None:
        self.path = own.path
        self.is_zip = own.is_zip
        self.names = (*own.names, *lent)
        self._own = own
        self._lent = lent
        self._folded = {name.lower(): name for name in self.names}

    def place(self, name: str) -> str:
        """What a file is called in a message."""
        return f"{self._lent.get(name, self._own).path}/{name}"

    def read(self, name: str, *, whole: bool = False) -> bytes:
        """A file's bytes, from whichever folder has it."""
        return self._lent.get(name, self._own).read(name, whole=whole)


def _folder(path: str | Path) -> Folder:
    path = Path(path)
    if not path.is_dir() and not (path.is_file() and path.suffix.lower() == ".zip"):
        raise DataError("expected the folder of a task", file=path)
    folder = Folder(path)
    folder.require_contained()
    return folder


def _about(folder: Folder, said: dict[str, Any]) -> Manifest:
    """What the makers say of a task: ``task.toml``, else the manifest of before, and overrides."""
    known: dict[str, Any] = {}
    file = folder.place(ABOUT)
    if folder.find(ABOUT) and not folder.is_zip:
        known = read_toml(folder.path / ABOUT)
    elif folder.find(MANIFEST):
        known = msgspec.to_builtins(_without_files(read_manifest(folder)))
    known |= {name: value for name, value in said.items() if value not in (None, ())}
    known.setdefault("name", folder.path.resolve().name)
    try:
        return msgspec.convert(known, Manifest)
    except msgspec.ValidationError as error:
        raise DataError(in_words(error), file=file) from None


def _without_files(manifest: Manifest) -> Manifest:
    """The manifest without its files."""
    return msgspec.structs.replace(manifest, files=())


def _entry(folder: Folder, name: str) -> TaskFile:
    data = folder.read(name, whole=True)
    role, split = role_of(name)
    id = document_id(name) if role == "document" else None
    return TaskFile(path=name, role=role, sha256=sha256(data), bytes=len(data), id=id, split=split)


def _reader(parts: Parts, file: TaskFile) -> Callable[[], bytes]:
    return lambda: parts.read(file.path)


def _zip(output: str | Path, named: Iterable[tuple[str, Callable[[], bytes]]]) -> None:
    with writing(output) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, read in named:
            packed.writestr(zipfile.ZipInfo(name, _ZIP_TIME), read(), zipfile.ZIP_DEFLATED)


# Check a task and pack it, with what a shipped domain lends.


DOMAINS = "domains"


@dataclass(frozen=True)
class Packed:
    """What was found and written; no output when the task was inconsistent."""

    problems: list[Problem]
    roles: dict[str, int]
    output: str | None
    left_out: tuple[str, ...] = ()
    """Files that a public task goes without."""


def pack_task(
    source: str | Path,
    output: str | Path,
    *,
    domain: str | None = None,
    public: bool = False,
    keep: Sequence[str] = (),
    anyway: bool = False,
    said: Mapping[str, Any] | None = None,
) -> Packed:
    """Gather, check, and write unless something is wrong."""
    require_distinct_files([output], [source])
    parts = gather(source, domain=domain_folder(domain) if domain else None, **(said or {}))
    found = list(check_task(parts.package))
    roles = dict(Counter(one.role for one in parts.package.manifest.files))
    if any(one.severity != "warning" for one in found) and not anyway:
        return Packed(found, roles, None)
    manifest = pack(parts, output, public=public, keep=keep)
    kept = {one.path for one in manifest.files}
    left_out = tuple(one.path for one in parts.package.manifest.files if one.path not in kept)
    return Packed(found, dict(Counter(one.role for one in manifest.files)), str(output), left_out)


def domain_folder(name: str) -> Path:
    """The folder of a domain: one that ships, by name, or any other, by path."""
    if Path(name).is_dir():
        return Path(name)
    shipped = Path(str(files("readmark.tasks"))) / DOMAINS
    known = (
        sorted(one.name for one in shipped.iterdir() if one.is_dir()) if shipped.is_dir() else []
    )
    known = [one for one in known if not one.startswith(("_", "."))]
    if name not in known:
        raise UsageError(f"no domain {name!r}; {did_you_mean(name, known)}")
    return shipped / name
