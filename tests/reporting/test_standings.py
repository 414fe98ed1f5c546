"""Standings: CMRC 2018's Table 2 and SMART's tables 2 and 3, with numbers worked by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import readmark
from made import asked, comprehension, passage, sat
from readmark.core.display import make_console
from readmark.core.errors import DataError, UsageError
from readmark.core.test import Test
from readmark.marking.settings import MarkSettings
from readmark.reporting import Standings
from readmark.reporting import table as standings

FEW = MarkSettings(draws=20)
RIGHT = {f"{split}{at}": "red kettle" for split in ("dev", "test") for at in (1, 2)}
HALF = {"dev1": "kettle", "dev2": "red kettle", "test1": "boat", "test2": "red kettle"}
"""F1 of kettle against red kettle is 2/3."""


def whole(**header: Any) -> Test:
    """Two splits of two questions, levels 1 and 2; two people who agree on the first only."""
    return comprehension(
        *(
            passage(
                f"p-{split}",
                asked(f"{split}1", ("a", "red kettle"), ("b", "red kettle"), level=1),
                asked(f"{split}2", ("a", "red kettle"), ("b", "kettle"), level=2),
                split=split,
            )
            for split in ("test", "dev")
        ),
        **{"language": "en", "profile": "squad", "name": "kettles", **header},
    )


def part(split: str, **more: Any) -> Test:
    """One split in a file of its own, which says nothing of splits."""
    return comprehension(
        passage(f"p-{split}", asked(f"{split}1", "red kettle"), **more),
        language="en",
        profile="squad",
        name=f"kettles-{split}",
    )


def sheet(folder: Path, test: Test, answers: dict[str, str], name: str, **more: Any) -> str:
    options = {key: more.pop(key) for key in ("people", "metrics") if key in more}
    file = folder / f"{name}-{len(list(folder.iterdir()))}.jsonl"
    sitting = sat(answers, candidate=name, **more)
    readmark.mark(test, sitting, settings=FEW, marksheet=file, **options)
    return str(file)


def rows(found: Standings) -> list[tuple[str, list[float | None]]]:
    return [
        (
            row.name,
            [
                None if score is None else round(score, 2)
                for split in found.splits
                for score in (row.score(split, metric) for metric in found.metrics)
            ],
        )
        for row in found.rows
    ]


def test_people_first_then_candidates_by_the_test_split(tmp_path: Path) -> None:
    """Half: dev EM 1/2, F1 (2/3 + 1)/2; test EM 1/2, F1 1/2. Its kettle is right against b's.

    People: on the first question 1, on the second EM 0 and F1 2/3: means 50 and 83.33.
    """
    test = whole()
    half = sheet(tmp_path, test, {**HALF, "dev1": "the kettle"}, "half")
    right = sheet(tmp_path, test, RIGHT, "right")
    found = standings(half, right)
    assert found.splits == ["dev", "test"]
    assert found.ranked_by == "test"
    assert rows(found) == [
        ("people (leave-one-out)", [50.0, 83.33, 50.0, 83.33]),
        ("right", [100.0, 100.0, 100.0, 100.0]),
        ("half", [50.0, 83.33, 50.0, 50.0]),
    ]
    assert [row.rank for row in found.rows] == [None, 1, 2]
    assert [row.mean for row in found.rows] == [None, 100.0, 50.0]


def test_levels_within_splits(tmp_path: Path) -> None:
    found = standings(sheet(tmp_path, whole(), HALF, "half"))
    assert found.levels == ["1", "2"]
    people, half = found.rows
    assert half.score("dev", "f1", "1") == pytest.approx(200 / 3, abs=1e-6)
    assert half.score("dev", "em", "2") == 100.0
    assert half.score("test", "f1", "1") == 0.0
    assert half.units("dev", "1") == 1
    assert half.units("dev", "9") == 0
    assert people.score("dev", "em", "1") == 100.0
    assert people.score("test", "em", "2") == 0.0


def test_the_same_sets_for_machine_and_people(tmp_path: Path) -> None:
    """red kettle on the second question is right against a alone, F1 2/3 against b alone."""
    file = sheet(tmp_path, whole(), RIGHT, "right")
    [_, right] = standings(file, same_sets=True).rows
    assert right.score("dev", "em") == pytest.approx(75, abs=1e-6)
    assert right.score("dev", "f1") == pytest.approx(100 * (1 + 5 / 6) / 2, abs=1e-5)
    assert any("`same_sets`" in note for note in standings(file).notes)
    assert standings(file, same_sets=True).notes == []


def test_splits_in_files_of_their_own_and_missing_ones(tmp_path: Path) -> None:
    dev = sheet(tmp_path, part("dev"), {"dev1": "red kettle"}, "one")
    test = sheet(tmp_path, part("test"), {"test1": "kettle"}, "one")
    other = sheet(tmp_path, part("dev"), {"dev1": "boat"}, "other")
    found = standings(f"challenge={dev}", f"test={test}", f"challenge={other}")
    assert found.splits == ["test", "challenge"]
    assert rows(found) == [
        ("one", [0.0, 66.67, 100.0, 100.0]),
        ("other", [None, None, 0.0, 0.0]),
    ]
    told = found.as_json()["rows"][1]
    assert told["splits"]["test"] is None
    assert told["rank"] is None
    assert told["splits"]["challenge"]["em"]["score"] == 0.0


def test_without_a_name_the_tests_own_is_the_column(tmp_path: Path) -> None:
    dev = sheet(tmp_path, part("dev"), {"dev1": "red kettle"}, "one")
    test = sheet(tmp_path, part("test"), {"test1": "kettle"}, "one")
    found = standings(test, dev)
    assert found.splits == ["kettles-test", "kettles-dev"]
    assert found.ranked_by is None
    assert "no split 'test'" in found.notes[0]
    assert standings(test, dev, rank_by="kettles-dev").rows[0].rank == 1


def test_the_split_to_rank_by(tmp_path: Path) -> None:
    test = whole()
    one = sheet(tmp_path, test, {**RIGHT, "test1": "boat", "test2": "boat"}, "good on dev")
    two = sheet(tmp_path, test, {**RIGHT, "dev1": "boat", "dev2": "boat"}, "good on test")
    names = [row.name for row in standings(one, two).rows[1:]]
    assert names == ["good on test", "good on dev"]
    names = [row.name for row in standings(two, one, rank_by="dev").rows[1:]]
    assert names == ["good on dev", "good on test"]
    with pytest.raises(UsageError, match="no split 'devv'; did you mean dev"):
        standings(one, rank_by="devv")


def test_a_name_that_sat_twice_has_two_rows(tmp_path: Path) -> None:
    test = whole()
    files = [sheet(tmp_path, test, one, "same") for one in (HALF, RIGHT)]
    assert [row.name for row in standings(*files).rows[1:]] == ["same (2)", "same"]


def test_a_row_is_of_one_run(tmp_path: Path) -> None:
    """The second run's file has both splits; whichever way they are given, they stay together."""
    dev = part("dev")
    one = sheet(tmp_path, dev, {"dev1": "boat"}, "same")
    two = sheet(tmp_path, dev, {"dev1": "red kettle"}, "same")
    for files in (
        [f"dev={one}", f"dev={two}", f"test={two}"],
        [f"dev={one}", f"test={two}", f"dev={two}"],
    ):
        found = standings(*files)
        assert rows(found) == [
            ("same (2)", [100.0, 100.0, 100.0, 100.0]),
            ("same", [0.0, 0.0, None, None]),
        ]
        assert found.notes == []


