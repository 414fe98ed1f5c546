"""What a shared task publishes: the public part of its test, and what is out when.

Hidden splits never leave with their keys, and not at all before the formal phase. Levels and types
are part of the key. Files are made once in a process and kept: a test never changes.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.kinds import kind_named
from readmark.core.splits import only_splits, split_words, without_keys
from readmark.core.test import Header, Test
from readmark.formats.kind_extras import PublishesPackages
from readmark.formats.registry import format_for, open_test, save_test
from readmark.making import publish_test
from readmark.server.database import Database
from readmark.server.shared_tasks.data_card import CARD_ROLE, CardSplit, DataCard
from readmark.server.shared_tasks.options import SharedTaskOptions
from readmark.server.tables import ProjectFile

DataFormat = Literal["native", "squad", "folder", "card"]
"""A native file (or the package that the test came as), SQuAD's JSON, the folder that ``set
export`` makes as a zip, or the data card of that folder."""
NO_LICENCE = "not stated"
MOST_FILES = 64
"""Files that are kept; the one that was not asked for longest goes first."""
_LINK = re.compile(r"https?://[^\s<>\"'()（）]*[^\s<>\"'()（）.,;:!?，。；：！？、]")


class NotOut(UsageError):
    """A paper that is not published yet."""


@dataclass(frozen=True)
class TaskSplit:
    """A split of a shared task: how large it is, and what anybody sees of it."""

    name: str
    units: int
    is_hidden: bool
    is_paper_out: bool


@dataclass(frozen=True)
class TaskTest:
    """The test of a shared task, and what of it is published at a moment."""

    project_id: str
    number: int
    """Of the file, which never changes."""
    file: str
    about: Mapping[str, Any]
    hidden: tuple[str, ...]
    are_papers_out: bool
    licence: str

    @cached_property
    def splits(self) -> tuple[TaskSplit, ...]:
        """Its splits in their usual order."""
        return tuple(
            TaskSplit(
                name,
                self.about["units"].get(name, 0),
                name in self.hidden,
                name not in self.hidden or self.are_papers_out,
            )
            for name in self.about["all_splits"]
        )

    @property
    def out(self) -> list[str | None]:
        """The splits whose papers may be read, as records name them."""
        return [split.name or None for split in self.splits if split.is_paper_out]

    @property
    def suffix(self) -> str:
        """How the native file ends."""
        packages = self.packages
        return ".jsonl" if packages is None else packages.package_suffix

    @property
    def packages(self) -> PublishesPackages | None:
        """What publishes the test as the package that it came as; None if it came as records."""
        kind = kind_named(self.about["kind"])
        if not isinstance(kind, PublishesPackages):
            return None
        return kind if self.file.lower().endswith(kind.package_suffix) else None

    @property
    def has_squad(self) -> bool:
        """Whether the test can be had as SQuAD's JSON, which names no kind of test."""
        return bool(self.about["kind"] == Header().kind)


def task_test(
    session: Session, project_id: str, options: SharedTaskOptions, moment: float
) -> TaskTest:
    """The test of a task, as it is published at a moment."""
    file = session.execute(
        select(ProjectFile.number, ProjectFile.name, ProjectFile.about).where(
            ProjectFile.project_id == project_id, ProjectFile.role == "task"
        )
    ).one()
    noted: dict[str, Any] = msgspec.json.decode(file.about)
    return TaskTest(
        project_id=project_id,
        number=file.number,
        file=file.name,
        about=noted,
        hidden=options.hidden_splits(noted),
        are_papers_out=options.are_hidden_papers_out(moment),
        licence=options.licence or noted["licence"] or "",
    )


