"""After a power cut: no synced row is lost, none occurs twice, and the sitting can be resumed."""

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import readmark
from made import asked, chinese, comprehension, passage
from misbehaving_candidates import standing, timeless
from power_cut import Disk, Names, Sync, Write
from readmark.core.errors import DataError
from readmark.core.new_folders import writing_folder
from readmark.core.outputs import writing_together
from readmark.core.test import Test
from readmark.core.writing import writing
from readmark.sitting import journal as journals


class Clock:
    """Every look at it takes a while."""

    def __init__(self, step: float) -> None:
        self.now, self._step = 0.0, step

    def __call__(self) -> float:
        self.now += self._step
        return self.now


def recorded(test: Test, path: Path, step: float) -> Disk:
    """A sitting, with a record of what reached the disk when."""
    with pytest.MonkeyPatch.context() as patch:
        clock = Clock(step)
        disk = Disk(path, clock=lambda: clock.now)
        patch.setattr(journals, "monotonic", clock)
        disk.watch(patch)
        readmark.sit(test, "lead", path)
    return disk


@pytest.fixture
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds of sittings are resumed here, which need no disk."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


def resumed(test: Test, path: Path, state: bytes | None, synced: bytes) -> None:
    """From that state the sitting comes to its end, and nothing that was synced is missing."""
    path.unlink(missing_ok=True)
    if state is not None:
        path.write_bytes(state)
    done = readmark.sit(test, "lead", path)
    assert (done.errors, done.unanswered) == (0, 0)
    rows = standing(path)[1]
    assert sorted(row["id"] for row in rows) == sorted(unit.id for unit in test.units())
    whole = synced[: synced.rfind(b"\n") + 1]
    assert path.read_bytes().startswith(whole)


@pytest.mark.parametrize("step", [0.3, 0.6, 1.5])
@pytest.mark.usefixtures("unsynced")
def test_resumed_from_whatever_a_power_cut_leaves(tmp_path: Path, step: float) -> None:
    test = chinese()
    disk = recorded(test, tmp_path / "s.jsonl", step)
    rows = timeless(disk.path)
    states = 0
    for cut in range(len(disk.changes) + 1):
        synced, pending = disk.durable(cut)
        times = [change.time for change in pending if isinstance(change, Write)]
        # What may be lost was written within a second.
        assert not times or times[-1] - times[0] < journals.SYNC_EVERY
        for state in disk.after(cut):
            assert state is not None or not synced.count(b"\n") > 1
            resumed(test, tmp_path / "after.jsonl", state, synced)
            states += 1
    assert states > 30
    assert disk.durable(len(disk.changes)) == (disk.path.read_bytes(), [])
    assert timeless(tmp_path / "after.jsonl") == rows


@pytest.mark.usefixtures("unsynced")
def test_resumed_after_a_cut_while_it_was_being_repaired(tmp_path: Path) -> None:
    test = chinese()
    first = recorded(test, tmp_path / "first.jsonl", 0.3)
    again, after = tmp_path / "again.jsonl", tmp_path / "after.jsonl"
    repaired = 0
    for state in list(first.after(len(first.changes) - 1)):
        again.unlink(missing_ok=True)
        if state is not None:
            again.write_bytes(state)
        second = recorded(test, again, 0.3)
        repaired += any(not isinstance(change, (Write, Sync)) for change in second.changes)
        for cut in range(len(second.changes) + 1):
            synced, _ = second.durable(cut)
            sound = synced.split(b"\0")[0]  # up to what the first cut had damaged
            for damaged in second.after(cut):
                resumed(test, after, damaged, sound)
    assert repaired > 2


