"""CANARD: dialogues as series, their history as known answers, two people's rewrites."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.errors import DataError, UsageError
from readmark.core.records import Answer
from readmark.core.test import Header
from readmark.formats.checks import check
from readmark.formats.registry import open_test, save_test
from readmark.series.notation import CANARD_GUIDELINES
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey

OPENING = ["Mary Ames", "Early life"]


def row(number: int, question: str, history: list[str], **others: Any) -> dict[str, Any]:
    return {
        "History": history,
        "QuAC_dialog_id": "C_1",
        "Question": question,
        "Question_no": number,
        **others,
    }


ROWS = [
    row(1, "Where was she born?", OPENING, Rewrite="Where was Mary Ames born?"),
    row(
        2,
        "Did she stay there?",
        [*OPENING, "Where was she born?", "in Ely"],
        Rewrite="Did Mary Ames stay in Ely?",
    ),
]


def saved(path: Path, document: Any) -> Path:
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def gold(text: str) -> SeriesQuestionKey:
    return SeriesQuestionKey(rewrites=(Answer(text=text),), guidelines=CANARD_GUIDELINES)


def test_values_are_read(tmp_path: Path) -> None:
    test = open_test(saved(tmp_path / "dev.json", ROWS[::-1]))
    assert test.header == Header(kind="series", name=f"{tmp_path.name}-dev")
    assert list(test.records()) == [
        Series(
            id="C_1",
            target="Mary Ames",
            topic="Early life",
            questions=(
                SeriesQuestion(
                    id="C_1#1",
                    text="Where was she born?",
                    turn=1,
                    key=gold("Where was Mary Ames born?"),
                ),
                SeriesQuestion(
                    id="C_1#2",
                    text="Did she stay there?",
                    turn=2,
                    previous=("in Ely",),
                    previous_of="C_1#1",
                    key=gold("Did Mary Ames stay in Ely?"),
                ),
            ),
        )
    ]


def test_histories_that_the_rows_do_not_imply(tmp_path: Path) -> None:
    rows = [*ROWS, row(5, "Why?", [*OPENING, "Other?", "no"], odd=1)]
    (series,) = open_test(saved(tmp_path / "a.json", rows)).records()
    assert [question.id for question in series.questions] == ["C_1#1", "C_1#2", "C_1#5"]
    last = series.questions[-1]
    assert (last.previous, last.previous_of) == (("no",), "C_1#2")
    assert last.fields == {"history": [*OPENING, "Other?", "no"]}
    assert last.key == SeriesQuestionKey(fields={"odd": 1})
    # The first question of the dialogue is not here.
    rows = [row(2, "Why?", [*OPENING, "Who?", "Ames"], Rewrite="Why Ames?")]
    (series,) = open_test(saved(tmp_path / "b.json", rows)).records()
    assert (series.target, series.topic) == ("Mary Ames", "Early life")
    assert series.questions[0].previous == ("Ames",)
    rows = [row(1, "Who?", []), row(2, "Why?", [])]
    (series,) = open_test(saved(tmp_path / "c.json", rows)).records()
    assert (series.target, series.topic) == ("", None)
    assert [question.fields for question in series.questions] == [{}, {"history": []}]


def test_two_people(tmp_path: Path) -> None:
    pairs = [["Who was Ames ?", "Who was Mary Ames ?"], ["Why ?", "Why ?"]]
    test = open_test(saved(tmp_path / "multiple_refs.json", pairs))
    assert (test.facts.units, test.facts.several) == (2, 2)
    first = next(iter(test.units()))
    assert [(rewrite.annotator, rewrite.text) for rewrite in first.key.rewrites] == [
        ("1", "Who was Ames ?"),
        ("2", "Who was Mary Ames ?"),
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"Question": None}, "C_1: schema: Question is null, expected text"),
        ({"QuAC_dialog_id": ""}, '[0]: schema: QuAC_dialog_id is "", expected text'),
        ({"History": "Mary"}, 'C_1: schema: History is "Mary", expected an array'),
        ({"History": [1]}, "C_1: schema: History contains something that is not text"),
        ({"Question_no": "x"}, 'C_1: schema: Question_no is "x", expected a whole number'),
        ({"Rewrite": 3}, "C_1: schema: Rewrite is 3, expected text"),
    ],
)
def test_faults(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    path = saved(tmp_path / "x.json", [{**ROWS[0], **change}, ROWS[1]])
    lines = [str(problem) for problem in check(str(path))]
    assert len(lines) == 1
    assert lines[0].startswith(f"{path}:{message}")
    with pytest.raises(DataError):
        list(open_test(path).records())


def test_an_empty_target(tmp_path: Path) -> None:
    path = saved(tmp_path / "x.json", [row(1, "Who?", ["", "x"])])
    assert [str(problem) for problem in check(str(path))] == [
        f"{path}:C_1: empty_text: the series has no target"
    ]


WORDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)


@st.composite
def series_tests(draw: st.DrawFn) -> list[Series]:
    """Series that the format holds whole."""
    records = []
    for id in draw(st.lists(WORDS, unique=True, min_size=1, max_size=3)):
        questions = []
        for at in range(1, draw(st.integers(1, 4)) + 1):
            rewrite = draw(st.none() | WORDS)
            questions.append(
                SeriesQuestion(
                    id=f"{id}#{at}",
                    text=draw(WORDS),
                    turn=at,
                    previous=(draw(WORDS),) if at > 1 else (),
                    previous_of=f"{id}#{at - 1}" if at > 1 else None,
                    key=None if rewrite is None else gold(rewrite),
                )
            )
        records.append(
            Series(id=id, target=draw(WORDS), topic=draw(WORDS), questions=tuple(questions))
        )
    return records


def _rows(series: Series) -> list[dict[str, Any]]:
    """A series in CANARD's shape."""
    history = [series.target, series.topic or ""]
    rows = []
    for number, question in enumerate(series.questions, 1):
        history = [*history, *question.previous]
        rows.append(
            {
                "History": history,
                "QuAC_dialog_id": series.id,
                "Question": question.text,
                "Question_no": number,
                **({"Rewrite": question.key.rewrites[0].text} if question.key else {}),
            }
        )
        history = [*history, question.text]
    return rows


@given(records=series_tests())
def test_any_dialogues_are_read(
    tmp_path_factory: pytest.TempPathFactory, records: list[Series]
) -> None:
    path = tmp_path_factory.mktemp("canard") / "t.json"
    saved(path, [row for series in records for row in _rows(series)])
    assert list(open_test(path).records()) == records


def test_it_is_not_written(tmp_path: Path) -> None:
    test = open_test(saved(tmp_path / "dev.json", ROWS))
    with pytest.raises(UsageError, match="tests cannot be written as 'canard', only as native, "):
        save_test(test, tmp_path / "again.json", format="canard")


@pytest.mark.golden
def test_the_release(shared: Path) -> None:
    path = shared / "data/canard/dev.json.gz"
    facts = open_test(path).facts
    assert (facts.records, facts.units, facts.keyed) == (262, 1841, 1841)
    assert list(check(str(path))) == []
    facts = open_test(shared / "data/canard/multiple_refs.json").facts
    assert (facts.units, facts.several) == (100, 100)
