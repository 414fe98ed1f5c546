"""A page with one text tool, served with the hall's own security policy."""

from __future__ import annotations

import json
import mimetypes
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from readmark.server.pages import ASSETS, words
from readmark.server.protection import POLICY

ORIGIN = "http://hall.test"
CATEGORIES: dict[str, Any] = {
    "NP": {
        "label": "NP",
        "shortcut": "n",
        "relations": {"antecedent": {"to": ["NP"], "label": "antecedent"}},
    },
    "NE": {"label": "Name", "shortcut": "e", "relations": {}},
    "ANSQ": {"label": "Answer", "shortcut": "q", "relations": {}},
}
WORD_TILES: dict[str, Any] = {"word": {"label": "Word", "tiles": True, "relations": {}}}
_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/static/hall.css"><link rel="stylesheet" href="/static/text-tool.css">
<link rel="icon" href="/static/icon.svg"></head><body><main><h1>Text</h1>
<label for="before">Before</label><input id="before"><div id="place"></div>
<button id="after">After</button></main>
<script type="module" src="/page.js"></script></body></html>"""
SCRIPT = Path(__file__).with_suffix(".js")


def serve_text_page(context: Any) -> Any:
    """A page where ``open_text`` works; what the browser complains of is in ``complaints``."""

    def answer(route: Any) -> None:
        path = route.request.url.removeprefix(ORIGIN)
        headers = {"content-security-policy": POLICY, "x-content-type-options": "nosniff"}
        if path.startswith("/static/"):
            file = ASSETS / "static" / path.removeprefix("/static/")
            kind = mimetypes.guess_type(file.name)[0] or "text/plain"
            route.fulfill(body=file.read_bytes(), content_type=kind, headers=headers)
        elif path == "/page.js":
            route.fulfill(body=SCRIPT.read_bytes(), content_type="text/javascript", headers=headers)
        else:
            route.fulfill(body=_PAGE, content_type="text/html; charset=utf-8", headers=headers)

    context.route(f"{ORIGIN}/**", answer)
    page = context.new_page()
    page.complaints = []
    page.on("console", lambda message: page.complaints.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.goto(f"{ORIGIN}/")
    page.wait_for_function("window.isReady")
    return page


def open_text(
    page: Any,
    text: str,
    *,
    language: str = "en",
    mode: str = "marks",
    categories: Mapping[str, Any] = CATEGORIES,
    marks: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Show a text with marks, instead of the one before."""
    options = {
        "id": "t",
        "text": text,
        "language": language,
        "categories": categories,
        "mode": mode,
        "words": dict(words(language, "text")),
    }
    page.evaluate(
        "([options, marks]) => openTool(JSON.parse(options), JSON.parse(marks))",
        [json.dumps(options), json.dumps(list(marks))],
    )
