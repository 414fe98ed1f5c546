"""The tables of the metrics and formats pages say what the code does."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from readmark.core.records import (
    Answer,
    Layer,
    Passage,
    Phrase,
    Question,
    QuestionKey,
    RecordKey,
    Unit,
)
from readmark.core.test import Header, Test, in_memory
from readmark.formats.registry import FORMATS, reads_tests, save_test
from readmark.marking.metrics import METRICS

DOCS = Path(__file__).resolve().parents[2] / "docs"
ROUNDING = 0.0005
"""Marks on the page have three decimals."""


def rows(page: str, header: str) -> Iterator[list[str]]:
    """The cells of every table that begins with this header."""
    inside = False
    for line in (DOCS / page).read_text(encoding="utf-8").splitlines():
        if not line.startswith("| "):
            inside = False
        elif line.startswith(header):
            inside = True
        elif inside and not line.startswith("| ---"):
            yield [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


WORKED = list(rows("metrics.md", "| profile | wanted | answered | EM | F1 |"))


def said(cell: str) -> list[str]:
    """The texts in a cell: each in back-ticks, none for (empty) and (no answer)."""
    if cell in ("(empty)", "(no answer)"):
        return []
    texts = re.findall(r"`([^`]+)`", cell)
    assert texts, cell
    return texts


@pytest.mark.parametrize("row", WORKED, ids=[" ".join(row[:3]) for row in WORKED])
def test_worked_examples(row: list[str]) -> None:
    profile, wanted, answered, em, f1, _ = row
    answers = tuple(Answer(text=text) for text in said(wanted))
    key = QuestionKey(answers=answers, unanswerable=not answers)
    question = Question(id="q", text="?", key=key)
    passage = Passage(id="p", text="text", questions=(question,))
    test = in_memory(Header(), [passage])
    unit = Unit("q", "p", passage, question)
    answer = Answer(text="".join(said(answered)))
    for name, shown in (("em", em), ("f1", f1)):
        parameters = profile if name == "f1" else re.sub(r",match=\w+", "", profile)
        metric = METRICS.build(f"{name}(profile={parameters})")[1].resolve(test)
        [value, count] = metric.statistics(unit, test.kind.references(unit), answer)
        assert count == 1
        assert abs(value - float(shown)) < ROUNDING, name


def test_there_are_worked_examples_with_partial_marks() -> None:
    assert len(WORKED) > 50
    assert any(0 < float(row[4]) < 1 for row in WORKED)


SPAN = Layer(spans=((0, 1),))
PLACED = Answer(text="brass", start=2)
KEY = QuestionKey(answers=(Answer(text="brass"),))
QUESTION = Question(id="q", text="Of what?", key=KEY)
PASSAGE = Passage(id="p", text="a brass lamp", questions=(QUESTION,))


def with_header(**members: object) -> Test:
    return in_memory(Header(name="lamp", **members), [PASSAGE])


def with_passage(**members: object) -> Test:
    return in_memory(Header(name="lamp"), [msgspec.structs.replace(PASSAGE, **members)])


def with_question(**members: object) -> Test:
    return with_passage(questions=(msgspec.structs.replace(QUESTION, **members),))


def with_key(**members: object) -> Test:
    return with_question(key=msgspec.structs.replace(KEY, **members))


def answered(**members: object) -> Test:
    return with_key(answers=(msgspec.structs.replace(PLACED, start=None, **members),))


HELD: dict[str, list[Test]] = {
    "answers' offsets": [with_key(answers=(PLACED,))],
    "annotators": [answered(annotator="ann")],
    "unanswerable questions": [with_key(answers=(), unanswerable=True)],
    "plausible answers": [with_key(plausible=(PLACED,))],
    "whole-number levels": [with_key(level=3)],
    "levels in words": [with_key(level="hard")],
    "an article's id": [with_passage(article="a1")],
    "a question's fields that candidates may not see": [with_key(fields={"checked": True})],
    "a passage's fields that candidates may not see": [
        with_passage(key=RecordKey(fields={"checked": True}))
    ],
    "fields that candidates may see": [
        with_question(fields={"seen": True}),
        with_passage(fields={"seen": True}),
    ],
    "language, licence, source, hidden splits": [
        with_header(language="en"),
        with_header(licence="CC0-1.0"),
        with_header(source="here"),
        with_header(hidden=("test",)),
        with_passage(language="x"),
    ],
    "genre, topic, split, dateline, a passage's parallel id": [
        with_passage(**{name: "x"}) for name in ("genre", "topic", "split", "dateline", "parallel")
    ],
    "type, difficulty, options": [
        with_key(type="what"),
        with_key(difficulty="easy"),
        with_question(options=("brass", "tin")),
    ],
    "published keys": [with_key(published=(Phrase(text="brass"),))],
    "series, turn, a question's parallel id": [
        with_question(series="s"),
        with_question(turn=1),
        with_question(parallel="q-zh"),
    ],
    "answer sentences, scores, layers": [
        with_key(sentences=((0, 12),)),
        answered(score=0.5),
        with_passage(layers={"token": SPAN}),
        with_question(layers={"token": SPAN}),
        with_passage(key=RecordKey(layers={"mention": SPAN})),
    ],
}
TABLE = {row[0]: row[1:] for row in rows("formats.md", "| what | `native` |")}
NAMES = ("native", "flat", "parquet", "squad", "squad2", "drcd", "smart", "cmrc2018")
ELSEWHERE = (
    "brcc",
    "cbc4kids",
    "remedia",
    "brat",
    "conllu",
    "trec_series",
    "cast",
    "canard",
    "series_gold",
    "task",
    "c3",
    "table",
)
"""Formats described elsewhere: BRCC, annotation formats, series, tasks, multiple choice, tables."""


def test_the_table_of_what_is_kept_is_complete() -> None:
    assert set(TABLE) == set(HELD)
    own = [name for name, entry in FORMATS.entries.items() if entry.package == "readmark"]
    assert {*NAMES, *ELSEWHERE} == {name for name in own if reads_tests(FORMATS.load(name))}


@pytest.mark.parametrize("what", HELD)
@pytest.mark.parametrize("name", NAMES)
def test_what_a_format_keeps_and_loses(what: str, name: str, tmp_path: Path) -> None:
    cell = TABLE[what][NAMES.index(name)]
    for test in HELD[what]:
        lost = save_test(test, tmp_path / "out.json", format=name)
        lost = [line for line in lost if not line.startswith("nothing in it says")]
        assert bool(lost) == (cell not in ("yes", "1 to 4")), lost