# Files to download.


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
                known = self._files.pop(key, None)
                if known is not None:
                    self._files[key] = known  # the newest is the last
                    return known
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
    known = {each.name: each for each in test.splits}
    if split is not None and split not in known:
        names = ", ".join(name for name in known if name)
        raise UsageError(f"the test has no split {split!r}; it has {names or 'none'}")
    out = test.out if split is None else [split or None]
    if not out or not set(out) <= set(test.out):
        closed = [each.name for each in test.splits if not each.is_paper_out]
        raise NotOut(f"not published yet: {split_words(closed)}")
    if format == "squad" and not test.has_squad:
        raise UsageError(f"a {test.about['kind']} test has no SQuAD file")
    suffix = {"native": test.suffix, "squad": ".json", "folder": ".zip", "card": ".md"}[format]
    said = tuple(sorted((words or {}).items())) if format in ("folder", "card") else ()
    key = (test.project_id, test.hidden, tuple(out), format, paper, test.licence, said)

    def make(path: Path) -> None:
        with database.reading() as session:
            content = test_content(session, test)
        write_data(content, test, path, format=format, out=out, paper=paper, words=words)

    return _FILES.get(key, suffix, make)


def test_content(session: Session, test: TaskTest) -> bytes:
    """The file of a task's test, keys and all."""
    content = session.scalar(select(ProjectFile.content).where(ProjectFile.number == test.number))
    assert content is not None
    return content


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
            _write(_shown(source, test, out, paper=paper), path, test, format, words or {})


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


def _shown(path: Path, test: TaskTest, out: Sequence[str | None], *, paper: bool) -> Test:
    """The splits that are out, without hidden keys; ``paper`` takes every key out."""
    whole = open_test(path)
    part = whole if len(out) == len(test.splits) else only_splits(whole, out)
    hidden = [name for name in test.hidden if name in out]
    shown = without_keys(part, hidden)
    header = msgspec.structs.replace(shown.header, licence=test.licence or None)
    shown = replace(shown, header=header, whole=None, selected=())
    return shown.paper() if paper else shown


def _write(
    shown: Test, path: Path, test: TaskTest, format: DataFormat, words: Mapping[str, str]
) -> None:
    if format == "native":
        save_test(shown, path)
        return
    if format == "squad":
        save_test(shown, path, format=format_for(path, shown))
        return
    hidden = [name for name in test.hidden if name in shown.facts.splits]
    folder = path.with_name(f"{path.stem}.folder")
    try:
        licence = test.licence or NO_LICENCE
        published = publish_test(shown, folder, hidden=hidden, licence=licence, **words)
        if format == "card":
            shutil.copyfile(published.card, path)
            return
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
            for file in sorted(folder.rglob("*")):
                if file.is_file():
                    packed.write(file, file.relative_to(folder).as_posix())
    finally:
        shutil.rmtree(folder, ignore_errors=True)


# The data card on the page, which a worker makes.


def stored_card(session: Session, test: TaskTest) -> DataCard:
    """The card of a task; until a worker has made it, the sizes of the splits."""
    content = session.scalar(
        select(ProjectFile.content)
        .where(ProjectFile.project_id == test.project_id, ProjectFile.role == CARD_ROLE)
        .order_by(ProjectFile.number.desc())
        .limit(1)
    )
    card = None if content is None else msgspec.json.decode(content, type=DataCard)
    if card is not None and card.hidden == test.hidden:
        return card
    kind = kind_named(test.about["kind"])
    rows = (CardSplit(split.name, split.units, is_hidden=split.is_hidden) for split in test.splits)
    return DataCard(kind.record_noun, kind.unit_noun, test.hidden, tuple(rows))


# What organisers write: plain text, in which addresses become links.


Paragraph = list[tuple[str, bool]]
"""A paragraph in pieces; True for a piece that is an address."""


def paragraphs(text: str) -> list[Paragraph]:
    """The paragraphs of a text, each in pieces."""
    made = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        pieces: list[tuple[str, bool]] = []
        end = 0
        for link in _LINK.finditer(paragraph):
            pieces += [(paragraph[end : link.start()], False), (link[0], True)]
            end = link.end()
        pieces.append((paragraph[end:], False))
        made.append([piece for piece in pieces if piece[0]])
    return [pieces for pieces in made if pieces]
