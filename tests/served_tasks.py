"""Reading tasks for the services: small packages, and halls that offer them."""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import select

from halls import add_person, hall_in, signed_in
from readmark.server.projects import project_named
from readmark.server.shipped import bundled_test, shipped_configuration
from readmark.server.tables import Item
from readmark.tasks.packer import pack
from readmark.tasks.task_folder import gather
from task_files import lines, write_task

CANARIES = ("CanaryWinner", "CanaryStated", "canary words", "CanaryWrong")
"""What only the gold of the hidden split of `league_zip` has."""
_SECRET = [
    {
        "document": "gulls",
        "query": "periods",
        "values": {"G": "CanaryWinner", "N": 77},
        "inferred": False,
        "derivation": "canary words",
        "by": "ida",
    },
    {
        "document": "gulls",
        "query": "periods",
        "values": {"G": "CanaryWrong", "N": 3},
        "verdict": "wrong",
        "by": "ida",
    },
]
_STATED = "((CanaryStated type Game)\n (Terns type Team)\n (CanaryStated winner Terns))\n"


@cache
def league_zip(annotation: str = "complete") -> bytes:
    """The League task with a hidden test split and its gold."""
    with tempfile.TemporaryDirectory() as name:
        changed: dict[str, Any] = {
            "answers.test.jsonl": lines(_SECRET),
            "annotations/gulls.graph": _STATED,
            "notes.txt": "canary words in a file of no known use",
        }
        folder = write_task(Path(name, "made"), changed)
        pack(gather(folder, annotation=annotation), Path(name, "task.zip"))
        return Path(name, "task.zip").read_bytes()


@cache
def open_zip() -> bytes:
    """The same without hidden splits: everything of it may be seen."""
    with tempfile.TemporaryDirectory() as name:
        about = 'name = "Open league"\nlanguage = "en"\n'
        more = {"document": "gulls", "query": "periods", "values": {"G": "Game-2", "N": 4}}
        changed: dict[str, Any] = {
            "task.toml": about,
            "answers.test.jsonl": json.dumps(more) + "\n",
            "annotations/gulls.graph": "((Game-2 type Game) (Game-2 numberOfPeriods 4))\n",
        }
        folder = write_task(Path(name, "made"), changed)
        pack(gather(folder), Path(name, "task.zip"))
        return Path(name, "task.zip").read_bytes()


class Services:
    """A hall with an owner and somebody who has a system, and their tasks."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.olga = add_person(app, "olga", is_owner=True)
        self.rita = add_person(app, "rita")
        self.owner, self.reader = signed_in(app, self.olga), signed_in(app, self.rita)

    def upload(self, content: bytes) -> str:
        """The id of a task that the reader uploads."""
        files = {"file": ("task.zip", content)}
        made = self.reader.post("/api/reading-tasks/packages", files=files)
        assert made.status_code == 201, made.text
        id: str = made.json()["id"]
        return id

    def get(self, path: str, **more: Any) -> Any:
        return self.reader.get(f"/api/reading-tasks/{path}".rstrip("/"), **more)

    def post(self, path: str, **body: Any) -> Any:
        return self.reader.post(f"/api/reading-tasks/{path}".rstrip("/"), json=body)

    def project(self, slug: str, content: bytes, splits: str = "") -> str:
        """The id of a judging project of a task."""
        text = shipped_configuration("judging").replace("double = 0.2", "double = 0")
        made = self.owner.post(
            "/projects",
            data={"text": text, "slug": slug, "splits": splits},
            files={"test": ("task.zip", content)},
        )
        assert made.status_code == 303, made.text
        with hall_in(self.app).database.reading() as session:
            return project_named(session, slug).id

    def offer(self, slug: str, **how: Any) -> str:
        """The id under which a project's task is offered."""
        made = self.owner.put(f"/api/projects/{slug}/reading-task", json={"name": slug, **how})
        assert made.status_code == 200, made.text
        id: str = made.json()["task"]
        return id

    def items(self, project: str) -> list[tuple[str, Any, Any]]:
        with hall_in(self.app).database.reading() as session:
            rows = session.scalars(select(Item).where(Item.project_id == project))
            return sorted((row.name, json.loads(row.paper), json.loads(row.key)) for row in rows)


def bundled_zip() -> bytes:
    """The package of the English task that ships."""
    with bundled_test("task.en.zip") as path:
        return path.read_bytes()
