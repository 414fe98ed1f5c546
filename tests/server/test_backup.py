"""Backups: everything comes back, in either kind of database, or nothing is changed."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import threading
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, text, update

from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.server.database import Database
from readmark.server.existing_database import open_database
from readmark.server.operations import backup, restoring
from readmark.server.operations.backup import back_up
from readmark.server.operations.restoring import restore
from readmark.server.tables import (
    AuditEntry,
    Classroom,
    Event,
    HallTable,
    Person,
    Project,
    ProjectFile,
)
from readmark.server.work_export import export_project
from stored_halls import FIRST, LAST_EVENT, SECRET, fill_hall, rows_of, store_rows

Run = Callable[..., subprocess.CompletedProcess[str]]


def hall_at(url: str, folder: Path) -> Database:
    folder.mkdir(exist_ok=True)
    database = Database(url)
    fill_hall(database, folder)
    return database


@pytest.fixture
def full_hall(tmp_path: Path) -> Database:
    """A hall on SQLite with rows in every table."""
    return hall_at(f"sqlite:///{tmp_path}/hall.db", tmp_path)


@pytest.mark.postgres
def test_everything_goes_from_sqlite_to_postgresql_and_back(
    full_hall: Database, tmp_path: Path, postgres: Any
) -> None:
    before = rows_of(full_hall)
    assert before.keys() - {"alembic_version"} == HallTable.metadata.tables.keys()
    assert all(before.values()), "a table without rows: add some to stored_halls.py"
    postgres.psql("CREATE DATABASE restored;")
    url = str(postgres.get_uri("restored")).replace("postgresql://", "postgresql+psycopg://")
    middle, last = Database(url), Database(f"sqlite:///{tmp_path}/last.db")
    back_up(full_hall, tmp_path / "first.zip", secret=tmp_path / "readmark.secret")
    restored = restore(tmp_path / "first.zip", middle, secret=tmp_path / "middle.secret")
    assert rows_of(middle) == before
    assert restored.as_json()["rows"] == sum(map(len, before.values())) - 1  # the schema's own
    back_up(middle, tmp_path / "second.zip", secret=tmp_path / "middle.secret")
    restore(tmp_path / "second.zip", last, secret=tmp_path / "last.secret")
    assert rows_of(last) == before
    assert (tmp_path / "last.secret").read_bytes() == SECRET
    for database in (middle, last):
        assert numbers_go_on(database)
        database.close()


def numbers_go_on(database: Database) -> bool:
    """Whether new rows get numbers that no row has had, not even one that was deleted."""
    with database.writing() as session:
        event = session.scalar(select(Event).limit(1))
        assert event is not None
        new = Event(
            assignment_id=event.assignment_id,
            person_id=event.person_id,
            client="another",
            sequence=1,
            object="q9",
            value="null",
        )
        entry = AuditEntry(action="exported")
        session.add_all([new, entry])
        session.flush()
        return new.number == LAST_EVENT + 1 and entry.number == 2


def test_a_backup_is_of_one_moment_while_somebody_writes(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each write adds an entry of the audit log and a person: rows of two tables."""
    database = hall_at(database_url, tmp_path)
    stop, written = threading.Event(), threading.Event()

    def write() -> None:
        while not stop.is_set():
            with database.writing() as session:
                number = session.scalar(select(func.count()).select_from(AuditEntry)) or 0
                login = f"writer-{number}"
                session.add(Person(login=login, name="Writer", password="!"))
                session.add(AuditEntry(action="exported", detail=login))
            written.set()

    def slowly(*arguments: Any) -> Any:
        written.clear()
        assert written.wait(30)  # somebody writes between any two tables
        return write_table(*arguments)

    write_table = backup._write_table
    monkeypatch.setattr(backup, "_write_table", slowly)
    writer = threading.Thread(target=write)
    writer.start()
    try:
        result = back_up(database, tmp_path / "hall.zip", secret=None)
    finally:
        stop.set()
        writer.join()
    assert result.tables["people"] - 2 == result.tables["audit"] - 1
    copy = Database(f"sqlite:///{tmp_path}/copy.db")
    restore(tmp_path / "hall.zip", copy, secret=tmp_path / "copy.secret")
    counts = {name: len(rows) for name, rows in rows_of(copy).items() if name in result.tables}
    assert counts == result.tables
    with database.reading() as session:
        assert session.scalar(select(func.count()).select_from(Person)) > result.tables["people"]
    assert not (tmp_path / "copy.secret").exists()
    copy.close()
    database.close()


