"""Entries of a form as questions and keys, and what the library's rules say of them.

What people fill in becomes an ordinary passage with questions, so that the functions behind
``readmark check`` look at it while it is written.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from readmark.comprehension import as_level, rule_explanation
from readmark.core.errors import DataError, did_you_mean
from readmark.core.problems import WarningCode
from readmark.core.records import PROPOSED, Answer, Passage, QuestionKey
from readmark.core.test import Header, in_memory
from readmark.formats.checks import record_findings
from readmark.formats.key_annotators import NO_ANSWER_BY
from readmark.making.blind.placing import placed
from readmark.making.blind.plan import PROPOSER
from readmark.making.rules.examiner import Examiner
from readmark.making.rules.profiles import RuleProfile, profile_named, profile_names
from readmark.works import Configuration, EntryField, WorkFinding
from readmark.works.forms import (
    as_choice,
    fields_of,
    form_faults,
    form_findings,
    is_filled,
    span_value,
    spans_in,
)

_LATER = ("few_answers",)
"""Rules that only other people's work can satisfy."""
_UNFINISHED = {
    "empty_text": "question",
    "no_key": "answer",
    "no_answer": "answer",
    "no_level": "level",
    "no_type": "type",
    "no_answer_sentence": "sentence",
}
"""Rules that a form breaks as long as a field is empty."""
_NEEDED = {"no_level": "level", "no_type": "type", "no_answer_sentence": "sentence"}
"""Rules that ask for a field, which a project may not have."""


def key_of_fields(fields: Mapping[str, Any], text: str, person: str | None) -> QuestionKey:
    """What a form says of a question: its answers, and labels under their own names."""
    own = {
        name: value
        for name, value in fields.items()
        if name not in _MEMBERS and is_filled(value) and not isinstance(value, Mapping)
    }
    level, sort = fields.get("level"), fields.get("type")
    return QuestionKey(
        answers=_answers(fields.get("answer"), text, person),
        sentences=tuple((start, end) for start, end, _ in spans_in(fields.get("sentence"), text)),
        unanswerable=fields.get("unanswerable") is True,
        level=(as_level(level) or level) if type(level) in (int, str) and level else None,
        type=sort if isinstance(sort, str) and sort else None,
        fields=own,
    )


def _answers(value: Any, text: str, person: str | None) -> tuple[Answer, ...]:
    """Answers that are marked in the passage, or written in a field of text."""
    if isinstance(value, str):
        return (Answer(text=value.strip(), annotator=person),) if value.strip() else ()
    return tuple(
        Answer(text=quote, start=start, annotator=person)
        for start, _, quote in spans_in(value, text)
    )


_MEMBERS = ("question", "answer", "sentence", "unanswerable", "level", "type")


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
    made: dict[str, Any] = {}
    if key is None:
        return made
    answers = [
        answer for answer in key.answers if person is None or answer.annotator in (None, person)
    ]
    if answers:
        made["answer"] = answer_value(fields.get("answer"), record, answers, language)
    if key.sentences:
        sentences = [span_value(start, record.text[start:end]) for start, end in key.sentences]
        several = "sentence" in fields and fields["sentence"].widget == "spans"
        made["sentence"] = sentences if several else sentences[0]
    labels = {"unanswerable": key.unanswerable or None, "level": key.level, "type": key.type}
    labels |= {
        name: value
        for name, value in key.fields.items()
        if name not in (PROPOSER, PROPOSED, NO_ANSWER_BY) and _is_flat(value)
    }
    return made | {
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


# Rules on work in progress, explained in the languages of the pages.


@functools.lru_cache(maxsize=8)
def _profile(name: str) -> RuleProfile:
    return profile_named(name)


def rule_findings(
    record: Passage,
    language: str,
    configuration: Configuration,
    entry: str,
    objects: Mapping[str, str],
) -> Iterator[WorkFinding]:
    """What a check and the rules of the project's profile say of a passage with people's work.

    ``objects`` has the object of each question, by the question's id.
    """
    test = in_memory(Header(language=language), [record])
    declared = fields_of(configuration, entry)
    profile = configuration.options.get("profile")
    found: list[tuple[str, str, str, str]] = []
    settings: dict[str, Mapping[str, Any]] = {}
    if profile is not None:
        rules = _profile(str(profile))
        settings = {code: rule.settings for code, rule in rules.rules.items()}
        for owner, code, message in Examiner(rules).findings(test):
            if code not in _LATER and _NEEDED.get(code, entry) in (*declared, entry):
                found.append((owner, code, message, rules.rules[code].severity))
    without_key = {owner for owner, code, _, _ in found if code == "no_key"}
    for owner, code, message in record_findings(test, record):
        if not (code in ("no_answer", "no_sentence") and owner in without_key):
            severity = "warning" if isinstance(code, WarningCode) else "error"
            found.append((owner, str(code), message, severity))
    for owner, code, message, severity in found:
        if owner in objects or owner == record.id:
            yield explained(code, message, severity, objects.get(owner), settings.get(code, {}))


def explained(
    code: str,
    message: str,
    severity: str = "warning",
    object: str | None = None,
    settings: Mapping[str, Any] | None = None,
) -> WorkFinding:
    """A finding of the library with its explanation in both languages."""
    en, zh = (rule_explanation(code, language, settings or {}) for language in ("en", "zh"))
    if en is None or zh is None:
        return WorkFinding(code, message, severity, object)
    words = {"en": f"{en[0]}: {message}", "zh": zh[0]}
    return WorkFinding(code, words, severity, object, {"en": en[1], "zh": zh[1]})


def question_findings(
    findings: Iterable[WorkFinding],
    configuration: Configuration,
    entry: str,
    entries: Iterable[tuple[str, Mapping[str, Any]]],
) -> Iterator[WorkFinding]:
    """Findings of rules, then empty fields; a question without an answer needs no other field."""
    return form_findings(
        findings, configuration, entry, entries, unfinished=_UNFINISHED, closing="unanswerable"
    )


def question_faults(
    configuration: Configuration, entry: str, *needed: str
) -> Iterator[tuple[tuple[str, ...], str]]:
    """What a configuration lacks for a form on questions, a profile of rules included."""
    yield from form_faults(configuration, entry, *needed)
    profile = configuration.options.get("profile")
    if entry in configuration.entry and profile is not None and profile not in profile_names():
        hint = did_you_mean(str(profile), profile_names())
        yield ("options", "profile"), f"no profile {profile!r}; {hint}"
