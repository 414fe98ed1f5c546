"""CMRC 2018's own shape: answers in words alone, lossless both ways."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given

from readmark.core.errors import DataError
from readmark.core.files import read_json
from readmark.core.problems import Problem
from readmark.core.records import Answer, Passage, Question, QuestionKey, RecordKey
from readmark.core.source import Source
from readmark.core.test import Header, in_memory
from readmark.formats.registry import FORMATS, open_test, save_test
from strategies import cmrc2018_documents, random_tests

TEXT = "老街的灯会每年元宵开始，持续十五天😀。"


def query(id: Any = "C1_Q1", **others: Any) -> dict[str, Any]:
    """A query with two people's answers."""
    asked = "灯会什么时候开始？"
    return {"query_id": id, "query_text": asked, "answers": ["元宵", "每年元宵"], **others}


def context(*queries: dict[str, Any], **others: Any) -> dict[str, Any]:
    """A context with its queries."""
    return {
        "context_id": "C1",
        "context_text": TEXT,
        "title": "灯会",
        "qas": list(queries),
        **others,
    }


def saved(path: Path, document: Any) -> Path:
    """The document in a file."""
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def same(one: Any, other: Any) -> bool:
    """Whether two documents are equal, 1 and 1.0 and true told apart."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def test_values_are_read(tmp_path: Path) -> None:
    document = [context(query(hint="灯"), query(8, answers=[]), source="自编")]
    test = open_test(saved(tmp_path / "灯会.json", document))
    assert test.header == Header(name="灯会")
    (passage,) = test.records()
    first, second = passage.questions
    assert (passage.id, passage.text, passage.title) == ("C1", TEXT, "灯会")
    assert passage.key.fields["source"] == "自编"
    assert first == Question(
        id="C1_Q1",
        text="灯会什么时候开始？",
        key=QuestionKey(
            answers=(Answer(text="元宵"), Answer(text="每年元宵")), fields={"hint": "灯"}
        ),
    )
    assert (second.id, second.key) == ("8", QuestionKey())


@pytest.mark.parametrize(
    ("document", "recognised"),
    [
        ([context()], True),
        ([None, context()], True),
        ([], False),
        ([1, 2], False),
        ([{"context": TEXT}], False),
        ({"context_text": TEXT}, False),
    ],
)
def test_it_is_known_by_context_text(tmp_path: Path, document: Any, recognised: bool) -> None:
    source = Source(saved(tmp_path / "a.json", document))
    assert FORMATS.load("cmrc2018").recognises(source) is recognised


@given(cmrc2018_documents())
def test_any_document_comes_back_equal(
    tmp_path_factory: pytest.TempPathFactory, document: list[Any]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    test = open_test(saved(folder / "a.json", document))
    save_test(test, folder / "b.jsonl")
    for one in (test, open_test(folder / "b.jsonl")):
        assert save_test(one, folder / "c.json", format="cmrc2018") == []
        assert same(read_json(folder / "c.json"), document)


@given(random_tests("cmrc2018"))
def test_any_test_comes_back_equal(tmp_path_factory: pytest.TempPathFactory, test: Any) -> None:
    path = tmp_path_factory.getbasetemp() / "made.json"
    assert save_test(test, path, format="cmrc2018") == []
    assert list(open_test(path).records()) == list(test.records())


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_bytes_of_every_sort_survive(tmp_path: Path, suffix: str) -> None:
    text = "\ufeff[\r\n" + json.dumps(context(query(answers=["元宵", "😀"]))) + "\r\n]"
    raw = text.encode()
    packed = {"": raw, ".gz": gzip.compress(raw), ".zst": zstandard.ZstdCompressor().compress(raw)}
    (tmp_path / f"tea.json{suffix}").write_bytes(packed[suffix])
    test = open_test(tmp_path / f"tea.json{suffix}")
    assert test.header.name == "tea"
    save_test(test, tmp_path / f"b.json{suffix}", format="cmrc2018")
    assert same(read_json(tmp_path / f"b.json{suffix}"), json.loads(text[1:]))


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ({"answers": (Answer(text="元宵", start=7),)}, "answers' offsets cannot be stored (1: q1)"),
        (
            {"answers": (Answer(text="元宵", annotator="甲"),)},
            "annotators cannot be stored (1: q1)",
        ),
        (
            {"answers": (Answer(text="元宵", score=0.5),)},
            "answers' scores cannot be stored (1: q1)",
        ),
        ({"plausible": (Answer(text="十五天"),)}, "plausible answers cannot be stored (1: q1)"),
        ({"level": 2}, "levels cannot be stored (1: q1)"),
        ({"difficulty": "Easy"}, "the question's difficulty cannot be stored (1: q1)"),
        (
            {"unanswerable": True},
            "unanswerable questions were written without a mark that they are (1: q1)",
        ),
        (
            {"fields": {"answers": 1}},
            "fields (answers) that have the name of another member cannot be stored (1: q1)",
        ),
    ],
)
def test_losses_of_a_key_are_named(tmp_path: Path, key: dict[str, Any], line: str) -> None:
    question = Question(id="q1", text="？", key=QuestionKey(**key))
    test = in_memory(Header(), [Passage(id="p1", text=TEXT, questions=(question,))])
    assert save_test(test, tmp_path / "a.json", format="cmrc2018") == [line]


def test_losses_of_a_document_of_another_format_are_named(tmp_path: Path) -> None:
    answer = {"text": "元宵", "answer_start": 7, "worker": 4}
    qas = [{"id": "q1", "question": "？", "answers": [answer]}]
    document = {
        "version": "1.1",
        "data": [
            {"id": 3, "editor": "甲", "paragraphs": [{"id": "p1", "context": TEXT, "qas": qas}]},
            {"title": "空", "paragraphs": []},
        ],
    }
    test = open_test(saved(tmp_path / "tea.json", document))
    assert save_test(test, tmp_path / "b.json", format="cmrc2018") == [
        "the header's fields (version) cannot be stored (1: tea)",
        "articles without paragraphs cannot be stored (1: tea)",
        "the passage's article cannot be stored (1: p1)",
        "members (editor) of the article cannot be stored (1: p1)",
        "answers' offsets cannot be stored (1: q1)",
        "members (worker) of answers cannot be stored (1: q1)",
    ]
    (passage,) = open_test(tmp_path / "b.json").records()
    question = Question(id="q1", text="？", key=QuestionKey(answers=(Answer(text="元宵"),)))
    assert passage == Passage(id="p1", text=TEXT, questions=(question,))


def test_fields_become_members_and_members_fields(tmp_path: Path) -> None:
    record = Passage(id="p1", text=TEXT, key=RecordKey(fields={"source": "自编"}))
    save_test(in_memory(Header(), [record]), tmp_path / "a.json", format="cmrc2018")
    assert read_json(tmp_path / "a.json") == [
        {"context_id": "p1", "context_text": TEXT, "qas": [], "source": "自编"}
    ]


@pytest.mark.parametrize(
    ("document", "line"),
    [
        ({"data": []}, " schema: the document is an object, expected an array"),
        ([3], "[0]: schema: the context is 3, expected an object"),
        ([context(), None], "[1]: schema: the context is null, expected an object"),
        (
            [{"context_id": "C1", "qas": []}],
            "C1: schema: context_text is missing, expected text",
        ),
        ([context(qas={})], "C1: schema: qas is an object, expected an array"),
        (
            [context(query(None))],
            "[0].qas[0]: schema: query_id is null, expected text that is not empty",
        ),
        ([context(query(query_text=[]))], "C1_Q1: schema: query_text is an array, expected text"),
        (
            [context(query(answers="元宵"))],
            'C1_Q1: schema: answers is "元宵", expected an array',
        ),
        (
            [context(query(answers=["元宵", {"text": "元宵"}]))],
            "C1_Q1: schema: answers[1] is an object, expected text",
        ),
        ([context(query(), query())], "C1: duplicate_id: id 'C1_Q1' occurs twice"),
        (
            [context(query()), context(query("C1_Q2"))],
            "C1: duplicate_id: passage id 'C1' occurs twice",
        ),
    ],
)
def test_malformed_documents_get_one_line(tmp_path: Path, document: Any, line: str) -> None:
    path = saved(tmp_path / "bad.json", document)
    with pytest.raises(DataError) as caught:
        list(open_test(path, format="cmrc2018").records())
    assert str(caught.value) == f"{path}:{line}"


def test_a_check_collects_problems_and_goes_on(tmp_path: Path) -> None:
    document = [None, context(query(""), query("C1_Q2"))]
    problems: list[Problem] = []
    test = open_test(saved(tmp_path / "a.json", document))
    found = list(test.placed(problems.append))
    assert [(place, [q.id for q in record.questions]) for place, record in found] == [
        ("C1", ["C1_Q2"])
    ]
    assert [one.where for one in problems] == ["[0]", "[1].qas[0]"]


@pytest.mark.golden
def test_the_real_document_comes_back_equal(tmp_path: Path, shared: Path) -> None:
    path = shared / "data" / "cmrc2018" / "trial.original.json.gz"
    test = open_test(path)
    assert (test.facts.records, test.facts.units, test.facts.keyed) == (256, 1002, 1002)
    save_test(test, tmp_path / "native.jsonl.gz")
    for one in (test, open_test(tmp_path / "native.jsonl.gz")):
        assert save_test(one, tmp_path / "again.json", format="cmrc2018") == []
        assert same(read_json(tmp_path / "again.json"), read_json(path))


@pytest.mark.golden
def test_both_spellings_of_the_real_set_hold_the_same_answers(shared: Path) -> None:
    folder = shared / "data" / "cmrc2018"

    def held(name: str) -> dict[str, Any]:
        units = open_test(folder / name).units()
        return {unit.id: (unit.record.text, [a.text for a in unit.key.answers]) for unit in units}

    assert held("trial.original.json.gz") == held("trial.json")