def test_the_commands(readmark_cli: Run, full_hall: Database, tmp_path: Path) -> None:
    hall = f"sqlite:///{tmp_path}/hall.db"
    process = readmark_cli("hall", "backup", "--db", hall, "-o", "b.zip", cwd=tmp_path)
    rows = sum(len(rows) for name, rows in rows_of(full_hall).items() if name != "alembic_version")
    assert process.stdout == f"b.zip: {rows} rows of 28 tables, with the hall's secret\n"
    assert stat.S_IMODE((tmp_path / "b.zip").stat().st_mode) == 0o600
    plain = readmark_cli(
        *("hall", "backup", "--db", hall, "-o", "c.zip", "--without-secret", "--json"), cwd=tmp_path
    )
    assert json.loads(plain.stdout)["secret"] is False
    assert "readmark.secret" not in zipfile.ZipFile(tmp_path / "c.zip").namelist()
    (tmp_path / "new").mkdir()
    restoring = ("hall", "restore", "../b.zip", "--db", "sqlite:///new.db")
    done = readmark_cli(*restoring, cwd=tmp_path / "new")
    assert (done.returncode, done.stdout) == (0, f"../b.zip: {rows} rows of 28 tables restored\n")
    for name in ("new.db", "readmark.secret"):
        assert stat.S_IMODE((tmp_path / "new" / name).stat().st_mode) == 0o600
    again = readmark_cli(*restoring, cwd=tmp_path / "new")
    assert again.returncode == 2
    assert "the database is not empty (" in again.stderr
    (tmp_path / "new" / "readmark.secret").write_bytes(bytes(32))
    other = readmark_cli(
        "hall", "restore", "../b.zip", "--db", "sqlite:///other.db", cwd=tmp_path / "new"
    )
    assert other.returncode == 1
    assert "readmark.secret: is another hall's secret" in other.stderr
    for result in (process, again, other):
        assert result.stderr.count("\n") <= 1
    nothing = readmark_cli("hall", "restore", "none.zip", cwd=tmp_path)
    assert nothing.returncode == 1
    assert not (tmp_path / "readmark.db").exists()


def damaged(file: Path, how: str) -> Path:
    """A copy of a backup with a fault."""
    copy = file.with_name(f"{how}.zip")
    if how == "half":
        copy.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    elif how == "bit":
        content = bytearray(file.read_bytes())
        content[content.index(b"people.jsonl") + 60] ^= 1
        copy.write_bytes(content)
    else:
        with zipfile.ZipFile(file) as old, zipfile.ZipFile(copy, "w") as new:
            for name in old.namelist():
                content = old.read(name)
                if how == "changed" and name == "tables/people.jsonl":
                    content = content.replace(b'"is_owner": false', b'"is_owner": true')
                if how == "newer" and name == "manifest.json":
                    content = content.replace(b'"revision": "0', b'"revision": "9')
                if how == "no_manifest" and name == "manifest.json":
                    continue
                new.writestr(name, bytes(content))
    return copy


@pytest.mark.parametrize(
    ("how", "line"),
    [
        ("half", "is no backup of a hall, or is damaged"),
        ("bit", "is no backup of a hall, or is damaged"),
        ("changed", "tables/people.jsonl is damaged: its sum differs"),
        ("newer", "was made by a newer version of Readmark"),
        ("no_manifest", "is no backup of a hall, or is damaged"),
    ],
)
def test_a_damaged_backup_changes_nothing(
    full_hall: Database, tmp_path: Path, how: str, line: str
) -> None:
    back_up(full_hall, tmp_path / "hall.zip", secret=None)
    target = Database(f"sqlite:///{tmp_path}/target.db")
    with pytest.raises(DataError, match=line):
        restore(damaged(tmp_path / "hall.zip", how), target, secret=tmp_path / "s")
    assert rows_of(target) == {}
    target.close()


