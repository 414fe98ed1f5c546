"""Chinese words: the document's examples, lexicon files, and what holds for any text."""

import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from installed import require
from readmark.core.errors import DataError
from readmark.text.script import simplified
from readmark.text.segmenter import Segmenter, coarse
from strategies import ALPHABET

require("rjieba")

HINGIS = "赛后，轩芝丝感到灰心丧气。"


@cache
def practical() -> Segmenter:
    return Segmenter()


@cache
def path_alone() -> Segmenter:
    return Segmenter(hmm=False)


def test_the_path_alone_cuts_a_name_that_the_dictionary_lacks() -> None:
    assert path_alone().words(HINGIS) == ["赛后", "，", "轩", "芝", "丝", "感到", "灰心丧气", "。"]
    assert practical().words(HINGIS) == ["赛后", "，", "轩芝丝", "感到", "灰心丧气", "。"]


@pytest.mark.parametrize("segmenter", [practical, path_alone])
def test_population_of_the_usa(segmenter: Callable[[], Segmenter]) -> None:
    assert segmenter().words("美国人口增长") == ["美国", "人口", "增长"]


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
def test_a_lexicon_keeps_the_name_whole(tmp_path: Path, lines: str, encoding: str) -> None:
    file = tmp_path / "lexicon.txt"
    file.write_bytes(lines.encode(encoding))
    segmenter = Segmenter(hmm=False, lexicon=file)
    assert segmenter.words(HINGIS)[2] == "轩芝丝"
    # an LDC file's counts do not undo the words that the dictionary has
    assert segmenter.words("美国人口") == ["美国", "人口"]
    assert path_alone().words(HINGIS)[2] == "轩"


def test_a_frequency_of_the_users_own_is_taken(tmp_path: Path) -> None:
    file = tmp_path / "lexicon.txt"
    file.write_text("美国人口 100000 n\n", "utf-8")
    assert Segmenter(lexicon=file).tagged("美国人口") == [(0, 4, "n")]


def test_a_word_with_a_dot_inside_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "lexicon.txt"
    file.write_text("奥拉·林德 5 nr\n奥拉\n", "utf-8")
    segmenter = Segmenter(hmm=False, lexicon=file)
    text = "听说 奥拉·林德来了"
    assert segmenter.words(text) == ["听说", "奥拉·林德", "来", "了"]
    assert segmenter.tagged(text)[1] == (3, 8, "nr")
    assert segmenter.spans(text) == [(0, 2), (3, 8), (8, 9), (9, 10)]


@pytest.mark.parametrize(
    ("data", "where", "what"),
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
def test_a_bad_lexicon_is_told_by_line(tmp_path: Path, data: bytes, where: str, what: str) -> None:
    file = tmp_path / "lexicon.txt"
    file.write_bytes(data)
    with pytest.raises(DataError, match=what) as told:
        Segmenter(lexicon=file)
    assert str(told.value).startswith(f"{file}{where}")


def test_signatures_tell_lexicons_apart(tmp_path: Path) -> None:
    file = tmp_path / "lexicon.txt"
    file.write_text("轩芝丝", "utf-8")
    assert Segmenter(lexicon=file).signature() != practical().signature()
    assert "hmm=false" in path_alone().signature()


@pytest.mark.parametrize(
    ("tag", "word", "pos"),
    [
        ("ns", "北京", "PROPN"),
        ("r", "他", "PRON"),
        ("x", "。", "PUNCT"),
        ("x", "％", "SYM"),
        ("x", "+", "SYM"),
        ("x", "😀", "SYM"),
        ("x", "Ⅷ", "NUM"),
        ("x", "ʼn", "X"),
        ("eng", "NASA", "PROPN"),
        ("eng", "email", "NOUN"),
        ("k", "们", "NOUN"),
        ("k", "者", "PART"),
        ("no such tag", "好", "X"),
    ],
)
def test_coarse_tags(tag: str, word: str, pos: str) -> None:
    assert coarse(tag, word) == pos


@given(st.text(alphabet=ALPHABET) | st.text(alphabet="他的e\u0301😀\x00\r\n\u3000 \ud800ש中国A·1."))
def test_words_are_all_there_is_but_white_space(text: str) -> None:
    for segmenter in (practical(), path_alone()):
        spans = segmenter.spans(text)
        assert [text[start:end] for start, end in spans] == segmenter.words(text)
        assert spans == [(start, end) for start, end, _ in segmenter.tagged(text)]
        at = 0
        for start, end in spans:
            assert text[at:start].strip() == ""
            assert start < end
            at = end
        assert text[at:].strip() == ""


def test_traditional_characters_are_cut_as_simplified_ones() -> None:
    text = "學生們在圖書館裡讀書，賽後感到灰心喪氣。"
    plain = "学生们在图书馆里读书，赛后感到灰心丧气。"
    assert practical().spans(text) == practical().spans(plain)
    assert practical().tagged(text) == practical().tagged(plain)
    assert "".join(practical().words(text)) == text
    assert practical().words(text)[-3:] == ["感到", "灰心喪氣", "。"]
    assert "圖書館" in practical().words(text)
    assert "t2s" in practical().signature()


@pytest.mark.parametrize("word", ["轩芝丝", "軒芝絲", "奥拉·林德", "奧拉·林德"])
@pytest.mark.parametrize("text", ["赛后轩芝丝和奥拉·林德来了", "賽後軒芝絲和奧拉·林德來了"])
def test_a_lexicon_is_for_both_scripts(tmp_path: Path, word: str, text: str) -> None:
    file = tmp_path / "lexicon.txt"
    file.write_text(f"{word} 5 nr\n", "utf-8")
    found = Segmenter(hmm=False, lexicon=file).words(text)
    assert simplified(word) in map(simplified, found)
    assert all(one in text for one in found)


@pytest.mark.process
@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        # The package would make a dictionary that nobody asked for; whoever imports it still can.
        ("", "import rjieba; print(rjieba.cut('美国人口'), ours)", "['美国', '人口'] True\n"),
        ("import rjieba; ", "print(segmenter.words('美国人口'), ours)", "['美国', '人口'] False\n"),
    ],
    ids=["alone", "imported before"],
)
def test_the_dictionary_is_made_once(before: str, after: str, told: str) -> None:
    code = (
        f"{before}import sys; from readmark.text.segmenter import Segmenter\n"
        f"segmenter = Segmenter(); ours = 'rjieba' not in sys.modules; {after}"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == told


@pytest.mark.process
def test_without_rjieba_one_line_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['rjieba'] = None\n"
        "from readmark.core.errors import UsageError\n"
        "from readmark.text.segmenter import Segmenter\n"
        "try: Segmenter()\n"
        "except UsageError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install rjieba" in done.stdout


def test_figures_stay_whole_without_the_model() -> None:
    text = "增长3.3%，达到1,066.5万元，其中５．６％和5%是1/3。"
    words = Segmenter(hmm=False).words(text)
    assert [word for word in words if word[0].isdigit()] == [
        "3.3%",
        "1,066.5",
        "５．６％",
        "5%",
        "1",
        "3",
    ]
    assert "".join(words) == text
