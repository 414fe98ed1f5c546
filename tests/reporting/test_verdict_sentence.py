"""The top of the page: the verdict, large numbers, the matrix, what to look at next."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from markupsafe import escape

import readmark
from made import asked, comprehension, passage
from readmark.core.sitting import Row
from readmark.core.test import Header, Test, in_memory
from readmark.marking import Marksheet
from readmark.readability.kind import RatedPassage, Rating, RatingKey
from readmark.reporting.page.bilingual import Bilingual, Text
from readmark.reporting.page.comparisons import ComparedCandidates
from readmark.reporting.page.differences import disagreements
from readmark.reporting.page.headlines import headlines
from readmark.reporting.page.marks_part import marks_section
from readmark.reporting.page.next_steps import next_steps
from readmark.reporting.page.overview import overview
from readmark.reporting.page.section_data import SectionData
from readmark.reporting.page.sections import sections_of
from readmark.reporting.page.slices_part import slices_section
from readmark.reporting.page.verdict import leading_pair, ranking, verdict_sentence
from sheets import FEW, GOOD, POOR, harbour, sheet, sitting


def data(*files: Path) -> SectionData:
    [section] = sections_of([Marksheet.read(str(file)) for file in files])
    return SectionData.of(section)


def plain(text: Text | None) -> str:
    english = text.en if isinstance(text, Bilingual) else text
    return str(escape(english or "").striptags()).replace("\xa0", " ")


def verdict(shown: SectionData) -> tuple[str, str]:
    both = verdict_sentence(shown, leading_pair(shown.section, shown.compared))
    return plain(both), str(escape(both.zh).striptags()).replace("\xa0", " ")


def many(**fields: Any) -> Test:
    """Twelve passages with a question of each of two levels."""
    return comprehension(
        *(
            passage(
                f"p{n}",
                asked(f"a{n}", "boat", level=1),
                asked(f"b{n}", "boat", level=2),
                text="A boat and a coat.",
                **{name: value(n) for name, value in fields.items()},
            )
            for n in range(12)
        ),
        name="many",
    )


RIGHT = {f"a{n}": "boat" for n in range(12)}
ALL = {**RIGHT, **{f"b{n}": "boat" for n in range(12)}}


def test_one_candidate_is_described_with_people(tmp_path: Path) -> None:
    english, chinese = verdict(data(sheet(tmp_path, harbour(), sitting("one", GOOD))))
    assert re.match(
        r"one scores 95\.83 F1 \([\d.]+ to [\d.]+\); people score [\d.]+ F1 on the same", english
    )
    assert chinese.startswith("one 的得分：F1 95.83（")


def test_a_difference_that_chance_does_not_explain(tmp_path: Path) -> None:
    files = [sheet(tmp_path, many(), sitting(name, rows)) for name, rows in (("a", {}), ("b", ALL))]
    shown = data(*files)
    english, chinese = verdict(shown)
    assert english == (
        "b is better than a: 100.00 F1 (100.00 to 100.00) against 0.00, more than chance explains "
        "(p = 0.0025)."
    )
    assert chinese == (
        "b 优于 a：F1 100.00（100.00 至 100.00），后者为 0.00，差异显著（p = 0.0025）。"
    )
    first, second = headlines(shown)
    assert (first.score, second.score) == ("0.00", "100.00")
    assert (first.best, second.best) == (False, True)
    assert plain(first.difference) == "the others are compared with it"
    assert plain(second.difference) == "+100.00 from a (+100.00 to +100.00)"
    assert plain(second.p) == "p = 0.0025: better"


def test_a_lead_that_may_be_chance(tmp_path: Path) -> None:
    shown = data(
        sheet(tmp_path, harbour(), sitting("first", POOR)),
        sheet(tmp_path, harbour(), sitting("best", GOOD)),
    )
    english, _ = verdict(shown)
    assert english.startswith("best scores better than first, 95.83 F1 (")
    assert "but that may be chance (p = 0.1297)" in english
    assert "may be chance" in plain(headlines(shown)[1].p)


def test_of_several_the_best_is_compared_with_the_next(tmp_path: Path) -> None:
    half = {**RIGHT, **{f"b{n}": "boat" for n in range(6)}}
    answers = {"none": {}, "half": half, "all": ALL}
    shown = data(*(sheet(tmp_path, many(), sitting(name, said)) for name, said in answers.items()))
    assert ranking(shown.section) == [2, 1, 0]
    pair = leading_pair(shown.section, shown.compared)
    assert pair is not None
    best, second, comparison = pair
    assert (best, second, comparison.a, comparison.b) == (2, 1, "half", "all")
    # neither is the first: p is multiplied by the number of pairs, 3
    assert comparison.p is not None
    assert comparison.adjusted_p == pytest.approx(3 * comparison.p)
    english, chinese = verdict(shown)
    assert english.startswith("Of 3 candidates all scores best, 100.00 F1 (100.00 to 100.00), but")
    assert "its lead of 25.00 over half may be chance (p = 0.1347)" in english
    assert chinese.startswith("3 个系统中 all 得分最好：F1 100.00")


def test_candidates_that_sat_different_parts_are_not_ranked_by_their_marks(tmp_path: Path) -> None:
    test = harbour()
    part = sheet(tmp_path, test, sitting("part", GOOD, limit=4))
    every = sheet(tmp_path, test, sitting("every", POOR))
    english, _ = verdict(data(every, part))
    assert english.startswith(
        "part, first 4 scores better than every on the 4 questions that both sat, 100.00 F1 against"
    )
    third = sheet(tmp_path, test, sitting("third", POOR))
    assert "are not ranked" in verdict(data(every, part, third))[0]
    assert not any(one.best for one in headlines(data(every, part, third)))


def test_people_alone(tmp_path: Path) -> None:
    path = tmp_path / "people.jsonl"
    readmark.people(harbour(), settings=FEW, marksheet=path)
    shown = data(path)
    assert re.match(r"People score EM [\d.]+ and F1 [\d.]+; no candidate", verdict(shown)[0])
    assert [plain(one.name) for one in headlines(shown)] == ["people (leave-one-out)"]


@pytest.mark.parametrize(
    ("low", "high", "p", "adjusted", "words"),
    [
        (1.0, 9.0, 0.06, None, "With only 4 passages the bootstrap interval comes out too narrow"),
        (-9.0, -1.0, 0.06, None, "go by p"),
        (1.0, 9.0, 0.03, 0.06, "p allows for several comparisons"),
        (1.0, 9.0, 0.03, None, None),
        (1.0, 9.0, 0.05, None, "leaves out 0, yet p = 0.050"),
        (-1.0, 9.0, 0.3, None, None),
        (None, None, 0.3, None, None),
    ],
)
def test_where_interval_and_p_disagree_a_sentence_explains_it(
    tmp_path: Path, low: Any, high: Any, p: float, adjusted: float | None, words: str | None
) -> None:
    test = harbour()
    shown = data(*(sheet(tmp_path, test, sitting(n, a)) for n, a in (("x", POOR), ("y", GOOD))))
    found = shown.compared.of("f1", "y")
    assert found is not None
    one = replace(found, low=low, high=high, p=p, adjusted_p=adjusted)
    said = disagreements(shown.section, ComparedCandidates({"f1": [one]}), "f1")
    assert disagreements(shown.section, ComparedCandidates({"f1": [one]}), "em") == []
    assert (len(said) == 1) is (words is not None)
    if words is not None:
        assert words in plain(said[0])
        assert "以 p 为准" in said[0].zh


def test_with_many_passages_the_two_methods_differ_at_the_border(tmp_path: Path) -> None:
    shown = data(*(sheet(tmp_path, many(), sitting(n, a)) for n, a in (("x", {}), ("y", ALL))))
    found = shown.compared.of("f1", "y")
    assert found is not None
    one = replace(found, low=0.1, high=9.0, p=0.052, clusters=200)
    [said] = disagreements(shown.section, ComparedCandidates({"f1": [one]}), "f1")
    assert "near the border the two methods may differ: go by p" in plain(said)
    assert "too narrow" not in plain(said)


def test_what_to_look_at_next(tmp_path: Path) -> None:
    wrong = {**RIGHT, **{f"b{n}": "coat" for n in range(12)}}
    rows = {**wrong, "b0": Row(id="b0", error="timed out")}
    shown = data(
        sheet(tmp_path, many(), sitting("a", rows), by=["level"]),
        sheet(tmp_path, many(), sitting("b", RIGHT), by=["level"]),
    )
    steps = next_steps(shown, leading_pair(shown.section, shown.compared))
    assert [(plain(step.text), step.href) for step in steps] == [
        ("a: 1 question with an error", "#units?test=1&candidate=0&verdict=e"),
        ("b: 12 questions unanswered", "#units?test=1&candidate=1&verdict=u"),
        (
            "a is weakest on level 2: 0.00 F1 on 12 questions, against 50.00 overall",
            "#units?test=1&field.level=2",
        ),
        (
            "The most frequent error of a: right sentence, 11 of 12",
            "#units?test=1&candidate=0&class=right_sentence",
        ),
    ]


def test_fields_that_divide_alike_are_one_and_those_of_one_value_none(tmp_path: Path) -> None:
    halves = {"topic": lambda n: f"t{n % 2}", "genre": lambda n: f"g{n % 2}"}
    test = many(**halves, title=lambda n: "same")
    shown = data(sheet(tmp_path, test, sitting("one", RIGHT), by=["title", "level"]))
    sliced = shown.section.sliced
    assert list(sliced.shown) == ["level", "genre"]
    assert {name: list(others) for name, others in sliced.alike.items()} == {"genre": ["topic"]}
    assert list(sliced.single) == ["title"]
    part = slices_section(shown)
    assert part is not None
    captions = [plain(figure.caption) for _, figures in part.by_metric[:1] for figure in figures]
    assert captions == ["By level", "By genre (the same groups by topic)"]
    assert any("one value: title" in plain(text) for text in part.lead)


def test_slices_that_units_do_not_record_are_shown_without_links(tmp_path: Path) -> None:
    file = sheet(tmp_path, many(), sitting("one", RIGHT), by=["level"])
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    rows[-1]["marks"]["by"]["kind"] = rows[-1]["marks"]["by"]["level"]
    for row in rows:
        if row.get("row") == "unit":
            del row["fields"]["level"]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    shown = data(file)
    assert list(shown.section.sliced.shown) == ["level", "kind"]
    part = slices_section(shown)
    assert part is not None
    figure = part.by_metric[0][1][0]
    assert figure.svg is not None
    assert "<a " not in figure.svg
    steps = next_steps(shown, None)
    assert steps[1].href == "#test-1-slices"


def test_slices_of_fewer_than_five_units_are_in_the_table_alone(tmp_path: Path) -> None:
    test = many(genre=lambda n: "rare" if n < 2 else "common")
    part = slices_section(data(sheet(tmp_path, test, sitting("one", RIGHT), by=["genre"])))
    assert part is not None
    figure = next(one for one in part.by_metric[0][1] if plain(one.caption) == "By genre")
    assert figure.svg is not None
    assert "rare" not in figure.svg
    assert figure.table is not None
    assert [plain(row[0].text) for row in figure.table.rows] == ["common", "rare"]
    assert figure.table.rows[1][0].href == "#units?test=1&field.genre=rare"
    assert plain(figure.note) == (
        "1 of the values have fewer than 5 questions and are in the table only."
    )


def test_an_axis_has_one_scale(tmp_path: Path) -> None:
    passages = [
        RatedPassage(
            id=f"p{n}",
            text="A text.",
            key=RatingKey(
                ratings=tuple(
                    Rating(rating=1 + (n + k) % 5, annotator=f"expert{k}") for k in range(2)
                )
            ),
        )
        for n in range(8)
    ]
    test = in_memory(Header(kind="readability", name="rated", language="en"), passages)
    rows = {f"p{n}": Row(id=f"p{n}", answer=1.0 + n % 5) for n in range(8)}
    novices = [sitting(f"novice{k}", rows) for k in range(2)]
    shown = data(sheet(tmp_path, test, sitting("rater", rows), people=novices))
    named = ("score", "proportional", "Pearson")
    sharing = [
        [name for name in named if f">{name}" in (figure.svg or "")]
        for figure in marks_section(shown).figures
    ]
    assert sorted(sharing) == sorted([name] for name in named)


def test_several_tests_have_a_matrix_and_are_told_apart_by_split(tmp_path: Path) -> None:
    def split(name: str) -> Test:
        return comprehension(
            *(passage(f"{name}{n}", asked(f"{name}-q{n}", "boat"), split=name) for n in range(3)),
            name="corpus",
        )

    files = []
    for name, right in (("dev", 3), ("test", 1)):
        answers = {f"{name}-q{n}": "boat" for n in range(right)}
        files += [
            sheet(tmp_path, split(name), sitting("a", answers), name=f"a-{name}"),
            sheet(tmp_path, split(name), sitting("b", {}), name=f"b-{name}"),
        ]
    sections = sections_of([Marksheet.read(str(file)) for file in files])
    assert [str(section.test_name) for section in sections] == ["corpus (dev)", "corpus (test)"]
    found = overview([SectionData.of(section) for section in sections])
    assert found is not None
    assert plain(found.sentence) == "a leads on corpus (dev) and corpus (test)."
    [table] = found.tables
    assert [plain(cell.text) for cell in table.head] == [
        "candidate",
        "corpus (dev)",
        "corpus (test)",
    ]
    assert [[plain(cell.text) for cell in row] for row in table.rows] == [
        ["a", "100.00", "33.33"],
        ["b", "0.00", "0.00"],
    ]
    assert [cell.strong for cell in table.rows[0]] == [False, True, True]
    [plot] = found.plots
    assert [plain(label) for label, _ in plot.legend] == ["a", "b"]
    drawn = str(plot.figure.svg)
    assert all(text in drawn for text in ("corpus (dev)", "corpus (test)", ">100.00<", ">33.33<"))
    assert overview([SectionData.of(sections[0])]) is None


def test_equal_marks_share_the_lead(tmp_path: Path) -> None:
    files = []
    for name in ("dev", "test"):
        test = comprehension(passage(name, asked(f"{name}-q", "boat")), name=name)
        files += [
            sheet(tmp_path, test, sitting(who, {f"{name}-q": "boat"}), name=f"{who}-{name}")
            for who in "ab"
        ]
    found = overview(
        [
            SectionData.of(section)
            for section in sections_of([Marksheet.read(str(f)) for f in files])
        ]
    )
    assert found is not None
    assert plain(found.sentence) == "a and b share the lead on dev and test."
    assert [row[1].strong for row in found.tables[0].rows] == [True, True]
