"""Flat JSON Lines: what comes back of a test, what is named as lost, which files are taken."""

import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.errors import DataError
from readmark.core.fingerprint import text_id
from readmark.core.kinds import kind_named
from readmark.core.problems import Problem
from readmark.core.records import Answer, Layer, Passage, Phrase, Question, QuestionKey
from readmark.core.source import Source
from readmark.core.test import Header, Test, in_memory
from readmark.formats.registry import open_sitting, open_test, save_test
from readmark.formats.sheets import is_rows
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey

TEXT = "小船载着盐，大船载着盐和茶。"
ROW = {
    "id": "q",
    "title": "船",
    "context": TEXT,
    "question": "大船载着什么？",
    "answers": {"text": ["盐和茶"], "answer_start": [10]},
}


def passage(id: str = "p", *questions: Question, **others: Any) -> Passage:
    return Passage(id=id, text=f"{id}说：{TEXT}", questions=questions, **others)


def asked(id: str, key: QuestionKey | None, **others: Any) -> Question:
    return Question(id=id, text=f"{id}问的是什么？", key=key, **others)


def holding(*records: Passage | Series, **header: Any) -> Test:
    return in_memory(Header(name="out", **header), records)


def again(test: Test, folder: Path) -> tuple[Test, list[str]]:
    lost = save_test(test, folder / "out.jsonl", format="flat")
    return open_test(folder / "out.jsonl"), lost


def lines(path: Path, *rows: dict[str, Any]) -> Path:
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows)
    path.write_text(text, encoding="utf-8")
    return path


SPELT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
WORDS = SPELT.filter(bool)
NAMES = st.none() | WORDS.filter(lambda name: name != "publisher")


@st.composite
def keys(draw: st.DrawFn) -> QuestionKey | None:
    if draw(st.booleans()):
        return None
    about = {
        "type": draw(st.none() | SPELT),
        "level": draw(st.none() | st.integers(0, 9)),
        "difficulty": draw(st.none() | SPELT),
    }
    if draw(st.booleans()):
        return QuestionKey(unanswerable=True, **about)
    placed = st.builds(Answer, text=SPELT, start=st.integers(0, 20), annotator=NAMES)
    published = st.lists(st.builds(Phrase, text=SPELT), max_size=2).map(tuple)
    answers = st.lists(placed, max_size=3).map(tuple)
    return QuestionKey(answers=draw(answers), published=draw(published), **about)


@given(st.lists(st.lists(st.tuples(keys(), st.lists(SPELT, max_size=3)), min_size=1), max_size=3),
       st.randoms())  # fmt: skip
def test_both_fingerprints_come_back(
    tmp_path_factory: pytest.TempPathFactory,
    made: list[list[tuple[QuestionKey | None, list[str]]]],
    order: random.Random,
) -> None:
    records = [
        passage(
            f"p{at}",
            *(
                asked(f"{at}-{number}", key, options=tuple(options))
                for number, (key, options) in enumerate(questions)
            ),
            split=order.choice([None, "dev"]),
            genre=order.choice([None, "说明", ""]),
        )
        for at, questions in enumerate(made)
    ]
    test = holding(passage("first", asked("one", QuestionKey(level=1))), *records)
    folder = tmp_path_factory.mktemp("flat")
    found, lost = again(test, folder)
    assert lost == []
    assert list(found.records()) == list(test.records())
    # Lines of a passage belong together wherever they stand.
    path = folder / "out.jsonl"
    mixed = path.read_bytes().split(b"\n")
    order.shuffle(mixed)
    path.write_bytes(b"\n".join(mixed))
    shuffled = open_test(path).facts
    assert (shuffled.paper, shuffled.key) == (test.facts.paper, test.facts.key)


def test_series_come_back(tmp_path: Path) -> None:
    one = SeriesQuestion(
        id="s-1",
        text="他生在哪里？",
        turn=1,
        category="factoid",
        key=SeriesQuestionKey(
            rewrites=(Answer(text="李白生在哪里？"), Answer(text="李白生于何地？"))
        ),
    )
    two = SeriesQuestion(id="s-2", text="后来呢？", turn=2, previous=("碎叶",), previous_of="s-1")
    test = holding(
        Series(id="s", target="李白", target_type="person", split="dev", questions=(one, two)),
        kind="series",
    )
    found, lost = again(test, tmp_path)
    assert (found.header.kind, lost) == ("series", [])
    assert list(found.records()) == list(test.records())


SPAN = Layer(spans=((0, 1),))
KEY = QuestionKey(answers=(Answer(text="茶", start=14),))


@pytest.mark.parametrize(
    ("key", "lost"),
    [
        ({"fields": {"weight": 1.5}}, "fields (weight) cannot be stored (1: q)"),
        ({"fields": {"seen": None, "level": "x"}}, "fields (seen, level) cannot be stored (1: q)"),
        (
            {"fields": {"big": 2**31, "readmark": 1}},
            "fields (big, readmark) cannot be stored (1: q)",
        ),
        ({"layers": {"mention": SPAN}}, "layers (mention) cannot be stored (1: q)"),
        ({"sentences": ((0, 4),)}, "answer sentences cannot be stored (1: q)"),
        ({"plausible": (Answer(text="盐"),)}, "plausible answers cannot be stored (1: q)"),
        (
            {"published": (Phrase(text="茶", layers={"token": SPAN}),)},
            "layers of published keys cannot be stored (1: q)",
        ),
        (
            {"unanswerable": True},
            "answers of questions that are marked unanswerable cannot be stored (1: q)",
        ),
        (
            {"answers": (Answer(text="茶", annotator="publisher"),)},
            "an annotator called 'publisher' cannot be stored (1: q)",
        ),
    ],
)
def test_what_the_columns_cannot_store_is_named(
    key: dict[str, Any], lost: str, tmp_path: Path
) -> None:
    test = holding(passage("p", asked("q", msgspec.structs.replace(KEY, **key))))
    assert again(test, tmp_path)[1] == [lost]


