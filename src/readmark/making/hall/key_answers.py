"""The key's answers to a question, and practice answers that are not among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from readmark.core.records import QuestionKey
from readmark.marking import score
from readmark.works import Text, WorkFinding, WorkItem

LEAST_F1 = 0.8
"""The F1 from which an answer in practice counts as right, unless the project says otherwise."""


def key_texts(key: QuestionKey | None) -> list[str]:
    """The answers of a key in words; an empty text where the passage has no answer."""
    if key is None:
        return []
    if key.unanswerable:
        return [""]
    return [answer.text for answer in key.answers] or [phrase.text for phrase in key.published]


def exact_and_f1(
    item: WorkItem, answer: str, references: Sequence[str], language: str
) -> tuple[float, float]:
    """EM and F1 of an answer, by the scoring rules of the test that the item is from."""
    profile = item.key.get("profile") if isinstance(item.key, Mapping) else None
    rules = f"(profile={profile})" if profile else ""
    exact, f1 = (
        score(f"{metric}{rules}", answer, references, language=language) for metric in ("em", "f1")
    )
    return exact, f1


def unanswered_finding(object: str) -> WorkFinding:
    """In practice: a question without an answer."""
    return WorkFinding("no_answer", {"en": "not answered", "zh": "没有作答"}, "error", object)


def wrong_answer_finding(object: str, message: Text, references: Sequence[str]) -> WorkFinding:
    """In practice: an answer that is wrong, with what the key has."""
    texts = " | ".join(dict.fromkeys(references))
    detail = {
        "en": f"The key has: {texts}" if texts else "The passage has no answer.",
        "zh": f"参考答案：{texts}" if texts else "篇章中没有答案。",
    }
    return WorkFinding("answer", message, "error", object, detail)
