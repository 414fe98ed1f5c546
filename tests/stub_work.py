"""A small work for the tests of the hall: a passage with a proposal, marks and a form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from halls import add_member, add_person, add_project, assign
from readmark.core.errors import DataError
from readmark.core.registry import Entry
from readmark.works import ItemView, TextView, WorkFinding, WorkItem
from readmark.works.work import WORKS

PASSAGE = "北京 🙂 is old."
CONFIGURATION = """
[project]
name = { en = "Capitals", zh = "首都" }
work = "stub"
guidelines = { en = "Mark the place.", zh = "标出地名。" }

[entry.question]
label = { en = "Question", zh = "问题" }

[entry.question.fields]
question = "long_text"
answer = "span"
level = { widget = "choice", choices = [1, 2], optional = true }

[category.NP]
label = { en = "Noun phrase", zh = "名词短语" }
shortcut = "n"
colour = "#4477aa"
attributes = { type = { choices = { P = { en = "Person", zh = "人" } }, optional = true } }
relations = { antecedent = { to = "NP", optional = true } }

[[example]]
text = "Rome"
comment = { en = "A place.", zh = "地名。" }
"""


class StubWork:
    """Shows the paper's text, proposes a mark, and finds fault with empty questions."""

    def divide(self, tests: Any, configuration: Any, *, purpose: str = "work") -> Iterator[Any]:
        return iter(())

    def view(self, item: WorkItem, configuration: Any) -> ItemView:
        text = TextView("passage", item.paper["text"], "en", title=item.name)
        return ItemView((text,), item.paper.get("proposals", {}))

    def check(self, item: WorkItem, objects: Any, configuration: Any) -> Iterable[WorkFinding]:
        assert item.key is None
        for id, value in objects.items():
            if value.get("fields", {}).get("question") == "":
                yield WorkFinding("empty", "The question is empty.", "error", id)
            if value.get("fields", {}).get("question") == "unreadable":
                raise DataError("cannot be read", where=id)

    def grade(self, item: WorkItem, objects: Any, configuration: Any) -> Iterable[WorkFinding]:
        if not any(value.get("category") == item.key for value in objects.values()):
            yield WorkFinding("missing", "A mark is missing.")

    def write(self, project: Any, folder: Path) -> list[Path]:
        return []

    def read(self, path: Path, items: Any, configuration: Any) -> Iterator[Any]:
        return iter(())


def add_stub(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the work under the name ``stub``."""
    entry = Entry(f"{__name__}:StubWork", "A work for tests.")
    monkeypatch.setitem(WORKS.builtin, "stub", entry)  # type: ignore[call-overload]
    monkeypatch.setitem(WORKS.entries, "stub", entry)  # type: ignore[call-overload]


def add_stub_project(
    app: Any,
    *,
    papers: Mapping[str, Any] | None = None,
    login: str = "ann",
    settings: str = "",
) -> tuple[str, str, list[str]]:
    """An annotator with the stub's items: the project, the person and the assignments."""
    papers = papers or {"one": {"text": PASSAGE}, "two": {"text": "A second text."}}
    person = add_person(app, login)
    configuration = CONFIGURATION.replace("[project]", f"[project]\n{settings}", 1)
    project = add_project(app, f"capitals-{login}", configuration, papers, keys={"one": "SECRET"})
    add_member(app, project, person, "annotator")
    return project, person, assign(app, project, person)