@pytest.mark.parametrize("format", ["flat", "parquet"])
def test_hidden_fields_of_questions_are_columns(format: str, tmp_path: Path) -> None:
    told = [
        {"knowledge": ["matching", "other"], "support": "single", "checked": True, "mixed": 1},
        {"knowledge": [], "rank": -3, "answer": "no key", "mixed": "one"},
        {},
    ]
    questions = [
        asked(f"q{at}", msgspec.structs.replace(KEY, fields=fields))
        for at, fields in enumerate(told)
    ]
    test = holding(passage("p", *questions, asked("q3", None)))
    lost = save_test(test, tmp_path / "out", format=format)
    assert lost == ["fields (mixed) cannot be stored (2: q0, q1)"]
    found = [unit.key for unit in open_test(tmp_path / "out").units()]
    for fields in told:
        fields.pop("mixed", None)
    assert [key.fields for key in found[:3]] == told
    assert found[3] is None


def test_levels_of_two_sorts_and_empty_passages(tmp_path: Path) -> None:
    keyed = [msgspec.structs.replace(KEY, level=level) for level in (3, "难")]
    questions = [asked(f"q{at}", key) for at, key in enumerate(keyed)]
    found, lost = again(holding(passage("p", *questions), passage("empty")), tmp_path)
    assert [unit.key.level for unit in found.units()] == ["3", "难"]
    assert lost == [
        "levels that are numbers are read back as words (1: q0)",
        "passages without questions cannot be stored (1: empty)",
    ]


def test_files_of_others(tmp_path: Path) -> None:
    """As SQuAD stands on the hub: no passage's id, no annotators, columns of their own."""
    rows = [
        ROW,
        {**ROW, "id": 2, "source": "港口", "extra": None},
        {**ROW, "id": "x", "answers": None},
    ]
    test = open_test(lines(tmp_path / "hub.jsonl", *rows))
    assert (test.header.name, test.language) == ("hub", "zh")
    [one] = test.records()
    assert (one.id, one.title) == (text_id(TEXT), "船")
    assert [question.id for question in one.questions] == ["q", "2", "x"]
    assert [question.key for question in one.questions] == [
        QuestionKey(answers=(Answer(text="盐和茶", start=10),)),
        QuestionKey(answers=(Answer(text="盐和茶", start=10),), fields={"source": "港口"}),
        None,
    ]


def test_a_long_first_line_is_recognised(tmp_path: Path) -> None:
    row = {"id": "q", "question": "载着什么？", "context": TEXT * 9000, "answers": {"text": []}}
    for count in (1, 2):
        path = lines(tmp_path / "long.jsonl", *({**row, "id": str(at)} for at in range(count)))
        assert open_test(path).facts.units == count


def test_flat_files_are_no_tables_and_no_predictions(tmp_path: Path) -> None:
    source = Source(lines(tmp_path / "one.jsonl", ROW))
    assert not is_rows(source, "id")
    assert is_rows(Source(lines(tmp_path / "a.jsonl", {"id": "q", "context": "", "question": "",
                                                       "answer": ""})), "id")  # fmt: skip
    assert open_test(source.path).facts.units == 1
    with pytest.raises(DataError, match="JSON Lines without a header"):
        open_sitting(lines(tmp_path / "two.jsonl", ROW, {**ROW, "id": "r"}), kind_named("series"))


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({**ROW, "answers": {"text": ["盐"], "answer_start": []}}, None),
        ({**ROW, "answers": {"text": ["盐"], "answer_start": [1, 2]}}, "differ in length"),
        ({**ROW, "answers": {"text": "盐"}}, "expected array, got str"),
        ({**ROW, "level": 1.5}, "expected int | str | null, got float"),
        ({"id": "z"}, "object missing required field context"),
        ([1], "expected object, got array"),
    ],
)
def test_lines_that_are_none(row: Any, told: str | None, tmp_path: Path) -> None:
    found: list[Problem] = []
    test = open_test(
        lines(tmp_path / "bad.jsonl", ROW, {**row, "id": "z"} if isinstance(row, dict) else row)
    )
    read = list(test.placed(found.append))
    assert len(read) == 1
    if told is None:
        assert found == []
        return
    [problem] = found
    assert (problem.where, problem.code) == (2, "schema")
    assert told in problem.message


def test_one_id_for_two_passages(tmp_path: Path) -> None:
    first = {**ROW, "passage_id": "p"}
    path = lines(tmp_path / "twins.jsonl", first, {**first, "id": "r", "context": "别的。"})
    with pytest.raises(
        DataError, match=r"twins\.jsonl:2: duplicate_id: passage id 'p' occurs twice"
    ):
        list(open_test(path).records())


def test_other_files_are_refused_when_flat_is_asked_for(tmp_path: Path) -> None:
    path = lines(tmp_path / "other.jsonl", {"id": "a", "text": "b"})
    with pytest.raises(DataError, match="expected rows with id, context, question and answers"):
        open_test(path, format="flat")