def test_runs_that_cannot_be_told_apart_have_a_row_each(tmp_path: Path) -> None:
    dev, test = part("dev"), part("test")
    files = [
        f"dev={sheet(tmp_path, dev, {'dev1': 'boat'}, 'same')}",
        f"dev={sheet(tmp_path, dev, {'dev1': 'red kettle'}, 'same')}",
        f"test={sheet(tmp_path, test, {'test1': 'red kettle'}, 'same')}",
    ]
    found = standings(*files)
    assert rows(found) == [
        ("same (3)", [None, None, 100.0, 100.0]),
        ("same", [0.0, 0.0, None, None]),
        ("same (2)", [100.0, 100.0, None, None]),
    ]
    assert found.notes == ["marksheets of same may be of several runs, so each has its own row"]
    joined = standings(*files[1:])
    assert rows(joined) == [("same", [100.0] * 4)]
    assert joined.notes == ["joined by name alone, for lack of a signature: same"]


@pytest.mark.parametrize(
    ("other", "notes"),
    [
        ({"signature": {"seed": 1, "readmark": "0.0.9"}}, None),
        ({"signature": {"seed": 2}}, "seed"),
        ({"signature": {"seed": 1}, "shuffle_options": 7}, "shuffle_options"),
        ({}, "seed"),
    ],
)
def test_marksheets_sat_in_another_way_are_not_joined(
    tmp_path: Path, other: dict[str, Any], notes: str | None
) -> None:
    signature = {"seed": 1, "readmark": "0.1.0"}
    dev = sheet(tmp_path, part("dev"), {"dev1": "boat"}, "same", signature=signature)
    test = sheet(tmp_path, part("test"), {"test1": "boat"}, "same", **other)
    found = standings(f"dev={dev}", f"test={test}")
    if notes is None:
        assert rows(found) == [("same", [0.0] * 4)]
        assert found.notes == []
        return
    assert rows(found) == [
        ("same (2)", [None, None, 0.0, 0.0]),
        ("same", [0.0, 0.0, None, None]),
    ]
    assert found.notes == [f"rows of same differ in {notes}"]


