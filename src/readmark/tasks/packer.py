"""Packing a task: every file gets its role and hash in a manifest, and all go to one place."""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.console import problems as counted_problems
from readmark.core.display import Result
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import DataError
from readmark.core.folders import Folder
from readmark.core.new_folders import making_folder
from readmark.core.problems import Problem
from readmark.core.writing import writing
from readmark.tasks.checks import check_task
from readmark.tasks.manifest import MANIFEST, Manifest, TaskFile, sha256
from readmark.tasks.package import Package, domain_folder, role_of, secret_files
from readmark.tasks.standing_gold import files_at
from readmark.tasks.task_folder import JoinedFolder, Parts, gather

if TYPE_CHECKING:
    from rich.console import Console

_ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # equal content gives equal bytes


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
        task_files = tuple(file for file in manifest.files if file.path not in secret)
        manifest = msgspec.structs.replace(manifest, files=task_files)
    if not manifest.files:
        raise DataError("there is nothing to pack", file=parts.package.folder.path)
    data = written(manifest)
    named: list[tuple[str, Callable[[], bytes]]] = [
        (MANIFEST, lambda: data),
        *((file.path, _reader(parts, file)) for file in manifest.files),
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
    """The manifest as its file; what identifies the file is never omitted as a default."""
    said = {"readmark": manifest.readmark, "file": manifest.file, "kind": manifest.kind}
    data = msgspec.json.encode({**said, **msgspec.to_builtins(manifest)})
    return msgspec.json.format(data, indent=1) + b"\n"


def _reader(parts: Parts, file: TaskFile) -> Callable[[], bytes]:
    return lambda: parts.read(file.path)


def _content(folder: Folder, name: str, new: Mapping[str, bytes]) -> bytes:
    return new[name] if name in new else folder.read(name, whole=True)


def _zip(output: str | Path, named: Iterable[tuple[str, Callable[[], bytes]]]) -> None:
    with writing(output) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, read in named:
            packed.writestr(zipfile.ZipInfo(name, _ZIP_TIME), read(), zipfile.ZIP_DEFLATED)


def put_file(package: Package, path: str, data: bytes) -> None:
    """Write a file into a task, and its hash into the manifest where the task is packed."""
    folder, manifest = package.folder, package.manifest
    role, split = role_of(path)
    entry = TaskFile(path=path, role=role, sha256=sha256(data), bytes=len(data), split=split)
    files = {file.path: file for file in manifest.files} | {path: entry}
    packed = written(msgspec.structs.replace(manifest, files=tuple(files.values())))
    if folder.is_zip:
        new = {MANIFEST: packed, path: data}
        names = dict.fromkeys((*folder.names, path))
        _zip(folder.path, [(name, partial(_content, folder, name, new)) for name in names])
        return
    with writing(folder.path / path) as stream:
        stream.write(data)
    if folder.find(MANIFEST):
        with writing(folder.path / MANIFEST) as stream:
            stream.write(packed)


# Check a task and pack it.


@dataclass(frozen=True, repr=False)
class PackedTask(Result):
    """The problems of a task and what was written; no output when the task was inconsistent."""

    source: str
    problems: Sequence[Problem]
    roles: Mapping[str, int]
    output: str | None
    left_out: tuple[str, ...] | None = None
    """Files that a public task goes without."""

    @property
    def failed(self) -> bool:
        """Whether the task is inconsistent."""
        return any(problem.severity != "warning" for problem in self.problems)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was written, and what was left out."""
        if self.output is None:
            wrong = sum(problem.severity != "warning" for problem in self.problems)
            return (f"{self.source}: {counted_problems(wrong)}: nothing was written",)
        roles = ", ".join(f"{count} {role}" for role, count in self.roles.items())
        left_out = [f"{self.output}: left out: {', '.join(self.left_out)}"] if self.left_out else []
        return (f"{self.output}: {roles}", *left_out)

    def as_json(self) -> dict[str, Any]:
        """The output, how many files it has of each role, and the problems."""
        problems = list(map(asdict, self.problems))
        left_out = {} if self.left_out is None else {"left_out": self.left_out}
        return {"output": self.output, "files": self.roles, "problems": problems, **left_out}

    def show(self, console: Console) -> None:
        """A line a problem, with how a contradiction comes about below it."""
        for problem in self.problems:
            for line in (str(problem), *problem.details):
                print(line, file=console.file)

    def __str__(self) -> str:
        return "\n".join(filter(None, (super().__str__(), *self.notes)))


def pack_task(
    source: str | Path,
    output: str | Path,
    *,
    domain: str | None = None,
    public: bool = False,
    keep: Sequence[str] = (),
    anyway: bool = False,
    gold: int | None = None,
    about: Mapping[str, Any] | None = None,
) -> PackedTask:
    """Gathers, checks, and writes a task unless something is wrong (or ``anyway``).

    ``about`` overrides what ``task.toml`` says: name, language, phase, capabilities, annotation,
    hidden. A ``public`` task goes without what reveals the answers of hidden splits. ``gold`` is
    the version of the answers, the newest by default.
    """
    require_distinct_files([output], [source])
    parts = gather(source, domain=domain_folder(domain) if domain else None, **(about or {}))
    if gold is not None:
        parts = at_version(parts, gold)
    every = parts.package.manifest.files
    packed_task = PackedTask(
        str(source),
        list(check_task(parts.package)),
        dict(Counter(file.role for file in every)),
        None,
        () if public else None,
    )
    if packed_task.failed and not anyway:
        return packed_task
    packed = pack(parts, output, public=public, keep=keep).files
    left_out = tuple(file.path for file in every if file not in packed)
    roles = dict(Counter(file.role for file in packed))
    return replace(
        packed_task, roles=roles, output=str(output), left_out=left_out if public else None
    )
