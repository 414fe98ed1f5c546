"""Rows for every table of a hall: of the first schema, and of what later ones added.

They go in by plain SQL on the tables as the database has them, so that a hall of an old version can
be made and upgraded. A table without rows here fails a test.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

from sqlalchemy import MetaData, select
from sqlalchemy.engine import Connection

from readmark.server.database import Database

SECRET = bytes(range(32))
"""The secret of these halls: cookies and tokens of them work."""
COOKIE, TOKEN = "a-cookie-of-the-owner", "readmark_a-token-of-the-owner"
FAR = 4e9
"""A time that is still to come."""
LAST_EVENT = 2
"""The number of the last event that was given out; it was deleted since."""
TEXT = "The mill stood by the river. 它在1820年烧毁了。🏚"
CONFIGURATION = """[project]
name = { en = "The mill", zh = "磨坊" }
work = "questions"

[entry.question]
fields.question = "text"
fields.answer = "span"
"""


def hashed(secret: str) -> str:
    """A secret as the tables hold it."""
    return hmac.new(SECRET, secret.encode(), hashlib.sha256).hexdigest()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


_RECORD = {"text": TEXT, "id": "p1"}
_ENTRY = {"type": "entry", "entry": "question", "fields": {"question": "什么时候烧毁的？"}}
_MADE = 1.7e9 + 0.123456789  # a float with many digits

FIRST: dict[str, list[dict[str, Any]]] = {
    "projects": [
        {
            "id": "project",
            "slug": "mill",
            "headers": _json([{"kind": "comprehension", "name": "mill", "language": "en"}]),
            "is_open": True,
            "created": _MADE,
        }
    ],
    "classes": [
        {
            "id": "class",
            "project_id": "project",
            "name": "5b",
            "role": "novice",
            "link": hashed("link"),
            "code": None,
            "most": 30,
            "until": FAR,
            "erase": FAR,
            "erased_pupils": 0,
            "erased_event": 0,
            "created": _MADE,
        }
    ],
    "people": [
        {
            "id": "owner",
            "login": "olga",
            "name": "Olga",
            "password": "!",
            "is_owner": True,
            "is_disabled": False,
            "language": "zh",
            "created": _MADE,
        },
        {
            "id": "pupil",
            "login": "quiet-heron",
            "name": "安静的鹭",
            "password": "!",
            "is_owner": False,
            "is_disabled": False,
            "language": "en",
            "created": _MADE,
            "class_id": "class",
            "return_code": hashed("code"),
        },
    ],
    "configurations": [
        {"project_id": "project", "version": 1, "text": CONFIGURATION, "created": _MADE}
    ],
    "memberships": [
        {"project_id": "project", "person_id": "owner", "role": "annotator", "created": _MADE},
        {"project_id": "project", "person_id": "pupil", "role": "novice", "created": _MADE},
    ],
    "items": [
        {
            "id": "zz-work",
            "project_id": "project",
            "position": 0,
            "name": "p1",
            "purpose": "work",
            "paper": _json({"record": _RECORD, "language": "en"}),
            "key": _json({"record": _RECORD, "paper": {"paper": "0", "splits": {}}}),
        },
        {  # comes before the item that it is about
            "id": "aa-about",
            "project_id": "project",
            "position": 1,
            "name": "p1",
            "purpose": "adjudication",
            "paper": "{}",
            "key": "null",
            "about_id": "zz-work",
        },
    ],
    "assignments": [
        {
            "id": "own",
            "project_id": "project",
            "item_id": "zz-work",
            "person_id": "owner",
            "position": 0,
            "due": FAR,
            "created": _MADE,
        },
        {
            "id": "pupils",
            "project_id": "project",
            "item_id": "zz-work",
            "person_id": "pupil",
            "position": 0,
            "created": _MADE,
        },
    ],
    "events": [
        {
            "assignment_id": "own",
            "person_id": "owner",
            "client": "tab",
            "sequence": 1,
            "object": "q1",
            "value": _json(_ENTRY),
            "is_conflict": False,
            "seconds": 1 / 3,
            "received": _MADE,
        },
        {
            "assignment_id": "own",
            "person_id": "owner",
            "client": "tab",
            "sequence": 2,
            "object": "q2",
            "value": "null",
            "base": 1,
            "is_conflict": True,
            "resolves": 1,
            "seconds": 0.0,
            "received": _MADE,
        },
    ],
    "sessions": [
        {"secret": hashed(COOKIE), "person_id": "owner", "created": _MADE, "expires": FAR}
    ],
    "tokens": [
        {
            "id": "token",
            "secret": hashed(TOKEN),
            "person_id": "owner",
            "name": "script",
            "scopes": "read",
            "created": _MADE,
            "expires": FAR,
        }
    ],
    "invitations": [
        {
            "id": "invitation",
            "secret": hashed("invitation"),
            "project_id": "project",
            "role": "novice",
            "note": "",
            "invited_by": "owner",
            "created": _MADE,
            "expires": FAR,
        }
    ],
    "login_attempts": [{"who": hashed("login olga"), "time": _MADE}],
    "audit": [
        {
            "time": _MADE,
            "person_id": "owner",
            "project_id": "project",
            "action": "project_created",
            "detail": "{}",
        }
    ],
    "quality_notes": [
        {
            "project_id": "project",
            "person_id": "owner",
            "code": "haste",
            "text": "看过了 \u2028 ok",
            "author_id": "owner",
            "created": _MADE,
        }
    ],
    "project_files": [
        {
            "project_id": "project",
            "role": "sitting",
            "name": "s.jsonl",
            "content": bytes(range(256)),
            "about": "{}",
            "created": _MADE,
        }
    ],
    "gold_versions": [
        {
            "id": "gold",
            "project_id": "project",
            "number": 1,
            "created": _MADE,
            "summary": "{}",
            "content": b"",
        }
    ],
}
"""By table, in an order that foreign keys allow."""

LATER: dict[str, list[dict[str, Any]]] = {
    "teams": [{"id": "team", "project_id": "project", "name": "红队", "created": _MADE}],
    "team_members": [
        {"project_id": "project", "person_id": "owner", "team_id": "team", "created": _MADE}
    ],
    "submissions": [
        {
            "id": name,
            "project_id": "project",
            "number": number,
            "team_id": "team",
            "origin": "file",
            "system": "bow",
            "description": "",
            "is_ensemble": number == 2,
            "phase": "formal",
            "state": state,
            "error": "",
            "file_name": "a.json",
            "sha256": "",
            "size": 1 << 40,
            "received": _MADE,
            "marks": "{}",
        }
        for number, (name, state) in enumerate([("first", "marked"), ("second", "failed")], 1)
    ],
    "submission_files": [
        {"submission_id": "second", "role": "answers", "split": "", "content": b"\x28\xb5\x00"}
    ],
    "sat_answers": [
        {"submission_id": "second", "unit": "q1", "row": '{"id": "q1"}', "received": _MADE}
    ],
    "submission_comparisons": [
        {"a_id": "first", "b_id": "second", "split": "test", "metric": "f1", "content": "{}"}
    ],
    "board_versions": [
        {
            "id": f"board{number}",
            "project_id": "project",
            "number": number,
            "created": _MADE,
            "content": "{}",
        }
        for number in (1, 2)
    ],
    "jobs": [
        {
            "kind": "mark",
            "subject": "second",
            "state": "failed",
            "priority": 0,
            "attempts": 1,
            "worker": "w",
            "created": _MADE,
            "finished": _MADE,
            "error": "a.json: no answer",
        }
    ],
    "workers": [{"name": "w", "started": _MADE, "seen": _MADE}],
    "clock": [{"id": 1, "seen": _MADE, "doubted_since": _MADE}],
    "reading_tasks": [
        {
            "id": "task",
            "name": "League",
            "person_id": "owner",
            "source": "",
            "selection": "{}",
            "content": b"PK\x05\x06\x00",
            "feeds_pool": False,
            "created": _MADE,
        }
    ],
    "reading_task_submissions": [
        {
            "id": "answers",
            "task_id": "task",
            "root_id": "task",
            "person_id": "owner",
            "candidate": "Otter",
            "gold": 0,
            "content": b"{}\n",
            "result": _json({"gold": 0, "answers": 1}),
            "pooled": "",
            "created": _MADE,
        }
    ],
}


def store_rows(connection: Connection, tables: dict[str, list[dict[str, Any]]]) -> None:
    """Put rows into tables as the database has them."""
    metadata = MetaData()
    metadata.reflect(connection, only=list(tables))
    for name, rows in tables.items():
        for row in sorted(rows, key=lambda row: row.get("about_id") or ""):
            connection.execute(metadata.tables[name].insert(), row)


def fill_hall(database: Database, folder: Path) -> None:
    """A hall of the newest schema with rows in every table; its last event is deleted."""
    secret = folder / "readmark.secret"
    secret.write_bytes(SECRET)
    secret.chmod(0o600)
    database.upgrade()
    events = [{**row, "place": place} for place, row in enumerate(FIRST["events"], 1)]
    with database.writing() as session:
        store_rows(session.connection(), {**FIRST, **LATER, "events": events})
    with database.writing() as session:
        metadata = MetaData()
        metadata.reflect(session.connection(), only=["events"])
        events = metadata.tables["events"]
        session.execute(events.delete().where(events.c.number == LAST_EVENT))


def rows_of(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Everything in a database, by table."""
    with database.reading() as session:
        metadata = MetaData()
        metadata.reflect(session.connection())
        return {
            table.name: sorted(map(tuple, session.execute(select(table))), key=repr)
            for table in metadata.sorted_tables
        }
