"""Entries of a form as questions and keys, and what the library's rules say of them.

What people fill in becomes an ordinary passage with questions, so that the functions behind
``readmark check`` look at it while it is written.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import msgspec

from readmark.comprehension.levels.cues import as_level
from readmark.comprehension.question_rules import rule_explanation
from readmark.core.errors import DataError, did_you_mean
from readmark.core.fingerprint import text_id
from readmark.core.records import PROPOSED, Answer, Passage, QuestionKey
from readmark.core.test import Header, in_memory
from readmark.formats.checks import record_findings
from readmark.formats.returned_work import NO_ANSWER_BY
from readmark.making.blind.plan import PROPOSER
from readmark.making.blind.returns import placed
from readmark.making.question_rules import (
    Examiner,
    RuleProfile,
    profile_named,
    profile_names,
)
from readmark.server.configuration import Configuration, EntryField, in_language
from readmark.server.works.work import Objects, WorkFinding

TEXT = "passage"
"""The id of the passage's text on the page."""
NOTE = "note"
_ID = re.compile(r"[^\W_][\w.:#/@+=-]{0,59}")
"""What an object can be called."""
_RESERVED = (NOTE, "status")
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


# Entries of forms: what people filled in, as far as it can be read.


def fields_of(configuration: Configuration, entry: str) -> dict[str, EntryField]:
    """The fields of a form."""
    declared = configuration.entry[entry].fields if entry in configuration.entry else {}
    return {
        name: EntryField(widget=field) if isinstance(field, str) else field
        for name, field in declared.items()
    }


def form_faults(
    configuration: Configuration, entry: str, *needed: str
) -> Iterator[tuple[tuple[str, ...], str]]:
    """What a configuration lacks for a work that fills in one form."""
    if entry not in configuration.entry:
        work = configuration.project.work
        yield ("project", "work"), f"the work {work} needs a table [entry.{entry}]"
        return
    declared = fields_of(configuration, entry)
    for name in needed:
        if name not in declared:
            yield ("entry", entry, "fields"), f"the entry {entry} needs a field {name}"
    profile = configuration.options.get("profile")
    if profile is not None and profile not in list(profile_names()):
        hint = did_you_mean(str(profile), profile_names())
        yield ("options", "profile"), f"no profile {profile!r}; {hint}"


def entries_of(objects: Objects, entry: str) -> list[tuple[str, dict[str, Any]]]:
    """The entries of a form with their fields, in order."""
    found = []
    for id, value in objects.items():
        if (
            isinstance(value, Mapping)
            and value.get("type") == "entry"
            and value.get("entry") == entry
        ):
            fields, order = value.get("fields"), value.get("order")
            place = order if isinstance(order, (int, float)) else 0
            found.append((place, id, dict(fields) if isinstance(fields, Mapping) else {}))
    return [(id, fields) for _, id, fields in sorted(found, key=lambda each: each[:2])]


def is_filled(value: Any) -> bool:
    """Whether a field has a value; an unset flag is none."""
    return value not in (None, "", False, [], {}) and not (
        isinstance(value, str) and not value.strip()
    )


class _MarkedSpan(msgspec.Struct, frozen=True):
    start: int
    end: int
    quote: str = ""


def spans_in(value: Any, text: str) -> list[tuple[int, int, str]]:
    """The spans of a field with their quotes; what is no span is passed over."""
    found = []
    for member in value if isinstance(value, (list, tuple)) else [value]:
        with suppress(msgspec.ValidationError):
            span = msgspec.convert(member, _MarkedSpan)
            if 0 <= span.start < span.end:
                found.append((span.start, span.end, span.quote or text[span.start : span.end]))
    return found


def span_value(start: int, quote: str) -> dict[str, Any]:
    """A span as a field holds it."""
    return {"text": TEXT, "start": start, "end": start + len(quote), "quote": quote}


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


def as_choice(field: EntryField | None, value: Any) -> Any:
    """A value as the choices of a field spell it: 2 is "2" where the choices have labels."""
    if isinstance(value, (list, tuple)):
        return [as_choice(field, member) for member in value]
    choices = field.choices if field is not None else ()
    return next((choice for choice in choices if str(choice) == str(value)), value)


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


def object_id(id: str) -> str:
    """The id of the object for a question of earlier work: its own, if objects may have it."""
    return id if _ID.fullmatch(id) and id not in _RESERVED else text_id(id)


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
        if not (code == "no_answer" and owner in without_key):
            found.append((owner, code, message, "error"))
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


def form_findings(
    findings: Iterable[WorkFinding],
    configuration: Configuration,
    entry: str,
    entries: Iterable[tuple[str, Mapping[str, Any]]],
) -> Iterator[WorkFinding]:
    """Findings of rules, then empty fields; what is only unfinished is a hint."""
    explained_fields = set()
    for finding in findings:
        if finding.code in _UNFINISHED:
            explained_fields.add((finding.object, _UNFINISHED[finding.code]))
            finding = replace(finding, severity="hint")
        yield finding
    for id, fields in entries:
        for name, field in fields_of(configuration, entry).items():
            if field.optional or field.widget == "flag" or is_filled(fields.get(name)):
                continue
            if (id, name) not in explained_fields and not fields.get("unanswerable"):
                labels = [in_language(field.label, spoken) or name for spoken in ("en", "zh")]
                message = {"en": f"{labels[0]}: still empty", "zh": f"{labels[1]}：还没有填写"}
                yield WorkFinding("missing", message, "hint", id)
