"""The report in a real browser: search, filters, units, highlights, language, print, phone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import readmark
from made import asked, comprehension, passage
from readmark.core.sitting import Row
from sheets import EMOJI, GOOD, harbour, sheet, sitting, two_sheets

pytestmark = pytest.mark.browser

HOSTILE = '</script><img src=x onerror="alert(1)"><script>alert(2)</script> שלום 🦊'


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of two candidates, written once: who changes it changes a copy."""
    folder = tmp_path_factory.mktemp("report")
    readmark.report(*two_sheets(folder), path=folder / "report.html")
    return folder / "report.html"


def listed(page: Any) -> list[str]:
    return [str(one) for one in page.locator(".list .row .id").all_inner_texts()]


def search(page: Any, text: str) -> list[str]:
    page.fill("input[name=search]", text)
    page.wait_for_timeout(250)
    return listed(page)


def highlighted(page: Any, sort: str) -> dict[str, str]:
    """The text under every highlight of a sort, put together from its pieces."""
    found: dict[str, str] = page.evaluate(
        """(sort) => {
          const found = {};
          for (const one of document.querySelectorAll("[data-h]"))
            for (const name of one.dataset.h.split(" "))
              if (name.startsWith(sort)) found[name] = (found[name] || "") + one.textContent;
          return found;
        }""",
        sort,
    )
    return found


def test_search(open_page: Any, report: Path) -> None:
    page = open_page(report)
    assert len(listed(page)) == 8
    assert search(page, "scarf") == ["fox-1", "fox-2"]  # in the question, and in the passage
    assert search(page, "HONEY  june") == ["bees-1", "bees-2"]
    assert search(page, "dock-2") == ["dock-2"]
    assert search(page, "red coat") == ["fox-1", "fox-2"]
    assert search(page, "zeppelin") == []
    assert page.locator(".list .empty").inner_text().startswith("Nothing fits")
    page.click("button[name=clear]")
    assert len(listed(page)) == 8


def test_search_in_chinese(open_page: Any, tmp_path: Path) -> None:
    test = comprehension(
        passage("磨坊", asked("m", "水车", text="磨坊靠什么转动？"), text="磨坊的水车靠小河转动。"),
        passage("蜂房", asked("f", "３０箱", text="养了几箱蜂？"), text="阿满养了３０箱蜂。"),
        language="zh",
    )
    readmark.report(sheet(tmp_path, test, sitting("甲", {"m": "水车"})), path=tmp_path / "r.html")
    page = open_page(tmp_path / "r.html")
    assert search(page, "水车靠") == ["m"]
    assert search(page, "30箱") == ["f"]  # full width or half
    assert page.locator("html").get_attribute("lang") == "zh-Hans"


def test_filters(open_page: Any, report: Path) -> None:
    page = open_page(report)
    page.select_option("select[name=field-level]", "1")
    assert listed(page) == ["fox-1", "mill-1", "bees-1", "dock-1"]
    page.select_option("select[name=verdict]", "w")
    assert listed(page) == ["mill-1"]
    page.select_option("select[name=candidate]", "1")
    assert listed(page) == []
    page.select_option("select[name=verdict]", "p")
    assert listed(page) == ["dock-1"]
    page.click("button[name=clear]")
    page.select_option("select[name=verdict]", "u")
    assert listed(page) == ["mill-2", "bees-2", "dock-1", "dock-2"]
    page.click("button[name=clear]")
    page.check("input[name=differ]")
    assert listed(page) == ["fox-1", "mill-1", "mill-2", "bees-2", "dock-1", "dock-2"]
    page.select_option("select[name=sort]", "gap")
    assert listed(page)[-1] == "fox-1"


def test_errors_have_their_filter(open_page: Any, tmp_path: Path) -> None:
    rows = {**GOOD, "fox-1": Row(id="fox-1", error="timed out after 3 s")}
    readmark.report(sheet(tmp_path, harbour(), sitting("one", rows)), path=tmp_path / "r.html")
    page = open_page(tmp_path / "r.html")
    page.select_option("select[name=verdict]", "e")
    assert listed(page) == ["fox-1"]
    page.click(".list .row")
    assert "timed out after 3 s" in page.inner_text(".detail")


