"""Halls for the tests of the annotator's page: a work that shows what its papers say."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
import uvicorn

from halls import add_member, add_person, add_project, assign, hall_in, session_of
from readmark.core.registry import Entry
from readmark.server.access import COOKIE
from readmark.server.object_states import objects_of
from readmark.works import ItemView, TextView, WorkFinding, WorkItem
from readmark.works.work import WORKS

QUESTIONS = """
[project]
name = { en = "Write questions", zh = "出题" }
work = "paper"
description = { en = "The answers are words of the passage.", zh = "答案为原文片段的问题。" }
guidelines = { en = "Write three questions on each passage.", zh = "每篇文章写三个问题。" }

[entry.question]
label = { en = "Question", zh = "问题" }
shortcut = "q"

[entry.question.fields]
question = { widget = "text", label = { en = "Question", zh = "问题" } }
answer = { widget = "span", label = { en = "Answer", zh = "答案" } }
level = { widget = "choice", choices = [1, 2, 3], label = { en = "Level", zh = "难度" } }

[[example]]
title = { en = "A good question", zh = "好问题" }
text = "When was the mill built? — 1820"
comment = { en = "The answer is short and complete.", zh = "答案简短而完整。" }
"""
SECOND = """
[project]
name = { en = "Second answers", zh = "第二答案" }
work = "paper"

[entry.question]
label = { en = "Question", zh = "问题" }
fixed = true

[entry.question.fields]
answer = { widget = "span", label = { en = "Answer", zh = "答案" } }
unanswerable = { widget = "flag", label = { en = "No answer", zh = "无答案" }, shortcut = "u" }
"""
MARKS = """
[project]
name = { en = "Bilingual annotation", zh = "双语标注" }
work = "paper"
guidelines = { en = "Mark phrases, names and references.", zh = "标注名词短语、专名和指代。" }

[category.NP]
label = { en = "Noun phrase", zh = "名词短语" }
shortcut = "n"
colour = "#1f6fb2"

[category.NE]
label = { en = "Name", zh = "专名" }
shortcut = "m"
colour = "#b3541e"

[category.NE.attributes.kind]
label = { en = "Kind", zh = "类型" }
choices.PERSON = { en = "Person", zh = "人名" }
choices.PLACE = { en = "Place", zh = "地名" }

[category.REF]
label = { en = "Reference", zh = "指代" }
shortcut = "p"
colour = "#2c7a3f"
relations.antecedent = { to = ["NP", "NE"], label = { en = "refers to", zh = "指向" } }
relations.owner = { to = "NE", optional = true, label = { en = "belongs to", zh = "属于" } }
"""
WORDS = """
[project]
name = { en = "Segment words", zh = "分词" }
work = "paper"

[category.word]
label = { en = "word", zh = "词" }
tiles = true
"""
MILL = "The old mill 🏚️ in Oxford was built in 1820 by John Reed. He sold it to his brother later."
RIVER = "黄河🌊发源于青海省，全长约5464公里，流经九个省区，最后在山东省注入渤海。"


class PaperWork:
    """Shows the texts and objects of the paper, and compares answers with the key."""

    def divide(self, tests: Any, configuration: Any, *, purpose: str = "work") -> Iterator[Any]:
        return iter(())

    def view(self, item: WorkItem, configuration: Any) -> ItemView:
        texts = tuple(msgspec.convert(text, TextView) for text in item.paper["texts"])
        return ItemView(texts, item.paper.get("objects", {}))

    def check(self, item: WorkItem, objects: Any, configuration: Any) -> Iterable[WorkFinding]:
        for id, value in objects.items():
            question = value.get("fields", {}).get("question")
            if question and not question.endswith(("?", "？")):
                yield WorkFinding(
                    "mark",
                    "The question has no question mark.",
                    "warning",
                    id,
                    "A question\nends with ?.",
                )

    def grade(self, item: WorkItem, objects: Any, configuration: Any) -> Iterable[WorkFinding]:
        for id, value in objects.items():
            answer = value.get("fields", {}).get("answer")
            if answer and answer["quote"] != item.key:
                yield WorkFinding("answer", f"Expected: {item.key}", "error", id)

    def write(self, project: Any, folder: Path) -> list[Path]:
        return []

    def read(self, path: Path, items: Any, configuration: Any) -> Iterator[Any]:
        return iter(())


def add_paper_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the work under the name ``paper``."""
    entry = Entry(f"{__name__}:PaperWork", "A work for tests.")
    monkeypatch.setitem(WORKS.builtin, "paper", entry)  # type: ignore[call-overload]
    monkeypatch.setitem(WORKS.entries, "paper", entry)  # type: ignore[call-overload]


def paper(*texts: tuple[str, str, str], **more: Any) -> dict[str, Any]:
    """A paper of texts as (id, language, text)."""
    made = [{"id": id, "language": language, "text": text} for id, language, text in texts]
    return {"texts": made, **more}


def add_work(
    app: Any,
    slug: str,
    configuration: str,
    papers: Mapping[str, Any],
    *,
    person: str = "",
    **more: Any,
) -> tuple[str, list[str]]:
    """A person with a project's items: their id, and the assignments."""
    person = person or add_person(app, slug)
    project = add_project(app, slug, configuration, papers, **more)
    add_member(app, project, person, "annotator")
    return person, assign(app, project, person)


def stored(app: Any, assignment: str) -> dict[str, Any]:
    """The objects of an assignment, as the database has them."""
    with hall_in(app).database.reading() as session:
        return {id: dict(value) for id, value in objects_of(session, assignment).items()}


@contextmanager
def serving(app: Any) -> Iterator[str]:
    """The address of a real server of the app."""
    config = uvicorn.Config(app, port=0, log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(10)


def browser_of(
    chromium: Any, app: Any, address: str, person: str, *, language: str = "en", **more: Any
) -> Any:
    """A browser that a person is signed in with; ``complaints`` has what goes wrong in it."""
    context = chromium.new_context(**{"viewport": {"width": 1280, "height": 800}, **more})
    context.add_cookies(
        [
            {"name": COOKIE, "value": session_of(app, person), "url": address},
            {"name": "readmark_language", "value": language, "url": address},
        ]
    )
    context.complaints = []
    context.on("console", lambda message: context.complaints.append(message.text))
    context.on("weberror", lambda error: context.complaints.append(str(error.error)))
    context.on("dialog", lambda dialog: context.complaints.append(dialog.message))
    return context


def open_work(context: Any, address: str, assignment: str) -> Any:
    """The page of an assignment, ready to work on."""
    page = context.new_page()
    page.goto(f"{address}/assignments/{assignment}")
    page.wait_for_selector("body.ready")
    return page


def wait_saved(page: Any) -> None:
    """Send everything, and wait until the server has it."""
    page.evaluate("desk.store.flush()")
    page.wait_for_selector("#save-status[data-status=saved]")
