"""The Chinese test: adopted questions and keys on Chinese passages, with who decided what."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from readmark.core.distinct_files import same_file
from readmark.core.errors import DataError, UsageError
from readmark.core.records import Answer, Passage, Phrase, Question, QuestionKey
from readmark.core.spans import places
from readmark.core.test import Header, Test, in_memory
from readmark.formats.text_versions import require_same_text
from readmark.making.translation.command import AdoptedText, decided_causes
from readmark.making.translation.comparison import TranslationComparison, cause_table
from readmark.making.translation.sheets import SheetEntry, TranslationSheet

# An adopted key in the place of the one that a Chinese question had: a key is stored once.


def with_key(
    question: Question,
    earlier: Question | None,
    texts: Sequence[str],
    passage: str,
    *,
    people: bool,
) -> QuestionKey:
    """The key of ``question`` with the adopted alternatives.

    Where the key was an answer in the passage, so is the adopted one if it is there. With
    ``people`` the passages are no translator's file: answers of named annotators are theirs, and
    stay as long as the question that they answered is the same.
    """
    key = question.key or QuestionKey()
    mine = [
        answer
        for answer in key.answers
        if people and answer.annotator and earlier is not None and earlier.text == question.text
    ]
    if key.answers and not mine and not key.published and len(texts) == 1:
        answer = _placed(texts[0], key.answers, passage)
        if answer is not None:
            return msgspec.structs.replace(key, answers=(answer,), unanswerable=False)
    known = {phrase.text: phrase for phrase in key.published}
    return msgspec.structs.replace(
        key,
        answers=tuple(mine),
        published=tuple(known.get(text) or Phrase(text=text) for text in texts),
        unanswerable=False,
    )


def given_way(earlier: Question | None, key: QuestionKey) -> tuple[str, ...]:
    """What an earlier key has and the new one does not, in either place."""
    if earlier is None or earlier.key is None:
        return ()
    now = _texts(key)
    return tuple(text for text in dict.fromkeys(_texts(earlier.key)) if text not in now)


def _texts(key: QuestionKey) -> list[str]:
    return [*(phrase.text for phrase in key.published), *(answer.text for answer in key.answers)]


def _placed(text: str, earlier: Sequence[Answer], passage: str) -> Answer | None:
    """The adopted text where it occurs in the passage, nearest to the place of the earlier key."""
    for answer in earlier:
        if answer.text == text:
            return answer
    found = places(passage, text)
    if not found:
        return None
    near = earlier[0].start or 0
    return Answer(text=text, start=min(found, key=lambda at: abs(at - near)))


FIELD = "translation"
"""Where the header and each question's key keep who translated and decided what."""


def adopted_test(
    comparison: TranslationComparison, adopted: Sequence[AdoptedText], passages: Test | None
) -> tuple[Test, dict[str, tuple[str, ...]]]:
    """The Chinese test; passages are ``passages``', else the translators' where both have tests.

    The second value is what is no longer in the key of a question, by its shared id.
    """
    a, b = comparison.sheets
    header, records = _passages(a, b, passages)
    file = a.file if passages is None else passages.file
    people = passages is not None and not any(same_file(file, one.file) for one in (a, b))
    asked = [(record, question) for record in records for question in record.questions]
    taken = {question.id: question.shared_id for _, question in asked}
    held = {question.shared_id: record.shared_id for record, question in asked}
    replaced: dict[str, tuple[str, ...]] = {}
    by_unit: dict[str, list[AdoptedText]] = defaultdict(list)
    for one in adopted:
        by_unit[one.pair.unit].append(one)
    made: dict[str, list[Question]] = defaultdict(list)
    known = {record.shared_id: record for record in records}
    for unit, own in by_unit.items():
        english = comparison.english.entries[unit]
        place = _place(unit, [english, a.entries.get(unit), b.entries.get(unit)], held, known)
        earlier = next((one for one in known[place].questions if one.shared_id == unit), None)
        question = _question(english, own, comparison.names, earlier)
        if taken.setdefault(question.id, unit) != unit:
            raise DataError(
                f"has a question {question.id!r} already, which is parallel to "
                f"{taken[question.id]!r}: give one of them another id",
                file=file,
                where=place,
            )
        texts = tuple(one.text for one in own if one.pair.what == "key")
        if texts:
            key = with_key(question, earlier, texts, known[place].text, people=people)
            if gone := given_way(earlier, key):
                replaced[unit] = gone
            question = msgspec.structs.replace(question, key=key)
        made[place].append(question)
    done = []
    for record in records:
        kept = (one for one in record.questions if one.shared_id not in by_unit)
        questions = (*kept, *made[record.shared_id])
        done.append(msgspec.structs.replace(record, questions=questions))
    return in_memory(_header(header, comparison, adopted), done, file=file), replaced


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


def _place(
    unit: str,
    entries: list[SheetEntry | None],
    held: Mapping[str, str],
    known: Mapping[str, Passage],
) -> str:
    """The passage that a question belongs to, by whichever file states it."""
    named = [held.get(unit, ""), *(entry.passage for entry in entries if entry is not None)]
    for name in named:
        if name in known:
            return name
    unknown = next((name for name in named if name), None)
    if unknown is None:
        raise DataError(
            "no file states which passage the question is on: add a column passage", where=unit
        )
    raise DataError(f"is on passage {unknown!r}, which the Chinese passages lack", where=unit)


def _question(
    english: SheetEntry,
    own: Sequence[AdoptedText],
    names: tuple[str, str],
    earlier: Question | None,
) -> Question:
    (question,) = (one for one in own if one.pair.what == "question")
    keys = [one for one in own if one.pair.what == "key"]
    record: dict[str, Any] = {"question": question.record(names)}
    if keys:
        record["key"] = [key.record(names) for key in keys]
    id = english.source_question.id if english.source_question is not None else english.id
    base = earlier or Question(id=id, text="")
    key = _completed_from(english, base.key or QuestionKey())
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