def test_a_unit_with_its_answer_highlighted_after_emoji(open_page: Any, tmp_path: Path) -> None:
    start = EMOJI.index("a red scarf")  # Python counts code points, as Readmark does
    sentence = EMOJI.index("The fox"), len(EMOJI)
    row = Row(
        id="fox-1",
        answer="a red scarf",
        start=start,
        end=start + len("a red scarf"),
        sentence=sentence,
        score=0.75,
        evidence={"shared": ["scarf"]},
    )
    test = harbour()
    one = sheet(tmp_path, test, sitting("placed", {"fox-1": row}))
    two = sheet(tmp_path, test, sitting("unplaced", {"fox-1": "scarf of red"}), name="two")
    three = sheet(tmp_path, test, sitting("found", {"fox-1": "grey coat"}), name="three")
    readmark.report(one, two, three, path=tmp_path / "r.html")
    page = open_page(tmp_path / "r.html")
    page.click(".list .row:has-text('What scarf?')")
    assert sorted(highlighted(page, "answer").values()) == ["a red scarf", "grey coat"]
    assert list(highlighted(page, "evidence").values()) == [EMOJI[slice(*sentence)]]
    assert page.locator(".text").last.inner_text() == EMOJI
    detail = page.inner_text(".detail")
    assert "score 0.75" in detail
    assert "evidence: shared: scarf" in detail
    assert page.locator(".found-there").count() == 1  # the one without offsets
    assert page.url.endswith("#unit=fox-1")


def test_the_key_is_highlighted_where_its_offsets_are(open_page: Any, tmp_path: Path) -> None:
    text = "👩‍🚀 said: the boat, the boat, and 𠮷野家."
    document = {
        "readmark": 1,
        "kind": "comprehension",
        "name": "placed",
        "language": "en",
    }
    answers = [{"text": "the boat", "start": text.rindex("the boat"), "annotator": "ann"}]
    other = [{"text": "𠮷野家", "start": text.index("𠮷野家"), "annotator": "ben"}]
    record = {
        "id": "p",
        "text": text,
        "questions": [{"id": "q", "text": "What?", "key": {"answers": answers + other}}],
    }
    file = tmp_path / "t.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in (document, record)))
    (tmp_path / "p.json").write_text(json.dumps({"q": "boat, the"}))
    readmark.mark(file, tmp_path / "p.json", marksheet=tmp_path / "m.jsonl")
    readmark.report(tmp_path / "m.jsonl", path=tmp_path / "r.html")
    page = open_page(tmp_path / "r.html", hash="#unit=q")
    page.wait_for_selector(".text .key")
    assert set(highlighted(page, "key").values()) == {"the boat", "𠮷野家"}
    before = page.evaluate(
        """() => {
          const range = document.createRange();
          const [text] = [...document.querySelectorAll(".text")].slice(-1);
          range.setStart(text, 0);
          range.setEndBefore(text.querySelector('.key'));
          return range.toString();
        }"""
    )
    assert before == text[: text.rindex("the boat")]


@pytest.mark.parametrize(
    ("text", "points"),
    [("plain", [0, 3, 5]), ("🦊a🦊", [0, 1, 2, 3]), ("𠮷野家👩‍🚀!", [1, 3, 4, 6, 7])],
)
def test_code_points_become_utf_16(
    open_page: Any, report: Path, text: str, points: list[int]
) -> None:
    page = open_page(report)
    for at in points:
        made = page.evaluate("([text, at]) => text.slice(0, toUtf16(text, at))", [text, at])
        assert made == text[:at]
    assert page.evaluate("(text) => codePoints(text)", text) == len(text)


@pytest.mark.parametrize(
    ("words", "offsets", "near", "place"),
    [
        ("boat", [8, 12], [], [8, 12, False]),
        ("boat", [0, 4], [], [4, 8, True]),  # the offsets do not point at it
        ("boat", None, [], [4, 8, True]),
        ("boat", None, [[13, 20]], [13, 17, True]),
        ("boat. A", None, [[13, 17]], [13, 20, True]),
        ("barge", None, [], None),
        ("", [4, 8], [], [4, 8, False]),
        ("boat", [4, 400], [], [4, 8, True]),
    ],
)
def test_where_an_answer_stands(
    open_page: Any, report: Path, words: str, offsets: Any, near: Any, place: Any
) -> None:
    text = "the boatboat-boat. And more."
    made = open_page(report).evaluate(
        """([text, words, offsets, near]) => {
          const places = near.map(([start, end]) => ({ start, end }));
          const found = placeOf(text, words, offsets, places);
          return found && [found.start, found.end, Boolean(found.found)];
        }""",
        [text, words, offsets, near],
    )
    assert made == place


