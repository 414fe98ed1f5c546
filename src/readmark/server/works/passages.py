"""Items that are passages with their questions, and entries of a form as questions and keys.

What people make of a passage becomes an ordinary test, so that the library's own functions check,
grade and write it.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from readmark.comprehension.levels.cues import as_level
from readmark.comprehension.question_rules import rule_explanation
from readmark.core.binding import paper_members
from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.fingerprint import text_id
from readmark.core.records import PROPOSED, Answer, Passage, Question, QuestionKey, RecordKey
from readmark.core.splits import without_hidden
from readmark.core.test import Header, Test, in_memory
from readmark.formats.checks import record_findings
from readmark.formats.registry import save_test
from readmark.formats.returned_work import (
    NO_ANSWER_BY,
    require_name,
    require_same_text,
    twice,
)
from readmark.making.blind.plan import PROPOSER, people_knowing
from readmark.making.blind.returns import placed
from readmark.making.question_rules import (
    Examiner,
    RuleProfile,
    profile_named,
    profile_names,
    rules_by_code,
)
from readmark.server.configuration import Configuration, EntryField, in_language
from readmark.server.works.work import (
    Finding,
    ItemView,
    Objects,
    PersonsWork,
    ProjectWork,
    TextView,
    WorkItem,
)

TEXT = "passage"
"""The id of the passage's text on the page."""
NOTE = "note"
NOTES = "notes"
"""The field of a passage's key with people's notes by name."""
LONGEST_NAME = 300
"""Characters of an item's name in the database."""
_ID = re.compile(r"[^\W_][\w.:#/@+=-]{0,59}")
"""What an object can be called."""
PEOPLE = "people"
"""The folder with a file for each person."""
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


# A test as items, and items as a test again.


def passage_items(
    test: Test, *, is_asked: bool = False, names_people: bool = False
) -> Iterator[WorkItem]:
    """An item for each passage outside hidden splits; with ``is_asked`` those with questions only.

    With ``names_people`` the key names who knows it, so that they get other passages.
    """
    test.require_kind("comprehension")
    shown, _ = without_hidden(test, "in the hall")
    seen: Counter[str] = Counter()
    for record in shown.records():
        if is_asked and not record.questions:
            continue
        seen[record.id] += 1
        name = record.id if seen[record.id] == 1 else f"{record.id} ({seen[record.id]})"
        if len(name) > LONGEST_NAME:
            message = f"the id has {len(name)} characters, expected at most {LONGEST_NAME}"
            raise DataError(message, file=test.file, where=f"{name[:40]}…")
        key: dict[str, Any] = {"record": _builtins(record), "paper": paper_members(shown)}
        if names_people and (people := people_knowing(record)):
            key["known_by"] = people
        yield WorkItem(
            name, {"record": _builtins(test.kind.paper(record)), "language": shown.language}, key
        )


def _builtins(record: Passage) -> Any:
    return msgspec.json.decode(msgspec.json.encode(record))


def paper_of(item: WorkItem) -> Passage:
    """The passage as annotators may see it."""
    return msgspec.convert(item.paper["record"], Passage)


def record_of(item: WorkItem) -> Passage:
    """The passage with its key, where the organiser has one."""
    known = item.key.get("record") if isinstance(item.key, Mapping) else None
    return paper_of(item) if known is None else msgspec.convert(known, Passage)


def language_of_item(item: WorkItem) -> str:
    """The language of an item's passage."""
    return str(item.paper.get("language") or "en")


def test_of(header: Header, records: Iterable[Passage]) -> Test:
    """Records as a test, whose header names no hidden split that it lacks."""
    own = list(records)
    splits = {record.split for record in own}
    hidden = tuple(name for name in header.hidden if name in splits)
    return in_memory(msgspec.structs.replace(header, hidden=hidden), own)


def sat_paper(items: Sequence[WorkItem], test: Test) -> dict[str, Any]:
    """What binds a sitting to the test of some items, and so to the test that they are all of.

    Where the items are but a part of theirs, nothing does: such answers fit both by their ids.
    """
    own = paper_members(test)
    known = (item.key.get("paper") for item in items if isinstance(item.key, Mapping))
    return own if all(paper in (None, own) for paper in known) else {}


def passage_view(item: WorkItem, objects: Objects | None = None) -> ItemView:
    """The passage with what every annotator starts from."""
    record = paper_of(item)
    language = record.language or language_of_item(item)
    text = TextView(TEXT, record.text, language, record.title or "")
    return ItemView((text,), objects or {})


def fixed_id(number: int) -> str:
    """The id of the entry for an item's question, counted from 1."""
    return f"q-{number}"


def fixed_entries(
    item: WorkItem, configuration: Configuration, entry: str, contexts: Sequence[str] = ()
) -> dict[str, dict[str, Any]]:
    """An entry to fill in for each question of an item."""
    defaults = {
        name: field.default
        for name, field in fields_of(configuration, entry).items()
        if field.default is not None
    }
    made = {}
    for number, question in enumerate(paper_of(item).questions, 1):
        value: dict[str, Any] = {"type": "entry", "entry": entry, "order": float(number)}
        context = contexts[number - 1] if contexts else "\n".join(question.options)
        value |= {"prompt": question.text, **({"context": context} if context else {})}
        made[fixed_id(number)] = value | {"fields": dict(defaults)}
    return made


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
    if profile is not None and profile not in profile_names():
        hint = did_you_mean(str(profile), profile_names())
        yield ("options", "profile"), f"no profile {profile!r}; {hint}"


