"""Writing a task as a folder or zip with a manifest, whole, one file, or at an earlier gold."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

import msgspec

from readmark.core.errors import DataError
from readmark.core.new_folders import making_folder
from readmark.core.writing import writing
from readmark.tasks.file_roles import role_of
from readmark.tasks.joined_folder import JoinedFolder
from readmark.tasks.manifest import MANIFEST, Manifest, TaskFile, sha256
from readmark.tasks.package import Package
from readmark.tasks.secret_files import secret_files
from readmark.tasks.standing_gold import files_at
from readmark.tasks.task_folder import Parts

_ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # equal content gives equal bytes

_Read = Callable[[], bytes]


def pack(
    parts: Parts, output: str | Path, *, public: bool = False, keep: Sequence[str] = ()
) -> Manifest:
    """Write the task as a folder, or a zip when the name says so; whole or not at all.

    ``public`` leaves out what reveals the answers of hidden splits, and files of no known use but
    those that ``keep`` names.
    """
    manifest = parts.package.manifest
    if public:
        secret = secret_files(parts.package, keep)
        files = tuple(file for file in manifest.files if file.path not in secret)
        manifest = msgspec.structs.replace(manifest, files=files)
    if not manifest.files:
        raise DataError("there is nothing to pack", file=parts.package.folder.path)
    # Read one at a time as they are written, since a task's background may be large.
    contents: list[tuple[str, _Read]] = [
        (MANIFEST, partial(encode_manifest, manifest)),
        *((file.path, partial(parts.read, file.path)) for file in manifest.files),
    ]
    if Path(output).suffix.lower() == ".zip":
        _write_zip(output, contents)
    else:
        with making_folder(output) as folder:
            for name, read in contents:
                target = folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(read())
    return manifest


def encode_manifest(manifest: Manifest) -> bytes:
    """The manifest as its file; what identifies the file is never omitted as a default."""
    identity = {"readmark": manifest.readmark, "file": manifest.file, "kind": manifest.kind}
    data = msgspec.json.encode({**identity, **msgspec.to_builtins(manifest)})
    return msgspec.json.format(data, indent=1) + b"\n"


def _write_zip(output: str | Path, contents: Iterable[tuple[str, _Read]]) -> None:
    with writing(output) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as target:
        for name, read in contents:
            target.writestr(zipfile.ZipInfo(name, _ZIP_TIME), read(), zipfile.ZIP_DEFLATED)


def put_file(package: Package, path: str, data: bytes) -> None:
    """Write a file into a task, and its hash into the manifest where the task is packed."""
    folder, manifest = package.folder, package.manifest
    role, split = role_of(path)
    entry = TaskFile(path=path, role=role, sha256=sha256(data), bytes=len(data), split=split)
    files = {file.path: file for file in manifest.files} | {path: entry}
    new_manifest = encode_manifest(msgspec.structs.replace(manifest, files=tuple(files.values())))
    if folder.is_zip:
        contents: dict[str, _Read] = {
            name: partial(folder.read, name, whole=True) for name in folder.names
        }
        contents |= {MANIFEST: lambda: new_manifest, path: lambda: data}
        _write_zip(folder.path, contents.items())
        return
    with writing(folder.path / path) as stream:
        stream.write(data)
    if folder.find(MANIFEST):
        with writing(folder.path / MANIFEST) as stream:
            stream.write(new_manifest)


def at_version(parts: Parts, version: int) -> Parts:
    """A task with an earlier version of its gold."""
    package = parts.package
    new = files_at(package, version)
    files = tuple(
        msgspec.structs.replace(file, sha256=sha256(new[file.path]), bytes=len(new[file.path]))
        if file.path in new
        else file
        for file in package.manifest.files
    )
    manifest = msgspec.structs.replace(package.manifest, files=files)
    return Parts(Package(JoinedFolder(package.folder, {}, new), manifest), parts.lent)
