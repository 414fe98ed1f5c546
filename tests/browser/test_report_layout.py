"""What a reader has in sight: on paper, on a phone, beside many candidates, in long texts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import readmark
from made import asked, comprehension, passage
from readmark.core.sitting import Row
from sheets import GOOD, POOR, harbour, sheet, sitting, two_sheets

pytestmark = pytest.mark.browser

OVERRIDE = "\N{RIGHT-TO-LEFT OVERRIDE}"
OVERLAPPING = """() => {
  const seen = [...document.querySelectorAll(".table table, svg.plot, .lead, .note")]
    .map((one) => [one, one.getBoundingClientRect()]).filter(([, at]) => at.width && at.height);
  const found = [];
  seen.forEach(([one, a], at) => seen.slice(at + 1).forEach(([other, b]) => {
    if (one.contains(other) || other.contains(one)) return;
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across > 1 && down > 1)
      found.push(`${one.textContent.slice(0, 40)} | ${other.textContent.slice(0, 40)}`);
  }));
  return found;
}"""


@pytest.fixture(scope="module")
def five(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of five candidates with long names, written once."""
    folder = tmp_path_factory.mktemp("five")
    files = [
        sheet(folder, harbour(), sitting(f"reader_of_the_{name}_kind", answers), name=name)
        for name, answers in zip("abcde", (POOR, GOOD, POOR, GOOD, {}), strict=True)
    ]
    readmark.report(*files, path=folder / "five.html")
    return folder / "five.html"


def test_nothing_overlaps_on_paper(open_page: Any, five: Path) -> None:
    page = open_page(five, width=700)  # A4 between its margins
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".flow table:visible").count() >= 4
    assert page.evaluate(OVERLAPPING) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 700


def test_a_table_that_goes_on_shows_a_shade_at_its_edge(open_page: Any, five: Path) -> None:
    page = open_page(five, width=390)
    cut = page.evaluate(
        """() => [...document.querySelectorAll("#test-1-marks .table")]
          .filter((one) => one.scrollWidth > one.clientWidth + 4)
          .map((one) => getComputedStyle(one).backgroundAttachment)"""
    )
    assert cut
    assert set(cut) == {"local, local, scroll, scroll"}


@pytest.mark.parametrize("hash", ["", "#unit=fox-1"])
def test_with_five_candidates_the_text_is_in_sight(open_page: Any, five: Path, hash: str) -> None:
    page = open_page(five, hash=hash)
    page.evaluate("document.documentElement.style.scrollBehavior = 'auto'")
    if not hash:
        page.evaluate("document.querySelector('#units').scrollIntoView()")
        page.click(".list .row")
    page.wait_for_timeout(300)
    seen = page.locator(".record-text").bounding_box()
    assert seen["y"] + 100 < 900
    assert seen["y"] + seen["height"] <= 900
    about = page.locator(".about").bounding_box()
    assert about["height"] > 150
    assert about["y"] >= 0


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of a test with one long text, written once."""
    folder = tmp_path_factory.mktemp("long")
    before, after = "The ferry left and nobody spoke. " * 1500, "Then the tide turned. " * 1500
    test = comprehension(
        passage("p", asked("q", "green lamp"), text=f"{before}He lit the green lamp. {after}"),
        passage("r", asked("s", "boat")),
    )
    readmark.report(
        sheet(folder, test, sitting("one", {"q": "the green lamp"})), path=folder / "r.html"
    )
    return folder / "r.html"


@pytest.mark.parametrize("width", [390, 1280])
def test_a_long_text_is_shown_at_the_answer(open_page: Any, long: Path, width: int) -> None:
    page = open_page(long, hash="#unit=q", width=width)
    page.wait_for_selector(".record-text .hl")
    page.wait_for_timeout(300)
    box = page.locator(".record-text").bounding_box()
    there = page.locator(".record-text .hl").first.bounding_box()
    assert box["y"] < there["y"] < box["y"] + box["height"]
    assert page.locator(".record-text").evaluate("(box) => box.scrollTop") > 1000
    assert page.locator(".asked-whole").bounding_box()["y"] >= 0  # the question is still there


LINES = """(all) => all.filter((one) => one.innerText).map((one) => {
  const lines = one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight);
  return [one.innerText, Math.round(lines)];
})"""
APART = """(all) => all.filter((one) => one.offsetHeight).map((one) => {
  const sign = one.getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(one.nextElementSibling);
  const name = [...range.getClientRects()].find((box) => box.width);
  return sign.bottom <= name.top || name.left < sign.left + 5;
})"""


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of candidates whose names are hard to set, written once."""
    folder = tmp_path_factory.mktemp("named")
    usage = {"input": 1200, "output": 30, "cost": 0.1, "uncounted": 1}
    rows = {id: Row(id=id, answer=text, usage=usage) for id, text in POOR.items()}
    files = [
        sheet(folder, harbour(), sitting(f"llm(model={name},style=none)", rows), name=name)
        for name in ("stand-in", "another")
    ]
    files += [
        sheet(folder, harbour(), sitting(name, rows), name=name)
        for name in ("incomprehensible", "incomprehensibilities" * 2)
    ]
    readmark.report(*files, path=folder / "r.html")
    return folder / "r.html"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_heads_and_names_on_a_phone(open_page: Any, named: Path, language: str) -> None:
    """Chinese heads are not set one sign a line, nor a candidate's sign above its name."""
    page = open_page(named, width=380, unfolded=True)
    page.click(f"[data-set-language={language}]")
    heads = page.eval_on_selector_all(".part thead .num:not(:has(.sign)) > span", LINES)
    assert len(heads) > 10
    assert [one for one in heads if one[1] > len(re.split("[ 、（]", one[0]))] == []
    for part in ("spent", "errors", "levels"):
        names = page.eval_on_selector_all(f"#test-1-{part} tbody .words > .sign", APART)
        assert names
        assert not any(names)


