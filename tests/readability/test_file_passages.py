"""Passages of files: ids, languages, encodings, folders, and what is noted or refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from readmark.core.errors import DataError
from readmark.readability.file_passages import (
    FilePassage,
    PlacedPassage,
    by_name,
    passages_of,
    reading_notes,
)
from text_folder import CHINESE, EASY, IDS, write_texts


def write_rows(path: Path, *rows: dict[str, Any]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def placed(file: str) -> list[PlacedPassage]:
    """The passages of a file as a command places them."""
    return [
        PlacedPassage(**passage.placed(file, passage.language_or_reason(None, "rater")[0]))
        for passage in passages_of(file, None)
    ]


def test_json_lines_have_ids_and_may_state_a_language(tmp_path: Path) -> None:
    file = write_rows(
        tmp_path / "rows.jsonl",
        {"id": "a", "text": "Hello there."},
        {"id": 3, "text": CHINESE},
        {"id": "f", "text": "Le chat dort.", "language": "fr"},
        {"id": "blank", "text": "Hello.", "language": " "},
    )
    assert list(passages_of(file, None)) == [
        FilePassage("a", "Hello there."),
        FilePassage("3", CHINESE),
        FilePassage("f", "Le chat dort.", "fr"),
        FilePassage("blank", "Hello."),
    ]


def test_a_passage_of_a_test_may_have_another_language(tmp_path: Path) -> None:
    file = write_rows(
        tmp_path / "t.jsonl",
        {"readmark": 1, "kind": "comprehension", "language": "en"},
        {"id": "z", "text": CHINESE, "language": "zh", "questions": []},
        {"id": "e", "text": "The cat sat.", "questions": []},
    )
    assert {passage.id: passage.language for passage in passages_of(file, None)} == {
        "z": "zh",
        "e": "en",
    }


@pytest.mark.parametrize(
    ("passage", "language", "code", "reason"),
    [
        (FilePassage("p", EASY), None, "en", None),
        (FilePassage("p", CHINESE), None, "zh", None),
        (FilePassage("p", EASY), "zh", "zh", None),  # a stated language is believed
        (FilePassage("p", EASY, "fr"), None, "fr", "there is no rater for fr"),
        (
            FilePassage("p", "Это книга о большой собаке."),
            None,
            "und",
            "most of its letters are Cyrillic; there are raters for English and Chinese",
        ),
        (FilePassage("p", "Это книга о большой собаке."), "en", "en", None),
    ],
)
def test_the_language_of_a_passage(
    passage: FilePassage, language: str | None, code: str, reason: str | None
) -> None:
    assert passage.language_or_reason(language, "rater") == (code, reason)


def test_text_that_begins_with_a_bracket_is_plain_text_by_its_suffix(tmp_path: Path) -> None:
    path = tmp_path / "song.txt"
    path.write_text("[Music] The dog ran.", encoding="utf-8")
    assert [passage.text for passage in passages_of(str(path), None)] == ["[Music] The dog ran."]


def test_ids_that_several_passages_have_get_the_file_and_the_language() -> None:
    once = PlacedPassage(file="a.txt", id="once", language="en")
    here = PlacedPassage(file="a.txt", id="p", language="en")
    there = PlacedPassage(file="b.txt", id="p", language="en")
    there_too = PlacedPassage(file="b.txt", id="p", language="zh")
    assert by_name([once, here, there, there_too]) == {
        "once": once,
        "a.txt:p": here,
        "b.txt:p:en": there,
        "b.txt:p:zh": there_too,
    }


def test_the_texts_of_a_folder_have_their_paths_as_ids(tmp_path: Path) -> None:
    folder = str(write_texts(tmp_path))
    passages = placed(folder)
    assert [passage.id for passage in passages] == IDS
    assert passages[-1].language == "zh"
    assert reading_notes([folder], passages) == (
        f"{folder}/unit 1/c.TXT: read as utf-16, it is not UTF-8",
        f"{folder}/猫.txt: read as gb18030, it is not UTF-8",
        f"{folder}: 1 file skipped: no .txt or .text or .md",
    )


def test_several_files_of_one_encoding_are_one_note(tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / f"{number}.txt").write_bytes(EASY.encode("utf-16"))
    assert reading_notes([str(tmp_path)], placed(str(tmp_path))) == (
        f"{tmp_path}: 4 files read as utf-16, they are not UTF-8",
    )


def test_lines_that_are_not_sentences_are_noted(tmp_path: Path) -> None:
    path = tmp_path / "story.txt"
    path.write_text(f"The Mat\n\n{EASY}", encoding="utf-8")
    assert reading_notes([str(path)], placed(str(path))) == (
        f"{path}: 1 line left out, which are not sentences: The Mat",
    )


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("broken.jsonl", b'{"id": "a", "text": "x"}\n{bad\n', ":2:1: malformed JSON"),
        ("twice.jsonl", b'{"id": "a", "text": "x"}\n' * 2, ":2: id 'a' occurs twice"),
        ("number.jsonl", b'{"id": "a", "text": 3}\n', ":1: text: expected a string, found int"),
        ("nameless.jsonl", b'{"text": "x"}\n', ":1: id: expected a string, found nothing"),
        ("binary/x.txt", b"\x80\0\x81", "x.txt: is a binary file, expected text"),
        ("pictures/x.png", b"\x89PNG", "holds neither a test nor texts (.txt, .text, .md)"),
    ],
)
def test_what_cannot_be_read_is_refused(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    file = path if path.parent == tmp_path else path.parent
    with pytest.raises(DataError) as error:
        list(passages_of(str(file), None))
    assert message in str(error.value)
