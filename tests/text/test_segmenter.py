"""Chinese words: the document's examples, figures, both scripts, and what holds for any text."""

import subprocess
import sys
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from installed import require
from readmark.text.segmenter import Segmenter
from strategies import ALPHABET

require("rjieba")

HINGIS = "赛后，轩芝丝感到灰心丧气。"


@cache
def practical() -> Segmenter:
    return Segmenter()


@cache
def path_alone() -> Segmenter:
    return Segmenter(hmm=False)


def test_path_alone_cuts_a_name_that_the_dictionary_lacks() -> None:
    assert path_alone().words(HINGIS) == ["赛后", "，", "轩", "芝", "丝", "感到", "灰心丧气", "。"]
    assert practical().words(HINGIS) == ["赛后", "，", "轩芝丝", "感到", "灰心丧气", "。"]


@pytest.mark.parametrize("segmenter", [practical, path_alone])
def test_population_of_the_usa(segmenter: Callable[[], Segmenter]) -> None:
    assert segmenter().words("美国人口增长") == ["美国", "人口", "增长"]


@given(st.text(alphabet=ALPHABET) | st.text(alphabet="他的e\u0301😀\x00\r\n\u3000 \ud800ש中国A·1."))
def test_words_are_all_of_the_text_but_white_space(text: str) -> None:
    for segmenter in (practical(), path_alone()):
        spans = segmenter.spans(text)
        assert [text[start:end] for start, end in spans] == segmenter.words(text)
        assert spans == [(start, end) for start, end, _ in segmenter.tagged(text)]
        previous_end = 0
        for start, end in spans:
            assert text[previous_end:start].strip() == ""
            assert start < end
            previous_end = end
        assert text[previous_end:].strip() == ""


def test_traditional_characters_are_cut_as_simplified_ones() -> None:
    text = "學生們在圖書館裡讀書，賽後感到灰心喪氣。"
    plain = "学生们在图书馆里读书，赛后感到灰心丧气。"
    assert practical().spans(text) == practical().spans(plain)
    assert practical().tagged(text) == practical().tagged(plain)
    assert "".join(practical().words(text)) == text
    assert practical().words(text)[-3:] == ["感到", "灰心喪氣", "。"]
    assert "圖書館" in practical().words(text)
    assert "t2s" in practical().signature()


def test_signature_names_the_method() -> None:
    assert "hmm=true" in practical().signature()
    assert "hmm=false" in path_alone().signature()


@pytest.mark.process
@pytest.mark.parametrize(
    ("before", "after", "output"),
    [
        # Importing the package would make a second dictionary; whoever needs it still can.
        ("", "import rjieba; print(rjieba.cut('美国人口'), ours)", "['美国', '人口'] True\n"),
        ("import rjieba; ", "print(segmenter.words('美国人口'), ours)", "['美国', '人口'] False\n"),
    ],
    ids=["alone", "imported before"],
)
def test_dictionary_is_made_once(before: str, after: str, output: str) -> None:
    code = (
        f"{before}import sys; from readmark.text.segmenter import Segmenter\n"
        f"segmenter = Segmenter(); ours = 'rjieba' not in sys.modules; {after}"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert process.stdout == output


@pytest.mark.process
def test_without_rjieba_one_line_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['rjieba'] = None\n"
        "from readmark.core.errors import UsageError\n"
        "from readmark.text.segmenter import Segmenter\n"
        "try: Segmenter()\n"
        "except UsageError as error: print(error)\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert "pip install rjieba" in process.stdout


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
