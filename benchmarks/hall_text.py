"""How soon the text tool shows what a key does: a passage of 5,000 characters with 300 marks.

    python benchmarks/hall_text.py

Real key presses in a real Chromium, under the hall's security policy. A time goes from the key
event's own time stamp to the second animation frame after it, when the change has been painted;
a key without effect therefore takes 17 to 33 ms at 60 frames a second ("nothing"). Other work on
the machine adds to these times; "cpu" does not count it: it is what the page's main thread computed
for a key, layout and painting included.
"""

from __future__ import annotations

import random
import shutil
import statistics
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from playwright.sync_api import sync_playwright

from text_page import WORD_TILES, open_text, serve_text_page

LENGTH, MARKS, PRESSES = 5000, 300, 50
WORDS = ("the", "old", "mill", "by", "a", "river", "burned", "down", "nobody", "saw", "its", "fire")
SIGNS = "老磨坊在河边烧毁了没有人看见那天夜里火是怎样开始的学校位于北京市海淀区"
# The keys to time, the keys before each round, and the event that each timed key must cause.
ACTIONS = {
    "nothing": (["F9"], [], ""),
    "caret right": (["ArrowRight"], [], ""),
    "caret down": (["ArrowDown"], [], ""),
    "extend": (["Shift+ArrowRight"], [], "select"),
    "activate next": (["]"], [], "activate"),
    "move an edge": ([">", "<"], ["]"], "change"),
    "create": (
        ["n"],
        ["Escape", "Escape", "ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight"],
        "create",
    ),
    "delete": (["Delete"], ["]"], "remove"),
}
TILE_ACTIONS = {
    "caret right": (["ArrowRight"], [], ""),
    "split": (["Space"], ["Control+ArrowRight", "ArrowRight"], "split"),
    "join": (["Space"], ["Control+ArrowRight"], "join"),
}
WATCH = """() => {
  window.times = [];
  document.addEventListener("keydown", (event) => {
    const pressed = event.timeStamp;
    const note = () => times.push(performance.now() - pressed);
    requestAnimationFrame(() => requestAnimationFrame(note));
  }, { capture: true });
}"""


def passage(language: str, paragraph: int, draw: random.Random) -> str:
    """Paragraphs of about so many characters."""
    paragraphs, length = [], 0
    while length < LENGTH:
        size = min(paragraph, LENGTH - length)
        if language == "zh":
            text = "".join(draw.choices(SIGNS, k=size - 1)) + "。"
        else:
            text = " ".join(draw.choices(WORDS, k=size))[: size - 1] + "."
        paragraphs.append(text)
        length += size + 1
    return "\n".join(paragraphs)


def nested_marks(text: str, draw: random.Random) -> list[dict[str, Any]]:
    """Marks of all lengths, nested and crossing, a third of them with a relation."""
    marks: list[dict[str, Any]] = []
    for number in range(MARKS):
        start = draw.randrange(len(text) - 60)
        end = start + draw.choice((2, 4, 8, 15, 30, 60))
        mark: dict[str, Any] = {"id": f"m{number}", "category": draw.choice(("NP", "NE", "ANSQ"))}
        if marks and number % 3 == 0:
            mark["relations"] = {"antecedent": draw.choice(marks)["id"]}
        marks.append({**mark, "start": start, "end": end})
    return marks


def word_tiles(text: str) -> list[dict[str, Any]]:
    """Words of two characters over the whole text."""
    return [
        {"id": f"w{start}", "category": "word", "start": start, "end": min(start + 2, len(text))}
        for start in range(0, len(text), 2)
    ]


def measure(
    page: Any, cpu: Callable[[], float], keys: list[str], before: list[str], event: str
) -> tuple[list[float], float]:
    """Times of the keys and their mean CPU time; keys before each round are not counted."""
    times: list[float] = []
    computed = 0.0
    for key in ("Control+Home", "Escape"):
        page.keyboard.press(key)
    while len(times) < PRESSES:
        for key in before:
            page.keyboard.press(key)
        page.wait_for_timeout(40)
        page.evaluate("times.length = events.length = 0")
        began = cpu()
        for key in keys:
            page.keyboard.press(key)
            page.wait_for_timeout(50)
        computed += cpu() - began
        times += page.evaluate("times")
        if event and event not in (kind for kind, _ in page.evaluate("events")):
            raise SystemExit(f"{keys} caused no {event}")
    return times, 1000 * computed / len(times)


def report(page: Any, shape: str, actions: Mapping[str, tuple[list[str], list[str], str]]) -> None:
    """Print a line for each action: median, 95th percentile, slowest; CPU time."""
    page.focus(".tt-content")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def cpu() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return float(next(row["value"] for row in metrics if row["name"] == "TaskDuration"))

    for action, (keys, before, event) in actions.items():
        times, computed = measure(page, cpu, keys, before, event)
        p95 = statistics.quantiles(times, n=20)[-1]
        figures = (statistics.median(times), p95, max(times), computed)
        print(f"{shape:<26}{action:<16}" + "".join(f"{ms:6.0f}" for ms in figures), flush=True)


def main() -> None:
    """Passages of both languages in paragraphs and in a single one; then Chinese words as tiles."""
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    print(f"{'text':<26}{'action':<16}{'p50':>6}{'p95':>6}{'max':>6}{'cpu':>6}  ms")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = serve_text_page(browser.new_context(viewport={"width": 1280, "height": 800}))
        page.evaluate(WATCH)
        for language in ("en", "zh"):
            for paragraph in (400, LENGTH):
                draw = random.Random(1)
                text = passage(language, paragraph, draw)
                open_text(page, text, language=language, marks=nested_marks(text, draw))
                report(page, f"{language}, {text.count(chr(10)) + 1} paragraph(s)", ACTIONS)
        tiles = word_tiles(text)
        open_text(page, text, language="zh", mode="tiles", categories=WORD_TILES, marks=tiles)
        report(page, f"zh, {len(tiles)} tiles", TILE_ACTIONS)
        browser.close()


if __name__ == "__main__":
    main()
