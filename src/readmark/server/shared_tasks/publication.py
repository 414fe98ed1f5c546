"""The files of a shared task that anybody may download: the public part of its test.

Hidden splits never leave with their keys, and not at all before the formal phase. Levels and types
are part of the key. Files are made once in a process and kept: a test never changes.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import msgspec

from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.splits import only_splits, split_words, without_keys
from readmark.core.test import Test
from readmark.formats.registry import format_for, open_test, save_test
from readmark.making import publish_test
from readmark.server.database import Database
from readmark.server.shared_tasks.task_test import TaskTest, test_content

DataFormat = Literal["native", "squad", "folder", "card"]
"""A native file (or the package that the test came as), SQuAD's JSON, the folder that ``set
export`` makes as a zip, or the data card of that folder."""
NO_LICENCE = "not stated"
MOST_FILES = 64
"""Files that are kept; the one that was not asked for longest goes first."""


class NotOut(UsageError):
    """A paper that is not published yet."""


class _Files:
    """Files by what they are made from; each is made once, whoever asks at the same time."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._files: dict[tuple[Any, ...], Path] = {}
        self._lock = threading.Lock()
        self._making: dict[tuple[Any, ...], threading.Lock] = {}
        self._worker = threading.Lock()  # one at a time, however many are asked for
        self._count = 0

    def get(self, key: tuple[Any, ...], suffix: str, make: Callable[[Path], None]) -> Path:
        """The file of a key; ``make`` writes it if it is not there."""
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        with making:
            with self._lock:
                stored = self._files.pop(key, None)
                if stored is not None:
                    self._files[key] = stored  # what was asked for last is last
                    return stored
                if self._folder is None:
                    self._folder = tempfile.TemporaryDirectory(prefix="readmark-tasks-")
                self._count += 1
                path = Path(self._folder.name) / f"{self._count}{suffix}"
            try:
                with self._worker:
                    make(path)
            except BaseException:
                path.unlink(missing_ok=True)
                raise
            with self._lock:
                self._files[key] = path
                while len(self._files) > MOST_FILES:
                    oldest = next(iter(self._files))
                    self._files.pop(oldest).unlink(missing_ok=True)
                    self._making.pop(oldest, None)
            return path


_FILES = _Files()


def data_file(
    database: Database,
    test: TaskTest,
    *,
    format: DataFormat = "native",
    split: str | None = None,
    paper: bool = False,
    words: Mapping[str, str] | None = None,
) -> Path:
    """The public part of a test as a file: papers that are out, keys of public splits only.

    ``paper`` leaves out all keys. ``words`` are the name and the description on the card.
    """
    names = [split.name for split in test.splits]
    if split is not None and split not in names:
        listed = ", ".join(name for name in names if name)
        raise UsageError(f"the test has no split {split!r}; it has {listed or 'none'}")
    out = test.out if split is None else [split or None]
    if not out or not set(out) <= set(test.out):
        closed = [split.name for split in test.splits if not split.is_paper_out]
        raise NotOut(f"not published yet: {split_words(closed)}")
    if format == "squad" and not test.has_squad:
        raise UsageError(f"a {test.about['kind']} test has no SQuAD file")
    suffix = {"native": test.suffix, "squad": ".json", "folder": ".zip", "card": ".md"}[format]
    # Only cards have words: other files are the same whatever the task is called.
    card_words = tuple(sorted((words or {}).items())) if format in ("folder", "card") else ()
    key = (test.project_id, test.hidden, tuple(out), format, paper, test.licence, card_words)

    def make(path: Path) -> None:
        with database.reading() as session:
            content = test_content(session, test)
        write_data(content, test, path, format=format, out=out, paper=paper, words=words)

    return _FILES.get(key, suffix, make)


def write_data(
    content: bytes,
    test: TaskTest,
    path: Path,
    *,
    format: DataFormat = "native",
    out: Sequence[str | None] | None = None,
    paper: bool = False,
    words: Mapping[str, str] | None = None,
) -> None:
    """Write what is published of some splits of a test, of all that are out by default."""
    out = test.out if out is None else out
    with _opened(content, test) as source:
        if format == "native" and (packages := test.packages) is not None:
            packages.write_open_splits(
                source,
                path,
                closed={
                    name.casefold()
                    for name in test.about["all_splits"]
                    if (name or None) not in out
                },
                hidden=test.hidden,
                licence=test.licence or None,
                paper=paper,
            )
        else:
            _write(_public_part(source, test, out, paper=paper), path, test, format, words or {})


@contextmanager
def _opened(content: bytes, test: TaskTest) -> Iterator[Path]:
    """The file of a test in a folder of its own; errors do not name the folder."""
    with tempfile.TemporaryDirectory(prefix="readmark-task-") as folder:
        path = Path(folder) / test.file
        path.write_bytes(content)
        try:
            yield path
        except ReadmarkError as error:
            error.args = (str(error).replace(f"{folder}/", ""),)
            raise


def _public_part(path: Path, test: TaskTest, out: Sequence[str | None], *, paper: bool) -> Test:
    """The splits that are out, without hidden keys; ``paper`` takes every key out."""
    whole = open_test(path)
    part = whole if len(out) == len(test.splits) else only_splits(whole, out)
    hidden = [name for name in test.hidden if name in out]
    public = without_keys(part, hidden)
    header = msgspec.structs.replace(public.header, licence=test.licence or None)
    public = replace(public, header=header, whole=None, selected=())
    return public.paper() if paper else public


def _write(
    public: Test, path: Path, test: TaskTest, format: DataFormat, words: Mapping[str, str]
) -> None:
    if format == "native":
        save_test(public, path)
        return
    if format == "squad":
        save_test(public, path, format=format_for(path, public))
        return
    hidden = [name for name in test.hidden if name in public.facts.splits]
    folder = path.with_name(f"{path.stem}.folder")
    try:
        licence = test.licence or NO_LICENCE
        published = publish_test(public, folder, hidden=hidden, licence=licence, **words)
        if format == "card":
            shutil.copyfile(published.card, path)
            return
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(folder.rglob("*")):
                if file.is_file():
                    archive.write(file, file.relative_to(folder).as_posix())
    finally:
        shutil.rmtree(folder, ignore_errors=True)
