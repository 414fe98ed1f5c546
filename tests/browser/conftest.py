"""Report pages, opened in the browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest


@dataclass
class Opened:
    """A page, and everything that it complained of or asked for."""

    page: Any
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


Open = Callable[..., Any]


@pytest.fixture
def open_page(chromium: Any) -> Iterator[Open]:
    """Opens a file and waits for its units; afterwards nothing may have gone wrong."""
    contexts: list[Any] = []
    every: list[Opened] = []

    def open_it(
        file: Path,
        *,
        hash: str = "",
        width: int = 1280,
        unfolded: bool = False,
        **context: Any,
    ) -> Any:
        made = chromium.new_context(viewport={"width": width, "height": 900}, **context)
        contexts.append(made)
        page = made.new_page()
        opened = Opened(page)
        every.append(opened)
        page.on("console", lambda said: opened.complaints.append(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: opened.complaints.append(str(error)))
        page.on("dialog", lambda dialog: opened.complaints.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: opened.requests.append(request.url))
        page.goto(f"{file.as_uri()}{hash}")
        page.wait_for_selector(".list .row", state="attached")
        if unfolded:
            page.click("[data-fold]")
        return page

    yield open_it
    for opened in every:
        assert opened.complaints == []
        assert [url for url in opened.requests if not url.startswith("file:")] == []
        assert len(opened.requests) == 1
    for context in contexts:
        context.close()
