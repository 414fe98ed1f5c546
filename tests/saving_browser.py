"""A person's browser that saves changes of an item, as the tests of the event log send them."""

from __future__ import annotations

from typing import Any

from halls import signed_in

NOTE = {"type": "note", "value": "yes"}
MARK = {
    "type": "mark",
    "text": "passage",
    "category": "NP",
    "start": 0,
    "end": 4,
    "quote": "北京 🙂",
}
DONE = {"type": "status", "done": True}


def note(text: str) -> dict[str, Any]:
    return {"type": "note", "value": text}


def change(sequence: int, object: str, value: Any, base: int | None = None, **more: Any) -> Any:
    return {"sequence": sequence, "object": object, "value": value, "base": base, **more}


class SavingBrowser:
    """A person's browser that sends changes of one assignment."""

    def __init__(self, app: Any, person: str, assignment: str) -> None:
        self.http = signed_in(app, person)
        self.path = f"/api/assignments/{assignment}"

    def post(self, client: str, *changes: Any) -> Any:
        return self.http.post(f"{self.path}/events", json={"client": client, "events": changes})

    def results(self, client: str, *changes: Any) -> list[tuple[str, int]]:
        response = self.post(client, *changes)
        assert response.status_code == 200, response.text
        return [(result["status"], result["event"]) for result in response.json()["results"]]

    def view(self) -> Any:
        return self.http.get(self.path).json()

    def objects(self) -> dict[str, Any]:
        return {id: object["value"] for id, object in self.view()["objects"].items()}