def test_language(open_page: Any, report: Path) -> None:
    page = open_page(report)
    assert page.inner_text("#test-1-marks h3") == "Marks"
    english = page.locator("svg.plot title").first.text_content()
    page.click("[data-set-language=zh]")
    assert page.inner_text("#test-1-marks h3") == "得分"
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    assert page.locator("input[name=search]").get_attribute("placeholder").startswith("题目")
    assert page.locator("svg.plot title").first.text_content() != english
    assert page.locator(".en:visible").count() == 0
    page.click("[data-set-language=en]")
    assert page.locator("svg.plot title").first.text_content() == english
    assert page.locator(".zh:visible").count() == 0


def test_another_metric_is_shown_in_every_part(open_page: Any, report: Path) -> None:
    page = open_page(report, unfolded=True)
    shown = page.locator("#test-1 [data-metric]:visible")
    assert {one.get_attribute("data-metric") for one in shown.all()} == {"1"}
    page.locator("[data-set-metric='0']").first.click()
    assert {one.get_attribute("data-metric") for one in shown.all()} == {"0"}
    assert shown.count() == 2
    assert page.locator("#test-1-people [data-metric='0'] svg.plot:visible").count() > 0


def test_links_to_units(open_page: Any, tmp_path: Path) -> None:
    other = comprehension(
        passage("a", asked("odd id/é&?", "x", text="Which?")), passage("b", asked("r", "y"))
    )
    files = [*two_sheets(tmp_path), sheet(tmp_path, other, sitting("one", {"r": "y"}))]
    readmark.report(*files, path=tmp_path / "r.html")
    page = open_page(tmp_path / "r.html", hash="#unit=odd%20id%2F%C3%A9%26%3F&test=2")
    page.wait_for_selector(".row[aria-current=true]:has-text('Which?')")
    link = page.locator(".detail-bar a").get_attribute("href")
    page.select_option("select[name=test]", "0")
    page.wait_for_selector(".row:has-text('What scarf?')")
    page.evaluate("(to) => { location.hash = to; }", link)
    page.wait_for_selector(".row[aria-current=true]:has-text('Which?')")


def test_keyboard(open_page: Any, report: Path) -> None:
    page = open_page(report)
    page.focus(".list .row")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.inner_text(".detail-bar a") == "fox-2"
    page.focus(".detail-bar [aria-label='Next unit']")
    page.keyboard.press("Enter")
    assert page.inner_text(".detail-bar a") == "mill-1"
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Next unit"