def in_language(folder: Path, language: str, way: str, *, own: bool = True, **more: Any) -> str:
    """A marksheet of one language; the prompt differs between languages, and is Readmark's own."""
    test = comprehension(
        passage(f"p-{language}", asked(f"{language}1", "red kettle")),
        language=language,
        name=f"kettles-{language}",
    )
    listed = {"per_language": ["prompt"]} if own else {}
    signature = {"model": "m", "prompt": way, **listed, **more}
    answers = {f"{language}1": "red kettle"}
    return f"{language}=" + sheet(folder, test, answers, "llm(model=m)", signature=signature)


@pytest.mark.parametrize(
    ("runs", "names"),
    [
        ([("en", "a"), ("zh", "b")], ["llm(model=m)"]),
        ([("zh", "b"), ("en", "a")], ["llm(model=m)"]),
        ([("en", "a"), ("zh", "a")], ["llm(model=m)"]),
        ([("en", "a"), ("en", "c"), ("zh", "b")], ["llm(model=m)", "llm(model=m) (2)",
                                                   "llm(model=m) (3)"]),
    ],
)  # fmt: skip
def test_one_row_across_languages_where_only_what_is_made_for_each_differs(
    tmp_path: Path, runs: list[tuple[str, str]], names: list[str]
) -> None:
    files = [in_language(tmp_path, *run) for run in runs]
    found = standings(*files, metrics=["em"])
    assert [row.name for row in found.rows] == names
    joined = any("differ in prompt" in note for note in found.notes)
    assert joined == (len(names) > 1)


@pytest.mark.parametrize(
    ("more", "own"), [({"model": "other"}, True), ({"seed": 4}, True), ({}, False)]
)
def test_two_rows_where_anything_else_differs(
    tmp_path: Path, more: dict[str, Any], own: bool
) -> None:
    """Such as a prompt of one's own, which no signature lists as made for each language."""
    english = in_language(tmp_path, "en", "a", own=own)
    found = standings(english, in_language(tmp_path, "zh", "b", own=own, **more), metrics=["em"])
    assert [row.name for row in found.rows] == ["llm(model=m)", "llm(model=m) (2)"]


def test_bow_in_english_and_chinese_is_one_row(tmp_path: Path) -> None:
    """As in Table 10 of BRCC, which has a column a language."""
    bundle = Path(readmark.__file__).parent / "bundle"
    files = []
    for language in ("en", "zh"):
        test = bundle / f"reading.{language}.jsonl"
        done = readmark.sit(str(test), "bow", tmp_path / f"{language}.jsonl", limit=10)
        marksheet = tmp_path / f"{language}.marks.jsonl"
        readmark.mark(str(test), done, metrics=["humsent"], settings=FEW, marksheet=marksheet)
        files.append(f"{language}={marksheet}")
    found = standings(*files, metrics=["humsent"])
    [row] = [row for row in found.rows if row.method is None]
    assert list(found.splits) == ["en", "zh"]
    assert all(row.score(language, "humsent") is not None for language in found.splits)


