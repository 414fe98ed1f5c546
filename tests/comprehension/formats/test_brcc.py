"""BRCC files: the document's own example, sides and ids, spellings kept, and what is wrong."""

import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brcc_files import CANONICAL, TABLE_9, TEXTS, in_language, one, put, side
from readmark.comprehension.brcc.format import BRCC
from readmark.core.errors import DataError, UsageError
from readmark.core.problems import Problem
from readmark.core.records import Layer, Passage, Question, RecordKey
from readmark.core.source import Source
from readmark.core.test import Header, in_memory
from readmark.formats.checks import check
from readmark.formats.registry import (
    folder_of_languages,
    open_languages,
    open_test,
    save_test,
    save_tests,
)


def problems(path: Path) -> list[tuple[int | str, str, str]]:
    """What is wrong in the file, as its first language tells."""
    reported: list[Problem] = []
    list(open_languages(path)[0].stream(reported.append))
    return [(problem.where, problem.code, problem.message) for problem in reported]


def columns(layer: Layer) -> dict[str, list[object]]:
    return {
        name: [cell for cell in cells if cell is not None] for name, cells in layer.columns.items()
    }


@pytest.mark.parametrize(("language", "phrases"), [("en", 12), ("zh", 13)])
def test_table_9(tmp_path: Path, language: str, phrases: int) -> None:
    passage = one(put(tmp_path, TABLE_9), language)
    assert (passage.text, *(each.text for each in passage.questions)) == TEXTS[language]
    assert len(passage.layers["np"].spans) == phrases
    types = ["LOCATION"] * 2 + ["TIME"] * (4 if language == "en" else 0)
    assert columns(passage.layers["ne"]) == {"type": types}
    assert passage.key is not None
    assert columns(passage.key.layers["mention"]) == {"id": [1], "ref": [1]}
    first, second = passage.questions
    assert [len(each.layers["np"].spans) for each in passage.questions] == [2, 2]
    assert first.key is not None
    assert second.key is not None
    [[start, end]] = first.key.sentences
    [[begin, stop]] = second.key.sentences
    ends = {"en": ("Image", "States.", "You can", "week."), "zh": ("想像", "程。", "你可", "时。")}
    quotes = passage.text[start:end], passage.text[begin:stop]
    for quote, (opening, closing) in zip(
        quotes, (ends[language][:2], ends[language][2:]), strict=True
    ):
        assert quote.startswith(opening)
        assert quote.endswith(closing)


def loosely(written: str) -> list[str]:
    """Tags without white space in them, and words; white space beside a tag does not count."""
    return [" ".join(piece.split()) for piece in re.findall(r"<[^>]*>|[^<>\s]+", written)]


def test_table_9_writes_back_equal(tmp_path: Path) -> None:
    path = put(tmp_path, TABLE_9)
    tests = [side(path, language) for language in ("en", "zh")]
    again = tmp_path / "again.brcc"
    assert save_tests(tests, again, format="brcc") == []
    for language, test in zip(("en", "zh"), tests, strict=True):
        assert list(side(again, language).records()) == list(test.records())
    # Every annotated text as it was typed, to the last line break.
    written = again.read_text("utf-8")
    for body in re.split(r"^(?:English|Chinese) \w+$|^\d\. ", TABLE_9, flags=re.MULTILINE):
        assert body.strip() in written
    # Without the remembered spelling: the same tags and the same words, in canonical spacing.
    bare = [
        in_memory(test.header, [unremembered(each) for each in test.records()]) for test in tests
    ]
    assert save_tests(bare, again, format="brcc") == []
    assert loosely(again.read_text("utf-8")) == ["Passage:", "1", *loosely(TABLE_9)]


def unremembered(passage: Passage) -> Passage:
    assert passage.key is not None
    return msgspec.structs.replace(passage, key=RecordKey(layers=passage.key.layers))


