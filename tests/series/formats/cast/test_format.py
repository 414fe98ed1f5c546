"""CAsT's files: JSON of all years, text, resolved TSV; rewrites as golds and as a sitting."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import readmark
from readmark.core.errors import DataError, UsageError
from readmark.core.kinds import kind_named
from readmark.core.records import Answer, RecordKey
from readmark.core.source import Source
from readmark.core.test import Header
from readmark.formats.checks import check
from readmark.formats.conversion import convert
from readmark.formats.registry import FORMATS, open_sitting, open_test, save_test
from readmark.series.notation import CAST_GUIDELINES
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey

SERIES = kind_named("series")


def turn(number: Any, raw: str, manual: str | None = None, **members: Any) -> dict[str, Any]:
    members_of_turn = {"number": number, "raw_utterance": raw, **members}
    return (
        members_of_turn
        if manual is None
        else {**members_of_turn, "manual_rewritten_utterance": manual}
    )


def topic(*turns: dict[str, Any], number: Any = 5, **members: Any) -> dict[str, Any]:
    return {"number": number, "turn": list(turns), **members}


def saved(path: Path, document: Any) -> Path:
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def said(number: str, parent: str | None, text: str, *, system: bool = False) -> dict[str, Any]:
    """A turn of a tree of 2022."""
    members_of_turn: dict[str, Any] = {
        "number": number,
        "participant": "System" if system else "User",
    }
    if parent is not None:
        members_of_turn["parent"] = parent
    if system:
        return members_of_turn | {"response": text}
    return members_of_turn | {"utterance": text, "manual_rewritten_utterance": f"{text} (in full)"}


TREE = topic(
    said("1-1", None, "What is a lock?"),
    said("1-2", "1-1", "A chamber between two levels.", system=True),
    said("1-3", "1-2", "Who keeps it?"),
    said("2-1", "1-2", "How deep is it?"),
    said("2-2", "2-1", "Two metres.", system=True),
    number=132,
)


def test_json_is_read(tmp_path: Path) -> None:
    document = [
        topic(
            turn(1, "What is a lock?", "What is a lock?"),
            turn(2, "Who keeps it?", "Who keeps a lock?", automatic_rewritten_utterance="Who?"),
            turn(3, "And a weir?"),
            title="canals",
            description="Locks and weirs.",
            odd=[1],
        )
    ]
    test = open_test(saved(tmp_path / "topics.json", document))
    assert test.header == Header(kind="series", name="topics")
    (series,) = test.records()
    assert series == Series(
        id="5",
        target="canals",
        fields={"description": "Locks and weirs."},
        key=RecordKey(fields={"odd": [1]}),
        questions=(
            SeriesQuestion(
                id="5_1",
                text="What is a lock?",
                turn=1,
                key=SeriesQuestionKey(
                    rewrites=(Answer(text="What is a lock?"),), guidelines=CAST_GUIDELINES
                ),
            ),
            SeriesQuestion(
                id="5_2",
                text="Who keeps it?",
                turn=2,
                key=SeriesQuestionKey(
                    rewrites=(Answer(text="Who keeps a lock?"),),
                    guidelines=CAST_GUIDELINES,
                    fields={"automatic_rewritten_utterance": "Who?"},
                ),
            ),
            SeriesQuestion(id="5_3", text="And a weir?", turn=3),
        ),
    )
    assert (test.facts.units, test.facts.keyed) == (3, 2)


def test_ways_through_a_tree(tmp_path: Path) -> None:
    path = saved(tmp_path / "tree.json", [TREE])
    first, second = open_test(path, format="cast(responses=true)").records()
    assert (first.id, second.id) == ("132", "132#2")
    assert [question.id for question in first.questions] == ["132_1-1", "132_1-3"]
    assert [question.id for question in second.questions] == ["132_1-1#2", "132_2-1"]
    assert first.questions[1].previous == ("A chamber between two levels.",)
    assert first.questions[1].previous_of == "132_1-1"
    assert second.questions[1].previous == ("A chamber between two levels.",)
    # A turn of several conversations is marked once.
    assert second.questions[0].key is None
    assert second.questions[0].fields == {"repeats": "132_1-1"}
    assert first.questions[0].key.fields == {"response": "A chamber between two levels."}
    assert not any(
        question.previous for series in open_test(path).records() for question in series.questions
    )


def test_conversations_have_no_target_by_design(tmp_path: Path) -> None:
    document = [topic(turn(1, "What is a lock?"), turn(2, "Who keeps it?", "Who keeps a lock?"))]
    path = saved(tmp_path / "topics.json", document)
    assert list(check(str(path))) == []
    native = tmp_path / "native.jsonl"
    convert(str(path), native)
    assert list(check(str(native))) == []
    sitting = readmark.sit(open_test(path), "append", tmp_path / "s.jsonl")
    assert any(
        "2 questions are unchanged: their series have no target to append" in note
        for note in sitting.notes
    )


def test_turns_that_repeat_are_said_to(tmp_path: Path) -> None:
    path = saved(tmp_path / "tree.json", [TREE])
    test = open_test(path)
    marks = readmark.mark(test, {unit.id: "What is a lock?" for unit in test.units()})
    assert any(
        "left out: 1 of them repeat a turn of an earlier conversation" in note
        for note in marks.notes
    ), marks.notes


def test_flattened_conversations(tmp_path: Path) -> None:
    question, two = said("1-1", None, "What is a lock?"), said("1-3", None, "Who keeps it?")
    document = [topic(question, two), topic(question, said("2-1", None, "How deep is it?"))]
    first, second = open_test(saved(tmp_path / "flat.json", document)).records()
    assert [question.id for question in (*first.questions, *second.questions)] == [
        "5_1-1",
        "5_1-3",
        "5_1-1#2",
        "5_2-1",
    ]


TOPICS = """Number: 5
Title: canals
Description: Locks and weirs.
1\tWhat is a lock?
2\tWho keeps it?

