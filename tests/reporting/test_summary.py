"""The summary in words: what it says, and what it does not keep to itself."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from markupsafe import escape

import readmark
from made import asked, comprehension, passage
from readmark.comprehension.metrics.exact_match import ExactMatch
from readmark.core.binding import paper_members
from readmark.core.records import Answer, Question, QuestionKey
from readmark.core.seen import SeenPassages
from readmark.core.sitting import Row
from readmark.core.splits import only_splits
from readmark.core.test import Header, Test, in_memory
from readmark.marking import Marksheet
from readmark.readability.kind import RatedPassage, Rating, RatingKey
from readmark.reporting.page.bilingual import Bilingual
from readmark.reporting.page.cautions import cautions
from readmark.reporting.page.comparisons import WithPeople, compare_all
from readmark.reporting.page.known_notes import known_note
from readmark.reporting.page.marks_part import marks_section
from readmark.reporting.page.section_data import SectionData
from readmark.reporting.page.sections import sections_of
from readmark.reporting.page.summary import bracket_note, sentences
from readmark.reporting.page.words import strings
from readmark.tasks.records import Document, Query, QueryKey, Solution
from sheets import FEW, GOOD, POOR, harbour, sheet, sitting, two_sheets

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"


def summary(*files: Path) -> tuple[list[Bilingual], list[str]]:
    [section] = sections_of([Marksheet.read(str(file)) for file in files])
    people = [WithPeople(one) for one in section.candidates]
    told = sentences(section, compare_all(section), people)
    warned = [plain(one)[0] if isinstance(one, Bilingual) else one for one in cautions(section)]
    return told, warned


def plain(said: Bilingual) -> tuple[str, str]:
    english, chinese = (escape(one).striptags() for one in (said.en, said.zh))
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
        "large scores 60.00 EM (29.41 to 92.86) and 88.14 F1 (73.85 to 98.45) on six-passages "
        "(15 questions in 6 passages); it is not significantly different from small "
        "(+37.21 F1, p = 0.0655); people score 92.64 F1 on the same reference sets, "
        "and the machine 85.49: 92% of that.",
        "large 在 six-passages（6 篇，15 道题目）上的得分：精确匹配（EM）60.00（29.41 至 92.86）、"
        "F1 88.14（73.85 至 98.45）；"
        "与 small 无显著差异（F1 差 +37.21，p = 0.0655）；"
        "在相同的参考答案集上，人类 F1 为 92.64，机器为 85.49，达到人类的 92%。",
    )
    assert "1 question unanswered, counted as wrong" in plain(said[0])[0]
    assert warned == ["small: unanswered, counted as wrong: 1 (change4-2)"]


def test_errors_and_coverage_are_named(tmp_path: Path) -> None:
    rows = {**POOR, "fox-1": Row(id="fox-1", error="timed out")}
    said, warned = summary(sheet(tmp_path, harbour(), sitting("one", rows, limit=6)))
    [(english, chinese)] = [plain(one) for one in said]
    assert english.startswith("one, first 6 scores ")
    assert "; it sat only the first 6 questions; " in english
    assert "；只作答了前 6 道题目；" in chinese
    assert "2 questions unanswered and 1 error, counted as wrong" in english
    assert "2 道题目未作答、1 处错误，均按错误计分" in chinese
    assert "one, first 6: failed with an error, counted as wrong: 1 (fox-1)" in warned


def test_better_and_worse(tmp_path: Path) -> None:
    test = harbour()
    files = [
        sheet(tmp_path, test, sitting(name, answers))
        for name, answers in (("first", POOR), ("best", GOOD), ("none", {}))
    ]
    [section] = sections_of([Marksheet.read(str(file)) for file in files])
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


def test_a_comparison_on_a_part_says_so_and_gives_both_scores_there(tmp_path: Path) -> None:
    test = harbour()
    first = sheet(tmp_path, test, sitting("first", POOR, limit=4))
    other = sheet(tmp_path, test, sitting("other", GOOD))
    english, chinese = plain(summary(first, other)[0][1])
    # on the first four units: 100 of other, (1/2 + 1 + 0 + 0) / 4 of first
    assert re.search(
        r"first, first 4 \(\+62\.50 F1, p = [\d.]+\) on the 4 questions that both sat: ", english
    )
    assert "that both sat: 100.00 F1 to 37.50; people score" in english
    assert "在双方都作答的 4 道题目上，与 first（前 4 题）无显著差异" in chinese
    assert "：F1 100.00 对 37.50；" in chinese
    again = plain(summary(other, sheet(tmp_path, test, sitting("third", POOR)))[0][1])[0]
    assert "that both sat" not in again


def test_references_that_are_no_human_study_are_not_called_people(tmp_path: Path) -> None:
    test = harbour(fields={"people": "authors", "note": "written by the authors"})
    alone = tmp_path / "alone.jsonl"
    readmark.people(test, settings=FEW, marksheet=alone)
    said, _ = summary(sheet(tmp_path, test, sitting("one", GOOD)), alone)
    english, chinese = plain(said[0])
    assert re.search(
        r"; the references score [\d.]+ F1 against one another, and the machine [\d.]+ "
        r"on the same reference sets: \d+% of that\.$",
        english,
    )
    assert "people" not in english.lower()
    assert "参考答案互评 F1 为" in chinese
    assert plain(said[1])[0].startswith("The references score ")
    # a panel's sittings are people's, whoever wrote the key
    panel = [sitting("ida", POOR), sitting("per", GOOD)]
    said, _ = summary(sheet(tmp_path, test, sitting("two", GOOD), people=panel))
    assert "; people score " in plain(said[0])[0]


def test_a_candidate_without_the_headline_metrics_is_told_by_its_own(tmp_path: Path) -> None:
    test = harbour()
    one = sheet(tmp_path, test, sitting("one", GOOD))
    other = sheet(tmp_path, test, sitting("other", GOOD), metrics=["contains", "average"])
    [section] = sections_of([Marksheet.read(str(file)) for file in (one, other)])
    compared = compare_all(section)
    people = [WithPeople(one) for one in section.candidates]
    english, _ = plain(sentences(section, compared, people)[1])
    assert re.match(r"other scores [\d.]+ contains \(.*\) and [\d.]+ mean EM, F1 \(", english)
    notes = [
        plain(one)[0]
        for one in marks_section(SectionData.of(section)).notes
        if isinstance(one, Bilingual)
    ]
    assert [one for one in notes if "was not compared" in one] == [
        "other was not compared on EM, F1, contains and mean EM, F1: one of the two marksheets "
        "lacks it, or it is not installed here."
    ]


def test_what_counts_mistakes_is_better_when_it_is_less(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    less = replace(ExactMatch.facts, best=0.0, worst=1.0)
    monkeypatch.setattr(ExactMatch, "facts", less)
    test = comprehension(*(passage(id, asked(id, ("a", "x"), ("b", "x"))) for id in "abcdefgh"))
    none = sheet(tmp_path, test, sitting("none", {}), metrics="em")
    every = sheet(tmp_path, test, sitting("every", dict.fromkeys("abcdefgh", "x")), metrics="em")
    said, _ = summary(none, every)
    english = plain(said[1])[0]
    assert "it is significantly worse than none (+100.00 EM" in english
    assert "people score 100.00 EM on the same reference sets, and the machine 100.00." in english
    assert "it is significantly better than every (−100.0" in plain(summary(every, none)[0][1])[0]
    [section] = sections_of([Marksheet.read(str(every))])
    head = marks_section(SectionData.of(section)).tables[0].head[1]
    assert head.under == Bilingual("lower is better", "越低越好")


def test_people_by_themselves(tmp_path: Path) -> None:
    path = tmp_path / "people.jsonl"
    readmark.people(harbour(), settings=FEW, marksheet=path)
    said, _ = summary(path)
    assert re.fullmatch(
        r"People score [\d.]+ EM \([\d.]+ to [\d.]+\) and [\d.]+ F1 \([\d.]+ to [\d.]+\) "
        r"\(leave-one-out, 7 questions\)\.",
        plain(said[0])[0],
    )


def test_what_a_reader_is_warned_of(tmp_path: Path) -> None:
    test = harbour()
    one = sheet(tmp_path, test, sitting("one", {**GOOD, "strange": "x"}), redact=True, name="a")
    two = sheet(tmp_path, test, sitting("one", GOOD), name="b")
    renamed = two.read_text().replace('"em"', '"gone"').replace("metric:em", "metric:gone")
    two.write_text(renamed)
    _, warned = summary(one, two)
    assert warned == [
        "a.jsonl, b.jsonl are marksheets of candidates with the same name, one; "
        "they are numbered in this order.",
        "one (2): gone is not installed here, so only the marks recorded in the marksheet are "
        "shown.",
        "one, from the marksheet: <memory>: answers to units that the test does not have: "
        "1 (strange)",
        "The references were left out of the marksheet.",
    ]


def test_a_note_of_several_stands_once_and_in_both_languages(tmp_path: Path) -> None:
    test = harbour()
    files = [
        sheet(tmp_path, test, sitting(name, {**GOOD, "strange": "x"}), by=["topic"])
        for name in ("one", "two", "three")
    ]
    [section] = sections_of([Marksheet.read(str(file)) for file in files])
    told = [plain(one) for one in cautions(section) if isinstance(one, Bilingual)]
    assert told == [
        (
            "one, two and three, from the marksheet: <memory>: answers to units that the test "
            "does not have: 1 (strange)",
            "one、two、three，评分结果附注：<memory>：有 1 条作答不属于本评测，已忽略（strange）",
        ),
        (
            "one, two and three, from the marksheet: <memory>: no unit has the field 'topic'",
            "one、two、three，评分结果附注：<memory>：没有题目带有字段“topic”",
        ),
    ]


def readability(*stars: float) -> Test:
    """A passage for each rating of the one expert."""
    records = [
        RatedPassage(
            id=f"p{at}",
            text="A boat.",
            key=RatingKey(ratings=(Rating(rating=one, annotator="e"),)),
        )
        for at, one in enumerate(stars)
    ]
    return in_memory(Header(kind="readability", language="en"), records)


NOBODY = {
    "values": {"t": "Nobody"},
    "excerpts": [{"document": "d", "start": 0, "end": 4, "quote": "They"}],
}


def task(*annotations: str) -> Test:
    """A query each, with an answer that is not the one which is said."""
    queries = tuple(
        Query(
            id=f"d:q{at}",
            graph="((?g winner ?t))",
            key=QueryKey(solutions=(Solution(values={"t": "Jets"}),), annotation=one),
        )
        for at, one in enumerate(annotations)
    )
    record = Document(id="d", text="The Jets won.", queries=queries)
    return in_memory(Header(kind="task", language="en"), [record])


def test_every_note_that_marking_writes_is_known_in_chinese() -> None:
    """The English of the table is marking's own: a change there must be followed here."""
    offsets = Answer(text="kettle", start=3, end=9)
    asked_wrong = Question(id="w", text="?", key=QuestionKey(answers=(offsets,)))
    test = comprehension(
        passage("p", asked("q", "kettle"), asked("u", unanswerable=True), asked("k", key=False)),
        passage("r", asked_wrong),
        language="zh",
    )
    rows = {"q": Row(id="q", answer="kettle", start=0, end=6), "strange": "x"}
    panel = [sitting("ida", {"q": Row(id="q", error="late")})]
    options = {"by": ["topic"], "people": panel, "metrics": ["em(profile=cmrc2018)"]}
    found = readmark.mark(test, sitting("one", rows), settings=FEW, **options).notes
    few: dict[str, Any] = {"q": "y", "x": "y", "z": "y"}
    found = [*found, *readmark.mark(test, sitting("two", few), settings=FEW).notes]
    several = comprehension(
        *(passage(split, asked(split, "kettle"), split=split) for split in ("train", "dev", "test"))
    )
    for splits, marked in ((("dev",), several), (("dev", "test"), several), ((), "dev")):
        part = only_splits(several, splits) if splits else several
        given = sitting("part", {unit.id: "kettle" for unit in part.units()}, **paper_members(part))
        on = several.split(marked) if isinstance(marked, str) else marked
        found += readmark.mark(on, given, settings=FEW).notes
    one, two, three = (Row(id="q", answer="kettle", repeat=at) for at in range(3))
    for rows, repeats in (
        ({"q": (one, two), "w": one}, 3),  # the third was not begun, the second lacks w
        ({"q": one}, 3),
        ({"q": (one, two, three)}, 2),
        ({"q": (one, two)}, 1),
    ):
        repeated = sitting("again", rows, repeats=repeats)
        found += readmark.mark(test, repeated, settings=FEW).notes
    for stars, said in (
        ([4, 4, 2], {"p0": 3, "p1": 4}),  # one unanswered, then two
        ([4, 5, 2], {"p0": 3}),
        ([4, 5], {"p0": 3, "p1": 3}),
        ([4, 4], {"p0": 3, "p1": 4}),
        ([4], {"p0": 3}),
    ):
        rated = readability(*stars)
        metrics = ["pearson", "proportional_target", "proportional_target(round=false)"]
        found += readmark.mark(rated, said, metrics=metrics, settings=FEW).notes
    near: dict[str, Any] = {"p0": 3.3, "p1": 3.3 + 1e-13}
    found += readmark.mark(readability(4, 5), near, metrics=["pearson"], settings=FEW).notes
    twice = Rating(rating=6, annotator="E")
    [record, *rest] = readability(4, 5, 2).records()
    faulty = in_memory(
        Header(kind="readability", language="en"),
        [msgspec.structs.replace(record, key=RatingKey(ratings=(twice, twice))), *rest],
    )
    for flat in ({"p0": 3, "p1": 3, "p2": 3}, {"p0": 3, "p1": 4, "p2": 1}):
        rows = {id: Row(id=id, answer=said) for id, said in flat.items()}
        people: list[Any] = [sitting("e", rows), {"p0": 2, "p1": 2, "p2": 2}]
        found += readmark.mark(
            faulty, dict(flat), metrics=["pearson"], people=people, settings=FEW
        ).notes
    for annotations, metric in (
        (["complete"], "facts"),
        (["incomplete"], "facts"),
        (["complete", "incomplete"], "facts"),
        (["complete"], "facts(unjudged=wrong)"),
        (["complete"], "facts(unjudged=left_out)"),
    ):
        found += readmark.mark(
            task(*annotations), {"d:q0": [NOBODY]}, metrics=[metric], settings=FEW
        ).notes
    chosen = comprehension(
        passage(
            "p",
            *(
                msgspec.structs.replace(one, options=("a", "b"))
                for one in (asked("q", "a"), asked("r", "b"))
            ),
        )
    )
    for answers in ({"q": "a", "r": "c"}, {"q": "c", "r": "c"}):
        found += readmark.mark(chosen, answers, settings=FEW).notes
    for count in (1, 2):
        ids = tuple(f"p{index}" for index in range(count))
        learnt = {"seen": SeenPassages(passages=count, of=3, sources=("x",), ids=ids).as_json()}
        three = comprehension(*(passage(f"p{at}", asked(f"q{at}", "a")) for at in range(3)))
        sat = sitting("c", {"q0": "a"}, fields=learnt)
        for settings in (FEW, replace(FEW, count_seen=True)):
            found += readmark.mark(three, sat, settings=settings).notes
    torn = "sat.jsonl:3: the last line is cut off and was left out"
    uncounted = "t.jsonl: humsent does not count 2 (a, b): no sentence is marked"
    several = [
        note.replace("1 unit has no key and was", "2 units have no key and were").replace(
            "1 unanswerable question ", "2 unanswerable questions "
        )
        for note in found
    ]
    names = {note: known_note(note)[0] for note in (*found, *several, torn, uncounted)}
    assert [note for note, name in names.items() if name is None] == []
    assert set(names.values()) == set(strings()["note"])


def test_notes_do_not_tell_where_files_lay(tmp_path: Path) -> None:
    file = sheet(tmp_path, harbour(), sitting("one", GOOD))
    note = '"notes":["/home/somebody/tests/t.json: offsets of 1 (a/b) do not point"],"by"'
    file.write_text(file.read_text().replace('"by"', note, 1))
    assert "one, from the marksheet: t.json: offsets of 1 (a/b) do not point" in summary(file)[1]


def test_brackets(tmp_path: Path) -> None:
    [section] = sections_of([Marksheet.read(str(file)) for file in two_sheets(tmp_path)])
    assert bracket_note(section).en == (
        "Intervals: 95%, from 200 bootstrap draws of whole passages."
    )
