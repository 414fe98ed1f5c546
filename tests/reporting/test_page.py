"""The page as a whole: it asks nothing of the network, runs nothing of the test's, repeats."""

import base64
import gzip
import html
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import readmark
from made import asked, comprehension, passage
from readmark.core.sitting import Row
from readmark.reporting.page.page import SCRIPTS, asset, softened
from sheets import FEW, GOOD, POOR, harbour, sheet, sitting, two_sheets

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)> \"' שלום 🦊 ]]> <!--"


class Elements(HTMLParser):
    """Every element with its attributes, and the text of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def written(folder: Path, *files: Path, **options: Any) -> str:
    readmark.report(*files, path=folder / "report.html", **options)
    return (folder / "report.html").read_text(encoding="utf-8")


def units(page: str, test: int = 1) -> dict[str, Any]:
    found = re.search(rf'class="units" data-test="{test}"[^>]*>([^<]*)<', page)
    assert found is not None
    data: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(found[1])))
    return data


def visible(page: str) -> str:
    body = page[page.index("<body>") :]
    body = body[: body.index("<script")]
    return re.sub(r"<[^>]+>", " ", body)


def test_it_asks_for_nothing_and_says_so(tmp_path: Path) -> None:
    page = written(tmp_path, *two_sheets(tmp_path))
    elements = Elements(page).found
    policy = next(one["content"] for tag, one in elements if "http-equiv" in one and tag == "meta")
    assert policy is not None
    assert policy.startswith(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
    )
    for tag, attributes in elements:
        assert tag not in ("iframe", "object", "embed", "base", "form", "video", "audio")
        assert not attributes.get("src")
        for link in (attributes.get("href"), attributes.get("xlink:href")):
            assert link is None or link.startswith(("#", "data:")), link
    assert "url(" not in page
    assert "@import" not in page
    assert not re.search(r"https?://(?!www\.w3\.org)", page)


def test_nothing_of_the_test_s_or_a_candidate_s_becomes_markup(tmp_path: Path) -> None:
    test = comprehension(
        passage(
            HOSTILE,
            asked("q1", (HOSTILE, HOSTILE), level=HOSTILE, text=HOSTILE),
            asked("q2", "kettle", level="plain"),
            text=HOSTILE,
            genre="a",
            title=HOSTILE,
        ),
        passage(
            "p2", asked("q3", "boat", level=HOSTILE), asked("q4", "coat", level="plain"), genre="b"
        ),
        name=HOSTILE,
        licence=HOSTILE,
    )
    rows: dict[str, str | Row] = {
        "q1": Row(id="q1", answer=HOSTILE, evidence={HOSTILE: HOSTILE}),
        "q2": Row(id="q2", error=HOSTILE),
    }
    sat = sitting(HOSTILE, rows, signature={HOSTILE: HOSTILE})
    one = sheet(tmp_path, test, sat, name="one", by=["level"])
    two = sheet(tmp_path, test, sat, name="two", by=["level"])
    plain = written(tmp_path, *two_sheets(tmp_path))
    page = written(tmp_path, one, two, title=HOSTILE)

    def kinds(text: str) -> set[str]:
        return {tag for tag, _ in Elements(text).found}

    assert kinds(page) <= kinds(plain) | {"br"}
    assert sum(tag == "script" for tag, _ in Elements(page).found) == 4
    for _, attributes in Elements(page).found:
        assert not [name for name in attributes if name.startswith("on")]
    assert units(page)["units"][0]["s"] == [["question", HOSTILE]]


def test_no_script_could_end_its_element() -> None:
    for name in SCRIPTS:
        assert "</" not in asset(name).replace("</g", ""), name
        assert "innerHTML" not in asset(name)


def test_equal_marksheets_give_equal_pages(tmp_path: Path) -> None:
    files = two_sheets(tmp_path)
    assert written(tmp_path, *files) == written(tmp_path, *files)


@pytest.mark.parametrize(
    ("languages", "asked_for", "language"),
    [
        (["en"], None, "en"),
        (["zh"], None, "zh"),
        (["zh", "en"], None, "en"),
        (["zh"], "en", "en"),
        (["en"], "zh", "zh"),
    ],
)
def test_the_page_s_first_language(
    tmp_path: Path, languages: list[str], asked_for: str | None, language: str
) -> None:
    files = []
    for name in languages:
        test = comprehension(
            passage(name, asked(f"{name}1", "kettle")),
            passage(f"{name}2", asked(f"{name}3", "boat")),
            language=name,
        )
        files.append(sheet(tmp_path, test, sitting(name, {f"{name}1": "kettle"})))
    page = written(tmp_path, *files, language=asked_for)
    assert f'data-lang="{language}"' in page


def test_units_of_the_block(tmp_path: Path) -> None:
    data = units(written(tmp_path, *two_sheets(tmp_path)))
    assert data["candidates"] == [["poor", "poor"], ["good", "good"]]
    assert data["metrics"][data["main"]] == ["F1", "F1"]
    assert data["recordIds"] == ["fox", "mill", "bees", "dock"]
    assert dict(data["filters"]) == {
        "level": ["1", "2"],
        "genre": ["report", "tale"],
        "title": ["Bees", "Dock", "Fox", "Mill"],
    }
    by_id = {unit["id"]: unit for unit in data["units"]}
    assert {id: [one["v"] for one in unit["a"]] for id, unit in by_id.items()} == {
        "fox-1": ["p", "r"],
        "fox-2": ["r", "r"],
        "mill-1": ["w", "r"],
        "mill-2": ["u", "r"],
        "bees-1": ["r", "r"],
        "bees-2": ["u", "r"],
        "dock-1": ["u", "p"],
        "dock-2": ["u", "r"],
    }
    assert by_id["dock-1"]["a"][1]["m"] == [0, 0.6667]
    assert by_id["fox-1"]["g"] == [
        [{"t": "a red scarf", "w": "ann"}],
        [{"t": "red scarf", "w": "ben"}],
    ]


def test_a_unit_that_was_not_to_be_sat_is_not_wrong(tmp_path: Path) -> None:
    test = harbour()
    one = sheet(tmp_path, test, sitting("one", GOOD))
    two = sheet(tmp_path, test, sitting("two", {"fox-1": Row(id="fox-1", error="x")}, limit=2))
    data = units(written(tmp_path, one, two))
    assert [unit["a"][1]["v"] for unit in data["units"]] == ["e", "u", *"nnnnnn"]


def test_parts_come_where_there_is_something_to_show(tmp_path: Path) -> None:
    page = written(tmp_path, *two_sheets(tmp_path))
    found = re.findall(r'<section class="part" id="test-1-(\w+)"', page)
    assert found == ["marks", "slices", "people", "levels", "errors", "spread"]


def test_scores_and_repeats(tmp_path: Path) -> None:
    test = harbour()
    rows = {id: Row(id=id, answer=text, score=at / 8) for at, (id, text) in enumerate(GOOD.items())}
    sure = sheet(tmp_path, test, sitting("sure", rows))
    far = {id: Row(id=id, answer=text, score=5.0) for id, text in GOOD.items()}
    counting = sheet(tmp_path, test, sitting("counting", far))
    again = {
        id: (Row(id=id, answer=text), Row(id=id, answer=POOR.get(id, ""), repeat=1))
        for id, text in GOOD.items()
    }
    steady = sheet(tmp_path, test, sitting("twice", again, repeats=2))
    page = written(tmp_path, sure, counting, steady)
    found = re.findall(r'<section class="part" id="test-1-(\w+)"', page)
    assert found[-2:] == ["certainty", "repeats"]
    assert "counting ’s scores do not all lie between 0 and 1" in visible(page)
    marks = readmark.mark(test, sitting("sure", rows), settings=FEW)
    assert marks.calibration is not None
    error = marks.calibration.errors["f1"]
    body = page[page.index('id="test-1-certainty"') :]
    assert f"{error.error:.3f}" in body
    assert f"{error.low:.3f}–{error.high:.3f}" in body
    body = page[page.index('id="test-1-repeats"') :]
    assert "same answer every time" in body[: body.index("</section>")]
    assert "0 / 8" in body[: body.index("</section>")]


@pytest.mark.parametrize("panel", [False, True])
def test_people_are_labelled_with_the_method(tmp_path: Path, panel: bool) -> None:
    people = [sitting("ida", POOR), sitting("per", GOOD)] if panel else []
    page = written(tmp_path, sheet(tmp_path, harbour(), sitting("one", GOOD), people=people))
    told = "A panel of other people sat the test" if panel else "Each person’s answer in turn"
    assert told in visible(page)
    assert ("1 skipped" in visible(page)) is not panel


def test_a_test_without_people_says_so(tmp_path: Path) -> None:
    test = comprehension(passage("a", asked("q1", "x")), passage("b", asked("q2", "y")))
    page = written(tmp_path, sheet(tmp_path, test, sitting("one", {"q1": "x"})))
    assert "There is no human score" in visible(page)
    assert "Machine against people" not in visible(page)


def test_commands_signatures_and_licence(tmp_path: Path) -> None:
    page = written(tmp_path, *two_sheets(tmp_path))
    text = visible(page).replace("&#39;", "'")
    assert (
        "readmark mark TEST SITTING:good -m em -m f1 --by level --seed 1 --draws 200 -o good.jsonl"
    ) in text
    assert (
        "readmark compare TEST poor.jsonl good.jsonl -m f1 --trials 400 --draws 200 --seed 1"
    ) in text
    assert "readmark report poor.jsonl good.jsonl -o report.html" in text
    assert "CC0-1.0" in text
    test = harbour()
    assert test.facts.paper in text
    assert test.facts.key in text
    signatures = re.sub(r"\|\s*", "|", text)
    marks = readmark.mark(test, sitting("good", GOOD), settings=FEW)
    found = readmark.compare(test, sitting("poor", POOR), sitting("good", GOOD), settings=FEW)
    for said in (marks["em"].signature, marks["f1"].signature, found[0].signature):
        assert said in signatures
    assert "people:leave-one-out" in signatures


def test_the_command_of_the_sitting(tmp_path: Path) -> None:
    test = harbour()
    sat = sitting(
        "keyed(file=/data/mine/given.json)",
        GOOD,
        signature={"readmark": "0.1.0"},
        limit=6,
        repeats=3,
        without="question",
    )
    page = written(
        tmp_path, sheet(tmp_path, test, sat, name="a"), sheet(tmp_path, test, sitting("b", GOOD))
    )
    text = html.unescape(visible(page))
    assert (
        "readmark sit TEST -r 'keyed(file=given.json)' --limit 6 --repeats 3 --without question "
        "-o 'SITTING:keyed(file=given.json), first 6, without question'"
    ) in text
    assert text.count("readmark sit ") == 1  # nobody knows how a file of answers was come by


def test_a_legend_names_those_that_are_in_its_plots(tmp_path: Path) -> None:
    test = harbour()
    rows = {id: Row(id=id, answer=text, score=at / 8) for at, (id, text) in enumerate(GOOD.items())}
    people = tmp_path / "people.jsonl"
    readmark.people(test, settings=FEW, marksheet=people)
    page = written(
        tmp_path,
        sheet(tmp_path, test, sitting("mute", GOOD)),
        sheet(tmp_path, test, sitting("sure", rows)),
        people,
    )
    found = {}
    for part in re.split(r'<section class="part" id="test-1-', page)[1:]:
        legend = re.search(r'<ul class="legend">(.*?)</ul>', part, re.DOTALL)
        told = re.sub(r"<[^>]+>", " ", legend[1]) if legend else ""
        found[part.split('"')[0]] = [name for name in ("mute", "sure", "people") if name in told]
    assert found == {
        "marks": ["mute", "sure", "people"],
        "slices": ["mute", "sure"],
        "people": ["mute", "sure"],
        "levels": [],
        "errors": ["mute", "sure", "people"],
        "spread": [],
        "certainty": ["sure"],
    }


def test_candidates_of_different_parts_have_their_own_counts(tmp_path: Path) -> None:
    test = harbour()
    files = [
        sheet(tmp_path, test, sitting("some", GOOD, limit=4), by=["level"]),
        sheet(tmp_path, test, sitting("every", GOOD), by=["level"]),
    ]
    page = written(tmp_path, *files)
    part = page[page.index('id="test-1-slices"') : page.index('id="test-1-people"')]
    assert "a plot gives the largest n" in part
    assert re.search(r"<small>.*, n 2<", part)
    marks = page[page.index('id="test-1-marks"') : page.index('id="test-1-slices"')]
    assert "on shared units" in marks
    assert "Differences are on the units that both sat" in marks


def test_references_are_called_so_all_over_the_page(tmp_path: Path) -> None:
    test = harbour(fields={"people": "authors"})
    page = written(tmp_path, sheet(tmp_path, test, sitting("one", GOOD), by=["level"]))
    text = html.unescape(visible(page))
    assert "Machine against the references" in text
    assert "this is no human study" in text
    assert "do not compare these marks with those above" in text
    assert not re.search(r"\b[Pp]eople\b", re.sub(r"people:leave-one-out", "", text))
    assert "人类 F1" not in text


def test_no_folder_of_this_machine_is_in_the_page(tmp_path: Path) -> None:
    assert str(tmp_path) not in written(tmp_path, *two_sheets(tmp_path))


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("logistic_regression", ["logistic_", "regression"]),
        ("llm(model=a_b,style=none)", ["llm", "(model=", "a_", "b,", "style=", "none)"]),
        ("1,234 (all)", ["1,234 (all)"]),
    ],
)
def test_names_may_be_broken_between_their_parts(name: str, parts: list[str]) -> None:
    assert str(softened(name)).split("<wbr>") == parts


def test_people_of_the_key_have_their_answers_and_figures(tmp_path: Path) -> None:
    """From marksheets alone; a redacted one has the figures under numbers and no answers."""
    test = harbour()
    found = readmark.people(test, settings=FEW)
    told = {person: own.marks["f1"].score for person, own in found.each.items()}
    assert set(told) == {"ann", "ben"}
    page = written(tmp_path, sheet(tmp_path, test, sitting("one", GOOD)))
    caption = "F1 of each person against the others’ answers"
    part = visible(page).rpartition(f"{caption}: By level")[2]
    for person, score in told.items():
        assert re.search(rf"{person}\s+{score:.2f}", part)
    unit = next(one for one in units(page)["units"] if one["id"] == "mill-2")
    assert [(person[0]["w"], person[0]["t"]) for person in unit["g"]] == [
        ("ann", "three"),
        ("ben", "three men"),
    ]
    assert unit["l"] == [[0, pytest.approx(2 / 3)], [0, pytest.approx(2 / 3)]]  # EM, F1
    redacted = written(
        tmp_path, sheet(tmp_path, test, sitting("one", GOOD), name="two", redact=True)
    )
    part = visible(redacted).rpartition(f"{caption}: By genre")[2]
    assert re.search(rf"annotator 1\s.*?{told['ann']:.2f}", part, re.S)
    assert "three men" not in [gold for one in units(redacted)["units"] for gold in one["g"]]
    assert not re.search(r"\bann\b", visible(redacted))
