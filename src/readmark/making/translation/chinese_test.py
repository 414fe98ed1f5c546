"""The Chinese test: adopted questions and keys on Chinese passages, with who decided what."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from readmark.core.distinct_files import same_file
from readmark.core.errors import DataError, UsageError
from readmark.core.records import Passage, Question, QuestionKey
from readmark.core.test import Header, Test, in_memory
from readmark.formats.text_versions import require_same_text
from readmark.making.translation.adopted_keys import key_with, removed_from_key
from readmark.making.translation.adoption import AdoptedText, decided_causes
from readmark.making.translation.cause_table import cause_table
from readmark.making.translation.comparison import TranslationComparison
from readmark.making.translation.sheets import SheetEntry, TranslationSheet

FIELD = "translation"
"""Field of the header and of each question's key with who translated and decided what."""


def chinese_test(
    comparison: TranslationComparison, adopted: Sequence[AdoptedText], passages: Test | None
) -> tuple[Test, dict[str, tuple[str, ...]]]:
    """The Chinese test on ``passages``, or else on the passages of the translators' tests.

    The second value is what is no longer in the key of a question, by its shared id.
    """
    a, b = comparison.sheets
    header, records = _passages(a, b, passages)
    file = a.file if passages is None else passages.file
    # Answers of named people are theirs only if the passages are no translator's own file.
    has_peoples_answers = passages is not None and not any(
        same_file(file, sheet.file) for sheet in (a, b)
    )
    shared_ids: dict[str, str] = {}
    passage_ids: dict[str, str] = {}
    for record in records:
        for question in record.questions:
            shared_ids[question.id] = question.shared_id
            passage_ids[question.shared_id] = record.shared_id
    passages_by_id = {record.shared_id: record for record in records}

    adopted_by_unit: dict[str, list[AdoptedText]] = defaultdict(list)
    for text in adopted:
        adopted_by_unit[text.pair.unit].append(text)
    replaced: dict[str, tuple[str, ...]] = {}
    new_questions: dict[str, list[Question]] = defaultdict(list)
    for unit, texts in adopted_by_unit.items():
        english = comparison.english.entries[unit]
        entries = [english, a.entries.get(unit), b.entries.get(unit)]
        passage = passages_by_id[_passage_id(unit, entries, passage_ids, passages_by_id)]
        earlier = next((asked for asked in passage.questions if asked.shared_id == unit), None)
        question = _question(english, texts, comparison.names, earlier)
        if shared_ids.setdefault(question.id, unit) != unit:
            raise DataError(
                f"has a question {question.id!r} already, which is parallel to "
                f"{shared_ids[question.id]!r}: give one of them another id",
                file=file,
                where=passage.shared_id,
            )
        keys = tuple(text.text for text in texts if text.pair.what == "key")
        if keys:
            key = key_with(keys, question, earlier, passage.text, keep_people=has_peoples_answers)
            if removed := removed_from_key(earlier, key):
                replaced[unit] = removed
            question = msgspec.structs.replace(question, key=key)
        new_questions[passage.shared_id].append(question)
    finished = []
    for record in records:
        others = (asked for asked in record.questions if asked.shared_id not in adopted_by_unit)
        questions = (*others, *new_questions[record.shared_id])
        finished.append(msgspec.structs.replace(record, questions=questions))
    return in_memory(_header(header, comparison, adopted), finished, file=file), replaced


def _passages(
    a: TranslationSheet, b: TranslationSheet, passages: Test | None
) -> tuple[Header, list[Passage]]:
    if passages is not None:
        if passages.language != "zh":
            raise DataError(f"is in {passages.language!r}, expected 'zh'", file=passages.file)
        return passages.header, list(passages.records())
    if a.test is None:
        raise UsageError(f"{a.file} has no passages: give them with --passages CHINESE_TEST")
    records = {record.shared_id: record for record in a.test.records()}
    if b.test is not None:
        for other in b.test.records():
            if other.shared_id in records:
                expected = records[other.shared_id].text
                require_same_text(expected, other.text, file=b.file, id=other.shared_id)
    return a.test.header, list(records.values())


def _passage_id(
    unit: str,
    entries: list[SheetEntry | None],
    passage_ids: Mapping[str, str],
    passages: Mapping[str, Passage],
) -> str:
    """The passage that a question belongs to, by whichever file states it."""
    stated = [passage_ids.get(unit, "")]
    stated += [entry.passage for entry in entries if entry is not None]
    for id in stated:
        if id in passages:
            return id
    unknown = next((id for id in stated if id), None)
    if unknown is None:
        raise DataError(
            "no file states which passage the question is on: add a column passage", where=unit
        )
    raise DataError(f"is on passage {unknown!r}, which the Chinese passages lack", where=unit)


def _question(
    english: SheetEntry,
    adopted: Sequence[AdoptedText],
    names: tuple[str, str],
    earlier: Question | None,
) -> Question:
    (question,) = (text for text in adopted if text.pair.what == "question")
    keys = [text for text in adopted if text.pair.what == "key"]
    record: dict[str, Any] = {"question": question.record(names)}
    if keys:
        record["key"] = [key.record(names) for key in keys]
    id = english.source_question.id if english.source_question is not None else english.id
    base = earlier or Question(id=id, text="")
    key = _completed_from(english, base.key or QuestionKey())
    # Layers are offsets into the earlier text, and mean nothing on another.
    layers = base.layers if base.text == question.text else {}
    return msgspec.structs.replace(
        base,
        text=question.text,
        parallel=english.id,
        layers=layers,
        key=msgspec.structs.replace(key, fields={**key.fields, FIELD: record}),
    )


def _completed_from(english: SheetEntry, key: QuestionKey) -> QuestionKey:
    """What the English key says of the question itself, where the Chinese one says nothing."""
    source = english.source_question.key if english.source_question is not None else None
    if source is None:
        return key
    unanswerable = key.unanswerable or (
        source.unanswerable and not key.answers and not key.published
    )
    return msgspec.structs.replace(
        key,
        type=key.type if key.type is not None else source.type,
        level=key.level if key.level is not None else source.level,
        difficulty=key.difficulty if key.difficulty is not None else source.difficulty,
        unanswerable=unanswerable,
    )


def _header(
    header: Header, comparison: TranslationComparison, adopted: Sequence[AdoptedText]
) -> Header:
    shares = cause_table(comparison.compared, decided_causes(adopted))["all"]
    record = {
        "translators": list(comparison.names),
        "english": comparison.english.digest,
        "translations": len(comparison.compared),
        "percent": {name: share.percent for name, share in shares.items()},
        "decided_by": dict(Counter(text.by for text in adopted if text.by is not None)),
    }
    return msgspec.structs.replace(header, language="zh", fields={**header.fields, FIELD: record})
