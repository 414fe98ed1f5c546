"""What a reader does with the page: follows links to units, filters, sorts, copies, themes."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import readmark
from made import asked, comprehension, passage
from readmark.core.sitting import Row
from sheets import GOOD, POOR, harbour, sheet, sitting, two_sheets

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of two candidates, written once."""
    folder = tmp_path_factory.mktemp("tools")
    readmark.report(*two_sheets(folder), path=folder / "report.html")
    return folder / "report.html"


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twenty-four questions of two levels: enough for plots of slices."""
    folder = tmp_path_factory.mktemp("long")
    passages = [
        passage(
            f"p{n}",
            asked(f"a{n}", "boat", level=1),
            asked(f"b{n}", "boat", level=2),
            text="A boat and a coat.",
        )
        for n in range(12)
    ]
    test = comprehension(*passages)
    right = {f"a{n}": "boat" for n in range(12)}
    wrong = {f"b{n}": "coat" for n in range(12)}
    files = [
        sheet(folder, test, sitting("first", right | wrong), by=["level"]),
        sheet(folder, test, sitting("other", {**right, "b0": "boat"}), by=["level"]),
    ]
    readmark.report(*files, path=folder / "long.html")
    return folder / "long.html"


def listed(page: Any) -> list[str]:
    return [str(one) for one in page.locator(".list .row .id").all_inner_texts()]


def wait_for_units(page: Any, count: int) -> list[str]:
    """The ids in the list, once there are so many."""
    for _ in range(50):
        if len(listed(page)) == count:
            break
        page.wait_for_timeout(50)
    assert len(listed(page)) == count
    return listed(page)


def test_parts_are_folded_and_links_open_them(open_page: Any, report: Path) -> None:
    page = open_page(report)
    assert page.locator("details.fold[open]").count() == 0
    assert not page.locator("#test-1-marks table").first.is_visible()
    page.click(".contents a[href='#test-1-marks']")
    page.wait_for_selector("#test-1-marks > details[open]")
    assert page.locator("#test-1-marks table").first.is_visible()
    page.click("[data-fold]")
    assert page.locator("details.fold:not([open])").count() == 0
    page.click("[data-fold]")
    assert page.locator("details.fold[open]").count() == 0


def test_what_to_look_at_next_leads_to_its_units(open_page: Any, report: Path) -> None:
    page = open_page(report)
    page.click(".next a:has-text('poor: 4 questions unanswered')")
    wait_for_units(page, 4)
    assert listed(page) == ["mill-2", "bees-2", "dock-1", "dock-2"]
    assert page.input_value("select[name=verdict]") == "u"
    assert page.input_value("select[name=candidate]") == "0"
    page.click(".next a:has-text('that good answered right and poor did not')")
    wait_for_units(page, 5)
    assert listed(page) == ["fox-1", "mill-1", "mill-2", "bees-2", "dock-2"]
    assert page.input_value("select[name=right]") == "1"
    assert page.input_value("select[name=wrong]") == "0"


def test_dots_slices_classes_and_examples_are_links(open_page: Any, long: Path) -> None:
    page = open_page(long, unfolded=True)
    page.locator("#test-1-slices svg.plot a").last.click()
    wait_for_units(page, 12)
    assert page.input_value("select[name=field-level]") == "2"
    page.locator("#test-1-errors tbody td a:text-is('11')").first.click()
    wait_for_units(page, 11)
    assert page.input_value("select[name=class]") == "no_answer"
    assert page.input_value("select[name=candidate]") == "1"
    example = page.locator("#test-1-errors tbody a[href^='#unit=']").first
    wanted = example.get_attribute("href")
    example.click()
    page.wait_for_selector(f".detail-bar a[href='{wanted.split('&')[0]}']")
    assert page.inner_text(".detail-bar a") == "b0"


def test_filters_by_class_and_by_who_is_right(open_page: Any, report: Path) -> None:
    page = open_page(report)
    classes = page.locator("select[name=class] option").all_inner_texts()
    assert classes[:2] == ["any", "correct"]
    page.select_option("select[name=class]", "boundary")
    page.select_option("select[name=candidate]", "1")
    assert listed(page) == ["dock-1"]
    page.click("button[name=clear]")
    page.select_option("select[name=right]", "0")
    assert listed(page) == ["fox-2", "bees-1"]
    page.select_option("select[name=wrong]", "1")
    assert listed(page) == []


def test_the_pane_never_shows_a_unit_outside_the_list(open_page: Any, report: Path) -> None:
    page = open_page(report)
    page.click(".list .row:has-text('dock-2')")
    page.select_option("select[name=field-level]", "1")
    assert page.inner_text(".detail-bar a") == "fox-1"
    assert page.locator(".row[aria-current=true] .id").all_inner_texts() == ["fox-1"]
    assert page.url.endswith("#unit=fox-1")
    page.select_option("select[name=verdict]", "e")
    assert page.locator(".detail-bar").count() == 0
    page.click("[data-set-language=zh]")
    assert page.locator(".detail-bar").count() == 0
    page.click("button[name=clear]")
    assert page.inner_text(".detail-bar a") == "fox-1"


def test_links_work_on_a_phone_and_to_another_test(open_page: Any, tmp_path: Path) -> None:
    other = comprehension(passage("a", asked("q", "x")), passage("b", asked("r", "y")))
    files = [*two_sheets(tmp_path), sheet(tmp_path, other, sitting("one", {"r": "y"}))]
    readmark.report(*files, path=tmp_path / "r.html")
    page = open_page(tmp_path / "r.html", hash="#units?test=2&candidate=0&verdict=u", width=390)
    page.wait_for_selector(".list .row:has-text('q')")
    assert listed(page) == ["q"]
    assert page.input_value("select[name=test]") == "1"
    assert not page.locator(".detail").is_visible()
    assert page.inner_text(".more-filters") == "Filters (2)"
    page.evaluate("location.hash = '#units?test=1&class=none&candidate=9&field.level=2'")
    page.wait_for_selector(".list .empty", state="attached")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def column(page: Any, table: str, at: int) -> list[str]:
    found: list[str] = page.eval_on_selector_all(
        f"{table} tbody tr", f"(rows) => rows.map((row) => cellText(row.cells[{at}]))"
    )
    return found


def test_tables_are_sorted(open_page: Any, report: Path) -> None:
    page = open_page(report, hash="#test-1-marks")
    table = "#test-1-marks .tables > .table:first-child table"
    assert column(page, table, 0) == ["poor", "good"]
    page.click(f"{table} thead th:nth-child(3) .arrow")  # numbers: largest first
    assert column(page, table, 0) == ["good", "poor"]
    head = page.locator(f"{table} thead th:nth-child(3)")
    assert head.get_attribute("aria-sort") == "descending"
    page.keyboard.press("Enter")
    assert column(page, table, 0) == ["poor", "good"]
    page.click(f"{table} thead th:nth-child(1) .arrow")
    assert column(page, table, 0) == ["good", "poor"]
    assert head.get_attribute("aria-sort") is None


@pytest.mark.parametrize(
    ("cells", "order"),
    [
        (["−1.5", "+2.0", "0.3", "–"], ["+2.0", "0.3", "−1.5", "–"]),
        (["1,200", "90", "7 / 8", "< 0.0001"], ["1,200", "90", "7 / 8", "< 0.0001"]),
        (["b", "10%", "a", "9.5%"], ["10%", "9.5%", "b", "a"]),
    ],
)
def test_numbers_are_sorted_as_numbers(
    open_page: Any, report: Path, cells: list[str], order: list[str]
) -> None:
    page = open_page(report)
    made = page.evaluate("(cells) => cells.sort((a, b) => compareCells(a, b, -1))", cells)
    assert made == order


def test_tables_are_copied(open_page: Any, report: Path) -> None:
    page = open_page(
        report, hash="#test-1-marks", permissions=["clipboard-read", "clipboard-write"]
    )
    tools = page.locator("#test-1-marks .copy").first
    tools.locator("[data-copy=markdown]").click()
    page.wait_for_selector("[data-copy=markdown]:text-is('Copied')")
    markdown = page.evaluate("navigator.clipboard.readText()").replace("\r", "")
    assert markdown.splitlines()[:2] == [
        "| candidate | EM | F1 | questions answered |",
        "| --- | ---: | ---: | ---: |",
    ]
    assert markdown.splitlines()[3].startswith("| good | 87.50 (")
    tools.locator("[data-copy=csv]").click()
    page.wait_for_selector("[data-copy=csv]:text-is('Copied')")
    text = page.evaluate("navigator.clipboard.readText()").replace("\r", "")
    head, _, good = text.splitlines()
    assert head == "candidate,EM,EM (below),F1,F1 (below),questions answered"
    assert good.startswith("good,87.50,")


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("-2+3", "'-2+3"),
        ("−31.4", "-31.4"),
        ("+2.5", "+2.5"),
        ("1,200", "1200"),
        ("45.0%", "45.0%"),
        ('say "hi", then', '"say ""hi"", then"'),
        ("llm(model=a)", "llm(model=a)"),
    ],
)
def test_cells_of_csv_are_safe_for_spreadsheets(
    open_page: Any, report: Path, text: str, cell: str
) -> None:
    assert open_page(report).evaluate("(text) => csvCell(text)", text) == cell


def test_the_theme_is_remembered(open_page: Any, report: Path) -> None:
    back = "getComputedStyle(document.body).backgroundColor"
    page = open_page(report, color_scheme="light")
    assert page.evaluate(back) == "rgb(255, 255, 255)"
    page.click("[data-set-theme=dark]")
    assert page.evaluate(back) == "rgb(20, 23, 26)"
    assert page.locator("[data-set-theme=dark]").get_attribute("aria-pressed") == "true"
    other = page.context.new_page()
    other.goto(report.as_uri())
    assert other.evaluate(back) == "rgb(20, 23, 26)"
    other.emulate_media(color_scheme="dark")
    other.click("[data-set-theme=light]")
    assert other.evaluate(back) == "rgb(255, 255, 255)"
    other.click("[data-set-theme=auto]")
    assert other.evaluate(back) == "rgb(20, 23, 26)"


@pytest.mark.parametrize("theme", ["auto", "dark"])
def test_paper_is_white_in_every_theme(open_page: Any, report: Path, theme: str) -> None:
    page = open_page(report, color_scheme="dark")
    page.click(f"[data-set-theme={theme}]")
    page.emulate_media(media="print", color_scheme="dark")
    back = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert back == "rgb(255, 255, 255)"


def test_people_s_answers_prompts_and_replies(open_page: Any, tmp_path: Path) -> None:
    prompt = [{"role": "system", "content": "Read."}, {"role": "user", "content": "What scarf?"}]
    evidence = {"prompt": prompt, "reply": '{"answer": "scarf"}', "shared": ["scarf"]}
    usage = {"input": 1200, "output": 7, "cost": 0.00123}
    row = Row(id="fox-1", answer="scarf", evidence=evidence, usage=usage)
    panel = [sitting("ida", POOR), sitting("per", GOOD, limit=4)]
    test = harbour()
    file = sheet(tmp_path, test, sitting("model", {"fox-1": row}), people=panel, by=["level"])
    readmark.report(file, path=tmp_path / "r.html")
    page = open_page(tmp_path / "r.html", hash="#unit=fox-1", unfolded=True)
    page.wait_for_selector(".answer:has-text('ida')")
    ida, per = (page.inner_text(f".answer:has-text('{name}')") for name in ("ida", "per"))
    assert "the red coat" in ida
    assert "partly right" in ida
    assert "a red scarf" in per
    assert "F1 100.0" in per
    detail = page.inner_text(".answer:has-text('model')")
    assert "1,200 input tokens, 7 output" in detail
    assert "cost 0.00123" in detail
    assert "prompt" not in detail.split("evidence")[1].split("\n")[0]
    # A click would fold it where it has just been unfolded with the rest.
    page.eval_on_selector("details.exchange", "exchange => { exchange.open = true; }")
    page.wait_for_selector("pre.reply")
    assert page.inner_text("pre.prompt") == "system:\nRead.\n\nuser:\nWhat scarf?"
    assert page.inner_text("pre.reply") == '{"answer": "scarf"}'
    each = page.locator("#test-1-people figure:has-text('of each person') table").first
    assert each.locator("tbody th").all_inner_texts() == ["○\nida", "○\nper"]
    # ida on level 1: fox-1 half right ("red" of "red coat" and "red scarf"), bees-1 right, two not
    assert each.locator("tbody tr:first-child td").all_inner_texts() == ["31.25", "37.50", "25.00"]
    page.click(".list .row:has-text('dock-2')")  # per was not to sit it
    assert page.locator(".answer:has-text('○per')").count() == 0


@pytest.mark.parametrize(
    ("language", "name", "caption"),
    [
        ("en", "Marks-and-intervals.svg", "Marks and intervals"),
        ("zh", "得分及置信区间.svg", "得分及置信区间"),
    ],
)
def test_a_picture_is_saved_with_its_caption_and_names(
    open_page: Any, report: Path, tmp_path: Path, language: str, name: str, caption: str
) -> None:
    page = open_page(report, unfolded=True, accept_downloads=True)
    page.click(f"[data-set-language={language}]")
    assert page.locator("figure > .plot").count() == page.locator("figure > .save").count()
    with page.expect_download() as download:
        page.locator("#test-1-marks figure > .save").first.click()
    assert download.value.suggested_filename == name
    download.value.save_as(tmp_path / "saved.svg")
    text = (tmp_path / "saved.svg").read_text("utf-8")
    root = ElementTree.fromstring(text)
    shown = [
        "".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")
    ]
    assert caption in shown
    legend = page.locator("#test-1-marks .legend li").all_inner_texts()
    assert len(legend) == 2
    assert {one[0] for one in legend} == {line[0] for line in shown if line[0] in "●■▲"}
    assert "var(" not in text
    assert "href" not in text
    other = "zh" if language == "en" else "en"
    assert f'class="{other}"' not in text
