"""Tests and sittings made by hand, in a line each, for the tests of marking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from readmark.corpus.sitting import Row, Rows, Sitting, SittingHeader, keep
from readmark.corpus.test import Header, Test, in_memory
from readmark.corpus.values import Answer, Passage, Phrase, Question, QuestionKey

Said = str | tuple[str, str]


def asked(
    id: str, *answers: Said, published: Iterable[str] = (), key: bool = True, **more: Any
) -> Question:
    """A question; an answer is a text, or an annotator's name and a text. More is the key's."""
    paper = {name: more.pop(name) for name in ("text", "options", "series") if name in more}
    own = more.pop("fields", {})
    made = QuestionKey(
        answers=tuple(_answer(one) for one in answers),
        published=tuple(Phrase(text=text) for text in published),
        fields=more.pop("key_fields", {}),
        **more,
    )
    return Question(
        id=id, key=made if key else None, fields=own, **{"text": f"What is {id}?", **paper}
    )


def _answer(said: Said) -> Answer:
    if isinstance(said, str):
        return Answer(text=said)
    return Answer(text=said[1], annotator=said[0])


def passage(id: str, *questions: Question, text: str = "", **more: Any) -> Passage:
    """A passage with its questions."""
    words = text or f"The {id} passage tells of a kettle, a coat and some boats."
    return Passage(id=id, text=words, questions=questions, **more)


def comprehension(*passages: Passage, **header: Any) -> Test:
    """A test of passages."""
    return in_memory(Header(**{"name": "made", **header}), passages)


def sat(
    answers: Mapping[str, str | tuple[str | None, ...] | None],
    *,
    member: str = "text",
    **header: Any,
) -> Sitting:
    """A sitting: a text an id, several for repeats, None for an error row."""
    rows: Rows = {}
    for id, said in answers.items():
        for repeat, one in enumerate(said if isinstance(said, tuple) else (said,)):
            if one is None:
                keep(rows, Row(id=id, repeat=repeat, error="timed out"))
            else:
                keep(rows, Row(id=id, repeat=repeat, **{member: one}))
    return Sitting(SittingHeader(**{"candidate": "reader", **header}), rows)


def shared_out(values: Iterable[tuple[str, float]]) -> tuple[Test, Sitting]:
    """A test with one question a value (its passage's id and 1 or 0), and answers to match."""
    groups: dict[str, list[Question]] = {}
    answers: dict[str, str | tuple[str | None, ...] | None] = {}
    for at, (group, value) in enumerate(values):
        id = f"q{at}"
        groups.setdefault(group, []).append(asked(id, "kettle"))
        answers[id] = "kettle" if value else "boat"
    return comprehension(*(passage(id, *found) for id, found in groups.items())), sat(answers)
