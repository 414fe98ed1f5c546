"""A project with a class, and pupils who join it."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from sqlalchemy import select, text

from halls import hall_in
from organised import answers_project, town_test
from readmark.server.class_codes import ClassCodes
from readmark.server.classes import open_class
from readmark.server.days import DAY
from readmark.server.pupils import join_class
from readmark.server.tables import HallTable, Project
from readmark.server.work_export import export_project

NOTE = "canarynote 金丝雀批注"
SHAPES = ("canarynote", "金丝雀批注", json.dumps("金丝雀批注")[1:-1])
"""What the words of the note look like, as UTF-8 and as JSON escapes."""


def project_of(app: Any, tmp_path: Path, settings: str = 'overlap = "all"') -> Project:
    return answers_project(app, town_test(tmp_path / "towns.jsonl"), settings=settings)


def class_of(app: Any, project: Project, most: int = 30, days: float = 3) -> tuple[str, ClassCodes]:
    hall = hall_in(app)
    with hall.database.writing() as session:
        classroom, codes = open_class(
            session,
            hall,
            project,
            name="7b",
            role="participant",
            most=most,
            until=time.time() + DAY,
            erase=time.time() + days * DAY,
        )
    return classroom.id, codes


def pupil_of(app: Any, codes: ClassCodes, name: str) -> tuple[str, str]:
    """A new pupil's id and return code."""
    person, return_code = join_class(
        hall_in(app), codes.link, codes.code, name, language="en", address="192.0.2.9"
    )
    return person.id, return_code


def everything(app: Any) -> str:
    """All rows of all tables as text."""
    with hall_in(app).database.reading() as session:
        tables = HallTable.metadata.sorted_tables
        return repr([session.execute(select(table)).all() for table in tables])


def stored_bytes(app: Any, folder: Path) -> bytes:
    """The files of the database: SQLite's with its log; PostgreSQL's own of this database."""
    database = hall_in(app).database
    if database.is_sqlite:
        return b"\n".join(path.read_bytes() for path in sorted(folder.glob("hall.db*")))
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("CHECKPOINT"))
        query = "SELECT oid, current_setting('data_directory') FROM pg_database"
        row = connection.execute(text(f"{query} WHERE datname = current_database()")).one()
    oid, folder_of_server = row
    files = sorted(Path(folder_of_server, "base", str(oid)).iterdir())
    return b"\n".join(path.read_bytes() for path in files if path.is_file())


def exported_bytes(app: Any, project: Project, folder: Path) -> bytes:
    with hall_in(app).database.reading() as session:
        export_project(session, project, folder)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return b"\n".join(str(path).encode() + path.read_bytes() for path in files)


def words_in(content: bytes, *more: str) -> list[str]:
    """Which of the pupils' words are in it, as UTF-8 or as JSON escapes."""
    shapes = {shape for word in more for shape in (word, json.dumps(word)[1:-1])}
    return sorted(shape for shape in {*SHAPES, *shapes} if shape.encode() in content)