def test_a_field_called_like_a_control_is_told_apart(open_page: Any, tmp_path: Path) -> None:
    test = comprehension(
        *(
            passage(id, asked(f"{id}1", "x", key_fields={"verdict": id, "order": "up"}))
            for id in ("yes", "no")
        )
    )
    readmark.report(sheet(tmp_path, test, sitting("one", {"yes1": "x"})), path=tmp_path / "r.html")
    page = open_page(tmp_path / "r.html")
    labels = page.locator(".filters label > span").all_inner_texts()
    assert [one for one in labels if "erdict" in one] == ["Verdict", "Verdict (in the test)"]
    page.select_option("select[name=field-verdict]", "no")  # two units, two values: still a filter
    assert page.locator(".list .row .id").all_inner_texts() == ["no1"]
    page.click("[data-set-language=zh]")
    labels = page.locator(".filters label > span").all_inner_texts()
    assert len(labels) == len(set(labels))


def test_what_is_false_is_not_worth_a_word(open_page: Any, tmp_path: Path) -> None:
    test = comprehension(
        passage("p", asked("q", "x"), asked("u", unanswerable=True)), passage("r", asked("s", "y"))
    )
    readmark.report(sheet(tmp_path, test, sitting("one", {"q": "x"})), path=tmp_path / "r.html")
    page = open_page(tmp_path / "r.html", hash="#unit=q")
    page.wait_for_selector(".row[aria-current=true]:has-text('q')")
    assert "unanswerable" not in page.inner_text(".chips")
    page.click(".list .row:has-text('What is u?')")
    assert "unanswerable" in page.inner_text(".chips")
    options = page.locator("select[name=field-unanswerable] option").all_inner_texts()
    assert options == ["any", "no", "yes"]


def test_names_that_run_the_other_way_turn_nothing_round(open_page: Any, tmp_path: Path) -> None:
    test = harbour(name=f"{OVERRIDE}harbour")
    files = [
        sheet(tmp_path, test, sitting(f"{OVERRIDE}first", POOR, limit=6), name="a"),
        sheet(tmp_path, test, sitting("\N{POP DIRECTIONAL ISOLATE}שלום", GOOD), name="b"),
    ]
    readmark.report(*files, path=tmp_path / "r.html")
    page = open_page(tmp_path / "r.html", unfolded=True)
    # where a text is not turned, each of its letters stands to the right of the one before
    turned = page.evaluate(
        """() => {
          const found = [];
          const roots = ".verdict p, .card p, .next li, .summary p, .warnings li,"
            + "#test-1-marks caption, #test-1-marks .note";
          for (const root of document.querySelectorAll(roots)) {
            const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
            while (walk.nextNode()) {
              const node = walk.currentNode;
              if (node.parentElement.closest("bdi, .zh")) continue;
              for (let at = 1; at < node.length; at += 1) {
                const [a, b] = [at - 1, at].map((from) => {
                  const range = document.createRange();
                  range.setStart(node, from);
                  range.setEnd(node, from + 1);
                  return range.getBoundingClientRect();
                });
                if (a.width && b.width && Math.abs(a.top - b.top) < 2 && b.left < a.left - 1)
                  found.push(node.data.slice(Math.max(0, at - 10), at + 10));
              }
            }
          }
          return found;
        }"""
    )
    assert turned == []
    sentence = page.locator(".summary p .en").last.inner_text()
    assert "scores" in sentence


def test_candidates_that_sat_a_part_are_labelled_in_both_languages(
    open_page: Any, tmp_path: Path
) -> None:
    test = harbour()
    files = [
        *two_sheets(tmp_path),
        sheet(tmp_path, test, sitting("good", GOOD, without="question"), name="blind"),
    ]
    readmark.report(*files, path=tmp_path / "r.html")
    page = open_page(tmp_path / "r.html", unfolded=True)
    assert "good, without question" in page.inner_text("#test-1-slices .legend")
    assert "good, without question" in page.inner_text("#test-1-spread")
    options = "select[name=candidate] option"
    assert page.locator(options).all_inner_texts()[1:] == ["poor", "good", "good, without question"]
    page.click("[data-set-language=zh]")
    assert "good（不给题目）" in page.inner_text("#test-1-slices .legend")
    assert page.locator(options).all_inner_texts()[-1] == "good（不给题目）"
    assert "作答时未给出题目" in page.inner_text(".summary")
