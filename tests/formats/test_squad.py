"""SQuAD 1.1, SQuAD 2.0, DRCD and SMART: what is read, what comes back, what is refused."""

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given

from readmark.core.errors import DataError
from readmark.core.files import read_json
from readmark.core.problems import Problem
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.source import Source
from readmark.core.test import Header
from readmark.formats.registry import FORMATS, open_test, save_test
from strategies import random_tests, squad_documents

SHAPES = ("squad", "squad2", "drcd", "smart")
TEXT = "The ferry leaves at nine. 渡轮九点开船😀, e\u0301te\u0301 ou hiver."


def squad(*questions: dict[str, Any], **others: Any) -> dict[str, Any]:
    """A document of one paragraph."""
    paragraph = {"id": "p1", "context": TEXT, "qas": list(questions)}
    return {"version": "1.1", "data": [{"title": "Ferries", "paragraphs": [paragraph]}], **others}


def question(id: str = "q1", **others: Any) -> dict[str, Any]:
    """A question with one true answer."""
    answers = [{"text": "nine", "answer_start": 20}]
    return {"id": id, "question": "When does it leave?", "answers": answers, **others}


def saved(path: Path, document: Any) -> Path:
    """The document in a file."""
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def same(one: Any, other: Any) -> bool:
    """Whether two documents are equal, 1 and 1.0 and true told apart."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def recognisers(path: Path) -> list[str]:
    """The formats that claim a file."""
    every = (*SHAPES, "cmrc2018", "native")
    return [name for name in every if FORMATS.load(name).recognises(Source(path))]


def test_values_are_read(tmp_path: Path) -> None:
    document = squad(
        question(
            answers=[{"id": 2, "text": "nine", "answer_start": 20}],
            plausible_answers=[{"text": "hiver", "answer_start": TEXT.index("hiver")}],
            level=3,
            hint="look at the times",
        ),
        {"id": 7, "question": "Who sails?", "answers": [], "is_impossible": True},
        {"id": "q3", "question": "渡轮几点开船？"},
    )
    document["data"][0]["id"] = 12
    document["data"][0]["paragraphs"][0]["source"] = "own"
    test = open_test(saved(tmp_path / "ferries.json", document))
    assert test.header == Header(name="ferries", fields={"version": "1.1"})
    (passage,) = test.records()
    assert (passage.id, passage.text, passage.title, passage.article) == (
        "p1",
        TEXT,
        "Ferries",
        "12",
    )
    assert passage.key.fields["source"] == "own"
    first, second, third = passage.questions
    assert first.key == QuestionKey(
        answers=(Answer(text="nine", start=20, annotator="2"),),
        plausible=(Answer(text="hiver", start=TEXT.index("hiver")),),
        level=3,
        fields={"hint": "look at the times"},
    )
    assert (second.id, second.key) == ("7", QuestionKey(unanswerable=True))
    assert (third.text, third.key) == ("渡轮几点开船？", None)
    assert test.facts.faulty == ()


def test_a_candidate_sees_no_foreign_member(tmp_path: Path) -> None:
    document = squad(question(hint="nine"), notes="nine")
    document["data"][0]["paragraphs"][0]["summary"] = "nine"
    document["data"][0]["editor"] = "nine"
    (paper,) = open_test(saved(tmp_path / "a.json", document)).paper().records()
    assert paper == Passage(
        id="p1",
        text=TEXT,
        title="Ferries",
        questions=(Question(id="q1", text="When does it leave?"),),
    )


def test_a_paragraph_without_id_is_known_by_its_text(tmp_path: Path) -> None:
    document = squad(question("q1"))
    paragraph = document["data"][0]["paragraphs"][0]
    del paragraph["id"]
    document["data"][0]["paragraphs"].append({**paragraph, "qas": [question("q2")]})
    path = saved(tmp_path / "a.json", document)
    ids = [passage.id for passage in open_test(path).records()]
    digest = hashlib.sha256(TEXT.encode()).hexdigest()[:12]
    assert ids == [digest, digest]
    save_test(open_test(path), tmp_path / "b.json", format="squad")
    assert same(read_json(tmp_path / "b.json"), document)


@pytest.mark.parametrize(
    ("document", "format"),
    [
        (squad(question()), "squad"),
        (squad(question(level="hard")), "squad"),
        (squad(question(), version="v2.0"), "squad2"),
        (squad(question(), question("q2", is_impossible=False)), "squad2"),
        (squad(question(answers=[{"id": "1", "text": "nine", "answer_start": 20}])), "drcd"),
        (squad(question(), question("q2", level=1, is_impossible=True)), "smart"),
        (squad(), "squad"),
        ({"data": []}, "squad"),
    ],
)
def test_exactly_one_format_recognises_a_document(
    tmp_path: Path, document: Any, format: str
) -> None:
    assert recognisers(saved(tmp_path / "a.json", document)) == [format]


@pytest.mark.parametrize(
    "document",
    [[1, 2], {"data": {}}, {"version": "1.1"}, {"data": [{"story": "x"}]}, {"q1": "nine"}, 3],
)
def test_other_documents_are_left_to_others(tmp_path: Path, document: Any) -> None:
    assert not {*recognisers(saved(tmp_path / "a.json", document))} & {*SHAPES}


@given(squad_documents())
def test_any_document_comes_back_equal(
    tmp_path_factory: pytest.TempPathFactory, document: dict[str, Any]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    path = saved(folder / "a.json", document)
    (format,) = recognisers(path)
    test = open_test(path)
    assert save_test(test, folder / "b.json", format=format) == []
    assert same(read_json(folder / "b.json"), document)
    save_test(test, folder / "c.jsonl")
    again = open_test(folder / "c.jsonl")
    assert list(again.records()) == list(test.records())
    assert save_test(again, folder / "d.json", format=format) == []
    assert same(read_json(folder / "d.json"), document)


@pytest.mark.parametrize("format", [*SHAPES, "native"])
def test_any_test_comes_back_equal(tmp_path_factory: pytest.TempPathFactory, format: str) -> None:
    path = tmp_path_factory.getbasetemp() / "made.json"

    @given(random_tests(format))
    def comes_back(test: Any) -> None:
        lost = save_test(test, path, format=format)
        assert [line for line in lost if "reads as" not in line] == []
        assert list(open_test(path, format=format).records()) == list(test.records())

    comes_back()


@given(random_tests("native"))
def test_whatever_a_test_holds_it_can_be_written(
    tmp_path_factory: pytest.TempPathFactory, test: Any
) -> None:
    path = tmp_path_factory.getbasetemp() / "made.json"
    for format in (*SHAPES, "cmrc2018"):
        save_test(test, path, format=format)
        back = list(open_test(path, format=format).records())
        kept = [(one.id, one.text, [(q.id, q.text) for q in one.questions]) for one in back]
        assert kept == [
            (one.id, one.text, [(q.id, q.text) for q in one.questions]) for one in test.records()
        ]


def test_bytes_of_every_sort_survive(tmp_path: Path) -> None:
    # BOM, CRLF between members and inside the text, a surrogate pair as escapes.
    raw = (
        '\ufeff{"version":"1.1",\r\n"data":[{"title":"T","paragraphs":[{"context":'
        '"one\\r\\ntwo \\ud83d\\ude00 e\u0301",\r\n"qas":[{"id":"q","question":"?",'
        '"answers":[{"text":"\\ud83d\\ude00 e\u0301","answer_start":9}]}]}]}]}\r\n'
    ).encode()
    expected = json.loads(raw.decode("utf-8-sig"))
    files = {
        "plain.json": raw,
        "packed.json.gz": gzip.compress(raw),
        "packed.json.zst": zstandard.ZstdCompressor().compress(raw),
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
        test = open_test(tmp_path / name)
        assert test.header.name == name.split(".")[0]
        (passage,) = test.records()
        assert passage.text == "one\r\ntwo 😀 e\u0301"
        assert test.facts.faulty == ()
        save_test(test, tmp_path / f"out-{name}", format="squad")
        assert same(read_json(tmp_path / f"out-{name}"), expected)
    written = (tmp_path / "out-plain.json").read_bytes()
    assert "😀 e\u0301".encode() in written
    assert b"\\u" not in written


def in_paragraph(**members: Any) -> dict[str, Any]:
    document = squad(question())
    document["data"][0]["paragraphs"][0].update(members)
    return document


def with_answer(**members: Any) -> dict[str, Any]:
    return squad(question(answers=[{"text": "nine", "answer_start": 20, **members}]))


MALFORMED = [
    ({"data": {"title": "x"}}, "schema: data is an object, expected an array"),
    ({"version": "1.1"}, "schema: data is missing, expected an array"),
    ([1, 2, 3], "schema: the document is an array, expected an object"),
    ({"data": [1]}, "data[0]: schema: the article is 1, expected an object"),
    ({"data": [None]}, "data[0]: schema: the article is null, expected an object"),
    ({"data": [{"title": "x"}]}, "data[0]: schema: paragraphs is missing, expected an array"),
    (
        {"data": [{"title": ["x"], "paragraphs": []}]},
        "data[0]: schema: title is an array, expected text or a whole number",
    ),
    (
        {"data": [{"paragraphs": ["x"]}]},
        'data[0].paragraphs[0]: schema: the paragraph is "x", expected an object',
    ),
    (
        {"data": [{"paragraphs": [{"context": 3, "qas": []}]}]},
        "data[0].paragraphs[0]: schema: context is 3, expected text",
    ),
    (in_paragraph(context=None), "p1: schema: context is null, expected text"),
    (in_paragraph(qas={"id": "q1"}), "p1: schema: qas is an object, expected an array"),
    (
        in_paragraph(qas=["q1"]),
        'data[0].paragraphs[0].qas[0]: schema: the question is "q1", expected an object',
    ),
    (
        squad({"question": "?", "answers": []}),
        "data[0].paragraphs[0].qas[0]: schema: id is missing, expected text that is not empty",
    ),
    (
        squad(question(True)),  # type: ignore[arg-type]
        "data[0].paragraphs[0].qas[0]: schema: id is true, expected text or a whole number",
    ),
    (squad(question(question=5)), "q1: schema: question is 5, expected text"),
    (squad(question(answers={"text": "x"})), "q1: schema: answers is an object, expected an array"),
    (squad(question(answers=None)), "q1: schema: answers is null, expected an array"),
    (squad(question(answers=["x"])), 'q1: schema: answers[0] is "x", expected an object'),
    (with_answer(text=None), "q1: schema: answers[0].text is null, expected text"),
    (
        with_answer(answer_start="20"),
        'q1: schema: answers[0].answer_start is "20", expected a whole number',
    ),
    (
        with_answer(answer_start=2.5),
        "q1: schema: answers[0].answer_start is 2.5, expected a whole number",
    ),
    (
        squad(question(is_impossible="no")),
        'q1: schema: is_impossible is "no", expected true or false',
    ),
    (
        squad(question(plausible_answers=3)),
        "q1: schema: plausible_answers is 3, expected an array",
    ),
    (squad(question(), question()), "p1: duplicate_id: id 'q1' occurs twice"),
]


@pytest.mark.parametrize(("document", "line"), MALFORMED)
def test_malformed_documents_get_one_line(tmp_path: Path, document: Any, line: str) -> None:
    path = saved(tmp_path / "bad.json", document)
    with pytest.raises(DataError) as caught:
        list(open_test(path, format="squad2").records())
    between = " " if line.startswith("schema") else ""
    assert str(caught.value) == f"{path}:{between}{line}"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "looks like an empty file"),
        ("[1, 2, 3]", "looks like a JSON array"),
        (
            '{"@context": "http://www.w3.org/ns/anno.jsonld", "type": "AnnotationPage"}',
            "Web Annotation, which Readmark read until 0.5; use brat, CoNLL-U or Readmark's own",
        ),
        ('{"data": {"title": "x"}}', "with members data"),
        ('{"data": [{"paragraphs": [{"answer_start": NaN}]}]}', ":1:44: not valid JSON"),
        ('{"data": [{"paragraphs": [', "it ends too early"),
    ],
)
def test_what_is_no_test_says_what_it_looks_like(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        open_test(path)
    assert str(path) in str(caught.value)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("level", "shown"),
    [(0, "0"), (5, "5"), ("3", '"3"'), (2.0, "2.0"), (None, "null"), ([], "an array")],
)
def test_smart_levels_are_1_to_4(tmp_path: Path, level: Any, shown: str) -> None:
    path = saved(tmp_path / "a.json", squad(question(level=1), question("q2", level=level)))
    with pytest.raises(DataError) as caught:
        list(open_test(path).records())
    expected = f"{path}:q2: level: level is {shown}, expected a whole number from 1 to 4"
    assert str(caught.value) == expected


@pytest.mark.parametrize("start", [-1, -5, 21, 500])
def test_a_wrong_place_is_kept_and_found(tmp_path: Path, start: int) -> None:
    path = saved(tmp_path / "a.json", with_answer(answer_start=start))
    test = open_test(path)
    assert test.facts.faulty == ("q1",)
    save_test(test, tmp_path / "b.json", format="squad")
    assert same(read_json(tmp_path / "b.json"), with_answer(answer_start=start))


def test_a_check_collects_problems_and_goes_on(tmp_path: Path) -> None:
    document = squad(question("q1", question=None), question("q2"), question("q3", answers=3))
    document["data"] += [
        None,
        {"paragraphs": [{"qas": []}, {"id": "p9", "context": "x", "qas": []}]},
    ]
    path = saved(tmp_path / "a.json", document)
    problems: list[Problem] = []
    found = [(place, record) for place, record in open_test(path).placed(problems.append)]
    assert [place for place, _ in found] == ["p1", "p9"]
    assert [one.id for one in found[0][1].questions] == ["q2"]
    assert [(one.where, one.code) for one in problems] == [
        ("q1", "schema"),
        ("q3", "schema"),
        ("data[1]", "schema"),
        ("data[2].paragraphs[0]", "schema"),
    ]


def test_no_answers_in_a_labelled_document_is_a_finding(tmp_path: Path) -> None:
    bare = {"id": "q2", "question": "?", "answers": []}
    unlabelled = open_test(saved(tmp_path / "a.json", squad(bare)))
    assert [unit.key for unit in unlabelled.units()] == [None]
    labelled = open_test(saved(tmp_path / "b.json", squad(question(), bare)))
    (passage,) = labelled.records()
    assert [(id, code) for id, code, _ in labelled.kind.findings(passage)] == [("q2", "no_answer")]


@pytest.mark.golden
@pytest.mark.parametrize(
    ("name", "format", "questions", "faulty"),
    [
        ("cmrc2018/trial.json", "squad", 1002, 5),
        ("cmrc2018/train.json.gz", "squad", 10142, 21),
        ("drcd/dev.json.gz", "drcd", 3524, 0),
        ("xquad/en.json", "squad", 738, 0),
        ("xquad/zh.json", "squad", 738, 0),
        ("expmrc/squad.json", "squad", 292, 0),
    ],
)
def test_real_documents_come_back_equal(
    tmp_path: Path, shared: Path, name: str, format: str, questions: int, faulty: int
) -> None:
    path = shared / "data" / name
    assert recognisers(path) == [format]
    test = open_test(path)
    assert (test.facts.units, len(test.facts.faulty)) == (questions, faulty)
    save_test(test, tmp_path / "native.jsonl.zst")
    for one in (test, open_test(tmp_path / "native.jsonl.zst")):
        assert save_test(one, tmp_path / "again.json", format=format) == []
        assert same(read_json(tmp_path / "again.json"), read_json(path))
