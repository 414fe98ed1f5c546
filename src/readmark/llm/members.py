"""The members of a model's reply: JSON where it kept to it, else words after a label."""

from __future__ import annotations

import re

from readmark.text.answers.json_members import ReplyMembers, boxed, members_in_json
from readmark.text.answers.thoughts import without_thoughts

_BLANKS = re.compile(r"[ \t]{2,}")
_NAMES = {
    "answer": r"(?:(?:the|my|final|short|correct|right)[ \t]+){0,3}answer|option|choice"
    r"|(?:最终|正确|参考|我的)?答案|回答|选项",
    "rewrite": r"(?:the[ \t]+)?(?:rewritten[ \t]+question|rewrite|question)"
    r"|改写(?:后的问题|为|结果)?|问题",
    "rating": r"(?:(?:the|my|final|readability)[ \t]+){0,3}(?:rating|score)|评分|分数|得分|等级",
    "verdict": r"(?:(?:the|my|final)[ \t]+){0,2}(?:verdict|answer)|结论|判断|评判|答案",
    "evidence": r"evidence|quote|证据|依据|原文",
}
_LABELLED = {
    member: re.compile(
        rf"[ \t>*#\-]*(?:{names})(?:[ \t]{{1,8}}is|是|为)?[ \t*]*[:：][ \t*]*(.*)", re.IGNORECASE
    )
    for member, names in _NAMES.items()
}
_ANSWER_IS = re.compile(
    r"\b(?:the|my)[ \t]{1,8}(?:(?:final|short|correct|right|best)[ \t]{1,8}){0,2}"
    r"answer[ \t]{1,8}(?:is|would be|should be|must be)\b[ \t:：*]*"
    r"|(?:最终|正确)?(?:答案|回答)(?:应该|应)?[是为选][ \t:：*]*",
    re.IGNORECASE,
)
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "「": "」", "『": "』", "`": "`"}
_ABBREVIATED = re.compile(r"\.\w{1,3}\.$")


def read_members(content: str, member: str) -> ReplyMembers:
    """The members of a reply; ``member`` is the one that must be there.

    In words the answer is what follows a label such as ``Answer:``, else all that was said.
    Numbers in JSON are kept as they were written.
    """
    words = without_thoughts(content).strip()
    return members_in_json(words, member) or _in_words(words, member)


def unquoted(text: str) -> str:
    """A text without the quotation marks or stars around the whole of it."""
    words = text.strip().strip("*").strip()
    while len(words) >= 2 and _QUOTES.get(words[0]) == words[-1]:
        inner = words[1:-1]
        if words[0] in inner or words[-1] in inner:
            break
        words = inner.strip()
    return words


def _in_words(words: str, member: str) -> ReplyMembers:
    lines = words.splitlines()
    in_boxes = boxed(words) if member == "answer" else []
    value = in_boxes[-1] if in_boxes else _labelled(lines, member)
    if value is None and member == "answer":
        value = _stated_answer(lines)
    if value is None:
        return ReplyMembers({member: unquoted(words)}, "words")
    members = {member: unquoted(value)}
    evidence = _labelled(lines, "evidence")
    if evidence is not None:
        members["evidence"] = unquoted(evidence)
    return ReplyMembers(members, "label")


def _labelled(lines: list[str], member: str) -> str | None:
    """What follows the last label of a member, on its line or the next that has words."""
    for index in range(len(lines) - 1, -1, -1):
        label = _LABELLED[member].match(lines[index])
        if label is not None:
            words = label[1] or next((line for line in lines[index + 1 :] if line.strip()), "")
            return _BLANKS.sub(" ", words).strip()
    return None


def _stated_answer(lines: list[str]) -> str | None:
    """What follows "the answer is" in a sentence, whose full stop is not the answer's."""
    for line in reversed(lines):
        *_, last = (None, *_ANSWER_IS.finditer(line))
        if last is not None:
            words = _BLANKS.sub(" ", line[last.end() :]).strip()
            return words if _ABBREVIATED.search(words) else words.rstrip("。.")
    return None