def test_six_marksheets_of_two_languages_are_one_table_by_themselves(tmp_path: Path) -> None:
    """Both tests have splits dev and test, with other units: each test has one column."""
    chinese = comprehension(
        *(
            passage(f"z-{split}", asked(f"z-{split}", "红水壶", level=1), split=split)
            for split in ("dev", "test")
        ),
        language="zh",
        name="水壶",
    )
    answers = {"right": "红水壶", "half": "水壶", "wrong": "船"}
    files = [
        sheet(tmp_path, whole(), {"right": RIGHT, "half": HALF, "wrong": {}}[name], name)
        for name in answers
    ]
    files += [
        sheet(tmp_path, chinese, {"z-dev": text, "z-test": text}, name)
        for name, text in answers.items()
    ]
    found = standings(*files, metrics=["em"])
    assert list(found.splits) == ["kettles", "水壶"]
    assert [row for row in rows(found) if "(" not in row[0]] == [
        ("right", [100.0, 100.0]),
        ("half", [50.0, 0.0]),
        ("wrong", [0.0, 0.0]),
    ]
    test_split = standings(*files, metrics=["em"], split="test")
    assert rows(test_split)[-2] == ("half", [50.0, 0.0])
    assert list(test_split.splits) == ["kettles", "水壶"]
    with pytest.raises(DataError, match="its dev is not the test of"):
        standings(f"dev={files[0]}", f"dev={files[3]}")


def test_languages_of_one_name_are_columns_by_language(tmp_path: Path) -> None:
    """A two-language file is converted to two tests that have its name and its splits."""
    brcc = Path(__file__).parents[1] / "stored" / "0.5" / "bilingual.brcc"
    readmark.convert(brcc, tmp_path / "book")
    files, marks, without_gold = [], [], []
    hidden = MarkSettings(metrics=["humsent"], draws=20, redact=True)
    for language in ("en", "zh"):
        test = readmark.load(tmp_path / "book" / f"{language}.jsonl")
        assert test.header.name == "bilingual"
        for candidate in ("lead", "bow", "longest_overlap"):
            sitting = readmark.sit(test, candidate, tmp_path / f"{language}.{candidate}.jsonl")
            sheet_of = tmp_path / f"{language}.{candidate}.marks.jsonl"
            marks.append(readmark.mark(test, sitting, settings=FEW, marksheet=sheet_of))
            files.append(str(sheet_of))
            without_gold.append(str(tmp_path / f"{language}.{candidate}.redacted.jsonl"))
            readmark.mark(test, sitting, settings=hidden, marksheet=without_gold[-1])
    redacted = standings(*without_gold, metrics=["humsent"])
    assert list(redacted.splits) == ["bilingual (en)", "bilingual (zh)"]
    for found in (standings(*files), readmark.table(*marks)):
        assert list(found.splits) == ["bilingual (en)", "bilingual (zh)"]
        assert {row.name for row in found.rows} == {"lead", "bow", "longest_overlap"}
        assert all(
            row.score(column, "f1") is not None for row in found.rows for column in found.splits
        )


def test_names_that_look_like_numbered_ones_stay_apart(tmp_path: Path) -> None:
    names = ("x (2)", "x", "x")
    files = [sheet(tmp_path, whole(), HALF, name) for name in names]
    assert [row.name for row in standings(*files).rows[1:]] == ["x (2)", "x", "x (3)"]


def test_a_marksheet_without_the_first_ones_metrics_is_refused(tmp_path: Path) -> None:
    """Its own marks would be dropped, and a dash says that a split was not sat."""
    dev = sheet(tmp_path, part("dev"), {"dev1": "boat"}, "one")
    test = sheet(tmp_path, part("test"), {"test1": "boat"}, "one", metrics=["f1"])
    with pytest.raises(DataError, match=r"has no marks of em, as .* has; -m .*; it has f1"):
        standings(dev, test)
    assert standings(dev, test, metrics=["f1"]).metrics == ["f1"]
    assert standings(test, dev).metrics == ["f1"]


def test_what_was_sat_in_part_says_so(tmp_path: Path) -> None:
    file = sheet(tmp_path, whole(), HALF, "some", limit=2)
    assert [row.name for row in standings(file).rows[1:]] == ["some (the first 2 units)"]


