"""BRCC files for tests: the document's own example, one in canonical spelling, and reading them."""

import re
from pathlib import Path

from readmark.comprehension.brcc.annotated_text import AnnotatedText
from readmark.comprehension.brcc.spelling import BrccSpelling
from readmark.comprehension.brcc.text_reader import NotationFault
from readmark.core.records import Passage
from readmark.core.test import Test
from readmark.formats.registry import open_languages, open_test

# Table 9 of "Design and Development of a Bilingual Reading Comprehension Corpus", as it stands
# there, line breaks and all.
TABLE_9 = """\
English passage

<ANSQ1>Image <NP>this</NP>: you have just won <NP>a
competition</NP>, and <NP>the prize</NP> is <NP REFID=1>an
English language course</NP> at <NP>a famous school</NP> in <NP
NE=LOCATION>Britain</NP> or <NP NE=LOCATION>the United
States</NP>. </ANSQ1> <ANSQ2>You can either take <NP
NE=TIME>a 30-week course</NP> for <NP NE=TIME>four hours a
week</NP>, or <NP NE=TIME>a four-week course</NP> for <NP
NE=TIME>30 hours a week</NP>. </ANSQ2> <NP REF=1>Which
one</NP> should you choose?…

English questions
1. If you win <NP>a competition</NP>, what may be <NP>the

prize</NP>?
2. What may be <NP>the two kinds</NP> of <NP>courses</NP>?

Chinese passage

<ANSQ1>想像一下：你 刚 赢得 <NP>一场 比赛</NP>，其 <NP>
奖 赏 </NP> 是 在  <NP NE=LOCATION> 英 国 </NP> 或  <NP
NE=LOCATION>美国</NP> 的<NP>一所 名牌 大学</NP> 学习

<NP REFID=1>一门 英语 语言 课程</NP>。</ANSQ1> <ANSQ2>
你 可以 选 <NP>一门 为期 30周 的 课程</NP>，<NP>每周</NP>
学习 <NP>4小时</NP>，或者 选 <NP>一门 为期4周 的 课程

</NP>，<NP>每周</NP> <NP>30小时</NP>。</ANSQ2>你 将 作

<NP REF=1>何 选择</NP>？…

Chinese questions
1. 如果 你 赢得 <NP>一场 比赛</NP>，<NP>奖赏</NP> 或许 是

什么？

2. <NP>两类</NP> <NP>课程</NP> 会 是 什么？
"""
# The texts of its Table 6, which has no annotation.
TEXTS = {
    "en": (
        "Image this: you have just won a competition, and the prize is an English language course "
        "at a famous school in Britain or the United States. You can either take a 30-week course "
        "for four hours a week, or a four-week course for 30 hours a week. Which one should you "
        "choose?…",
        "If you win a competition, what may be the prize?",
        "What may be the two kinds of courses?",
    ),
    "zh": (
        "想像一下：你刚赢得一场比赛，其奖赏是在英国或美国的一所名牌大学学习一门英语语言课程。"
        "你可以选一门为期30周的课程，每周学习4小时，或者选一门为期4周的课程，每周30小时。"
        "你将作何选择？…",
        "如果你赢得一场比赛，奖赏或许是什么？",
        "两类课程会是什么？",
    ),
}

CANONICAL = """\
Licence: CC0

Passage: pen
English title: The inkwell
Chinese title: 墨水瓶
Domain: culture
Split: train
Question types: Who, -

English passage

<ANSQ1><NP NE=PERSON REFID=1>Ada Moss</NP> bought <NP NE=NUM>two pens</NP>.</ANSQ1> \
<ANSQ2><NP REF=1>She</NP> lost <NP>one</NP>.</ANSQ2>

<NP>The shop</NP> has closed.

English questions

1. Who bought <NP NE=NUM>two pens</NP>?
2. What did <NP REF=1>she</NP> lose?

English answer keys

1. <NP NE=PERSON>Ada Moss</NP> | <NP REF=1>she</NP> did
2. one of <NP>them</NP>

Chinese passage

<ANSQ1><NP NE=PERSON REFID=1>艾达</NP> 买 了 <NP NE=NUM>两支 笔</NP>。</ANSQ1>\
<ANSQ2><NP REF=1>她</NP> 丢 了 <NP>一支</NP>。</ANSQ2>

<NP>商店</NP> 关门 了。

Chinese questions

1. 谁 买 了 <NP NE=NUM>两支 笔</NP>？
2. <NP REF=1>她</NP> 丢 了 什么？

Chinese answer keys

1. <NP NE=PERSON>艾达</NP>
2. 其中 的 <NP>一支</NP>
"""


def in_language(text: str, language: str) -> str:
    """A file in two languages without the sections of the other one."""
    other = {"en": "Chinese", "zh": "English"}[language]
    sections = re.split(r"\n(?=(?:English|Chinese) (?:passage|questions|answer keys)\n)", text)
    lines = (line for line in sections[0].split("\n") if not line.startswith(f"{other} title"))
    return "\n".join(["\n".join(lines), *(one for one in sections[1:] if other not in one[:7])])


def put(folder: Path, text: str, name: str = "t.brcc", encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def side(path: Path, language: str) -> Test:
    """The English or the Chinese test in a file."""
    return next(test for test in open_languages(path) if test.language == language)


def one(path: Path, language: str | None = None) -> Passage:
    test = open_test(path) if language is None else side(path, language)
    [passage] = test.records()
    assert isinstance(passage, Passage)
    return passage


def read(
    written: str, *, language: str, brackets: bool = False, **how: bool
) -> tuple[AnnotatedText, tuple[NotationFault, ...]]:
    """An annotated text as BRCC files spell it."""
    return BrccSpelling(language, brackets).read(written, **how)


def write(text: AnnotatedText, *, language: str, brackets: bool = False, **how: bool) -> str:
    """The spelling of an annotated text."""
    return BrccSpelling(language, brackets).write(text, **how)
