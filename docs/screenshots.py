"""Takes the pictures of reports that the documentation shows.

Without arguments, those of docs/report.md, from docs/examples alone. With `--gallery`, those of
docs/gallery.md, from the reports of `make site`. Needs Playwright and a Chromium, the gallery also
Pillow and a Chinese font. Run: python docs/screenshots.py [--gallery]
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import readmark

DOCS = Path(__file__).resolve().parent
EXAMPLES = DOCS / "examples"
REPORTS = DOCS.parent / "out" / "site" / "gallery"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def report(folder: Path) -> Path:
    """The report of the examples, as docs/report.md makes it."""
    sheets = []
    for name in ("small", "large"):
        sheet = folder / f"{name}.marks.jsonl"
        readmark.mark(
            EXAMPLES / "reading.jsonl",
            EXAMPLES / f"{name}.json",
            metrics=["em", "f1"],
            by=["level"],
            marksheet=sheet,
        )
        sheets.append(sheet)
    readmark.report(*sheets, path=folder / "report.html", language="en")
    return folder / "report.html"


def take(browser: Any, page: Path, name: str, *, width: int, height: int, hash: str = "") -> None:
    """One picture of what stands in the window."""
    context = browser.new_context(
        viewport={"width": width, "height": height}, reduced_motion="reduce"
    )
    tab = context.new_page()
    tab.goto(f"{page.as_uri()}{hash}")
    tab.wait_for_selector(".list .row", state="attached")
    tab.wait_for_timeout(500)
    tab.screenshot(path=DOCS / name)
    context.close()


def take_gallery(browser: Any) -> None:
    """The top of each report, in few colours."""
    from hall_screenshots import shrink

    for page in sorted(REPORTS.glob("*.html")):
        name = f"images/gallery/{page.stem}.png"
        take(browser, page, name, width=1200, height=800)
        shrink(DOCS / name)


def main(*options: str) -> int:
    """Take both pictures of the page on reports, or those of the gallery."""
    from playwright.sync_api import sync_playwright

    path = next((path for one in BROWSERS if (path := shutil.which(one))), None)
    if path is None:
        print(f"none of {', '.join(BROWSERS)} was found", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        if options == ("--gallery",):
            take_gallery(browser)
        else:
            page = report(Path(temporary))
            take(browser, page, "report-desktop.png", width=1280, height=1340)
            take(browser, page, "report-phone.png", width=390, height=850, hash="#unit=change4-1")
        browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
