"""The summary in words: what it says, and what it does not keep to itself."""

import re
from pathlib import Path

from markupsafe import Markup

import readmark
from readmark.corpus.sitting import Row
from readmark.reporting.html.comparing import compare_all
from readmark.reporting.html.sections import put_together
from readmark.reporting.html.sheets import read_sheet
from readmark.reporting.html.slices import WithPeople
from readmark.reporting.html.summary import bracket_note, sentences, warnings
from readmark.reporting.html.words import Both
from sheets import FEW, GOOD, POOR, harbour, sheet, sitting, two_sheets

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"


def summary(*files: Path) -> tuple[list[Both], list[str]]:
    [section] = put_together([read_sheet(str(file)) for file in files])
    people = [WithPeople(one) for one in section.candidates]
    told = sentences(section, compare_all(section), people)
    warned = [one.en if isinstance(one, Both) else one for one in warnings(section)]
    return told, warned


def plain(said: Both) -> tuple[str, str]:
    english, chinese = (Markup(one).striptags() for one in (said.en, said.zh))
    return english.replace("\xa0", " "), chinese.replace("\xa0", " ")


def test_the_example_of_the_documentation(tmp_path: Path) -> None:
    files = []
    for name in ("small", "large"):
        path = tmp_path / f"{name}-marks.jsonl"
        sitting_file, test = EXAMPLES / f"{name}.json", EXAMPLES / "reading.jsonl"
        readmark.mark(test, sitting_file, metrics=["em", "f1"], marksheet=path)
        files.append(path)
    said, warned = summary(*files)
    assert plain(said[1]) == (
        "large scores 60.0 EM (29 to 93) and 88.1 F1 (74 to 98) on six-passages "
        "(15 questions in 6 passages); it is not significantly different from small "
        "(+36.7 F1, p = 0.065); people score 92.1 F1 on the same reference sets, "
        "and the machine reaches 93% of that.",
        "large 在 six-passages（6 篇短文，15 道题目）上得 60.0 EM（29 至 93）、"
        "88.1 F1（74 至 98）；"
        "与 small 无显著差异（F1 差 +36.7，p = 0.065）；"
        "在相同的参考答案集上，人得 92.1 F1，机器达到其 93%。",
    )
    assert "1 question unanswered, counted as wrong" in plain(said[0])[0]
    assert warned == ["small left 1 unanswered, counted as wrong: change4-2"]


def test_errors_and_coverage_are_named(tmp_path: Path) -> None:
    rows = {**POOR, "fox-1": Row(id="fox-1", error="timed out")}
    said, warned = summary(sheet(tmp_path, harbour(), sitting("one", rows, limit=6)))
    [(english, chinese)] = [plain(one) for one in said]
    assert "it sat only the first 6 units" in english
    assert "2 questions unanswered and 1 error, counted as wrong" in english
    assert "2 道题目未作答、1 处错误，均按错误计分" in chinese
    assert "one has 1 with an error, counted as wrong: fox-1" in warned


def test_better_and_worse(tmp_path: Path) -> None:
    test = harbour()
    files = [
        sheet(tmp_path, test, sitting(name, answers))
        for name, answers in (("first", POOR), ("best", GOOD), ("none", {}))
    ]
    [section] = put_together([read_sheet(str(file)) for file in files])
    found = compare_all(section)
    assert found.of("f1", "best") is not None
    # four passages cannot be significant: 2 / 2**4 is above 0.05
    said = [
        plain(one)[0]
        for one in sentences(section, found, [WithPeople(one) for one in section.candidates])
    ]
    assert all("not significantly different from first" in one for one in said[1:])
    assert all("Holm-adjusted" in one for one in said[1:])
    assert "significantly" not in said[0]


def test_people_by_themselves(tmp_path: Path) -> None:
    path = tmp_path / "people.jsonl"
    readmark.people(harbour(), settings=FEW, marksheet=path)
    said, _ = summary(path)
    assert re.fullmatch(
        r"People score [\d.]+ EM \(\d+ to \d+\) and [\d.]+ F1 \(\d+ to \d+\) "
        r"\(leave-one-out, 7 questions\)\.",
        plain(said[0])[0],
    )


def test_what_a_reader_is_warned_of(tmp_path: Path) -> None:
    test = harbour()
    one = sheet(tmp_path, test, sitting("one", {**GOOD, "strange": "x"}), redact=True, name="a")
    two = sheet(tmp_path, test, sitting("one", GOOD), name="b")
    two.write_text(two.read_text().replace('"em":"metric:em', '"gone":"metric:gone'))
    _, warned = summary(one, two)
    assert warned == [
        "a.jsonl, b.jsonl are marksheets of candidates with one name, one; "
        "they are numbered in this order.",
        "one answered 1 that the test does not have; they were passed over.",
        "one, from the marksheet: <memory>: answers to units that the test does not have: "
        "1 (strange)",
        "one (2): gone is not installed here, so only what its marksheet says in so many words "
        "is shown of it.",
        "The references were left out of the marksheet.",
    ]


def test_notes_do_not_tell_where_files_lay(tmp_path: Path) -> None:
    file = sheet(tmp_path, harbour(), sitting("one", GOOD))
    note = '"notes":["/home/somebody/tests/t.json: offsets of 1 (a/b) do not point"],"by"'
    file.write_text(file.read_text().replace('"by"', note, 1))
    assert "one, from the marksheet: t.json: offsets of 1 (a/b) do not point" in summary(file)[1]


def test_brackets(tmp_path: Path) -> None:
    [section] = put_together([read_sheet(str(file)) for file in two_sheets(tmp_path)])
    assert bracket_note(section).en == (
        "In brackets: 95% intervals from 200 bootstrap draws of whole passages."
    )