def test_a_panels_row(tmp_path: Path) -> None:
    people = [sat(HALF, candidate="ann"), sat(RIGHT, candidate="ben")]
    found = standings(sheet(tmp_path, whole(), RIGHT, "right", people=people))
    assert rows(found)[0] == ("people (panel)", [75.0, 91.67, 75.0, 75.0])
    assert found.notes == []


def test_a_marksheet_of_people_alone(tmp_path: Path) -> None:
    file = tmp_path / "people.jsonl"
    readmark.people(whole(), settings=FEW, marksheet=file)
    found = standings(str(file))
    assert rows(found) == [("people (leave-one-out)", [50.0, 83.33, 50.0, 83.33])]


def test_references_that_authors_wrote_are_no_people(tmp_path: Path) -> None:
    test = whole(fields={"people": "authors"})
    found = standings(sheet(tmp_path, test, HALF, "half"))
    assert found.rows[0].name == "references (leave-one-out)"


def test_what_may_not_stand_in_one_column(tmp_path: Path) -> None:
    test = whole()
    one = sheet(tmp_path, test, HALF, "half")
    other = comprehension(
        passage("else", asked("else1", "red kettle"), split="dev"),
        language="en",
        profile="squad",
        name="kettles",
    )
    with pytest.raises(DataError, match="its kettles is not the test of"):
        standings(one, sheet(tmp_path, other, {"else1": "boat"}, "stranger"))
    rules = whole(profile="smart")
    with pytest.raises(DataError, match=r"on (?:test|dev) was marked by other rules"):
        standings(one, sheet(tmp_path, rules, HALF, "other rules"))
    with pytest.raises(DataError, match="has no marks of average; it has em, f1"):
        standings(one, metrics=["average"])
    with pytest.raises(UsageError, match="neither MARKSHEET nor SPLIT=MARKSHEET"):
        standings(f"={one}")
    with pytest.raises(UsageError, match="needs at least one marksheet"):
        standings()
    single = sheet(tmp_path, part("dev"), {"dev1": "boat"}, "one")
    with pytest.raises(DataError, match="no answers of two people"):
        standings(single, same_sets=True)


def test_a_split_may_come_whole_or_in_a_file_of_its_own(tmp_path: Path) -> None:
    """The same units with the same key are the same test, whatever else the file holds."""
    test = whole()
    dev = comprehension(
        *(one for one in test.records() if one.split == "dev"),
        language="en",
        profile="squad",
        name="dev alone",
    )
    files = [sheet(tmp_path, test, HALF, "half"), sheet(tmp_path, dev, RIGHT, "right")]
    assert rows(standings(*files))[1:] == [
        ("half", [50.0, 83.33, 50.0, 50.0]),
        ("right", [100.0, 100.0, None, None]),
    ]


def test_csv_and_markdown(tmp_path: Path) -> None:
    dev = sheet(tmp_path, part("dev"), {"dev1": "red kettle"}, "one|two")
    test = sheet(tmp_path, part("test"), {"test1": "kettle"}, "three")
    found = standings(f"dev={dev}", f"test={test}")
    assert found.as_csv() == (
        "candidate,dev EM,dev F1,test EM,test F1\nthree,,,0.00,66.67\none|two,100.00,100.00,,\n"
    )
    assert found.as_markdown().splitlines() == [
        "| candidate | dev EM | dev F1 | test EM | test F1 |",
        "| --- | ---: | ---: | ---: | ---: |",
        "| three | – | – | 0.00 | 66.67 |",
        "| one\\|two | 100.00 | 100.00 | – | – |",
        "",
        "fewer than 10 passages (dev 1, test 1): the order may be chance; "
        "readmark compare tests differences",
    ]
    levels = standings(sheet(tmp_path, whole(), HALF, "half"), by="level")
    assert levels.as_csv().splitlines()[:4] == [
        "split,level,units,people (leave-one-out) EM,people (leave-one-out) F1,half EM,half F1",
        "dev,1,1,100.00,100.00,0.00,66.67",
        "dev,2,1,0.00,66.67,100.00,100.00",
        "dev,overall,2,50.00,83.33,50.00,83.33",
    ]


