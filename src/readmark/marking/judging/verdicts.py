"""Asking a model whether an answer is right, and reading its verdict."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.models.llm.endpoint import Request
from readmark.models.llm.prompts import Prompt, fence
from readmark.models.llm.replies import Reply
from readmark.models.llm.saying import read_said

PLACES = frozenset({"passage", "question", "key", "answer", "fence"})
"""What a judge's prompt may have filled in."""
SCHEMA = {
    "type": "object",
    "properties": {"verdict": {"type": "string", "enum": ["right", "wrong"]}},
    "required": ["verdict"],
    "additionalProperties": False,
}

_NO_ANSWER = {"en": "(there is no answer in the passage)", "zh": "（文章中没有答案）"}
_RIGHT = frozenset(
    ("right", "correct", "true", "yes", "1", "正确", "对", "是", "正确的", "对的", "accurate")
)
_WRONG = frozenset(
    ("wrong", "incorrect", "false", "no", "0", "错误", "错", "否", "不正确", "不对", "错误的")
)
_SAID_WRONG = re.compile(
    r"\b(?:in|un)correct\b|\bwrong\b|\bfalse\b|\b(?:not|isn't|n't)\s+(?:\w+\s+)?(?:right|correct)\b"
    r"|不正确|不对|错误|不是正确",
    re.IGNORECASE,
)
_SAID_RIGHT = re.compile(r"\bright\b|\bcorrect\b|\btrue\b|正确|对的", re.IGNORECASE)
_EDGES = " \t\r\n.。!！*\"'`“”‘’「」"


@dataclass(frozen=True, slots=True)
class Case:
    """An answer to be judged: all that decides the verdict."""

    passage: str
    question: str
    key: tuple[str, ...]
    answer: str

    @property
    def known_by(self) -> str:
        """Equal cases are one, whatever unit they are of."""
        parts = (self.passage, self.question, *self.key, "", self.answer)
        text = "\0".join(parts).encode("utf-8", "surrogatepass")
        return f"judge-{hashlib.sha256(text).hexdigest()[:24]}"


def settled(case: Case) -> bool | None:
    """What needs no judge: an empty answer is right exactly where there is none."""
    if case.answer.strip():
        return None
    return not any(one.strip() for one in case.key)


def request_for(case: Case, prompt: Prompt, language: str) -> Request:
    """The request for a verdict; every text stands between fences that it cannot hold."""
    side = "zh" if language == "zh" else "en"
    key = "\n".join(dict.fromkeys(one.strip() or _NO_ANSWER[side] for one in case.key))
    filled = {
        "passage": case.passage,
        "question": case.question,
        "key": key,
        "answer": case.answer,
        "fence": fence(case.passage, case.question, key, case.answer),
    }
    messages = tuple(one for one in prompt.messages(filled) if one.content)
    return Request(case.known_by, messages, SCHEMA)


def verdict_of(reply: Reply) -> bool | None:
    """Right, wrong, or None where no verdict can be read for certain."""
    if reply.reason is not None:
        return None
    said = read_said(reply.content, "verdict").members.get("verdict")
    if isinstance(said, bool):
        return said
    if not isinstance(said, (str, int)):
        return None
    plain = str(said).strip(_EDGES).lower()
    if plain in _RIGHT or plain in _WRONG:
        return plain in _RIGHT
    wrong = _SAID_WRONG.search(plain) is not None
    right = _SAID_RIGHT.search(_SAID_WRONG.sub(" ", plain)) is not None
    return None if right == wrong else right


def key_texts(references: Sequence[Sequence[Any]]) -> tuple[str, ...]:
    """Every person's answers, each once."""
    return tuple(dict.fromkeys(one.text for person in references for one in person))


def each_once(cases: Iterable[Case]) -> Iterator[Case]:
    """Cases that differ, in their order."""
    yield from {one.known_by: one for one in cases}.values()
