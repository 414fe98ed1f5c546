"""How large a report of 10,000 units is, and how soon it is open in a real browser.

2,500 invented passages of 450 characters with four questions each, and two candidates, of which
the second has the prompt and the raw reply of every question. Opening ends when the list of units
can be used, which is the last thing that happens.

Run: python benchmarks/report.py
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from figures import Figure
from synthetic import Shape, Writer

from readmark.core.records import Passage, Question
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.core.test import Header, in_memory
from readmark.marking import mark
from readmark.reporting import report

SHAPE = Shape(passages=2_500)
MEGABYTES, SECONDS = 15.0, 2.0
ROUNDS = 5
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


def marksheets(folder: Path) -> list[Path]:
    """Two candidates' marksheets of one invented test."""
    writer = Writer(seed=7)
    passages = list(writer.passages(SHAPE))
    test = in_memory(Header(name="invented", language="zh"), passages)
    found = []
    for name in ("one", "two"):
        path = folder / f"{name}.jsonl"
        mark(test, _sitting(writer, passages, name), metrics=["em", "f1"], marksheet=path)
        found.append(path)
    return found


def _sitting(writer: Writer, passages: list[Passage], name: str) -> Sitting:
    rows = {}
    for passage in passages:
        for question in passage.questions:
            key = question.key
            said = writer.prediction(passage.text, key.answers[0]) if key is not None else None
            if said is not None:
                rows[question.id] = _row(passage, question, said, asked=name == "two")
    return Sitting(SittingHeader(candidate=name), rows)


def _row(passage: Passage, question: Question, said: str, *, asked: bool) -> Row:
    """An answer; with the prompt, the raw reply and the cost where a model was asked."""
    if not asked:
        return Row(id=question.id, answer=said)
    prompt = [
        {"role": "system", "content": "Answer from the passage."},
        {"role": "user", "content": f"{passage.text}\n\n{question.text}"},
    ]
    evidence = {"prompt": prompt, "reply": json.dumps({"answer": said})}
    usage = {"input": 400, "output": 20, "cost": 0.001}
    return Row(id=question.id, answer=said, evidence=evidence, usage=usage)


def opened(page: Path, browser: str) -> float:
    """Seconds from asking for the page until its units can be used; the median of a few."""
    from playwright.sync_api import sync_playwright

    found = []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=list(QUIET))
        for _ in range(ROUNDS):
            tab = chromium.new_page()
            start = time.perf_counter()
            tab.goto(page.as_uri())
            tab.wait_for_selector(".list .row")
            found.append(time.perf_counter() - start)
            tab.close()
        chromium.close()
    print(f"  opened in {', '.join(f'{one:.2f}' for one in found)} s")
    return median(found)


def measure() -> list[Figure]:
    """Size, and opening time where a browser and Playwright are there."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        sheets = marksheets(folder)
        page = folder / "report.html"
        start = time.perf_counter()
        written = report(*sheets, path=page)
        print(f"  {written.units:,} units written in {time.perf_counter() - start:.1f} s")
        figures = [
            Figure("a report of 10,000 units", written.size / 1e6, "MB", most=MEGABYTES),
        ]
        browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
        if browser is None:
            print("  not opened: no Chromium was found", file=sys.stderr)
            return figures
        figures.append(Figure("opening it", opened(page, browser), "s", most=SECONDS))
    return figures


def main() -> int:
    """Print the figures."""
    figures = measure()
    for figure in figures:
        print(figure)
    return 0 if all(figure.ok for figure in figures) else 1


if __name__ == "__main__":
    raise SystemExit(main())
