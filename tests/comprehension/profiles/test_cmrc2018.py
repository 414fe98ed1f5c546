import subprocess
import sys
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from installed import require
from oracles import official
from readmark.comprehension.profiles.cmrc2018 import _NEEDS_RULES, bare, split
from readmark.comprehension.profiles.nltk_words import word_tokenizer

require("nltk")

PIECES = [
    *"abc 中文京。，-_…·〇%$()[].,'\"`*—“”’!?;:&#@<>éſİı\u0301\u3000\n",
    *["cannot", "gonna", "gimme", "wanna", "d'ye", "'tis", "more'n", "n't", "'s", "3.5", "1,234"],
]
mixed = st.lists(st.sampled_from(PIECES), max_size=16).map("".join)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" “北京市”。", "北京市"),
        ("A-B", "ab"),
        ("ab cd", "ab cd"),
        ("“ 北京 ”", " 北京 "),  # stripped before the quotes go
        ("-:_*^/\\~+=`，。：？！“”；’《》·、「」（）－～『』", ""),
        ("…‘【】()—,.", "…‘【】()—,."),  # not listed
    ],
)
def test_bare(text: str, expected: str) -> None:
    assert bare(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ()),
        (" 。 ", ()),
        ("主编李大同", ("主", "编", "李", "大", "同")),
        ("a-b中c d", ("ab", "中", "c", "d")),
        ("第3.5版", ("第", "3.5", "版")),
        ("达1,234人", ("达", "1,234", "人")),
        ("约30%。", ("约", "30", "%")),
        ("他cannot去", ("他", "can", "not", "去")),
        ("Gonna don't", ("gon", "na", "do", "n't")),
        ("二〇〇八", ("二", "〇〇", "八")),
        ("龥龦", ("龥", "龦")),  # the last character of the range, and the first beyond it
        ("(NPC)等…", ("(", "npc", ")", "等", "…")),
    ],
)
def test_tokens(text: str, expected: tuple[str, ...]) -> None:
    assert split(bare(text)) == expected


@cache
def nltk_words() -> Callable[[str], list[str]]:
    """How NLTK cuts a text; its import takes more than a second."""
    from nltk.tokenize.destructive import NLTKWordTokenizer

    return NLTKWordTokenizer().tokenize


@given(mixed)
@example("x cannot\u0301 y")
@example("g\u0131mme")
def test_tokens_are_the_official_ones(text: str) -> None:
    assert bare(text) == official.cmrc_bare(text)
    assert list(split(bare(text))) == official.cmrc_tokens(text)


@given(st.text())
def test_tokens_are_the_official_ones_on_any_text(text: str) -> None:
    assert list(split(bare(text))) == official.cmrc_tokens(text)


@given(mixed | st.text())
def test_runs_are_cut_as_nltk_cuts_them(run: str) -> None:
    assert word_tokenizer()(run) == nltk_words()(run)


words = st.text(st.characters(categories=["L", "N", "Z"]))
numbers = st.from_regex(r"[a-z0-9]{1,3}([.,][0-9]{1,3}){0,2}", fullmatch=True)


@given(st.lists(words | numbers | st.sampled_from(["not", "na", "me", "can"])).map(" ".join))
def test_a_plain_run_is_split_by_nltk_at_white_space_alone(run: str) -> None:
    if not _NEEDS_RULES.search(run):
        assert run.split() == nltk_words()(run)


@pytest.mark.slow
def test_every_character_that_nltk_treats_apart_is_sent_to_nltk() -> None:
    tokenize = nltk_words()
    for point in (*range(0x3100), *range(0xFE00, 0x10000)):  # where punctuation lives
        for run in (f"ab{chr(point)}cd", f"{chr(point)}5", f"5{chr(point)}"):
            if not _NEEDS_RULES.search(run):
                assert run.split() == tokenize(run), hex(point)


def test_every_contraction_is_sent_to_nltk() -> None:
    from nltk.tokenize.destructive import MacIntyreContractions as rules

    patterns = rules.CONTRACTIONS2 + rules.CONTRACTIONS3
    spelt = {"cannot", "d'ye", "gimme", "gonna", "gotta", "lemme", "more'n", "wanna"}
    assert len(patterns) == len(spelt) + len({"'tis", "'twas"})
    for word in spelt | {"'tis", "'twas"}:
        assert len(nltk_words()(f"x {word} y")) == 4
        assert _NEEDS_RULES.search(word)


@pytest.mark.process
def test_plain_text_does_not_import_nltk() -> None:
    code = (
        "import sys; from readmark.comprehension.profiles.cmrc2018 import bare, split;"
        "print(split(bare('2008年Nova 3.5版、1,234人')), 'nltk' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "('2008', '年', 'nova', '3.5', '版', '1,234', '人') False"
