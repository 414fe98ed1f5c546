"""The words of questions and golds as the rules compare them, in English and Chinese."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, NamedTuple

from readmark.text.stems import stem
from readmark.text.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from readmark.text.segmenter import Segmenter

_WORD = re.compile(r"\w+(?:[-_]\w+)*|['’]s\b")
_MORE_ENGLISH = """
a an the this that these those such own other others else another same each every all any some both
who whom whose what which when where why how whether
be am is are was were been being do does did done doing have has had having can could will would
shall should may might must
i you he she it we they me him her us them my your his its our their mine yours hers ours theirs
himself herself itself themselves one ones oneself
and or but nor if than then as so not no only also just ever even
about above across after against along among around at before behind below beneath beside besides
between beyond by down during except for from in including inside into like near of off on onto out
outside over past per regarding since through throughout to toward towards under until up upon via
with within without addition aside apart according concerning because while although though
there here now name list give tell
person people thing things place somebody something someone 's s
"""
_MORE_CHINESE = """
的 了 着 过 吗 呢 吧 啊 是 有 与 及 或者 以及 对 对于 关于 被 把 从 由 为 于 以 向 给 让 使 跟 同
谁 什么 哪 哪个 哪些 哪里 哪儿 哪位 哪年 哪一 何 何时 何地 为什么 怎么 怎样 如何 多少 几 几个 多
这个 那个 这些 那些 该 此 其 之 所 而 且 并 也 都 又 还 就 才 最 很 更 不 没 没有 人 者 时候 时 上
下 里 中 内 外 前 后 间 第 个 位 名 年 一 请 列举 列出 说出 位于
"""
STOPPED = {
    "en": STOP_WORDS["en"] | frozenset(_MORE_ENGLISH.split()),
    "zh": STOP_WORDS["zh"] | frozenset(_MORE_CHINESE.split()),
}
"""Words that need no source: those of grammar, of asking, and "the person who"."""


class Word(NamedTuple):
    """A word as it stands, where, and the form that it is compared in."""

    text: str
    start: int
    base: str

    @property
    def is_name(self) -> bool:
        """Whether it is written as names are."""
        return self.text[:1].isupper() or self.text[:1].isdecimal()


def words_of(text: str, language: str) -> list[Word]:
    """The words of a text in order; a possessive 's is one of its own."""
    if language == "zh":
        return _chinese(text)
    return [Word(found[0], found.start(), _base(found[0])) for found in _WORD.finditer(text)]


def content_of(text: str, language: str) -> list[Word]:
    """The words of a text that say something of their own."""
    return [word for word in words_of(text, language) if word.base not in STOPPED[language]]


def _base(word: str) -> str:
    lower = word.lower().replace("’", "'")
    return lower if lower in STOPPED["en"] else stem(lower)


def _chinese(text: str) -> list[Word]:
    spans = _segmenter().spans(text)
    found = [Word(text[start:end], start, text[start:end].lower()) for start, end in spans]
    return [word for word in found if word.text[0].isalnum()]


@functools.cache
def _segmenter() -> Segmenter:
    from readmark.text.segmenter import Segmenter

    return Segmenter()
