"""Gold rewrites in one document: guidelines, annotators, what else a test says, both ways."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.errors import DataError
from readmark.core.fingerprint import text_id
from readmark.core.records import Answer
from readmark.core.test import Header, in_memory
from readmark.formats.checks import check
from readmark.formats.registry import open_test, save_test
from readmark.series.notation import OTHER_TEXT
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey

RULES = "The full target stands for pronouns."
VERSION = f"guidelines {text_id(RULES)}"


def saved(path: Path, document: Any) -> Path:
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def document(*questions: Any, **others: Any) -> dict[str, Any]:
    series = {"year": 2004, "target_id": "7", "target": "Mary Ames", "questions": list(questions)}
    return {"guidelines": RULES, "series": [series], **others}


def asked(**others: Any) -> dict[str, Any]:
    return {"id": "7.1", "question": "Who was she?", "gold": ["Who was Mary Ames?"], **others}


def test_values_are_read(tmp_path: Path) -> None:
    other = {"id": "7.2", "question": "Anything else?", "category": "OTHER"}
    more = asked(
        gold=["Who was Ames?", "Who was Mary Ames?"],
        annotators=["ann", None],
        guidelines="1.1",
        previous=["Ely"],
        previous_of="7.0",
        refers="7.0",
        note="x",
    )
    path = saved(tmp_path / "gold.json", document(more, other, asked(id="7.3")))
    test = open_test(path)
    assert test.header == Header(kind="series", name="gold", fields={"guidelines": RULES})
    (series,) = test.records()
    assert (series.id, series.target, series.fields) == ("7", "Mary Ames", {"year": 2004})
    assert series.questions == (
        SeriesQuestion(
            id="7.1",
            text="Who was she?",
            turn=1,
            previous=("Ely",),
            previous_of="7.0",
            key=SeriesQuestionKey(
                rewrites=(
                    Answer(text="Who was Ames?", annotator="ann"),
                    Answer(text="Who was Mary Ames?"),
                ),
                guidelines="1.1",
                refers="7.0",
                fields={"note": "x"},
            ),
        ),
        SeriesQuestion(id="7.2", text="Anything else?", turn=2, category="OTHER"),
        SeriesQuestion(
            id="7.3",
            text="Who was she?",
            turn=3,
            key=SeriesQuestionKey(
                rewrites=(Answer(text="Who was Mary Ames?"),), guidelines=VERSION
            ),
        ),
    )
    assert (test.facts.units, test.facts.keyed) == (3, 2)
    assert {problem.code for problem in check(str(path))} == {"no_such_question"}


@pytest.mark.parametrize(
    ("json_document", "message"),
    [
        ({"series": [{"target": "x", "questions": []}]}, "series[0]: schema: target_id is missing"),
        (document(3), "7.questions[0]: schema: the question is 3, expected an object"),
        (document({"question": "Who?"}), "7.questions[0]: schema: id is missing"),
        (document({"id": "a"}), "a: schema: question is missing, expected text"),
        (document(asked(gold="x")), '7.1: schema: gold is "x", expected an array'),
        (document(asked(gold=[3])), "7.1: schema: gold[0] is 3, expected text"),
        (document(asked(annotators=[])), "7.1: schema: annotators and gold differ in length"),
        (document(asked(annotators=[1])), "7.1: schema: an annotator is 1, expected text or null"),
        (document(asked(gold=[])), "7.1: no_answer: has a key without rewrites"),
        (document(asked(gold=[" "])), "7.1: empty_answer: a gold rewrite has no text"),
        (document(asked(gold=list("abcd"))), "7.1: too_many_golds: 4 golds, expected 3 at most"),
        (
            document(asked(gold=["Where is PREVIOUS_ANSWER?", "Where?"])),
            "7.1: no_earlier_question: PREVIOUS_ANSWER where no earlier question can supply it",
        ),
    ],
)
def test_check_tells(tmp_path: Path, json_document: Any, message: str) -> None:
    path = saved(tmp_path / "x.json", json_document)
    lines = [
        str(problem)
        for problem in check(str(path))
        if problem.code not in ("empty", "no_questions")
    ]
    assert len(lines) == 1
    assert lines[0].startswith(f"{path}:{message}")


@pytest.mark.parametrize("json_document", [[], {"series": 3}, {"guidelines": {}, "series": []}])
def test_other_documents(tmp_path: Path, json_document: Any) -> None:
    with pytest.raises(DataError, match="schema"):
        open_test(saved(tmp_path / "x.json", json_document), format="series_gold")


def test_an_other_question_has_no_gold_and_the_template(tmp_path: Path) -> None:
    other = {"id": "7.2", "question": "Other", "category": "OTHER", "gold": []}
    path = saved(tmp_path / "gold.json", document(asked(), other))
    _, read = next(iter(open_test(path).records())).questions
    assert (read.text, read.key) == (OTHER_TEXT, None)
    assert list(check(str(path))) == []


WORDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
LABELS = st.none() | WORDS


@st.composite
def series_tests(draw: st.DrawFn) -> tuple[Header, list[Series]]:
    """Tests that the format holds whole."""
    rules = draw(LABELS)
    header = Header(
        kind="series", name="golds", fields={} if rules is None else {"guidelines": rules}
    )
    records = []
    for id in draw(st.lists(WORDS, unique=True, min_size=1, max_size=3)):
        questions = []
        for at in range(1, draw(st.integers(0, 3)) + 1):
            golds = draw(st.none() | st.lists(st.tuples(WORDS, LABELS), max_size=3))
            key = None
            if golds is not None:
                rewrites = tuple(Answer(text=text, annotator=who) for text, who in golds)
                key = SeriesQuestionKey(
                    rewrites=rewrites, guidelines=draw(LABELS), refers=draw(LABELS)
                )
            questions.append(
                SeriesQuestion(
                    id=f"{id}.{at}",
                    text=draw(WORDS),
                    turn=at,
                    category=draw(LABELS),
                    previous=tuple(draw(st.lists(WORDS, max_size=2))),
                    previous_of=draw(LABELS),
                    key=key,
                )
            )
        records.append(
            Series(
                id=id,
                target=draw(WORDS),
                target_type=draw(LABELS),
                split=draw(LABELS),
                topic=draw(LABELS),
                fields=draw(st.sampled_from([{}, {"year": 2007}])),
                questions=tuple(questions),
            )
        )
    return header, records


@given(header_and_records=series_tests())
def test_round_trip(
    tmp_path_factory: pytest.TempPathFactory, header_and_records: tuple[Header, list[Series]]
) -> None:
    header, records = header_and_records
    path = tmp_path_factory.mktemp("gold") / "golds.json"
    assert save_test(in_memory(header, records), path, format="series_gold") == []
    again = open_test(path, format="series_gold")
    assert again.header == header
    assert list(again.records()) == records


def test_losses_are_named(tmp_path: Path) -> None:
    question = SeriesQuestion(id="a", text="Who?", turn=3, fields={"mine": 1})
    series = Series(id="s", target="T", language="en", questions=(question,))
    header = Header(kind="series", name="t", licence="CC0-1.0")
    assert save_test(in_memory(header, [series]), tmp_path / "t.json", format="series_gold") == [
        "the header's (licence) cannot be stored (1: t)",
        "the series' language cannot be stored (1: s)",
        "turns are read back as places in the series (1: a)",
        "fields (mine) cannot be stored (1: a)",
    ]


@pytest.mark.golden
def test_the_gold_comes_back(shared: Path, tmp_path: Path) -> None:
    path = shared / "golden/series_gold.json"
    test = open_test(path)
    assert (test.facts.records, test.facts.units, test.facts.keyed) == (24, 141, 141)
    assert list(check(str(path))) == []
    assert save_test(test, tmp_path / "again.json", format="series_gold") == []
    assert json.loads((tmp_path / "again.json").read_text()) == json.loads(path.read_text())