def test_the_canonical_spelling_gives_the_same_bytes(tmp_path: Path) -> None:
    path = put(tmp_path, CANONICAL)
    again = tmp_path / "again.brcc"
    tests = [side(path, language) for language in ("en", "zh")]
    assert save_tests(tests, again, format="brcc") == []
    assert again.read_text("utf-8") == CANONICAL
    for test in tests:
        assert all(each.key.fields == {} for each in test.records())
        alone = tmp_path / "alone.brcc"
        assert save_test(test, alone, format="brcc") == []
        assert list(open_test(alone).records()) == list(test.records())


def test_sides_align(tmp_path: Path) -> None:
    path = put(tmp_path, CANONICAL)
    en, zh = (one(path, language) for language in ("en", "zh"))
    assert (en.id, en.parallel, zh.id, zh.parallel) == ("pen", "pen", "pen", "pen")
    assert (en.title, zh.title, en.topic, zh.split) == ("The inkwell", "墨水瓶", "culture", "train")
    for passage in (en, zh):
        assert [(each.id, each.parallel) for each in passage.questions] == [
            ("pen-1", "pen-1"),
            ("pen-2", "pen-2"),
        ]
        assert [each.key and each.key.type for each in passage.questions] == ["Who", None]
    assert en.text.endswith("lost one.\nThe shop has closed.")
    key = en.questions[0].key
    assert key is not None
    assert [phrase.text for phrase in key.published] == ["Ada Moss", "she did"]
    assert key.published[0].layers["ne"].columns == {"type": ("PERSON",)}
    assert key.published[1].layers["mention"].columns == {"id": (None,), "ref": (1,)}
    asked = en.questions[1].key
    assert asked is not None
    assert asked.layers["mention"].columns == {"id": (None,), "ref": (1,)}
    header = side(path, "zh").header
    assert (header.name, header.language, header.licence) == ("t", "zh", "CC0")


def test_a_file_in_two_languages_is_two_tests(tmp_path: Path) -> None:
    path = put(tmp_path, CANONICAL)
    for format in (None, "brcc"):
        with pytest.raises(UsageError) as error:
            open_test(path, format=format)
        assert str(error.value) == (
            f"{path} has two languages, en and zh: "
            f"run `readmark.convert('{path}', '{tmp_path}/t/')` "
            f"and use {tmp_path}/t/en.jsonl or {tmp_path}/t/zh.jsonl"
        )
    assert [test.language for test in open_languages(path)] == ["en", "zh"]
    with pytest.raises(UsageError, match="format brcc has no parameter 'side'"):
        open_test(path, format="brcc(side=en)")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_file_in_one_language_is_a_test_like_any_other(tmp_path: Path, language: str) -> None:
    path = put(tmp_path, in_language(CANONICAL, language))
    both = put(tmp_path, CANONICAL, "both.brcc")
    assert [test.language for test in open_languages(path)] == [language]
    assert list(open_test(path).records()) == list(side(both, language).records())


@pytest.mark.parametrize(
    ("file", "folder"),
    [
        ("book.brcc", "book/"),
        ("in/the.book.brcc.gz", "in/the.book/"),
        ("book", "book.languages/"),
        ("s3://shelf/book.brcc", "s3://shelf/book/"),
        ("-", "languages/"),
    ],
)
def test_the_folder_for_the_tests_of_a_file(file: str, folder: str) -> None:
    assert folder_of_languages(file) == folder


def test_headings_of_table_6_on_two_lines_and_no_ids(tmp_path: Path) -> None:
    text = (
        "English \npassage \n\nOne is. \n\nEnglish \nquestions \n\n1. Is it? \n2) Was it?\n\n"
        "English \nanswer keys \n\n2. No\nnot.\n\n\nenglish passage:\nTwo is.\n"
    )
    first, second = open_test(put(tmp_path, text)).records()
    assert (first.id, first.text, second.id, second.text) == ("1", "One is.", "2", "Two is.")
    assert [each.text for each in first.questions] == ["Is it?", "Was it?"]
    assert first.questions[0].key is None
    assert first.questions[1].key.published[0].text == "No not."