def test_nothing_of_the_test_s_runs(open_page: Any, tmp_path: Path) -> None:
    test = comprehension(
        passage("p", asked("q", HOSTILE, text=HOSTILE, level=HOSTILE), text=HOSTILE, title=HOSTILE),
        passage("p2", asked("q2", "x", level=HOSTILE)),
        name=HOSTILE,
    )
    row = Row(id="q", answer=HOSTILE, evidence=HOSTILE)
    file = sheet(tmp_path, test, sitting(HOSTILE, {"q": row}), name="one", by=["level"])
    readmark.report(file, path=tmp_path / "r.html", title=HOSTILE)
    page = open_page(tmp_path / "r.html")
    page.click(".list .row")
    assert page.locator(".text").last.inner_text() == HOSTILE
    assert page.inner_text("h1") == HOSTILE
    assert page.locator("img").count() == 0
    assert list(highlighted(page, "answer").values()) == [HOSTILE]


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_and_can_be_read(open_page: Any, report: Path, width: int, scheme: str) -> None:
    page = open_page(report, width=width, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    back, ink = page.evaluate(
        "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
    )
    assert (back == "rgb(255, 255, 255)") is (scheme == "light")
    assert back != ink
    small = page.evaluate(
        """() => [...document.querySelectorAll("svg.plot text")]
          .filter((one) => one.getBoundingClientRect().width)
          .map((one) => parseFloat(getComputedStyle(one).fontSize)
            * one.closest("svg").getBoundingClientRect().width / 360)"""
    )
    assert min(small) >= 9.5


def test_on_a_phone_the_unit_takes_the_list_s_place(open_page: Any, report: Path) -> None:
    page = open_page(report, width=390)
    assert not page.locator("select[name=verdict]").is_visible()
    page.click(".more-filters")
    assert page.locator("select[name=verdict]").is_visible()
    page.click(".list .row >> nth=2")
    assert not page.locator(".list").is_visible()
    assert page.inner_text(".asked-whole") == "What drives it?"
    page.click(".detail .back")
    assert page.locator(".list").is_visible()


def test_labels_stay_within_their_plots(open_page: Any, tmp_path: Path) -> None:
    names = ["WWWWWWWWWWWWWWWWWWWWWWWW", "田里的事情说来话长一年四季都有人问起"]
    passages = [
        passage(f"p{n}", asked(f"q{n}", "x", level=names[n % 2]), asked(f"r{n}", "y", level="1"))
        for n in range(6)
    ]
    file = sheet(tmp_path, comprehension(*passages), sitting("one", {"q1": "x"}), by=["level"])
    readmark.report(file, path=tmp_path / "r.html")
    page = open_page(tmp_path / "r.html")
    outside = page.evaluate(
        """() => [...document.querySelectorAll("svg.plot")].flatMap((svg) => {
          const box = svg.getBoundingClientRect();
          const texts = [...svg.querySelectorAll("text")];
          return texts.map((one) => [one.textContent, one.getBoundingClientRect()])
            .filter(([, at]) => at.width && (at.left < box.left - 1 || at.right > box.right + 1))
            .map(([text]) => text);
        })"""
    )
    assert outside == []


def test_in_print_the_units_are_a_note(open_page: Any, report: Path) -> None:
    page = open_page(report)
    page.emulate_media(media="print")
    assert not page.locator("#browser").is_visible()
    assert page.locator(".on-paper").is_visible()
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator("details[open]").count() == 0
    assert page.pdf()[:4] == b"%PDF"


def test_a_browser_that_cannot_unpack_says_so(chromium: Any, report: Path) -> None:
    page = chromium.new_page()
    page.add_init_script("delete window.DecompressionStream")
    page.goto(report.as_uri())
    page.wait_for_function("document.getElementById('browser-message').textContent.length > 60")
    assert "DecompressionStream" in page.inner_text("#browser-message")
    assert page.locator("svg.plot").count() > 4
    page.close()


def test_a_damaged_block_says_so(chromium: Any, report: Path, tmp_path: Path) -> None:
    text = report.read_text("utf-8")
    at = text.index('class="units"')
    at = text.index(">", at) + 40
    damaged = tmp_path / "damaged.html"
    damaged.write_text(text[:at] + "AAAA" + text[at + 4 :], "utf-8")
    page = chromium.new_page()
    page.goto(damaged.as_uri())
    page.wait_for_function("document.getElementById('browser-message').textContent.length > 40")
    assert "damaged" in page.inner_text("#browser-message")
    page.close()


def test_without_javascript_everything_else_is_there(chromium: Any, report: Path) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())
    assert "need JavaScript" in page.inner_text("noscript")
    assert "good scores better than poor" in page.inner_text(".verdict")
    assert page.locator(".card .large:visible").count() == 3  # two candidates, and people
    for part in ("slices", "people"):  # a part opens without a script
        page.click(f"#test-1-{part} > details > summary")
    assert page.locator("#test-1 [data-metric]:visible").count() == 2
    context.close()


def test_pages_of_units(open_page: Any, tmp_path: Path) -> None:
    passages = [passage(f"p{n}", asked(f"q{n:03}", "x")) for n in range(90)]
    file = sheet(tmp_path, comprehension(*passages), sitting("one", {"q001": "x"}))
    readmark.report(file, path=tmp_path / "r.html")
    page = open_page(tmp_path / "r.html")
    assert page.inner_text(".pager").split("\n")[1] == "1 of 3"
    page.click(".pager button >> nth=1")
    assert listed(page)[0] == "q040"
    page.click(".pager button >> nth=1")
    assert listed(page)[-1] == "q089"
    assert page.locator(".pager button").nth(1).is_disabled()