@pytest.mark.parametrize("workers", [1, 2])
def test_a_long_sitting_is_synced_each_second(
    tmp_path: Path, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    test = comprehension(*(passage(f"p{number}", asked(f"q{number}", "x")) for number in range(40)))
    clock = Clock(0.1)
    disk = Disk(tmp_path / "s.jsonl", clock=lambda: clock.now)
    monkeypatch.setattr(journals, "monotonic", clock)
    disk.watch(monkeypatch)
    readmark.sit(test, "lead", disk.path, workers=workers)
    assert disk.changes[0:3] == [disk.changes[0], Sync(), Sync(names=True)]
    assert disk.changes[-1] == Sync()
    assert 5 <= disk.changes.count(Sync()) <= 8


@pytest.mark.parametrize("end", [KeyboardInterrupt, ValueError])
def test_an_interrupted_sitting_is_synced(
    six: Test, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: type[BaseException]
) -> None:
    disk = Disk(tmp_path / "s.jsonl")
    disk.watch(monkeypatch)

    def stop(_: object) -> None:
        raise end

    with pytest.raises(end):
        readmark.sit(six, "lead", disk.path, watch=stop)
    assert disk.durable(len(disk.changes)) == (disk.path.read_bytes(), [])
    assert len(standing(disk.path)[1]) == 1


@pytest.mark.parametrize("after", [0, 1])
def test_a_disk_that_fails_to_sync_is_reported(
    six: Test, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    path = tmp_path / "s.jsonl"
    calls: list[int] = []

    def fsync(descriptor: int) -> None:
        if os.path.samestat(os.fstat(descriptor), path.stat()):
            calls.append(descriptor)
            if len(calls) > after:
                raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(DataError, match=rf"^{path}: .*\(Input/output error\)"):
        readmark.sit(six, "lead", path)
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(errno.EINVAL, "no")))
    assert readmark.sit(six, "lead", path).unanswered == 0  # not every system can


DAMAGED: dict[str, tuple[Callable[[list[bytes]], bytes], int]] = {
    "zeros at the end": (lambda lines: b"".join(lines) + bytes(300), 6),
    "zeros and a whole row": (lambda lines: b"".join(lines[:4]) + bytes(40) + lines[5], 3),
    "zeros amid a row": (
        lambda lines: b"".join(lines[:4]) + lines[4][:9] + bytes(9) + lines[4][18:] + lines[5],
        3,
    ),
    "a header of zeros": (lambda lines: bytes(len(lines[0])), 0),
    "half a header of zeros": (lambda lines: lines[0][:20] + bytes(len(lines[0]) - 20), 0),
    "the end of a header": (lambda lines: bytes(20) + lines[0][20:], 0),
}


@pytest.mark.parametrize("what", DAMAGED)
def test_zeros_are_removed_and_reported(six: Test, journal: Path, what: str) -> None:
    readmark.sit(six, "lead", journal)
    lines = journal.read_bytes().splitlines(keepends=True)
    damage, before = DAMAGED[what]
    journal.write_bytes(damage(lines))
    done = readmark.sit(six, "lead", journal)
    assert (done.progress.before, done.progress.answered) == (before, 6 - before)
    assert done.repaired is not None
    assert journal.read_bytes().splitlines(keepends=True)[: before + 1] == lines[: before + 1]
    assert len(standing(journal)[1]) == 6


def _write(path: Path) -> None:
    with writing(path) as stream:
        stream.write(b"new" * 100_000)


def _folder(path: Path) -> None:
    with writing_folder(path) as write:
        write("a.txt", "one")
        write("b.txt", "two")


def _together(path: Path) -> None:
    with writing_together([path, path.with_name("other.jsonl")]) as parts:
        for part in parts:
            part.write_bytes(b"new")


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Iterator[Names]:
    """The layer under files that are written whole or not at all."""
    layer = Names()
    layer.watch(monkeypatch)
    yield layer
    assert layer.lost == []
    assert layer.folders == []


@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.gz", "x.jsonl.zst"])
@pytest.mark.parametrize("existing", [True, False])
def test_a_file_has_its_content_before_its_name(
    tmp_path: Path, names: Names, name: str, existing: bool
) -> None:
    path = tmp_path / name
    if existing:
        path.write_bytes(b"old")
    _write(path)
    assert path.read_bytes() in names.synced.values()


@pytest.mark.parametrize("write", [_folder, _together])
def test_so_have_folders_and_files_that_belong_together(
    tmp_path: Path, names: Names, write: Callable[[Path], None]
) -> None:
    write(tmp_path / "x")
    assert len(names.synced) == 2
