"""Asking a model whether an answer is right, and reading its verdict."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.corpus.thoughts import without_thoughts
from readmark.marking.judging.wording import verdict_in_words
from readmark.models.llm.endpoint import Request
from readmark.models.llm.prompts import Prompt, fence
from readmark.models.llm.replies import Reply
from readmark.text.said_json import each_in_json, said_in_json

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

_NO_ANSWER = {"en": "(there is no answer in the passage)", "zh": "（文章中没有答案）"}


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
    content = without_thoughts(reply.content).strip()
    said = said_in_json(content, "verdict")
    if said is None:
        return verdict_in_words(content)
    # Who writes both down, as when the question is repeated, has not decided in JSON.
    each = {_read(one) for one in (said.members["verdict"], *each_in_json(content, "verdict"))}
    return each.pop() if len(each) == 1 else None


def _read(said: Any) -> bool | None:
    """A member's value: true, a word, or a sentence."""
    if isinstance(said, bool):
        return said
    return verdict_in_words(said) if isinstance(said, str) else None


def key_texts(references: Sequence[Sequence[Any]]) -> tuple[str, ...]:
    """Every person's answers, each once."""
    return tuple(dict.fromkeys(one.text for person in references for one in person))


def each_once(cases: Iterable[Case]) -> Iterator[Case]:
    """Cases that differ, in their order."""
    yield from {one.known_by: one for one in cases}.values()
