"""A real Chromium for the tests of the page; they are skipped where there is none."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The browser, started once."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs Playwright")
    path = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if path is None:
        pytest.skip(f"needs a Chromium: none of {', '.join(BROWSERS)} was found")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        yield browser
        browser.close()


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
