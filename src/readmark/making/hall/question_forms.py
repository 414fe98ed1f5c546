"""Entries of a form as questions and keys.

What people fill in becomes an ordinary passage with questions, so that the functions behind
``readmark check`` can look at it while it is written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from readmark.comprehension import as_level
from readmark.core.errors import DataError
from readmark.core.records import PROPOSED, Answer, Passage, QuestionKey
from readmark.formats.key_annotators import NO_ANSWER_BY
from readmark.making.blind.placing import placed
from readmark.making.blind.plan import PROPOSER
from readmark.works import EntryField
from readmark.works.field_values import as_choice, is_filled, span_value, spans_in

_MEMBERS = ("question", "answer", "sentence", "unanswerable", "level", "type")
"""Fields that are members of a question or its key; all others are labels."""


def key_of_fields(fields: Mapping[str, Any], text: str, person: str | None) -> QuestionKey:
    """The key that a form fills in: answers, and labels under their own names."""
    labels = {
        name: value
        for name, value in fields.items()
        if name not in _MEMBERS and is_filled(value) and not isinstance(value, Mapping)
    }
    level, type_ = fields.get("level"), fields.get("type")
    return QuestionKey(
        answers=_answers(fields.get("answer"), text, person),
        sentences=tuple((start, end) for start, end, _ in spans_in(fields.get("sentence"), text)),
        unanswerable=fields.get("unanswerable") is True,
        level=(as_level(level) or level) if type(level) in (int, str) and level else None,
        type=type_ if isinstance(type_, str) and type_ else None,
        fields=labels,
    )


def _answers(value: Any, text: str, person: str | None) -> tuple[Answer, ...]:
    """Answers that are marked in the passage, or written in a field of text."""
    if isinstance(value, str):
        return (Answer(text=value.strip(), annotator=person),) if value.strip() else ()
    return tuple(
        Answer(text=quote, start=start, annotator=person)
        for start, _, quote in spans_in(value, text)
    )


def fields_of_key(
    key: QuestionKey | None,
    record: Passage,
    fields: Mapping[str, EntryField],
    *,
    person: str | None = None,
    language: str = "en",
) -> dict[str, Any]:
    """The fields of a form that a key fills in; an answer that is not in the passage is an error.

    With ``person`` only that person's answers are taken.
    """
    if key is None:
        return {}
    filled: dict[str, Any] = {}
    answers = [
        answer for answer in key.answers if person is None or answer.annotator in (None, person)
    ]
    if answers:
        filled["answer"] = answer_value(fields.get("answer"), record, answers, language)
    if key.sentences:
        sentences = [span_value(start, record.text[start:end]) for start, end in key.sentences]
        takes_several = "sentence" in fields and fields["sentence"].widget == "spans"
        filled["sentence"] = sentences if takes_several else sentences[0]
    labels = {"unanswerable": key.unanswerable or None, "level": key.level, "type": key.type}
    labels |= {
        name: value
        for name, value in key.fields.items()
        if name not in (PROPOSER, PROPOSED, NO_ANSWER_BY) and _is_flat(value)
    }
    return filled | {
        name: as_choice(fields.get(name), value)
        for name, value in labels.items()
        if value is not None
    }


def _is_flat(value: Any) -> bool:
    """Whether a value fits into a field: a text, a number, a flag or a list of them."""
    members = value if isinstance(value, list) else [value]
    return all(isinstance(member, (str, int, float)) for member in members)


def answer_value(
    field: EntryField | None, record: Passage, answers: Sequence[Answer], language: str
) -> Any:
    """Answers as a field holds them: in words, or as the spans of the passage that they are."""
    if field is not None and field.widget not in ("span", "spans"):
        return answers[0].text
    spans = []
    for answer in answers:
        span = placed(record.text, answer.text, answer.start, "", language=language).answer
        if span.start is None:
            message = f"the answer {answer.text!r:.60} does not occur in the passage"
            raise DataError(message, where=record.id)
        spans.append(span_value(span.start, span.text))
    return spans if field is not None and field.widget == "spans" else spans[0]
