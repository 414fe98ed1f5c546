"""A user's words for the segmenter: lexicon files and what the segmenter makes of them."""

from pathlib import Path

import pytest

from installed import require
from readmark.core.errors import DataError
from readmark.text.script import simplified
from readmark.text.segmenter import Segmenter

require("rjieba")

HINGIS = "赛后，轩芝丝感到灰心丧气。"


@pytest.mark.parametrize(
    ("lines", "encoding"),
    [
        ("轩芝丝", "utf-8"),
        ("轩芝丝 3", "utf-8"),
        ("轩芝丝 3 nr", "utf-8-sig"),
        ("轩芝丝\t1\txuan1zhi1si1\r\n", "gb18030"),
        ("轩芝丝 1 xuān zhī sī", "utf-8"),
        ("\n美国人 900000 mei3guo2ren2\n轩芝丝 0 xuan1 zhi1 si1", "gb18030"),
    ],
)
def test_lexicon_keeps_a_name_whole(tmp_path: Path, lines: str, encoding: str) -> None:
    file = tmp_path / "lexicon.txt"
    file.write_bytes(lines.encode(encoding))
    segmenter = Segmenter(hmm=False, lexicon=file)
    assert segmenter.words(HINGIS)[2] == "轩芝丝"
    # Counts of an LDC file do not undo the words that the dictionary has.
    assert segmenter.words("美国人口") == ["美国", "人口"]
    assert Segmenter(hmm=False).words(HINGIS)[2] == "轩"


def test_frequency_and_tag_of_the_lexicon_are_used(tmp_path: Path) -> None:
    file = tmp_path / "lexicon.txt"
    file.write_text("美国人口 100000 n\n", "utf-8")
    assert Segmenter(lexicon=file).tagged("美国人口") == [(0, 4, "n")]


def test_word_with_a_dot_inside_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "lexicon.txt"
    file.write_text("奥拉·林德 5 nr\n奥拉\n", "utf-8")
    segmenter = Segmenter(hmm=False, lexicon=file)
    text = "听说 奥拉·林德来了"
    assert segmenter.words(text) == ["听说", "奥拉·林德", "来", "了"]
    assert segmenter.tagged(text)[1] == (3, 8, "nr")
    assert segmenter.spans(text) == [(0, 2), (3, 8), (8, 9), (9, 10)]


@pytest.mark.parametrize(
    ("data", "where", "message"),
    [
        ("好 3\n坏 多".encode(), ":2:", "a whole number"),
        ("坏 -3".encode(), ":1:", "a whole number"),
        ("坏 ³".encode(), ":1:", "a whole number"),
        ("坏 9999999999999999999".encode(), ":1:", "a whole number"),
        ("好 3 n\n\n坏 3 qqzz".encode(), ":", "a tag or pinyin"),
        ("坏 3 n n".encode(), ":1:", "a tag or pinyin"),
        (b"ok 3\n\xff\xff", ":2:", "neither UTF-8 nor GB18030"),
        (b" \n", ":", "empty"),
    ],
)
def test_bad_line_is_named(tmp_path: Path, data: bytes, where: str, message: str) -> None:
    file = tmp_path / "lexicon.txt"
    file.write_bytes(data)
    with pytest.raises(DataError, match=message) as error:
        Segmenter(lexicon=file)
    assert str(error.value).startswith(f"{file}{where}")


def test_signature_names_the_lexicon(tmp_path: Path) -> None:
    file = tmp_path / "lexicon.txt"
    file.write_text("轩芝丝", "utf-8")
    assert Segmenter(lexicon=file).signature() != Segmenter().signature()


@pytest.mark.parametrize("word", ["轩芝丝", "軒芝絲", "奥拉·林德", "奧拉·林德"])
@pytest.mark.parametrize("text", ["赛后轩芝丝和奥拉·林德来了", "賽後軒芝絲和奧拉·林德來了"])
def test_lexicon_is_for_both_scripts(tmp_path: Path, word: str, text: str) -> None:
    file = tmp_path / "lexicon.txt"
    file.write_text(f"{word} 5 nr\n", "utf-8")
    words = Segmenter(hmm=False, lexicon=file).words(text)
    assert simplified(word) in map(simplified, words)
    assert "".join(words) == text
