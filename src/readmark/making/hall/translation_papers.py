"""What there is to translate in an item, and what a translator made of it.

Questions and keys are sheets, as ``readmark set translate`` takes them. Sentences make a passage.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from readmark.core.records import Layer, Offsets, Passage, Phrase, Question, QuestionKey
from readmark.core.test import Header
from readmark.making.translation.sheets import (
    BETWEEN_KEYS,
    SheetEntry,
    TranslationSheet,
    split_keys,
)
from readmark.works import Configuration, Objects, WorkItem
from readmark.works.forms import entries_of
from readmark.works.passages import fixed_id, language_of_item, paper_of, record_of

ENTRY, SENTENCE = "question", "sentence"
"""The forms of a question with its key, and of a sentence."""
OTHER_LANGUAGE = {"en": "zh", "zh": "en"}


def target_of(source: str, configuration: Configuration) -> str:
    """The language to translate into: the one that the project names, else the other one."""
    return str(configuration.options.get("language") or OTHER_LANGUAGE.get(source, "en"))


def sentences_of(item: WorkItem) -> list[Offsets]:
    """Where the sentences to translate are."""
    return [(start, end) for start, end in item.paper["sentences"]]


def shared_ids(item: WorkItem) -> dict[str, str]:
    """The shared id of each question by the id of its form."""
    return {
        fixed_id(number): question.shared_id
        for number, question in enumerate(paper_of(item).questions, 1)
    }


def source_of(item: WorkItem) -> TranslationSheet:
    """The questions and keys of an item in the language that they are in."""
    record = paper_of(item)
    entries = {
        question.shared_id: SheetEntry(question.shared_id, question.text, tuple(keys))
        for question, keys in zip(record.questions, item.paper["keys"], strict=True)
    }
    return TranslationSheet(item.name, entries)


def sheet_of_forms(
    item: WorkItem, forms: Iterable[tuple[str, Mapping[str, Any]]], file: str
) -> TranslationSheet:
    """A translator's questions and keys of an item, as far as they are filled in."""
    record, ids, source = paper_of(item), shared_ids(item), source_of(item)
    is_english = language_of_item(item) == "en"
    filled = dict(forms)
    entries: dict[str, SheetEntry] = {}
    for form_id, shared_id in ids.items():
        question, key = (filled.get(form_id, {}).get(name) for name in ("question", "key"))
        question = question if isinstance(question, str) else ""
        keys = split_keys(key) if isinstance(key, str) else ()
        if question.strip() or keys:
            original = source.entries[shared_id]
            entries[shared_id] = SheetEntry(
                shared_id,
                question,
                keys,
                record.shared_id,
                original.question if is_english else None,
                BETWEEN_KEYS.join(original.keys) if is_english else None,
            )
    return TranslationSheet(file, entries)


def translated(
    item: WorkItem, objects: Objects, entries: Iterable[SheetEntry], target: str
) -> Passage | None:
    """The passage in the other language, when its last sentence is done; sentences are a layer."""
    source = record_of(item)
    forms = dict(entries_of(objects, SENTENCE))
    spans = sentences_of(item)
    values = [
        forms.get(f"s-{number}", {}).get("translation") for number in range(1, len(spans) + 1)
    ]
    texts = [value.strip() for value in values if isinstance(value, str) and value.strip()]
    if not spans or len(texts) < len(spans):
        return None
    translation, layer, last_end = "", [], 0
    for (start, end), text in zip(spans, texts, strict=True):
        if translation:
            # Paragraphs stay; between sentences English has a space, and Chinese nothing.
            between = source.text[last_end:start]
            space = "" if target == "zh" else " "
            translation += between if "\n" in between else space
        layer.append((len(translation), len(translation) + len(text)))
        translation += text
        last_end = end
    questions = {question.shared_id: question for question in source.questions}
    return Passage(
        id=source.id,
        text=translation,
        language=target,
        genre=source.genre,
        topic=source.topic,
        split=source.split,
        parallel=source.shared_id,
        layers={"sentence": Layer(spans=tuple(layer))},
        questions=tuple(_translated_question(questions[entry.id], entry) for entry in entries),
    )


def _translated_question(source: Question, entry: SheetEntry) -> Question:
    key = source.key or QuestionKey()
    translated_key = QuestionKey(
        published=tuple(Phrase(text=text) for text in entry.keys),
        unanswerable=key.unanswerable and not entry.keys,
        type=key.type,
        level=key.level,
    )
    return Question(id=source.id, text=entry.question, parallel=entry.id, key=translated_key)


def target_header(header: Header, language: str | None) -> Header:
    """The header of a test in the other language."""
    return msgspec.structs.replace(header, language=language, profile=None, fields={})