def test_names_are_whole_where_there_is_room(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    name = "logistic_regression_baseline"
    dev = part("dev")
    found = standings(*[sheet(tmp_path, dev, {"dev1": "boat"}, name) for _ in range(2)])
    found.show(make_console())
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0] for line in lines[3:5]] == [name, f"{name} (2)"]


def test_notes_fit_into_eighty_columns(tmp_path: Path) -> None:
    test = whole()
    [people] = standings(sheet(tmp_path, test, HALF, "half")).notes
    single = sheet(tmp_path, part("dev"), {"dev1": "boat"}, "one")
    other = sheet(tmp_path, part("test"), {"test1": "boat"}, "one")
    for note in (people, *standings(single, other).notes):
        assert len(f"readmark: {note}") <= 80


def test_a_terminal_of_eighty_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    test = whole()
    files = [
        sheet(tmp_path, test, HALF, f"阅读机器（第{at}版，只用了码头的文章）") for at in range(5)
    ]
    from rich.cells import cell_len

    for field in (None, "level"):
        standings(*files, by=field).show(make_console())
        lines = capsys.readouterr().out.splitlines()
        assert max(map(cell_len, lines)) <= 80
        assert sum("66.67" in line or "83.33" in line for line in lines) >= 5


def in_memory(test: Test, answers: dict[str, str], name: str, **more: Any) -> readmark.Marks:
    return readmark.mark(test, sat(answers, candidate=name), settings=FEW, **more)


def test_marks_in_memory_side_by_side() -> None:
    """By hand: half has F1 2/3, 1, 0 and 1; people agree on two questions, else F1 is 2/3."""
    test = whole()
    marks = [in_memory(test, HALF, "half", by="level"), in_memory(test, RIGHT, "right", by="level")]
    found = standings(*marks)
    assert [(row.name, row.rank) for row in found.rows] == [
        ("people (leave-one-out)", None),
        ("right", 1),
        ("half", 2),
    ]
    assert [row.score("kettles", "f1") for row in found.rows] == pytest.approx(
        [100 * (1 + 2 / 3) / 2, 100, 100 * (2 / 3 + 1 + 0 + 1) / 4]
    )
    assert found.rows[2].score("kettles", "em", "1") == 0
    assert found.rows[2].score("kettles", "em", "2") == 100
    # the same numbers as the data frame's and the notebook's
    frame = {(row["candidate"], row["metric"], row["level"]): row for row in found.table_rows()}
    assert frame["half", "f1", ""]["units"] == 4
    assert "<th" in found._repr_html_()
    assert ">66.67</td>" in found._repr_html_()
    by_level = standings(*marks, by="level").as_csv().splitlines()
    assert by_level[0].startswith("split,level,units,people (leave-one-out) EM")
    same = standings(*marks, same_sets=True)
    assert same.rows[1].score("kettles", "f1") == pytest.approx(100 * (1 + (1 + 2 / 3) / 2) / 2)


def test_marks_of_several_tests_have_a_column_each() -> None:
    other = whole(name="pots")
    found = standings(in_memory(whole(), HALF, "half"), in_memory(other, RIGHT, "half"))
    assert found.splits == ["kettles", "pots"]
    [row] = [row for row in found.rows if row.method is None]
    assert (row.score("kettles", "em"), row.score("pots", "em")) == (50, 100)
    twice = standings(in_memory(whole(), HALF, "half"), in_memory(whole(), RIGHT, "half"))
    assert [row.name for row in twice.rows if row.method is None] == ["half (2)", "half"]


def test_marks_that_do_not_belong_together(tmp_path: Path) -> None:
    half = in_memory(whole(), HALF, "half")
    changed = comprehension(passage("p", asked("q", "boat")), language="en", name="kettles")
    for others, message in (
        ((in_memory(changed, {"q": "boat"}, "x"),), "two tests are called kettles"),
        ((in_memory(whole(profile="zh"), HALF, "x"),), "was marked by other rules"),
        ((in_memory(whole(), HALF, "x", metrics=["em"]),), "x has no marks of f1; it has em"),
        ((str(tmp_path / "a.jsonl"),), "marks or marksheets, not both"),
    ):
        with pytest.raises(UsageError, match=message):
            standings(half, *others, metrics=["em", "f1"])
