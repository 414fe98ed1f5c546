"""The way up from the first schema: rows of every table of it are there and served afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import MetaData, text

from halls import client_of
from readmark.core.errors import DataError
from readmark.server.access import COOKIE as COOKIE_NAME
from readmark.server.database import Database, known_revisions
from readmark.server.log import EVENT_BYTES
from readmark.server.start import open_hall
from readmark.server.tables import Assignment, ConfigurationVersion, Event, HallTable
from readmark.works import read_configuration
from readmark.works.configuration import ConfigurationListing, listing_of
from stored_halls import COOKIE, FIRST, LATER, SECRET, TEXT, TOKEN, rows_of, store_rows


def first_hall(url: str, folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    """A database of the first schema with something in each of its tables."""
    secret = folder / "readmark.secret"
    secret.write_bytes(SECRET)
    secret.chmod(0o600)
    database = Database(url)
    database.upgrade("0001")
    with database.writing() as session:
        metadata = MetaData()
        metadata.reflect(session.connection())
        assert metadata.tables.keys() - {"alembic_version"} == FIRST.keys()
        store_rows(session.connection(), FIRST)
    rows = rows_of(database)
    database.close()
    return rows


def test_a_hall_of_the_first_schema_is_upgraded_and_served(
    database_url: str, tmp_path: Path
) -> None:
    before = first_hall(database_url, tmp_path)
    app = open_hall(database_url, folder=tmp_path)
    database = app.state.hall.database
    assert database.revision() == known_revisions()[0]
    after = rows_of(database)
    for table in FIRST:
        columns = HallTable.metadata.tables[table].columns
        assert len(after[table]) == len(FIRST[table])
        if len(columns) == len(before[table][0]):  # no later version has added a column
            assert after[table] == before[table]
    with database.reading() as session:  # what events take is counted from now on
        events = session.query(Event).filter_by(assignment_id="own").all()
        own = session.get_one(Assignment, "own")
        assert own.stored_bytes == sum(EVENT_BYTES + len(event.value) for event in events) > 0
        assert own.stored_objects == len({event.object for event in events}) > 0
        assert own.seconds == sum(event.seconds for event in events)
        (version,) = session.query(ConfigurationVersion).filter_by(project_id=own.project_id)
        listing = msgspec.json.decode(version.listing, type=ConfigurationListing)
        assert listing == listing_of(read_configuration(version.text))
    client = client_of(app)
    client.cookies.set(COOKIE_NAME, COOKIE)
    assert client.get("/api/me").json()["login"] == "olga"
    work = client.get("/api/assignments/own").json()
    assert [shown["text"] for shown in work["texts"]] == [TEXT]
    assert work["objects"]["q1"]["value"]["fields"] == {"question": "什么时候烧毁的？"}
    for page in ("/", "/assignments/own", "/projects/mill", "/projects/mill/items", "/audit"):
        assert client.get(page).status_code == 200, page
    program = client_of(app)
    program.headers["authorization"] = f"Bearer {TOKEN}"
    assert program.get("/api/me").json()["login"] == "olga"
    change = {"sequence": 1, "object": "q3", "value": {"type": "note", "value": "new"}}
    sent = {"client": "client-2", "events": [change]}
    saved = client.post("/api/assignments/own/events", json=sent)
    assert saved.status_code == 200, saved.text
    assert client.get("/ready").json()["schema"] == "ok"
    database.close()


@pytest.mark.parametrize(
    ("statuses", "handed_in"),
    [
        ([("true", False)], 10.0),
        ([("true", False), ("false", False)], None),
        ([("false", False), ("true", False)], 11.0),
        ([("true", False), ("false", True)], 10.0),  # a conflict changes nothing
    ],
)
def test_what_was_handed_in_before_an_upgrade_still_is(
    database_url: str, tmp_path: Path, statuses: list[tuple[str, bool]], handed_in: float | None
) -> None:
    first_hall(database_url, tmp_path)
    database = Database(database_url)
    rows = [
        {
            "assignment_id": "own",
            "person_id": "owner",
            "client": "another-tab",
            "sequence": number,
            "object": "status",
            "value": f'{{"type":"status","done":{done}}}',
            "is_conflict": is_conflict,
            "seconds": 2.0,
            "received": 10.0 + number,
        }
        for number, (done, is_conflict) in enumerate(statuses)
    ]
    with database.writing() as session:
        store_rows(session.connection(), {"events": rows})
    database.upgrade()
    with database.reading() as session:
        own = session.get_one(Assignment, "own")
        assert own.handed_in == handed_in
        assert own.seconds == pytest.approx(1 / 3 + 2.0 * len(rows))
    database.close()


def test_the_migrations_make_the_tables_that_the_code_has(database_url: str) -> None:
    database = Database(database_url)
    database.upgrade()
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, HallTable.metadata) == []
    database.close()


PEOPLE_FILES = {
    "mill-Olga.jsonl": "olga",  # the project's slug, and the name of who worked in it
    "mill-Ghost.jsonl": None,
    "panel.csv": None,
}


def test_copies_that_an_older_hall_made_find_their_source(
    database_url: str, tmp_path: Path
) -> None:
    """A file of people's sittings was called after the project and the person."""
    first_hall(database_url, tmp_path)
    database = Database(database_url)
    database.upgrade("0005")
    insert = text(
        "INSERT INTO project_files (project_id, role, name, content, about, created) "
        "VALUES ('project', 'people', :name, :content, '{}', 1.0)"
    )
    with database.writing() as session:
        for name in PEOPLE_FILES:
            session.execute(insert, {"name": name, "content": b"x"})
    database.upgrade()
    with database.reading() as session:
        rows = session.execute(
            text(
                "SELECT project_files.name, people.login FROM project_files LEFT JOIN people "
                "ON people.id = project_files.of_person_id WHERE project_files.role = 'people'"
            )
        ).all()
    assert {row.name: row.login for row in rows} == PEOPLE_FILES
    database.close()


def test_the_rows_are_those_of_every_table() -> None:
    assert FIRST.keys() | LATER.keys() == HallTable.metadata.tables.keys()


def test_a_hall_of_a_newer_schema_is_refused(hall_app: Any, tmp_path: Path) -> None:
    with hall_app.state.hall.database.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    assert client_of(hall_app).get("/ready").status_code == 503
    with pytest.raises(DataError, match="made by a newer version of Readmark"):
        open_hall(f"sqlite:///{tmp_path}/hall.db", folder=tmp_path)
