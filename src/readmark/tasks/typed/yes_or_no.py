"""Yes and no as people type them, with or without a reason after it."""

from __future__ import annotations

import re

from readmark.tasks.typed.words import not_a

_YES = frozenset(
    [
        "yes",
        "y",
        "yeah",
        "yep",
        "true",
        "right",
        "correct",
        "1",
        "√",
        "✓",
        "是",
        "是的",
        "对",
        "对的",
        "没错",
        "正确",
        "有",
        "有的",
        "真",
        "真的",
    ]
)
_NO = frozenset(
    [
        "no",
        "n",
        "nope",
        "false",
        "wrong",
        "incorrect",
        "0",
        "×",
        "✗",
        "否",
        "不",
        "不是",
        "不是的",
        "不对",
        "错",
        "错误",
        "没有",
        "没",
        "无",
        "假",
        "并非",
    ]
)
_WITH_REASON = re.compile(
    r"(?P<english>yes|no)(?:,| (?=(?:it|he|she|they|there|this|that|we|nobody|nothing)\b)).*"
    r"|(?P<chinese>是的?|不是|没有|没错|否|对|不对)[，,].*"
)
"""Yes or no and then why: "Yes, it was", 是的，计划过; not "no doubt"."""


def read_yes_or_no(text: str, words: str) -> bool:
    """Whether somebody typed yes; ``words`` are the text as `plain_words` has it."""
    reasoned = _WITH_REASON.fullmatch(words)
    word = words if reasoned is None else reasoned["english"] or reasoned["chinese"]
    if word in _YES or word in _NO:
        return word in _YES
    raise not_a("yes or no", "“是”或“否”", text)
