"""A disk that remembers what was synced, and what a file may look like after a power cut.

Between a write and the next sync of its file anything may be lost: each write by itself, a part of
one, or the content of a file that has already grown, which then reads as zeros. A new or renamed
file may have its old name, or none, until its folder is synced.
"""

from __future__ import annotations

import io
import itertools
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest


@dataclass(frozen=True)
class Write:
    """Bytes at a place, and when."""

    at: int
    data: bytes
    time: float = 0.0


@dataclass(frozen=True)
class Truncate:
    """The file was made shorter."""

    size: int


@dataclass(frozen=True)
class Sync:
    """Everything before is on the disk: the file's content, or the names in its folder."""

    names: bool = False


Change = Write | Truncate | Sync


def applied(content: bytes, changes: list[Write | Truncate]) -> bytes:
    """A file after some changes; what is skipped reads as zeros."""
    data = bytearray(content)
    for change in changes:
        if isinstance(change, Truncate):
            del data[change.size :]
        else:
            data.extend(bytes(max(0, change.at - len(data))))
            data[change.at : change.at + len(change.data)] = change.data
    return bytes(data)


@dataclass
class Disk:
    """Records what happens to one file that is appended to."""

    path: Path
    clock: Callable[[], float] = lambda: 0.0
    changes: list[Change] = field(default_factory=list)
    before: bytes | None = None

    def watch(self, patch: pytest.MonkeyPatch) -> None:
        """Put the layer between the code and the file."""
        self.before = self.path.read_bytes() if self.path.exists() else None
        disk, opened = self, Path.open

        class Recorded(io.FileIO):
            def write(self, data: Any, /) -> int:
                at = os.fstat(self.fileno()).st_size
                count = super().write(data)
                disk.changes.append(Write(at, bytes(data[:count]), disk.clock()))
                return count

            def truncate(self, size: int | None = None, /) -> int:
                assert size is not None
                disk.changes.append(Truncate(size))
                return super().truncate(size)

        def open_file(path: Path, mode: str = "r", *args: Any, **options: Any) -> Any:
            if path == self.path and mode == "ab":
                return Recorded(path, "ab")
            return opened(path, mode, *args, **options)

        def fsync(descriptor: int) -> None:
            found = os.fstat(descriptor)
            if os.path.samestat(found, self.path.stat()):
                self.changes.append(Sync())
            elif os.path.samestat(found, self.path.parent.stat()):
                self.changes.append(Sync(names=True))

        patch.setattr(Path, "open", open_file)
        patch.setattr(os, "fsync", fsync)

    def durable(self, cut: int) -> tuple[bytes, list[Write | Truncate]]:
        """After so many changes: what is certainly there, and what may have been lost."""
        last = max((at for at in range(cut) if self.changes[at] == Sync()), default=-1)
        synced = [one for one in self.changes[: last + 1] if not isinstance(one, Sync)]
        pending = [one for one in self.changes[last + 1 : cut] if not isinstance(one, Sync)]
        return applied(self.before or b"", synced), pending

    def after(self, cut: int) -> Iterator[bytes | None]:
        """What the file may be after a power cut there; None is no file."""
        if self.before is None and Sync(names=True) not in self.changes[:cut]:
            yield None
        synced, pending = self.durable(cut)
        seen = set()
        for state in itertools.chain(_some_lost(synced, pending), _torn(synced, pending)):
            if state not in seen:
                seen.add(state)
                yield state


def _some_lost(synced: bytes, pending: list[Write | Truncate]) -> Iterator[bytes]:
    full = applied(synced, pending)
    for keep in itertools.product((True, False), repeat=len(pending)):
        state = applied(synced, [one for one, kept in zip(pending, keep, strict=True) if kept])
        yield state
        yield state + bytes(max(0, len(full) - len(state)))  # it grew, without the content


def _torn(synced: bytes, pending: list[Write | Truncate]) -> Iterator[bytes]:
    for at, change in enumerate(pending):
        if isinstance(change, Write):
            for size in {1, len(change.data) // 2, len(change.data) - 1}:
                part = Write(change.at, change.data[:size])
                rest = Write(change.at + size, change.data[size:])
                for half in (part, rest):
                    yield applied(synced, [*pending[:at], half])
                    yield applied(synced, [*pending[:at], half, *pending[at + 1 :]])


@dataclass
class Names:
    """Records what happens to files that take a name when they are complete."""

    synced: dict[int, bytes] = field(default_factory=dict)
    """By inode: the content of a file, as it was last synced."""
    folders: list[Path] = field(default_factory=list)
    """Folders whose names were not synced since something in them was renamed."""
    lost: list[str] = field(default_factory=list)
    """What a power cut would have taken, in words."""

    def watch(self, patch: pytest.MonkeyPatch) -> None:
        """Put the layer between the code and the files."""
        replace = os.replace

        def fsync(descriptor: int) -> None:
            found = Path(f"/proc/self/fd/{descriptor}").readlink()
            if found.is_file():
                self.synced[found.stat().st_ino] = found.read_bytes()
            else:
                self.folders = [one for one in self.folders if one != found]

        def replaced(source: Any, target: Any, **options: Any) -> None:
            source, target = Path(source), Path(target)
            for path in [source, *(source.rglob("*") if source.is_dir() else ())]:
                if path.is_file() and self.synced.get(path.stat().st_ino) != path.read_bytes():
                    self.lost.append(f"the content of {target.name}")
            replace(source, target, **options)
            self.folders.append(target.parent)

        patch.setattr(os, "fsync", fsync)
        patch.setattr(os, "replace", replaced)
