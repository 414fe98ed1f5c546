"""A candidate that learnt from the test: said wherever its marks are, and it never leads."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import readmark
from readmark.core.errors import ReadmarkError
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.test import Header, Test, in_memory
from readmark.formats.registry import open_sitting, save_test
from readmark.hooks import Kind, Row, Unit
from readmark.marking.settings import MarkSettings
from readmark.text.training_record import TrainingRecord, make_source

PLACES = ("mill", "harbour", "orchard", "chapel", "quarry", "ferry", "granary", "well")
YEARS = (1811, 1822, 1833, 1844, 1855, 1866, 1877, 1888)


def text(index: int) -> str:
    place, year = PLACES[index], YEARS[index]
    return (
        f"The {place} of Oldbrook was finished in {year}. Its first keeper counted visitors, "
        f"and by the end of that winter {index + 3} hundred people had crossed the {place} yard to "
        f"see how {PLACES[index - 1]} stones were carried uphill without a single horse."
    )


def small_test(count: int = 8, *, people: bool = True) -> Test:
    def question(index: int) -> Question:
        year = str(YEARS[index])
        answers = [Answer(text=year, annotator="a"), Answer(text=f"in {year}", annotator="b")]
        key = QuestionKey(answers=tuple(answers[: 1 + people]))
        return Question(id=f"q{index}", text=f"When was the {PLACES[index]} finished?", key=key)

    records = [
        Passage(id=f"p{index}", text=text(index), questions=(question(index),))
        for index in range(count)
    ]
    return in_memory(Header(name="oldbrook", language="en"), records)


@dataclass
class Rememberer:
    """Knows the years; what it learnt from is its record."""

    record: Any = field(default=None, metadata={})
    right: int = 8

    def prepare(self, kind: Kind, language: str) -> None:
        pass

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        for unit in units:
            index = int(unit.id[1:])
            yield Row(id=unit.id, answer=str(YEARS[index]) if index < self.right else "never")

    def signature(self) -> Mapping[str, Any]:
        return {"right": self.right}

    def training_record(self) -> Any:
        return self.record


def learnt(*indexes: int) -> TrainingRecord:
    return TrainingRecord(sources=(make_source("town annals", map(text, indexes)),))


def test_sit_warns_and_the_header_records_it(tmp_path: Path) -> None:
    said: list[str] = []
    journal = tmp_path / "s.jsonl"
    readmark.sit(small_test(), Rememberer(learnt(0, 1, 5)), journal, tell=said.append)
    words = "3 of 8 passages were in this candidate's training data (town annals)"
    assert said == [f"{journal}: warning: {words}"]
    header = json.loads(journal.read_text().splitlines()[0])
    assert header["fields"]["seen"] == {
        "passages": 3,
        "of": 8,
        "sources": ["town annals"],
        "ids": ["p0", "p1", "p5"],
    }


def test_only_passages_that_are_sat_count_and_a_larger_limit_counts_again(tmp_path: Path) -> None:
    journal = tmp_path / "s.jsonl"
    readmark.sit(small_test(), Rememberer(learnt(1, 5)), journal, limit=3)
    assert open_sitting(journal, small_test().kind).header.fields["seen"]["passages"] == 1
    readmark.sit(small_test(), Rememberer(learnt(1, 5)), journal, limit=7)
    seen = open_sitting(journal, small_test().kind).header.fields["seen"]
    assert (seen["passages"], seen["of"]) == (2, 7)


def test_nothing_is_said_of_a_test_that_was_not_seen(tmp_path: Path) -> None:
    said: list[str] = []
    other = TrainingRecord(sources=(make_source("x", ["Quite another text about boats."]),))
    sitting = readmark.sit(small_test(), Rememberer(other), tell=said.append)
    assert said == []
    marks = readmark.mark(small_test(), sitting)
    assert marks.seen is None
    assert "seen" not in marks.as_json()


def test_a_sitting_begun_before_candidates_had_records_learns_it_on_resume(tmp_path: Path) -> None:
    journal = tmp_path / "s.jsonl"
    readmark.sit(small_test(), Rememberer(), journal)
    header, *rows = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join([header, *rows[:4]]))
    readmark.sit(small_test(), Rememberer(learnt(0)), journal)
    sitting = open_sitting(journal, small_test().kind)
    assert sitting.header.fields["seen"]["ids"] == ["p0"]
    assert len(sitting.rows) == 8


def test_a_plug_in_may_name_the_file_of_its_record(tmp_path: Path) -> None:
    learnt(2).write(tmp_path / "r.json")
    sitting = readmark.sit(small_test(), Rememberer(tmp_path / "r.json"))
    assert sitting.header.fields["seen"]["ids"] == ["p2"]
    (tmp_path / "r.json").write_text("nothing")
    with pytest.raises(ReadmarkError, match="is not a training record"):
        readmark.sit(small_test(), Rememberer(tmp_path / "r.json"))


def test_the_same_paper_is_seen_even_where_texts_are_too_short() -> None:
    short = in_memory(
        Header(name="t", language="en"),
        [Passage(id="p", text="?!", questions=(Question(id="q0", text="Why?"),))],
    )
    source = make_source("t", [], paper=short.facts.paper)
    sitting = readmark.sit(short, Rememberer(TrainingRecord(sources=(source,))))
    assert sitting.header.fields["seen"]["ids"] == ["p"]


def test_marks_say_it_and_have_no_ratio_to_people() -> None:
    sitting = readmark.sit(small_test(), Rememberer(learnt(0, 1, 5)))
    marks = readmark.mark(small_test(), sitting)
    words = "3 of 8 passages were in this candidate's training data (town annals)"
    assert words in str(marks)
    assert any(words in note for note in marks.notes)
    document = marks.as_json()
    assert document["seen"] == {"passages": 3, "of": 8, "sources": ["town annals"]}
    compared = document["people"]["marks"]["f1"]
    assert compared["machine"] is not None
    assert compared["people"] is not None
    assert compared["ratio"] is compared["low"] is compared["high"] is None


def test_the_ratio_is_there_when_asked_for() -> None:
    sitting = readmark.sit(small_test(), Rememberer(learnt(0)))
    marks = readmark.mark(small_test(), sitting, settings=MarkSettings(count_seen=True))
    assert marks.people is not None
    assert marks.people.marks["f1"].ratio is not None
    assert marks.seen is not None
    assert marks.may_lead


def test_marks_of_a_split_count_its_passages() -> None:
    import msgspec

    records = [
        msgspec.structs.replace(record, split="dev" if index < 4 else "test")
        for index, record in enumerate(small_test().records())
    ]
    test = in_memory(Header(name="oldbrook", language="en"), records)
    sitting = readmark.sit(test, Rememberer(learnt(0, 1, 5)))
    counts = {}
    for split in ("dev", "test"):
        seen = readmark.mark(test.split(split), sitting).seen
        assert seen is not None
        counts[split] = seen.passages, seen.of
    assert counts == {"dev": (2, 4), "test": (1, 4)}


@pytest.fixture
def sheets(tmp_path: Path) -> list[str]:
    """A candidate that remembers the test, and one that does not and is worse."""
    test = small_test()
    paths = []
    for name, candidate in (
        ("remembers", Rememberer(learnt(*range(8)))),
        ("reads", Rememberer(right=6)),
    ):
        sitting = readmark.sit(test, candidate, tmp_path / f"{name}.jsonl")
        path = tmp_path / f"{name}.sheet.jsonl"
        readmark.mark(test, sitting, marksheet=path)
        paths.append(str(path))
    return paths


def test_a_candidate_that_learnt_from_the_test_has_no_rank(sheets: list[str]) -> None:
    standings = readmark.table(*sheets)
    ranks = {row.name: row.rank for row in standings.rows if row.method is None}
    assert sorted(ranks.values(), key=str) == [1, None]
    first = next(row for row in standings.rows if row.rank == 1)
    assert not first.seen
    assert "† " in standings.as_markdown()
    assert "8 of 8 passages were in this candidate's training data" in standings.as_markdown()
    seen = [row["seen"] for row in standings.as_json()["rows"] if "seen" in row]
    assert seen == [{"oldbrook": {"passages": 8, "of": 8, "sources": ["town annals"]}}]


def test_it_has_a_rank_when_marked_to_count(tmp_path: Path, sheets: list[str]) -> None:
    test = small_test()
    path = tmp_path / "counted.jsonl"
    settings = MarkSettings(count_seen=True)
    sitting = readmark.sit(test, Rememberer(learnt(*range(8))))
    readmark.mark(test, sitting, marksheet=path, settings=settings)
    standings = readmark.table(str(path), sheets[1])
    leader = next(row for row in standings.rows if row.rank == 1)
    assert leader.seen


def test_marks_in_memory_have_no_rank_either() -> None:
    test = small_test()
    marks = [
        readmark.mark(test, readmark.sit(test, candidate))
        for candidate in (Rememberer(learnt(0)), Rememberer(right=6))
    ]
    standings = readmark.table(*marks)
    assert [row.rank for row in standings.rows if row.method is None and row.seen] == [None]


def test_comparisons_say_it(sheets: list[str]) -> None:
    words = "warning: 8 of 8 passages were in this candidate's training data (town annals)"
    for kind in (".sheet.jsonl", ".jsonl"):
        first, second = (path.replace(".sheet.jsonl", kind) for path in sheets)
        notes = readmark.compare(small_test(), first, second).notes
        assert [note for note in notes if "training data" in note] == [f"{first}: {words}"]


def test_the_report_leads_with_another(tmp_path: Path, sheets: list[str]) -> None:
    page = tmp_path / "r.html"
    readmark.report(*sheets, path=page)
    content = page.read_text(encoding="utf-8")
    assert "8 of 8 passages were in its training data" in content
    assert "警告：该系统的训练数据" in content
    assert "scores better than" not in content
    assert "</b> scores " in content


def test_check_reports_what_somebody_has_seen(tmp_path: Path) -> None:
    save_test(small_test(), tmp_path / "t.jsonl")
    (tmp_path / "list.txt").write_text(f"{text(3).upper()}\n\nAnother text.\n", encoding="utf-8")
    learnt(6).write(tmp_path / "r.json")
    save_test(small_test(2), tmp_path / "other.jsonl")
    seen = [tmp_path / name for name in ("list.txt", "r.json", "other.jsonl")]
    findings = readmark.check(tmp_path / "t.jsonl", seen=seen)
    assert [(one.where, one.code, one.message) for one in findings] == [
        (2, "seen", "passage p0 is in oldbrook"),
        (3, "seen", "passage p1 is in oldbrook"),
        (5, "seen", "passage p3 is in list.txt"),
        (8, "seen", "passage p6 is in town annals"),
    ]
    assert not findings.is_sound


def test_a_damaged_header_is_one_line() -> None:
    from dataclasses import replace

    import msgspec

    sitting = readmark.sit(small_test(), Rememberer(learnt(0)))
    header = msgspec.structs.replace(sitting.header, fields={"seen": {"passages": -1, "of": 2}})
    with pytest.raises(ReadmarkError, match="field seen"):
        readmark.mark(small_test(), replace(sitting, header=header))