def test_unsegmented_chinese_gets_no_words(tmp_path: Path) -> None:
    body = "Chinese passage\n\n他来自英国。\n\nChinese questions\n\n1. 他 来自 哪里？\n"
    passage = one(put(tmp_path, body))
    assert "token" not in passage.layers
    assert "token" in passage.questions[0].layers
    document = "Passage: 1\nSegmented: yes\n\n" + body.replace(" 来自 ", "来自")
    passage = one(put(tmp_path, document))
    assert passage.layers["token"].spans == ((0, 5), (5, 6))
    assert passage.questions[0].layers["token"].spans == ((0, 5), (5, 6))
    again = tmp_path / "again.brcc"
    assert save_test(open_test(put(tmp_path, document)), again, format="brcc") == []
    assert one(again) == passage


def test_gb18030_and_crlf(tmp_path: Path) -> None:
    text = "Chinese passage\r\n\r\n<NP>他</NP> 来自 英国。\r\n"
    test = open_test(put(tmp_path, text, encoding="gb18030"))
    [passage] = test.records()
    assert passage.text == "他来自英国。"
    assert test.header.fields == {"encoding": "gb18030"}
    again = tmp_path / "again.brcc"
    assert save_test(test, again, format="brcc") == []
    assert again.read_bytes().decode("utf-8").startswith("Passage: 1\n")
    damaged = tmp_path / "damaged.brcc"
    damaged.write_bytes(("Chinese passage\n\n" + "他来自英国。" * 9).encode() + b"\xff\xfe")
    with pytest.raises(DataError, match=r":3: not UTF-8 \(byte 0xff\)"):
        open_test(damaged)


def test_compressed_files_are_read(tmp_path: Path) -> None:
    test = side(put(tmp_path, CANONICAL), "en")
    path = tmp_path / "t.brcc.gz"
    save_test(test, path, format="brcc")
    assert list(open_test(path).records()) == list(test.records())
    assert open_test(path).header.name == "t"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("English passage\n\na\n<NP>b\n", [(4, "unclosed_tag", "<NP> is never closed")]),
        (
            "English passage\n\nA.\n\nEnglish questions\n\n1. <b>x</b>\n",
            [
                (
                    7,
                    "unknown_tag",
                    f"{tag} is unknown, expected NP or ANSQ with the number of a "
                    "question; write &lt; for the sign",
                )
                for tag in ("<b>", "</b>")
            ],
        ),
        (
            "English passage\n\n<ANSQ2>A.</ANSQ2>\n\nEnglish questions\n\n1. x\n",
            [(3, "numbering", "ANSQ2 is marked and there is no question 2")],
        ),
        (
            "English passage\n\nA.\n\nEnglish questions\n\n1. x\n\nEnglish answer keys\n\n2. y\n",
            [(11, "numbering", "answer key 2 has no question of that number")],
        ),
        (
            "English passage\n\nA.\n\nEnglish questions\n\n1. x\n1998. y\n",
            [(8, "numbering", "question 1998 comes after 1, expected 2")],
        ),
        (
            "English passage\n\nA.\n\nEnglish questions\n\nWho?\n",
            [(7, "numbering", "'Who?' has no number, expected 1. before the first question")],
        ),
        (
            "English questions\n\n1. x\n\nChinese passage\n\n他。\n",
            [(3, "heading", "English questions without a heading English passage before")],
        ),
        (
            "English passage\n\nA.\n\nFrench passage\n\nUn.\n",
            [(5, "language", "'French passage': a side is English or Chinese")],
        ),
        (
            "Passage: a\nEnglish passage\nA.\nEnglish passage\nB.\n",
            [(4, "heading", "English passage occurs twice in a passage")],
        ),
        (
            "Passage: a\nQuestion ids: x, y\nEnglish passage\nA.\n\nEnglish questions\n1. x\n",
            [(2, "numbering", "Question ids: names 2, expected 1 question")],
        ),
        (
            "Passage: a\nTitle: x\nTitle: y\nEnglish passage\nA.\n",
            [(3, "heading", "Title: occurs twice")],
        ),
    ],
)
def test_what_cannot_be_read_has_its_line(
    tmp_path: Path, text: str, expected: list[tuple[int, str, str]]
) -> None:
    path = put(tmp_path, text)
    assert problems(path) == expected
    with pytest.raises(DataError) as caught:
        list(open_languages(path)[0].records())
    assert caught.value.where == expected[0][0]