def test_an_interrupted_restore_leaves_an_empty_database(
    database_url: str, full_hall: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    back_up(full_hall, tmp_path / "hall.zip", secret=None)
    folder = tmp_path / "target"
    folder.mkdir()
    target = Database(database_url.replace("/hall.db", "/target/hall.db"))

    def broken(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(restoring, "_fill_late", broken)  # after most rows are in
        with pytest.raises(KeyboardInterrupt):
            restore(tmp_path / "hall.zip", target, secret=folder / "s")
    rows = rows_of(target)
    assert len(rows.pop("alembic_version")) == 1
    assert not any(rows.values())
    restore(tmp_path / "hall.zip", target, secret=folder / "s")
    assert rows_of(target) == rows_of(full_hall)
    target.close()


def test_an_older_backup_is_upgraded(tmp_path: Path) -> None:
    old = Database(f"sqlite:///{tmp_path}/old.db")
    old.upgrade("0001")
    with old.writing() as session:
        store_rows(session.connection(), FIRST)
    result = back_up(old, tmp_path / "old.zip", secret=None)
    assert result.revision == "0001"
    assert old.revision() == "0001"  # a backup changes nothing
    with open_database(f"sqlite:///{tmp_path}/old.db", needs_newest=False):
        pass
    newest = open_database(f"sqlite:///{tmp_path}/old.db")
    with pytest.raises(ReadmarkError, match="of another version of Readmark"), newest:
        pass
    new = Database(f"sqlite:///{tmp_path}/new.db")
    restore(tmp_path / "old.zip", new, secret=tmp_path / "s")
    assert len(rows_of(new)) == len(HallTable.metadata.tables) + 1
    # The newest schema has a place more, by which events name each other.
    places = [(*event, place) for place, event in enumerate(rows_of(old)["events"], 1)]
    assert rows_of(new)["events"] == places
    old.close()
    new.close()


def test_memory_does_not_grow_with_the_hall(full_hall: Database, tmp_path: Path) -> None:
    size, count, most = 2 << 20, 16, 24 << 20
    with full_hall.writing() as session:
        session.add_all(
            ProjectFile(project_id="project", role="sitting", name="s", content=bytes(size))
            for _ in range(count)
        )
    target = Database(f"sqlite:///{tmp_path}/target.db")
    target.upgrade()
    tracemalloc.start()
    try:
        back_up(full_hall, tmp_path / "hall.zip", secret=None)
        restore(tmp_path / "hall.zip", target, secret=tmp_path / "s")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < most < size * count
    assert rows_of(target) == rows_of(full_hall)
    target.close()


def test_a_class_whose_day_has_come_does_not_return(full_hall: Database, tmp_path: Path) -> None:
    with full_hall.writing() as session:
        session.execute(update(Classroom).values(erase=time.time() - 1))
    back_up(full_hall, tmp_path / "hall.zip", secret=None)
    target = Database(f"sqlite:///{tmp_path}/target.db")
    restored = restore(tmp_path / "hall.zip", target, secret=tmp_path / "s")
    assert restored.erased == ("class",)
    target.close()
    content = (tmp_path / "target.db").read_bytes()
    assert "安静的鹭".encode() not in content
    assert "红队".encode() in content


def test_another_program_s_tables_stay(tmp_path: Path, full_hall: Database) -> None:
    back_up(full_hall, tmp_path / "hall.zip", secret=None)
    target = Database(f"sqlite:///{tmp_path}/target.db")
    with target.writing() as session:
        session.execute(text("CREATE TABLE others (x INTEGER)"))
        session.execute(text("INSERT INTO others VALUES (7)"))
    restore(tmp_path / "hall.zip", target, secret=tmp_path / "s")
    with target.reading() as session:
        assert session.scalar(text("SELECT x FROM others")) == 7
    with pytest.raises(UsageError, match="not empty"):
        restore(tmp_path / "hall.zip", target, secret=tmp_path / "s")
    target.close()


KILLED = """
import time
from pathlib import Path
from readmark.server.database import Database
from readmark.server.operations import backup, restoring

def half(*arguments):
    if DOING == "restore" or arguments[2].name == "people":
        print("half", flush=True)
        time.sleep(600)
    return first(*arguments)

module, name = {"backup": (backup, "_write_table"), "restore": (restoring, "_fill_late")}[DOING]
first = getattr(module, name)
setattr(module, name, half)
if DOING == "backup":
    backup.back_up(Database("sqlite:///hall.db"), "hall.zip", secret=None)
else:
    restoring.restore("whole.zip", Database("sqlite:///new.db"), secret=Path("new.secret"))
"""


@pytest.mark.process
def test_what_is_killed_leaves_no_half(full_hall: Database, tmp_path: Path) -> None:
    """A file stays as it was, and a database is empty: both are done again then."""
    back_up(full_hall, tmp_path / "whole.zip", secret=None)
    (tmp_path / "hall.zip").write_bytes(b"the backup of yesterday")
    for doing in ("backup", "restore"):
        process = subprocess.Popen(
            [sys.executable, "-c", f"DOING = {doing!r}\n{KILLED}"],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"half\n"
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert (tmp_path / "hall.zip").read_bytes() == b"the backup of yesterday"
    assert len(list(tmp_path.glob(".hall.zip.*.part"))) == 1
    back_up(full_hall, tmp_path / "hall.zip", secret=None)
    assert list(tmp_path.glob(".hall.zip.*.part")) == []
    assert zipfile.ZipFile(tmp_path / "hall.zip").testzip() is None
    new = Database(f"sqlite:///{tmp_path}/new.db")
    rows = rows_of(new)
    assert len(rows.pop("alembic_version")) == 1
    assert not any(rows.values())
    restore(tmp_path / "whole.zip", new, secret=tmp_path / "new.secret")
    assert rows_of(new) == rows_of(full_hall)
    new.close()


def test_a_backup_follows_no_link_and_an_export_is_private(
    full_hall: Database, tmp_path: Path
) -> None:
    """Somebody else in the folder guesses the name of the unfinished file."""
    (tmp_path / "theirs").write_bytes(b"")
    for name in (".hall.zip", ".work.zip"):
        (tmp_path / f"{name}.{os.getpid()}.part").symlink_to(tmp_path / "theirs")
    back_up(full_hall, tmp_path / "hall.zip", secret=None)
    with full_hall.reading() as session:
        project = session.scalars(select(Project)).first()
        assert project is not None
        for name in ("work", "work.zip"):
            export_project(session, project, tmp_path / name)
    assert (tmp_path / "theirs").read_bytes() == b""
    modes = {
        name: stat.S_IMODE((tmp_path / name).stat().st_mode)
        for name in ("hall.zip", "work", "work.zip")
    }
    assert modes == {"hall.zip": 0o600, "work": 0o700, "work.zip": 0o600}
