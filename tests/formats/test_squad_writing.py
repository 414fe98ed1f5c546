"""Writing SQuAD's shape: every loss is named, and what cannot be stored at all is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from readmark.core.errors import DataError, UsageError
from readmark.core.files import read_json
from readmark.core.records import Answer, Layer, Passage, Phrase, Question, QuestionKey
from readmark.core.source import Source
from readmark.core.test import Header, in_memory
from readmark.formats.registry import FORMATS, open_test, save_test
from readmark.series.records import Series

SHAPES = ("squad", "squad2", "drcd", "smart")
TEXT = "The ferry leaves at nine. 渡轮九点开船😀, e\u0301te\u0301 ou hiver."


def keyed(**key: Any) -> QuestionKey:
    return QuestionKey(**{"answers": (Answer(text="nine", start=20),), **key})


def asked(key: QuestionKey | None = None, **others: Any) -> Question:
    return Question(id="q1", text="When does it leave?", key=key, **others)


@pytest.mark.parametrize(
    ("format", "passage", "question", "line"),
    [
        ("squad", {"dateline": "Kiel"}, {}, "the passage's dateline cannot be stored (1: p1)"),
        ("squad2", {"genre": "news"}, {}, "the passage's genre cannot be stored (1: p1)"),
        ("drcd", {"split": "dev"}, {}, "the passage's split cannot be stored (1: p1)"),
        ("smart", {"parallel": "x"}, {}, "the passage's parallel cannot be stored (1: p1)"),
        (
            "squad",
            {"layers": {"token": Layer(spans=((0, 3),)), "np": Layer(spans=())}},
            {},
            "layers (token, np) cannot be stored (1: p1)",
        ),
        (
            "squad",
            {"fields": {"mood": "calm"}},
            {},
            "fields (mood) that candidates see are read back as hidden ones (1: p1)",
        ),
        (
            "squad",
            {"fields": {"qas": 3}},
            {},
            "fields (qas) that have the name of another member cannot be stored (1: p1)",
        ),
        ("squad", {}, {"options": ("a", "b")}, "options cannot be stored (1: q1)"),
        ("squad", {}, {"series": "s"}, "the question's series cannot be stored (1: q1)"),
        ("squad", {}, {"turn": 0}, "the question's turn cannot be stored (1: q1)"),
        (
            "squad",
            {},
            {"key": keyed(published=(Phrase(text="at nine"),))},
            "published keys cannot be stored (1: q1)",
        ),
        (
            "squad",
            {},
            {"key": keyed(sentences=((0, 25),))},
            "answer sentences cannot be stored (1: q1)",
        ),
        ("squad", {}, {"key": keyed(type="when")}, "the question's type cannot be stored (1: q1)"),
        ("squad", {}, {"key": keyed(level=2)}, "levels cannot be stored (1: q1)"),
        (
            "smart",
            {},
            {"key": keyed(level="hard")},
            "levels other than whole numbers from 1 to 4 cannot be stored (1: q1)",
        ),
        (
            "squad2",
            {},
            {"key": keyed(answers=(Answer(text="nine", start=20, annotator="A"),))},
            "annotators cannot be stored (1: q1)",
        ),
        (
            "squad2",
            {},
            {"key": keyed(answers=(Answer(text="nine", start=20, end=25),))},
            "ends of answers that do not follow from start and text cannot be stored (1: q1)",
        ),
        (
            "squad",
            {},
            {"key": QuestionKey(unanswerable=True)},
            "unanswerable questions were written without a mark that they are (1: q1)",
        ),
        (
            "squad",
            {},
            {"key": keyed(answers=(Answer(text="e"), Answer(text="ten"), Answer(text="nine")))},
            "answers without a known place were written with answer_start -1 (2: q1)",
        ),
    ],
)
def test_every_loss_is_named(
    tmp_path: Path, format: str, passage: dict[str, Any], question: dict[str, Any], line: str
) -> None:
    questions = (asked(**{"key": keyed(), **question}),)
    record = Passage(id="p1", text=TEXT, questions=questions, **passage)
    test = in_memory(Header(), [record])
    lost = save_test(test, tmp_path / "a.json", format=format)
    assert [one for one in lost if "reads as" not in one] == [line]


def test_losses_of_the_header_and_of_many(tmp_path: Path) -> None:
    header = Header(language="en", licence="CC0", profile="zh", fields={"version": "v2.0"})
    records = [Passage(id=f"p{n}", text=TEXT, dateline="Kiel") for n in range(7)]
    assert save_test(in_memory(header, records), tmp_path / "a.json", format="squad") == [
        "the header's (language, licence, profile) cannot be stored (1: header)",
        "a version of SQuAD 2.0 was written as 1.1 (1: v2.0)",
        "the passage's dateline cannot be stored (7: p0, p1, p2, p3, p4, …)",
    ]
    assert FORMATS.load("squad").recognises(Source(tmp_path / "a.json"))
    assert save_test(in_memory(Header(), records[:0]), tmp_path / "b.json", format="smart") == [
        "nothing in it says smart: it reads as squad"
    ]


def test_an_answer_without_offsets_gets_its_only_place(tmp_path: Path) -> None:
    answers = tuple(Answer(text=text) for text in ("nine", "渡轮", "e", "ten", ""))
    record = Passage(id="p1", text=TEXT, questions=(asked(QuestionKey(answers=answers)),))
    save_test(in_memory(Header(), [record]), tmp_path / "a.json", format="squad")
    written = read_json(tmp_path / "a.json")["data"][0]["paragraphs"][0]["qas"][0]["answers"]
    assert [one["answer_start"] for one in written] == [20, 26, -1, -1, -1]


@pytest.mark.parametrize("format", [*SHAPES, "cmrc2018"])
def test_other_kinds_are_refused(tmp_path: Path, format: str) -> None:
    test = in_memory(Header(kind="series"), [Series(id="s", target="Kiel")])
    with pytest.raises(UsageError, match=f"only comprehension tests .* as {format}, .* series"):
        save_test(test, tmp_path / "a.json", format=format)
    assert list(tmp_path.iterdir()) == []


def test_passages_of_one_article_stand_together(tmp_path: Path) -> None:
    records = [
        Passage(id="p1", text="one", title="A"),
        Passage(id="p2", text="two", title="A"),
        Passage(id="p3", text="three", title="B", article="b"),
        Passage(id="p4", text="four", title="A"),
    ]
    save_test(in_memory(Header(), records), tmp_path / "a.json", format="squad")
    data = read_json(tmp_path / "a.json")["data"]
    assert [(one.get("title"), one.get("id"), len(one["paragraphs"])) for one in data] == [
        ("A", None, 2),
        ("B", "b", 1),
        ("A", None, 1),
    ]


def test_a_failed_writing_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old", encoding="utf-8")
    record = Passage(id="p1", text="one")
    with pytest.raises(DataError, match="occurs twice"):
        save_test(in_memory(Header(), [record, record]), path, format="squad")
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_own_field_with_the_name_of_the_memory_survives(tmp_path: Path) -> None:
    """``as_written`` is where spellings are kept; a document may use the name itself."""
    for mine in ("words", {"members": 3}, {"without": ["id"]}):
        document = {
            "as_written": mine,
            "data": [{"paragraphs": [{"as_written": mine, "context": "x", "qas": []}]}],
        }
        (tmp_path / "a.json").write_text(json.dumps(document), encoding="utf-8")
        save_test(open_test(tmp_path / "a.json"), tmp_path / "b.json", format="squad")
        assert read_json(tmp_path / "b.json") == document