Number: 6
Title: kites
1\tWho flew the first?
"""
RESOLVED = "5_1\tWhat is a lock?\n5_2\tWho keeps a lock?\n"


def test_text_with_resolved_questions_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "evaluation_topics_v1.0.txt"
    path.write_text(TOPICS, encoding="utf-8")
    first, second = open_test(path).records()
    assert (first.id, first.target, first.fields) == (
        "5",
        "canals",
        {"description": "Locks and weirs."},
    )
    assert [(question.id, question.text) for question in first.questions] == [
        ("5_1", "What is a lock?"),
        ("5_2", "Who keeps it?"),
    ]
    assert second.questions[0].key is None
    resolved = tmp_path / "evaluation_topics_annotated_resolved_v1.0.tsv"
    resolved.write_text(RESOLVED, encoding="utf-8")
    first, second = open_test(path).records()
    assert first.questions[1].key.rewrites == (Answer(text="Who keeps a lock?"),)
    assert second.questions[0].key is None
    assert list(open_test(resolved).records()) == [first]
    alone, _ = open_test(path, format="cast(companions=false)").records()
    assert alone.questions[0].key is None
    sitting = open_sitting(resolved, SERIES)
    assert {id: sitting.of(id)[0].answer for id in sitting} == {
        "5_1": "What is a lock?",
        "5_2": "Who keeps a lock?",
    }


def test_topics_without_numbers(tmp_path: Path) -> None:
    path = tmp_path / "sample.txt"
    path.write_text("Title: canals\nDescription: x\nWhat is a lock?\nWho?\n\nTitle: kites\nWhy?\n")
    first, second = open_test(path).records()
    assert [question.id for question in (*first.questions, *second.questions)] == [
        "1_1",
        "1_2",
        "2_1",
    ]


def test_titles_from_the_file_beside(tmp_path: Path) -> None:
    path = saved(tmp_path / "2020_manual_topics.json", [topic(turn(1, "Who?", "Who keeps it?"))])
    assert next(iter(open_test(path).records())).target == ""
    assert list(check(str(path))) == []  # a conversation needs no title
    saved(tmp_path / "topics_annotated.json", [topic(turn(1, "Who then?"), title="canals")])
    (series,) = open_test(path).records()
    assert (series.target, series.questions[0].text) == ("canals", "Who?")


def test_automatic_rewrites_are_a_sitting(tmp_path: Path) -> None:
    document = [
        topic(
            turn(1, "What is a lock?", "What is a lock?"),
            turn(2, "Who keeps it?", "Who keeps a lock?", automatic_rewritten_utterance="Who?"),
        )
    ]
    path = saved(tmp_path / "topics.json", document)
    sitting = open_sitting(path, SERIES)
    assert sitting.candidate == "topics automatic"
    assert [(id, sitting.of(id)[0].answer) for id in sitting] == [("5_2", "Who?")]
    done = convert(path, tmp_path / "auto.jsonl", from_format="cast_automatic")
    assert done.format == "sitting"
    again = open_sitting(tmp_path / "auto.jsonl", SERIES)
    assert again.header.kind == "series"
    assert dict(again.rows) == dict(sitting.rows)
    # Without being asked for as such, the file is a test.
    assert convert(path, tmp_path / "test.jsonl").format == "native"


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([topic(turn(1, "Who?")), 3], "[1]: schema: the topic is 3, expected an object"),
        ([{"turn": [turn(1, "Who?")]}], "[0]: schema: number is null, expected the topic's number"),
        ([topic(turn(None, "Who?"))], "5.turn[0]: schema: number is null"),
        ([topic({"number": 1, "manual_rewritten_utterance": "x"})], "5.turn[0]: schema: raw_utter"),
        ([topic(turn(1, "Who?"), 7)], "5.turn[1]: schema: the turn is 7, expected an object"),  # type: ignore[arg-type]
        ([topic(turn(1, "Who?", parent="9"))], "5: schema: turn '1' has an unknown parent '9'"),
        (
            [topic(turn("1", "Who?", parent="2"), turn("2", "Why?", parent="1"))],
            "5: schema: the turns' parents form a circle",
        ),
        ([topic(turn(1, "Who?"), turn(1, "Why?"))], "5: duplicate_id: id '5_1' occurs twice"),
    ],
)
def test_faults(tmp_path: Path, document: Any, message: str) -> None:
    path = saved(tmp_path / "x.json", document)
    lines = [
        str(problem) for problem in check(str(path)) if problem.code not in ("empty_text", "empty")
    ]
    assert len(lines) == 1
    assert lines[0].startswith(f"{path}:{message}")
    with pytest.raises(DataError):
        list(open_test(path).records())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("5_1\tWhat?\n5_1\tWhy?\n", "2: '5_1' occurs twice, first at line 1"),
        ("5_1\tWhat?\n5_2 Why?\n", "2: expected TOPIC_TURN, a tab and a question"),
        ("5_1\tWhat?\n5_9\tWhy?\n", "2: schema: '5_9' is not a turn of the topics file next to it"),
    ],
)
def test_faults_of_resolved_questions(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "evaluation_topics.txt").write_text(TOPICS)
    path = tmp_path / "evaluation_resolved.tsv"
    path.write_text(text)
    with pytest.raises(DataError) as caught:
        list(open_test(path, format="cast(companions=false)").records())
    assert str(caught.value).startswith(f"{path}:{message}")


def test_resolved_questions_alone(tmp_path: Path) -> None:
    path = tmp_path / "evaluation_resolved.tsv"
    path.write_text(RESOLVED)
    with pytest.raises(DataError, match="has resolved questions alone"):
        list(open_test(path).records())


def test_other_files_are_not_taken_for_it(tmp_path: Path) -> None:
    recognises = FORMATS.load("cast").recognises
    for text in ("", "[]", "[1]", '[{"turn": 1}]', "Title: a poem\n\nOnce", "a_b\tc", "1\tWho"):
        path = tmp_path / "x"
        path.write_text(text)
        assert not recognises(Source(path))


WORDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)


@st.composite
def series_tests(draw: st.DrawFn) -> list[Series]:
    """Series that the format holds whole."""
    numbers = draw(st.lists(st.integers(0, 99), unique=True, min_size=1, max_size=3))
    records = []
    for number in numbers:
        questions = []
        for at in range(1, draw(st.integers(1, 3)) + 1):
            gold = draw(st.none() | WORDS)
            fields = draw(st.sampled_from([{}, {"automatic_rewritten_utterance": "x"}]))
            key = None
            if gold is not None:
                key = SeriesQuestionKey(
                    rewrites=(Answer(text=gold),), guidelines=CAST_GUIDELINES, fields=fields
                )
            elif fields:
                key = SeriesQuestionKey(fields=fields)
            questions.append(
                SeriesQuestion(id=f"{number}_{at}", text=draw(WORDS), turn=at, key=key)
            )
        described = draw(st.none() | WORDS)
        records.append(
            Series(
                id=str(number),
                target=draw(st.just("") | WORDS),
                fields={} if described is None else {"description": described},
                questions=tuple(questions),
            )
        )
    return records


def _topic(series: Series) -> dict[str, Any]:
    """A series in the shape of 2020."""
    turns = []
    for question in series.questions:
        key = question.key or SeriesQuestionKey()
        manual = key.rewrites[0].text if key.rewrites else None
        turns.append(turn(question.turn, question.text, manual, **key.fields))
    titled = {"title": series.target} if series.target else {}
    return topic(*turns, number=int(series.id), **titled, **series.fields)


@given(records=series_tests())
def test_any_topics_are_read(
    tmp_path_factory: pytest.TempPathFactory, records: list[Series]
) -> None:
    path = saved(tmp_path_factory.mktemp("cast") / "t.json", list(map(_topic, records)))
    read = list(open_test(path, format="cast").records())
    assert [series.fields.pop("conversation", False) for series in read] == [
        not series.target for series in records
    ]
    assert read == records


def test_it_is_not_written(tmp_path: Path) -> None:
    test = open_test(saved(tmp_path / "tree.json", [TREE]))
    with pytest.raises(UsageError, match="tests cannot be written as 'cast', only as native, "):
        save_test(test, tmp_path / "again.json", format="cast")


@pytest.mark.golden
def test_all_files(shared: Path) -> None:
    folder = shared / "data/trec_cast"
    counts = {
        "2019/evaluation_topics_v1.0.json": (50, 479, 479),
        "2019/evaluation_topics_v1.0.txt": (50, 479, 479),
        "2019/evaluation_topics_annotated_resolved_v1.0.tsv": (50, 479, 479),
        "2019/train_topics_v1.0.json": (30, 269, None),
        "2019/train_topics_v1.0.txt": (30, 269, None),
        "2020/2020_manual_evaluation_topics_v1.0.json": (25, 216, 216),
        "2020/2020_automatic_evaluation_topics_v1.0.json": (25, 216, 0),
        "2020/automatic_evaluation_topics_annotated_v1.1.json": (25, 217, 212),
    }
    for name, (series, questions, keyed) in counts.items():
        facts = open_test(folder / name).facts
        assert (facts.records, facts.units) == (series, questions), name
        assert keyed is None or facts.keyed == keyed, name
    sitting = open_sitting(folder / "2020/2020_manual_evaluation_topics_v1.0.json", SERIES)
    assert len(list(sitting)) == 216
