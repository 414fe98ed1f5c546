"""The text tool in a real browser, under the hall's own security policy."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from text_page import CATEGORIES, ORIGIN, WORD_TILES, open_text, serve_text_page

pytestmark = pytest.mark.browser

FAMILY = "👨‍👩‍👧‍👦"  # seven code points, one character
MILL = "The old mill by the river burned down.\r\nNobody saw the fire start in the dark."

# Where characters begin and end, in code points, worked by hand.
CHARACTERS = [
    ("joined emoji", f"a{FAMILY}b", [0, 1, 8, 9]),
    ("flags", "🇨🇳🇫🇷c", [0, 2, 4, 5]),
    ("skin tone and keycap", "👍🏽1\ufe0f\u20e3!", [0, 2, 5, 6]),
    ("combining marks", "e\u0301a\u0302\u0323x", [0, 2, 5, 6]),
    ("Hangul letters", "\u1100\u1161\u11a8한", [0, 3, 4]),
    ("CRLF", "ab\r\ncd\r\n\r\ne", [0, 1, 2, 4, 5, 6, 8, 10, 11]),
    ("other line breaks", "a\rb\nc\u2028d", [0, 1, 2, 3, 4, 5, 6, 7]),
    ("tabs and blanks", "a\t\t  b", [0, 1, 2, 3, 4, 5, 6]),
    ("beyond the basic plane", "𠮷野家𡘙", [0, 1, 2, 3, 4]),
    ("zero width", "a\u200bb\u200dc\u2060d\ufeffe", [0, 1, 2, 4, 5, 6, 7, 8, 9]),
    ("right to left", "a שָׁלוֹם b", [0, 1, 2, 5, 6, 8, 9, 10, 11]),
    ("markup", "<b>&amp;", [0, 1, 2, 3, 4, 5, 6, 7, 8]),
]


@pytest.fixture(scope="module")
def page(chromium: Any) -> Iterator[Any]:
    context = chromium.new_context(viewport={"width": 900, "height": 700})
    page = serve_text_page(context)
    yield page
    assert page.complaints == []
    context.close()


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def show(page: Any, text: str, **options: Any) -> None:
    """Open a text with the caret at its beginning."""
    open_text(page, text, **options)
    page.focus(".tt-content")


def selection(page: Any, text: str) -> str | None:
    """The quote that the tool reports; its offsets must be those of the quote in Python."""
    selected = page.evaluate("tool.selection")
    if selected is None:
        return None
    assert text[selected["start"] : selected["end"]] == selected["quote"]
    return str(selected["quote"])


def events(page: Any, *types: str) -> list[Any]:
    return [event for event in page.evaluate("events") if event[0] in types]


def edges(page: Any, start: int, end: int) -> tuple[float, float, float, float]:
    """Points just inside the beginning and the end of a range of code points."""
    box = page.evaluate(
        """([start, end]) => {
          const { view, points, text } = tool;
          const boxOf = (low, high) =>
            view.range(points.toUtf16(low), points.toUtf16(high)).getClientRects()[0];
          const isHebrew = (offset) => /[\\u0590-\\u05ff]/.test([...text][offset]);
          while (boxOf(end - 1, end).width < 1) end -= 1;
          const [one, two] = [boxOf(start, start + 1), boxOf(end - 1, end)];
          return [isHebrew(start) ? one.right - 0.5 : one.left + 0.5, (one.top + one.bottom) / 2,
                  isHebrew(end - 1) ? two.left + 0.5 : two.right - 0.5, (two.top + two.bottom) / 2];
        }""",
        [start, end],
    )
    return tuple(box)


def drag(page: Any, start: int, end: int, key: str = "") -> None:
    x1, y1, x2, y2 = edges(page, start, end)
    page.mouse.move(x1, y1)
    if key:
        page.keyboard.down(key)
    page.mouse.down()
    page.mouse.move((x1 + x2) / 2, y2, steps=2)
    page.mouse.move(x2, y2)
    page.mouse.up()
    if key:
        page.keyboard.up(key)


def mark(text: str, quote: str, category: str, id: str, **more: Any) -> dict[str, Any]:
    start = text.index(quote)
    return {"id": id, "category": category, "start": start, "end": start + len(quote), **more}


def test_offsets_are_code_points(page: Any) -> None:
    texts = ["", *(text for _, text, _ in CHARACTERS), "".join(text for _, text, _ in CHARACTERS)]
    converted = page.evaluate(
        """async (texts) => {
          const { CodePoints, toCodePoints, toUtf16 } = await import("/static/codepoints.js");
          return JSON.parse(texts).map((text) => {
            const points = new CodePoints(text);
            const places = Array.from({ length: points.length + 1 }, (_, n) => points.toUtf16(n));
            return [places, places.map((n) => points.toCodePoints(n)),
              places.map((n) => toUtf16(text, toCodePoints(text, n))), points.toCodePoints(9e9)];
          });
        }""",
        json.dumps(texts),
    )
    for text, (places, back, again, beyond) in zip(texts, converted, strict=True):
        expected = [len(text[:n].encode("utf-16-le")) // 2 for n in range(len(text) + 1)]
        assert places == again == expected
        assert back == list(range(len(text) + 1))
        assert beyond == len(text)


def test_any_span_has_its_quote(page: Any) -> None:
    text = "\r\n".join(text for _, text, _ in CHARACTERS)
    show(page, text)
    draw = random.Random(5)
    spans = [sorted(draw.sample(range(len(text) + 1), 2)) for _ in range(200)]
    selected = page.evaluate(
        "(spans) => spans.map(([start, end]) => (tool.select(start, end), tool.selection))", spans
    )
    assert selected == [
        {"start": start, "end": end, "quote": text[start:end]} for start, end in spans
    ]


@pytest.mark.parametrize(
    ("text", "stops"), [row[1:] for row in CHARACTERS], ids=[row[0] for row in CHARACTERS]
)
def test_characters_are_selected_whole(page: Any, text: str, stops: list[int]) -> None:
    show(page, text, language="zh")
    quotes = []
    for _ in stops[1:]:
        press(page, "Shift+ArrowRight")
        quotes.append(selection(page, text))
    assert quotes == [text[:stop] for stop in stops[1:]]
    for stop in reversed(stops[1:-1]):
        press(page, "Shift+ArrowLeft")
        assert selection(page, text) == text[:stop]

    show(page, text, language="en")
    press(page, "Control+End", *["Alt+Shift+ArrowLeft"] * (len(stops) - 2))
    assert selection(page, text) == text[stops[1] :]
    press(page, "Control+Home", *["Control+Alt+Shift+ArrowRight"] * (len(text) - 1))
    assert selection(page, text) == text[:-1]

    show(page, text, language="zh")
    visible = [
        (low, high)
        for low, high in pairwise(stops)
        if text[low:high].strip("\r\n\t \u2028\u200b\u2060\ufeff")
    ]
    first, last = visible[0], visible[-1]
    drag(page, first[0], last[1])
    assert selection(page, text) == text[first[0] : last[1]]
    for low, high in visible:
        page.evaluate("tool.clearSelection()")
        drag(page, low, high)
        assert selection(page, text) == text[low:high]


WORDS = [
    (
        "a quotation",
        'He said "שלום עולם" twice.',
        ["He", 'He said "שלום', 'He said "שלום עולם"'],
        [1, 3, 2],
    ),
    (
        "a family",
        f"Two {FAMILY} don’t e\u0301te.",
        ["Two", f"Two {FAMILY}", f"Two {FAMILY} don’t e\u0301te"],
        [1, 1, 2],
    ),
    ("lines", "end.\r\n\r\nNext one", ["end", "end.", "end.\r\n\r\nNext"], [1, 1, 1]),
    ("zero width", "a\u200bb \u2066cd\u2069 e", ["a", "a\u200bb", "a\u200bb \u2066cd"], [1, 1, 1]),
]


@pytest.mark.parametrize(
    ("text", "quotes", "presses"), [row[1:] for row in WORDS], ids=[row[0] for row in WORDS]
)
def test_words_are_selected_whole(
    page: Any, text: str, quotes: list[str], presses: list[int]
) -> None:
    show(page, text)
    for quote, count in zip(quotes, presses, strict=True):
        press(page, *["Shift+ArrowRight"] * count)
        assert selection(page, text) == quote
    press(page, *["Shift+ArrowLeft"] * presses[-1])
    assert selection(page, text) == quotes[-2]


def test_mouse_selects_words_or_with_alt_characters(page: Any) -> None:
    show(page, MILL)
    drag(page, 5, 10)  # from "ld" to "mi"
    assert selection(page, MILL) == "old mill"
    assert page.evaluate("getSelection().toString()") == "old mill"
    drag(page, 5, 10, "Alt")
    assert selection(page, MILL) == "ld mi"
    down = MILL.index("burned") + 2
    drag(page, down, MILL.index("saw") + 2)
    assert selection(page, MILL) == "burned down.\r\nNobody saw"
    x, y, *_ = edges(page, 10, 11)
    page.mouse.dblclick(x, y)
    assert selection(page, MILL) == "mill"
    page.mouse.click(x, y, click_count=3)
    assert selection(page, MILL) == MILL.partition("\r\n")[0]
    page.mouse.click(x, y)
    assert selection(page, MILL) is None
    # A finger moves the browser's own selection; no pointer of ours is down.
    page.evaluate(
        "getSelection().setBaseAndExtent(...tool.view.position(9), ...tool.view.position(18))"
    )
    page.wait_for_function("() => tool.selection")
    assert selection(page, MILL) == "mill by the"
    page.focus("#before")
    page.keyboard.type("x")
    assert selection(page, MILL) == "mill by the"


def test_caret_moves_by_rows_and_pages(page: Any) -> None:
    # Two rows of it are full whatever font there is.
    text = "\n".join(["字" * 250, "短", "", *["行" * 30] * 80])
    show(page, text, language="zh")
    press(page, "End", "Shift+Home")
    row = selection(page, text)
    assert row is not None
    assert 30 < len(row) < 125
    press(page, "End", "ArrowDown", "Shift+Home")
    second = page.evaluate("tool.selection")
    assert (second["start"], second["end"]) == (len(row), 2 * len(row))
    press(page, "Control+Home", "ArrowRight", "ArrowRight", "Shift+ArrowDown")
    assert selection(page, text) == text[2 : len(row) + 2]
    press(page, "Control+Home", "Shift+Control+End")
    assert selection(page, text) == text
    press(page, "Control+Home", "PageDown", "Shift+Control+Home")
    below = selection(page, text)
    assert below is not None
    assert 5 < below.count("\n") < 30
    press(page, "PageUp", "Shift+ArrowRight")
    assert page.evaluate("tool.selection.start") < 250
    press(page, "Control+a")
    assert selection(page, text) == text
    copied = page.evaluate(
        """() => {
          const event = new ClipboardEvent("copy", { clipboardData: new DataTransfer() });
          tool.content.dispatchEvent(event);
          return event.clipboardData.getData("text/plain");
        }"""
    )
    assert copied == text
    press(page, "Escape")
    assert selection(page, text) is None


def test_marks_are_made_walked_moved_and_removed_by_keys(page: Any) -> None:
    show(page, MILL, marks=[mark(MILL, "the river", "NE", "given", given=True)])
    press(page, "n")
    assert events(page, "create") == []
    press(page, "ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "n")
    made = {"start": 4, "end": 12, "quote": "old mill", "category": "NP"}
    assert events(page, "create") == [["create", made]]
    assert selection(page, MILL) is None
    made_id = page.evaluate("tool.active")
    press(page, ",", ">", "Control+<")
    moved = [event[1]["quote"] for event in events(page, "change")]
    assert moved == ["The old mill", "The old mill by", "The old mill b"]
    press(page, "]")
    assert page.evaluate("tool.active") == "given"
    press(page, "Delete", ",")
    assert events(page, "remove") == []
    assert len(events(page, "change")) == 3
    press(page, "[", "=")
    assert selection(page, MILL) == "The old mill b"
    press(page, "e")
    assert [event[1]["category"] for event in events(page, "create")] == ["NP", "NE"]
    press(page, "[", "Delete")
    assert events(page, "remove") == [["remove", {"id": made_id}]]
    press(page, "Control+Home", "Enter")
    assert page.evaluate("marks.get(tool.active).category") == "NE"
    press(page, "Escape")
    assert page.evaluate("tool.active") is None
    page.wait_for_function(
        "() => document.querySelector('.tt-live[aria-live]').textContent.includes('Name')"
    )


def test_marks_are_linked_by_keys_and_mouse(page: Any) -> None:
    text = "Ann fell. She cried. Her mother came."
    marks = [
        mark(text, "Ann", "NP", "a"),
        mark(text, "fell", "NE", "x"),
        mark(text, "She", "NP", "b"),
        mark(text, "Her mother", "NP", "c"),
    ]
    show(page, text, marks=marks)
    press(page, "]", "]", "]", "-")
    assert page.evaluate("document.querySelector('.tt-target').dataset.mark") == "a"
    press(page, "]", "[", "Enter")
    linked = {"from": "b", "to": "a", "relations": ["antecedent"]}
    assert events(page, "link") == [["link", linked]]
    assert page.locator(".tt-link.tt-near").count() == 1
    assert page.locator(".tt-link-label").text_content() == "antecedent"
    press(page, "]", "-", "Escape")
    assert page.evaluate("tool.active") == "c"
    assert page.locator(".tt-link").count() == 0
    press(page, "-")
    page.click("[data-mark=b] .tt-label")
    assert events(page, "link")[1] == ["link", {**linked, "from": "c", "to": "b"}]
    press(page, "Escape")
    page.get_by_role("button", name="Show all links").click()
    assert page.locator(".tt-link").count() == 2
    page.evaluate("tool.setMarks([...marks.values()].map(({ relations, ...mark }) => mark))")
    assert page.locator(".tt-link").count() == 0


def test_tiles_are_split_and_joined(page: Any) -> None:
    text = "北京大学𠮷野家"
    tiles = [
        {"id": f"t{start}", "category": "word", "start": start, "end": end}
        for start, end in [(0, 4), (4, 7)]
    ]
    show(page, text, language="zh", mode="tiles", categories=WORD_TILES, marks=tiles)

    def words() -> list[str]:
        spans = sorted(page.evaluate("[...marks.values()].map(({start, end}) => [start, end])"))
        return [text[start:end] for start, end in spans]

    press(page, "Space", "ArrowRight", "ArrowRight", "Space")
    assert words() == ["北京", "大学", "𠮷野家"]
    press(page, "Control+ArrowRight", "ArrowRight", "Space")
    assert words() == ["北京", "大学", "𠮷", "野家"]
    press(page, "Control+ArrowLeft", "Space")
    assert words() == ["北京", "大学𠮷", "野家"]
    x, y, *_ = edges(page, 6, 7)
    page.mouse.click(x, y)
    assert words() == ["北京", "大学𠮷", "野", "家"]
    page.mouse.click(x, y)
    assert words() == ["北京", "大学𠮷", "野家"]
    assert page.locator(".tt-tile .tt-box").count() == 3


def test_nested_and_crossing_marks_have_lanes_and_labels(page: Any) -> None:
    marks = [
        mark(MILL, "The old mill by the river", "NP", "outer"),
        mark(MILL, "the river", "NP", "inner"),
        mark(MILL, "river", "NE", "innermost"),
        mark(MILL, "river burned down.\r\nNobody saw", "ANSQ", "crossing"),
        mark(MILL, "dark", "ANSQ", "alone"),
    ]
    show(page, MILL, marks=marks)
    lanes = page.evaluate(
        """Object.fromEntries([...document.querySelectorAll(".tt-mark")].map((element) =>
             [element.dataset.mark, Number(element.style.getPropertyValue("--lane"))]))"""
    )
    assert lanes == {"innermost": 0, "inner": 1, "outer": 2, "crossing": 3, "alone": 0}
    labels = page.locator(".tt-label").all_text_contents()
    assert sorted(labels) == ["Answer", "Answer", "NP", "NP", "Name"]
    boxes = [label.bounding_box() for label in page.locator(".tt-label").all()]
    for index, a in enumerate(boxes):
        for b in boxes[:index]:
            apart = a["y"] + a["height"] <= b["y"] + 1 or b["y"] + b["height"] <= a["y"] + 1
            assert apart or a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
    x, y, *_ = edges(page, MILL.index("river"), MILL.index("river") + 5)
    chosen = []
    for _ in range(5):
        page.mouse.click(x + 2, y)
        chosen.append(page.evaluate("tool.active"))
    assert chosen == ["innermost", "inner", "outer", "crossing", "innermost"]


def test_only_touched_lines_are_drawn_again(page: Any) -> None:
    lines = "\n".join(f"Line {number} of a longer text." for number in range(40))
    marks = [
        {"id": f"m{n}", "category": "NP", "start": start, "end": start + 4}
        for n, start in enumerate(range(0, len(lines) - 4, 24))
    ]
    show(page, lines, marks=marks)
    touched = page.evaluate(
        """() => {
          const changed = new Set();
          const watch = new MutationObserver((records) => note(records));
          const note = (records) => records.forEach(({ target }) => {
            const line = target.closest(".tt-line");
            if (line && !target.matches(".tt-caret, .tt-line")) {
              changed.add([...document.querySelectorAll(".tt-line")].indexOf(line));
            }
          });
          watch.observe(tool.content, { subtree: true, childList: true, attributes: true });
          const before = [...marks.values()];
          tool.setMarks([...before, { id: "new", category: "NE", start: 60, end: 70 }]);
          before[20] = { ...before[20], end: before[20].end + 1 };
          tool.setMarks(before);
          note(watch.takeRecords());
          watch.disconnect();
          return [...changed].sort((a, b) => a - b);
        }"""
    )
    changed = [60, 69, 480, 484]
    assert touched == sorted({lines[:offset].count("\n") for offset in changed})


def test_text_stays_text_and_tab_leaves(page: Any) -> None:
    text = '<img src=x onerror="document.title=1"> <script>document.title=2</script>'
    evil = {"NP": {**CATEGORIES["NP"], "label": "<b>x</b>", "colour": "red;background:url(x)"}}
    show(page, text, categories=evil, marks=[mark(text, "img", "NP", '"><i>')])
    assert page.locator("#place img, #place script, #place b, #place i").count() == 0
    assert page.locator(".tt-text").text_content() == text
    assert page.locator(".tt-label").text_content() == "<b>x</b>"
    assert page.title() == ""
    press(page, "Tab")
    assert page.evaluate("document.activeElement.id") == "after"
    press(page, "Shift+Tab")
    assert page.evaluate("document.activeElement === tool.content")
    role = page.evaluate("['role', 'aria-label'].map((name) => tool.content.getAttribute(name))")
    assert role == ["application", "Text to mark"]


def test_read_only_text_reports_no_changes(page: Any) -> None:
    show(page, MILL, marks=[mark(MILL, "old mill", "NP", "a")])
    page.evaluate("tool.isEditable = false")
    press(page, "]", "Delete", ">", "Shift+ArrowRight", "n")
    assert events(page, "remove", "change", "create") == []
    assert selection(page, MILL) == "old"


def test_phone(chromium: Any) -> None:
    context = chromium.new_context(
        viewport={"width": 390, "height": 700}, has_touch=True, color_scheme="dark"
    )
    page = serve_text_page(context)
    text = f"{MILL} {'nonstop' * 20}\n{'字' * 80}"
    marks = [
        mark(text, "The old mill by the river", "NP", "a"),
        mark(text, "mill", "NE", "b"),
        mark(text, "字" * 60, "ANSQ", "c"),
    ]
    open_text(page, text, marks=marks)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.tap("[data-mark=b] .tt-label")
    assert page.evaluate("tool.active") == "b"
    page.tap("text=Select by character")
    assert page.evaluate("tool.unit") == "character"
    before = page.locator("[data-mark=c] .tt-box").count()
    page.set_viewport_size({"width": 900, "height": 700})
    page.wait_for_function(
        "(before) => document.querySelectorAll('[data-mark=c] .tt-box').length < before", arg=before
    )
    assert page.complaints == []
    assert page.url == f"{ORIGIN}/"
    context.close()