def entries_of(objects: Objects, entry: str) -> list[tuple[str, dict[str, Any]]]:
    """The entries of a form with their fields, in order."""
    found = []
    for id, value in objects.items():
        if value.get("type") == "entry" and value.get("entry") == entry:
            fields, order = value.get("fields"), value.get("order")
            place = float(order) if isinstance(order, (int, float)) else 0.0
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
    answers = spans_in(fields.get("answer"), text)
    own = {
        name: value
        for name, value in fields.items()
        if name not in _MEMBERS and is_filled(value) and not isinstance(value, Mapping)
    }
    level, type = fields.get("level"), fields.get("type")
    return QuestionKey(
        answers=tuple(
            Answer(text=quote, start=start, annotator=person) for start, _, quote in answers
        ),
        sentences=tuple((start, end) for start, end, _ in spans_in(fields.get("sentence"), text)),
        unanswerable=fields.get("unanswerable") is True,
        level=(as_level(level) or level) if isinstance(level, (int, str)) and level else None,
        type=type if isinstance(type, str) and type else None,
        fields=own,
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
        spans = [placed_span(record, answer.text, answer.start, language) for answer in answers]
        several = "answer" in fields and fields["answer"].widget == "spans"
        made["answer"] = spans if several else spans[0]
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


def placed_span(record: Passage, answer: str, start: int | None, language: str) -> dict[str, Any]:
    """The span of a passage that an answer in words is."""
    span = placed(record.text, answer, start, "", language=language).answer
    if span.start is None:
        message = f"the answer {answer!r:.60} does not occur in the passage"
        raise DataError(message, where=record.id)
    return span_value(span.start, span.text)


def object_id(id: str) -> str:
    """The id of the object for a question of earlier work: its own, if objects may have it."""
    return id if _ID.fullmatch(id) and id not in _RESERVED else text_id(id)


def note_of(objects: Objects) -> str:
    """The person's note on the item."""
    value = objects.get(NOTE, {}).get("value")
    return value if isinstance(value, str) else ""


def with_notes(record: Passage, notes: Mapping[str, str]) -> Passage:
    """A passage with people's notes in its key."""
    if not notes:
        return record
    key = record.key or RecordKey()
    own = msgspec.structs.replace(key, fields={**key.fields, NOTES: dict(notes)})
    return msgspec.structs.replace(record, key=own)


def notes_in(record: Passage) -> dict[str, dict[str, Any]]:
    """People's notes on a passage, each as an object."""
    notes = record.key.fields.get(NOTES) if record.key is not None else None
    return {
        person: {"type": NOTE, "value": note}
        for person, note in (notes.items() if isinstance(notes, Mapping) else ())
        if isinstance(note, str) and note
    }


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
) -> Iterator[Finding]:
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
) -> Finding:
    """A finding of the library with its explanation in both languages."""
    texts = {
        language: rule_explanation(code, language, settings or {}) for language in ("en", "zh")
    }
    rule = rules_by_code().get(code)
    line = rule.line if rule is not None else ""
    zh = texts["zh"]
    return Finding(
        code,
        {"en": message, "zh": zh[0]} if zh is not None else message,
        severity,
        object,
        {language: text[1] for language, text in texts.items() if text is not None} or line,
    )


def form_findings(
    findings: Iterable[Finding],
    configuration: Configuration,
    entry: str,
    entries: Iterable[tuple[str, Mapping[str, Any]]],
) -> Iterator[Finding]:
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
                yield Finding("missing", message, "hint", id)


# One file for each person.


def named_work(project: ProjectWork) -> list[PersonsWork]:
    """People who did something, with names that files can have."""
    people = [person for person in project.people if any(person.objects.values())]
    for person in people:
        try:
            require_name(person.person, "person", is_file=True)
        except UsageError as error:
            raise DataError(str(error)) from None
    if (pair := twice(person.person for person in people)) is not None:
        raise DataError(f"{pair[0]!r} and {pair[1]!r} would be one file: rename one of them")
    return people


def people_folder(folder: Path) -> Path:
    """The folder for people's files, which is made."""
    made = folder / PEOPLE
    made.mkdir(parents=True, exist_ok=True)
    return made


def save_records(header: Header, records: Iterable[Passage], path: Path) -> list[Path]:
    """Write records as a native test; nothing where there are none."""
    own = list(records)
    if not own:
        return []
    save_test(test_of(header, own), path)
    return [path]


def item_for(record: Passage, items: Mapping[str, WorkItem], file: str) -> WorkItem:
    """The item whose passage a record of a file is; another version of the text is refused."""
    by_id = {paper_of(item).id: item for item in items.values()}
    item = by_id.get(record.id)
    if item is None:
        item = next((each for each in items.values() if paper_of(each).text == record.text), None)
    if item is None:
        hint = did_you_mean(record.id, by_id)
        raise DataError(f"the project has no passage {record.id!r}; {hint}", file=file)
    require_same_text(paper_of(item).text, record.text, file=file, id=record.id)
    return item


def asked_in(items: Iterable[WorkItem]) -> dict[str, tuple[WorkItem, int, Question]]:
    """Every question of some items by its id, with its item and its number there."""
    return {
        question.id: (item, number, question)
        for item in items
        for number, question in enumerate(paper_of(item).questions, 1)
    }


def by_item(
    found: Iterable[tuple[str, str, str, dict[str, Any]]],
) -> Iterator[tuple[str, str, Objects]]:
    """(Person, item, id, object) gathered as (person, item, objects)."""
    gathered: dict[tuple[str, str], dict[str, Mapping[str, Any]]] = {}
    for person, item, id, value in found:
        gathered.setdefault((person, item), {})[id] = value
    for (person, item), objects in gathered.items():
        yield person, item, objects


def without_taken(id: str, taken: Container[str], *prefixes: str) -> str:
    """An id that no other question has: with prefixes, as many as it takes."""
    for prefix in prefixes:
        if id not in taken:
            break
        id = f"{prefix}-{id}"
    while id in taken:
        id += "+"
    return id