def test_a_line_that_is_no_heading(tmp_path: Path) -> None:
    path = put(tmp_path, "Passage: a\nColour: blue\n\nEnglish passage\n\nA.\n")
    [(line, code, message)] = problems(path)
    assert (line, code) == (2, "heading")
    assert message.startswith("'Colour: blue' is no heading and none of Id:, Title:, ")


def test_a_third_language_alone(tmp_path: Path) -> None:
    path = put(tmp_path, "Passage: a\n\nFrench passage\n\nUn.\n")
    with pytest.raises(DataError, match=r":3: language: 'French passage': a side is English or"):
        open_test(path)


def test_an_empty_passage_and_one_very_long_line(tmp_path: Path) -> None:
    assert one(put(tmp_path, "English passage\n")).text == ""
    long = "word " * 20_000
    assert one(put(tmp_path, f"English passage\n{long}\n")).text == long.strip()


@pytest.mark.parametrize(
    "text",
    [
        "English passage\n",
        "\n\nchinese  passage :\n",
        "Passage: x\nTitle: y\nEnglish passage\n",
        "Licence: x\n\nPassage: 1\n\nChinese passage\n",
    ],
)
def test_recognised_by_content(tmp_path: Path, text: str) -> None:
    assert open_test(put(tmp_path, text + "a.\n", "any.txt")).file.endswith("any.txt")


@pytest.mark.parametrize(
    "text", ["Passage\n\nA.\n", "The English passage\n", '{"a": 1}\n', "id,text\nEnglish passage"]
)
def test_other_files_are_not_taken(tmp_path: Path, text: str) -> None:
    assert not BRCC.recognises(Source(put(tmp_path, text, "any.txt")))


@pytest.mark.parametrize("data", [b" " * 60_000, b"A" + b"a" * 60_000, b"Abc" + b" \n" * 30_000])
def test_long_files_of_nothing_are_looked_at_once(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "t.txt"
    path.write_bytes(data + b"x")
    assert not BRCC.recognises(Source(path))


LINES = (
    *CANONICAL.split("\n"),
    "English",
    "passage",
    "3. x",
    "Passage:",
    "<NP>",
    "</ANSQ1>",
    "| |",
)


@given(lines=st.lists(st.sampled_from(LINES), max_size=30), cut=st.integers(0, 200))
def test_whatever_is_in_a_file_gets_a_line_or_is_read(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], cut: int
) -> None:
    text = "\n".join(["Passage: 1", "English passage", *lines])
    path = put(tmp_path_factory.mktemp("fuzz"), text[: len(text) - cut] if cut % 2 else text)
    for problem in check(str(path)):
        assert isinstance(problem.where, int)
        assert 1 <= problem.where <= text.count("\n") + 1


def test_a_text_without_words_has_none_marked(tmp_path: Path) -> None:
    """A line that said so would be gone when the file is written again."""
    asked = Question(id="p-1", text="", layers={"token": Layer(spans=())})
    test = in_memory(Header(language="zh"), [Passage(id="p", text="他。", questions=(asked,))])
    save_test(test, tmp_path / "t.brcc", format="brcc")
    written = (tmp_path / "t.brcc").read_text("utf-8")
    assert "egmented" not in written
    save_test(open_test(tmp_path / "t.brcc"), tmp_path / "again.brcc", format="brcc")
    assert (tmp_path / "again.brcc").read_text("utf-8") == written
