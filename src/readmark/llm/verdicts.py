"""Asking a model whether an answer is right, and reading its verdict."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.llm.endpoint import Request
from readmark.llm.prompts import Prompt, fence
from readmark.llm.replies import Reply
from readmark.llm.verdict_words import verdict_in_words
from readmark.text.answers.json_members import each_in_json, members_in_json
from readmark.text.answers.thoughts import without_thoughts

PLACES = frozenset({"passage", "question", "key", "answer", "fence"})
"""What a judge's prompt may have filled in."""
NEEDED = frozenset({"question", "key", "answer"})
"""What no verdict can be asked for without; a passage costs most, and the key may do."""
SCHEMA = {
    "type": "object",
    "properties": {"verdict": {"type": "string", "enum": ["right", "wrong"]}},
    "required": ["verdict"],
    "additionalProperties": False,
}

_NO_ANSWER = {"en": "(there is no answer in the passage)", "zh": "（篇章中没有答案）"}


@dataclass(frozen=True, slots=True)
class JudgedCase:
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


def settled_without_judge(case: JudgedCase) -> bool | None:
    """What needs no judge: an empty answer is right exactly where there is none."""
    if case.answer.strip():
        return None
    return not any(text.strip() for text in case.key)


def request_for(case: JudgedCase, prompt: Prompt, language: str) -> Request:
    """The request for a verdict; every text is between fences that it cannot contain."""
    side = "zh" if language == "zh" else "en"
    key = "\n".join(dict.fromkeys(text.strip() or _NO_ANSWER[side] for text in case.key))
    filled = {
        "passage": case.passage,
        "question": case.question,
        "key": key,
        "answer": case.answer,
        "fence": fence(case.passage, case.question, key, case.answer),
    }
    messages = tuple(message for message in prompt.messages(filled) if message.content)
    return Request(case.known_by, messages, SCHEMA)


def verdict_of(reply: Reply) -> bool | None:
    """Right, wrong, or None where no verdict can be read for certain."""
    if reply.reason is not None:
        return None
    content = without_thoughts(reply.content).strip()
    reply_members = members_in_json(content, "verdict")
    if reply_members is None:
        return verdict_in_words(content)
    # A model that writes both verdicts, as when it repeats the question, has not decided in JSON.
    verdicts: set[bool | None] = set()
    for value in (reply_members.members["verdict"], *each_in_json(content, "verdict")):
        if isinstance(value, bool):
            verdicts.add(value)
        else:
            verdicts.add(verdict_in_words(value) if isinstance(value, str) else None)
    return verdicts.pop() if len(verdicts) == 1 else None


def key_texts(references: Sequence[Sequence[Any]]) -> tuple[str, ...]:
    """Every person's answers, each once."""
    return tuple(dict.fromkeys(answer.text for person in references for answer in person))


def each_once(cases: Iterable[JudgedCase]) -> Iterator[JudgedCase]:
    """Cases that differ, in their order."""
    yield from {case.known_by: case for case in cases}.values()
