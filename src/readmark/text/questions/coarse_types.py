"""A coarse type for a question, by the first pattern that fits, and the noun that is wanted.

These are not the twelve types of a reading test (``types``): the evidence reader was trained with
these patterns in this order, and with these words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from readmark.text.function_words import ENDS_FOCUS

COARSE_TYPES = (
    "who",
    "when",
    "where",
    "quantity",
    "why",
    "how",
    "definition",
    "which",
    "what",
    "yes-no",
)
"""Coarser than the twelve types of a reading test: only what a sentence can give a cue for."""
_OTHER = COARSE_TYPES.index("what")

_ENGLISH = (
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
_CHINESE = (
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
_RULES = {
    language: [(COARSE_TYPES.index(name), re.compile(pattern)) for name, pattern in rules]
    for language, rules in (("en", _ENGLISH), ("zh", _CHINESE))
}

_ENGLISH_CUES = "who whom whose what which when where why how many much long name year kind type"
_CHINESE_CUES = "谁 什么 哪 何时 哪里 为什么 如何 怎么 多少 几 哪些 哪个 名字 年 时候 原因"
CUE_WORDS = {"en": tuple(_ENGLISH_CUES.split()), "zh": tuple(_CHINESE_CUES.split())}
"""Words whose presence in a question is a feature of its own; as many a language."""

_BEFORE_FOCUS = {"what", "which", "many", "much", "whose"}
_CHINESE_QUESTION_WORD = re.compile("什么|哪|多少|几|何|谁")


def coarse_type(question: str, language: str) -> int:
    """The number of the type of a question in small letters, by the first rule that fits."""
    for number, pattern in _RULES[language]:
        if pattern.search(question):
            return number
    return _OTHER


def focus(words: Sequence[str], function: Sequence[bool], language: str) -> list[float]:
    """Marks the noun that names what is wanted: "what *city*", "哪个*城市*", "*首都*是什么".

    ``function`` says which of the words carry no content.
    """
    marks = [0.0] * len(words)
    for index, word in enumerate(words):
        if language == "zh" and _CHINESE_QUESTION_WORD.match(word):
            after = range(index + 1, min(index + 3, len(words)))
            before = range(index - 1, max(-1, index - 4), -1)
            for place in (*after, *before):
                if not function[place]:
                    marks[place] = 1.0
                    break
            break
        if language != "zh" and word in _BEFORE_FOCUS:
            for place in range(index + 1, min(index + 5, len(words))):
                if words[place] in ENDS_FOCUS:
                    break
                marks[place] = 1.0
            break
    return marks
