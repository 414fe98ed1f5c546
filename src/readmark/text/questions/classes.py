"""What a question asks for: the class of its answer (who, when, why and so on), and the phrase.

Here are the question words that are no part of the twelve types (``types``). They are not one list,
because what was measured with each depends on its words: the evidence reader was trained with the
ordered patterns of ``asked_type`` and with ``ASKING``; translations are compared by the sets of
``asked_in_chinese`` and ``asked_in_english``.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from readmark.text.script import simplified
from readmark.text.word_vectors import ENDS_FOCUS
from readmark.text.words import words

if TYPE_CHECKING:
    from readmark.core.records import Offsets
    from readmark.text.segmenter import Tagged

# One class a question, by the first pattern that fits, and the noun that names what is wanted.


TYPES = ("who", "when", "where", "quantity", "why", "how", "definition", "which", "what", "yes-no")
"""Coarser than the twelve types of a reading test: only what a sentence can give a cue for."""

_OTHER = TYPES.index("what")

_EN = (
    ("who", r"\bwho(?:m|se)?\b"),
    (
        "when",
        r"\bwhen\b|\b(?:what|which)(?: \w+)? (?:year|date|day|month|century|decade|time|era|period|"
        r"season)s?\b|\bhow (?:long|often|old)\b",
    ),
    (
        "where",
        r"\bwhere\b|\b(?:what|which)(?: \w+){0,2} (?:cit|countr|state|place|location|town|region|"
        r"continent|count|province|area|island|river|nation|street|district|neighbo|building)",
    ),
    (
        "quantity",
        r"\bhow (?:many|much|large|big|tall|high|far|deep|wide|fast|heavy)\b|\b(?:what|which)"
        r"(?: \w+)? (?:number|percent|percentage|amount|population|size|age|proportion|fraction|"
        r"rate|cost|price|distance|height|length|speed|temperature)\b",
    ),
    ("why", r"\bwhy\b|\bwhat (?:caused|causes|reason)|\bfor what (?:reason|purpose)"),
    ("how", r"\bhow\b"),
    (
        "definition",
        r"^what (?:is|are|was|were) (?:an? |the )?[\w-]+(?: [\w-]+)?\?|\bwhat does .* mean|\bdefin",
    ),
    ("which", r"\bwhich\b"),
    ("what", r"\bwhat\b"),
    ("yes-no", r"^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would)\b"),
)
_ZH = (
    ("who", "谁|何人|哪位|什么人|哪个人|哪名|哪几位|哪些人|姓名|名字"),
    (
        "when",
        "何时|时候|哪一?[年天月日]|几[月年日点号]|时间|年份|多久|哪个?(?:朝代|世纪|年代|时期)",
    ),
    (
        "where",
        "哪里|哪儿|何处|何地|地方|哪个?(?:国家|城市|地区|省|州|县|市|区|国|岛|洲|地)|在哪|位于|"
        "于哪|位置",
    ),
    ("quantity", "多少|几|多[大长高远重宽深快]|百分|人口|面积|海拔|数量"),
    ("why", "为什么|为何|原因|为啥|因何|因为什么|缘故"),
    ("how", "如何|怎么|怎样|怎麽"),
    ("definition", "什么是|(?:指|意思|含义|定义).{0,4}什么|是什么意思"),
    ("which", "哪"),
    ("what", "什么|甚麼|何"),
    ("yes-no", "吗|是否|是不是|有没有"),
)


def _table(rules: Sequence[tuple[str, str]]) -> tuple[tuple[int, re.Pattern[str]], ...]:
    return tuple((TYPES.index(name), re.compile(pattern)) for name, pattern in rules)


_RULES = {"en": _table(_EN), "zh": _table(_ZH)}


def asked_type(question: str, language: str) -> int:
    """The type of a question in small letters, by the first rule that fits."""
    for number, pattern in _RULES[language]:
        if pattern.search(question):
            return number
    return _OTHER


ASKING = {
    "en": (
        *("who", "whom", "whose", "what", "which", "when", "where", "why", "how"),
        *("many", "much", "long", "name", "year", "kind", "type"),
    ),
    "zh": (
        *("谁", "什么", "哪", "何时", "哪里", "为什么", "如何", "怎么", "多少", "几"),
        *("哪些", "哪个", "名字", "年", "时候", "原因"),
    ),
}
"""Words whose presence in a question is a feature of its own; as many a language."""

_ASKING = {"what", "which", "many", "much", "whose"}
_ZH_ASKING = re.compile("什么|哪|多少|几|何|谁")


def focus(words: Sequence[str], function: Sequence[bool], language: str) -> list[float]:
    """Marks the noun that names what is wanted: "what *city*", "哪个*城市*", "*首都*是什么"."""
    marks = [0.0] * len(words)
    for index, word in enumerate(words):
        if language == "zh" and _ZH_ASKING.match(word):
            near = [*range(index + 1, min(index + 3, len(words)))]
            near = [one for one in near if not function[one]][:1] or [
                one for one in range(index - 1, max(-1, index - 4), -1) if not function[one]
            ][:1]
            for one in near:
                marks[one] = 1.0
            break
        if language != "zh" and word in _ASKING:
            for one in range(index + 1, min(index + 5, len(words))):
                if words[one] in ENDS_FOCUS:
                    break
                marks[one] = 1.0
            break
    return marks


# All classes that a question names, to see whether two questions ask for the same.


_ENGLISH = {
    "who": "who",
    "whom": "who",
    "whose": "who",
    "when": "when",
    "where": "where",
    "why": "why",
    "which": "which",
    "what": "what",
}
_QUANTITY = "many much long far old often tall big high deep large wide fast"
_OPEN = frozenset({"what", "which"})
_LOOSE = _OPEN | {"how"}
"""How somebody feels is also what feelings he has."""


def question_words(text: str) -> list[tuple[int, int, str]]:
    """Where the question words of a Chinese text occur, each with what it asks for."""
    pattern, asks = _questions()
    return [
        (match.start(), match.end(), asks[match[0]])
        for match in pattern.finditer(simplified(text))
        if asks[match[0]] != "none"
    ]


def asked_in_chinese(text: str) -> frozenset[str]:
    """What a Chinese question asks for; "what" next to a noun such as 原因 asks what "why" does."""
    plain = simplified(text)
    found = {one for _, _, asks in question_words(plain) for one in asks.split()}
    if found & _OPEN:
        found |= {asks for asks, nouns in _nouns().items() if any(noun in plain for noun in nouns)}
    return frozenset(found)


def asked_in_english(text: str) -> frozenset[str]:
    """What an English question asks for."""
    found = set()
    tokens = words(text, "en")
    for index, word in enumerate(tokens):
        if word in _ENGLISH:
            found.add(_ENGLISH[word])
        elif word == "how":
            following = tokens[index + 1] if index + 1 < len(tokens) else ""
            found.add("quantity" if following in _QUANTITY.split() else "how")
    return frozenset(found)


def asks_the_same(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether two questions may ask for the same thing; what asks nothing contradicts nothing."""
    if not first or not second or first & second:
        return True
    return bool(first & _LOOSE) and bool(second & _LOOSE)


@functools.cache
def _chinese_table() -> Mapping[str, Any]:
    source = files("readmark.text").joinpath("data", "question_classes.zh.toml")
    return tomllib.loads(source.read_text("utf-8"))


@functools.cache
def _nouns() -> Mapping[str, frozenset[str]]:
    return {asks: frozenset(said.split()) for asks, said in _chinese_table()["nouns"].items()}


@functools.cache
def _questions() -> tuple[re.Pattern[str], Mapping[str, str]]:
    asks: dict[str, str] = {}
    for name, said in _chinese_table()["questions"].items():
        for word in said.split():  # 怎么样 asks how or what
            asks[word] = f"{asks[word]} {name}" if word in asks else name
    longest_first = sorted(asks, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first))), asks


# The word lists behind the question types, read once from their data files.


@functools.cache
def word_lists(language: str) -> dict[str, Any]:
    """What ``data/question_types.LANGUAGE.toml`` holds; white space parts the words of a list."""
    data = files("readmark.text").joinpath(f"data/question_types.{language}.toml")
    return tomllib.loads(data.read_text("utf-8"))


@functools.cache
def words_of(language: str, *path: str) -> frozenset[str]:
    """One list of words, or all lists of a table together."""
    found: Any = word_lists(language)
    for name in path:
        found = found[name]
    lists = found.values() if isinstance(found, dict) else (found,)
    return frozenset(word for words in lists for word in words.split())


# The phrase that asks: the question word, alone and with more and more of its noun.


_MOST_WORDS = 4
_ENGLISH_WORD = re.compile(r"[\w'’-]+")
_TAKES_NOUN = re.compile(r"^(?!为|因|缘).*(?:什么|啥|哪.*|几|多.*|何.*|样)$")
_SELDOM_ASK = ("何", "几")
"""Parts of names and numbers more often than questions."""


@functools.cache
def between_words(language: str) -> frozenset[str]:
    """What may come between a Chinese question word and its noun, or ends an English noun."""
    return words_of(language, "phrase", "between")


@functools.cache
def _question_word(language: str) -> re.Pattern[str]:
    return re.compile(word_lists(language)["phrase"]["word"])


def question_phrases(text: str, language: str, words: Sequence[Tagged]) -> Iterator[Offsets]:
    """Where the question word occurs, then the same with more and more of its noun.

    ``words`` are the tagged words of a Chinese text, in simplified characters.
    """
    matches = list(_question_word(language).finditer(text if language == "zh" else text.lower()))
    if not matches:
        return
    asking = next((word for word in matches if word[0] not in _SELDOM_ASK), matches[-1])
    start, end = asking.span()
    yield start, end
    if language == "en":
        yield from ((start, last) for last in _english_nouns(text, end, asking[0]))
        return
    if not _TAKES_NOUN.search(asking[0]):
        return
    taken = 0
    for first, last, tag in words:
        if last <= end or first < start:
            continue
        if first > end or taken == _MOST_WORDS:
            return
        between = text[first:last] in between_words(language)
        if not (first < end or between or tag[0] in "nqmjlb" or tag == "vn"):
            return
        end = last
        taken += 1
        yield start, end


def _english_nouns(text: str, end: int, asking: str) -> list[int]:
    """Where the noun of an English question word may end.

    After *which* it may be any of the next words; after *what* it ends before an auxiliary, since
    "what fell …" has none.
    """
    if not asking.startswith(("which", "whose", "what", "how m")):
        return []
    ends: list[int] = []
    for word in _ENGLISH_WORD.finditer(text, end):
        if word[0] in between_words("en"):
            return ends
        if not word[0].islower() or len(ends) == _MOST_WORDS:
            break
        ends.append(word.end())
    return [] if asking == "what" else ends
