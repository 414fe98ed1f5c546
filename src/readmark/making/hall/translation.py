"""Translation: people put passages, questions and keys into another language, independently.

Each translator's questions and keys are a sheet that ``readmark set translate`` compares. Passages
that are translated to their end become a test in the other language. Translators must see what
they translate, so the paper of an item has the source's keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from readmark.core.errors import DataError, did_you_mean
from readmark.core.language import language_of
from readmark.core.records import Offsets, Passage
from readmark.core.test import Test
from readmark.formats.people_names import person_by_file, require_name
from readmark.making.hall.rule_findings import question_faults
from readmark.making.hall.translation_papers import (
    ENTRY,
    OTHER_LANGUAGE,
    SENTENCE,
    sentences_of,
    shared_ids,
    sheet_of_forms,
    source_of,
    target_header,
    target_of,
    translated,
)
from readmark.making.translation.pairs import TranslationPair, require_same_english, strays
from readmark.making.translation.sheets import (
    BETWEEN_KEYS,
    SheetEntry,
    TranslationSheet,
    open_sheet,
    sheet_of,
    write_translations,
)
from readmark.making.translation.suggestions import suggest
from readmark.text.answers.sentences import passage_sentences
from readmark.works import Configuration, ItemView, Objects, ProjectWork, WorkFinding, WorkItem
from readmark.works.forms import NOTE, entries_of, form_findings
from readmark.works.notes import note_of, notes_in, with_notes
from readmark.works.passages import (
    fixed_entries,
    fixed_id,
    language_of_item,
    paper_of,
    passage_items,
    passage_view,
    record_of,
)
from readmark.works.people_files import by_item, named_work, people_folder, save_records, work_on

TESTS = "tests"
"""The folder with a test in the other language for each translator."""
REFERENCES = "references"
"""The member of an item's key with the other side's questions and keys."""
PASSAGES = ("sentences", "whole", "none")
"""The values of the option ``passage``: how much of a passage a form takes."""


class TranslatingPassages:
    """Translate passages, questions and keys."""

    def faults(self, configuration: Configuration) -> Iterator[tuple[tuple[str, ...], str]]:
        """Forms without a translation, and options that are not known."""
        yield from question_faults(configuration, ENTRY, "question", "key")
        option = configuration.options.get("passage", "none")
        if option not in PASSAGES:
            hint = did_you_mean(str(option), PASSAGES)
            yield ("options", "passage"), f"passage is {option!r}; {hint}"
        elif option != "none":
            yield from question_faults(configuration, SENTENCE, "translation")
        if configuration.options.get("language", "zh") not in tuple(OTHER_LANGUAGE):
            yield ("options", "language"), "the language of the translation is en or zh"

    def divide(
        self, tests: Sequence[Test], configuration: Configuration, *, purpose: str = "work"
    ) -> Iterator[WorkItem]:
        """An item for each passage with questions, with the keys and sentences to translate.

        If there are two sides, one is translated, and practice compares with the other.
        """
        test, other = _sides(tests, configuration)
        entries = sheet_of(test).entries
        references = sheet_of(other).entries if other is not None else {}
        option = configuration.options.get("passage", "none")
        for item in passage_items(test, is_asked=True):
            record = record_of(item)
            keys = [list(entries[question.shared_id].keys) for question in record.questions]
            sentences: list[Offsets] = []
            if option == "whole":
                sentences = [(0, len(record.text))]
            elif option == "sentences":
                sentences = passage_sentences(record, record.language or test.language)
            paper = {**item.paper, "keys": keys, "sentences": [list(span) for span in sentences]}
            item_references = {
                question.shared_id: {
                    "question": references[question.shared_id].question,
                    "key": BETWEEN_KEYS.join(references[question.shared_id].keys),
                }
                for question in record.questions
                if question.shared_id in references
            }
            yield WorkItem(item.name, paper, {**item.key, REFERENCES: item_references})

    def view(self, item: WorkItem, configuration: Configuration) -> ItemView:
        """The passage, and a form for each of its sentences and questions."""
        text = paper_of(item).text
        objects: dict[str, dict[str, Any]] = {}
        for number, (start, end) in enumerate(sentences_of(item), 1):
            objects[f"s-{number}"] = {
                "type": "entry",
                "entry": SENTENCE,
                "order": float(number),
                "prompt": text[start:end],
                "fields": {},
            }
        keys = [BETWEEN_KEYS.join(alternatives) for alternatives in item.paper["keys"]]
        questions = fixed_entries(item, configuration, ENTRY, keys)
        for entry in questions.values():  # the questions come after the sentences
            entry["order"] += len(objects)
        return passage_view(item, {**objects, **questions})

    def check(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Texts that are not in the other language, keys that the source does not have."""
        target = target_of(language_of_item(item), configuration)
        findings: list[WorkFinding] = []
        for id, fields in (*entries_of(objects, SENTENCE), *entries_of(objects, ENTRY)):
            for name in ("translation", "question"):
                text = fields.get(name)
                if isinstance(text, str) and text.strip() and language_of([text]) != target:
                    words = {"en": "English", "zh": "Chinese"}[target]
                    message = {
                        "en": f"this is not {words}",
                        "zh": f"这不是{'中文' if target == 'zh' else '英文'}",
                    }
                    findings.append(WorkFinding("language", message, "warning", id))
        source, entries = source_of(item), entries_of(objects, ENTRY)
        # Where the source has no key, there is none to translate: the field counts as filled in.
        without_key = {
            fixed_id(number): "–" for number, keys in enumerate(item.paper["keys"], 1) if not keys
        }
        form_ids = {shared_id: id for id, shared_id in shared_ids(item).items()}
        for stray in strays(source, sheet_of_forms(item, entries, ""), ""):
            message = {"en": "more keys than the source has", "zh": "答案比原文多"}
            findings.append(
                WorkFinding(
                    "stray", message, "warning", form_ids.get(stray.id), " | ".join(stray.keys)
                )
            )
        yield from form_findings(findings, configuration, SENTENCE, entries_of(objects, SENTENCE))
        filled = [
            (id, {**fields, "key": fields.get("key") or without_key.get(id)})
            for id, fields in entries
        ]
        yield from form_findings((), configuration, ENTRY, filled)

    def grade(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Questions and keys that are neither the reference's nor synonyms of it."""
        sheet = sheet_of_forms(item, entries_of(objects, ENTRY), "")
        sources = source_of(item).entries
        references = item.key.get(REFERENCES, {}) if isinstance(item.key, Mapping) else {}
        for number, question in enumerate(paper_of(item).questions, 1):
            reference = references.get(question.shared_id)
            if reference is None:
                continue
            translation = sheet.entries.get(question.shared_id)
            source = sources[question.shared_id]
            texts = {
                "question": (source.question, translation.question if translation else ""),
                "key": (
                    BETWEEN_KEYS.join(source.keys),
                    BETWEEN_KEYS.join(translation.keys if translation else ()),
                ),
            }
            for what, (source_text, text) in texts.items():
                expected = reference[what]
                if expected and not _is_right(source_text, text, expected):
                    yield WorkFinding(
                        what,
                        {"en": "another translation was expected", "zh": "与参考译文不同"},
                        "warning",
                        fixed_id(number),
                        expected,
                    )

    def write(self, project: ProjectWork, folder: Path) -> list[Path]:
        """A sheet of questions and keys for each translator, and a test of finished passages."""
        paths: list[Path] = []
        for person in named_work(project):
            name = person.person
            entries: list[SheetEntry] = []
            records: list[Passage] = []
            for item, objects in work_on(person, project.items):
                sheet = sheet_of_forms(item, entries_of(objects, ENTRY), "")
                item_entries = sheet.entries.values()
                entries += item_entries
                target = target_of(language_of_item(item), project.configuration)
                record = translated(item, objects, item_entries, target)
                if record is not None:
                    note = note_of(objects)
                    records.append(with_notes(record, {name: note} if note else {}))
            if entries:
                path = people_folder(folder) / f"{name}.csv"
                write_translations(path, entries)
                paths.append(path)
            if records:
                (folder / TESTS).mkdir(parents=True, exist_ok=True)
                header = target_header(project.header, records[0].language)
                paths += save_records(header, records, folder / TESTS / f"{name}.jsonl")
        return paths

    def read(
        self, path: Path, items: Mapping[str, WorkItem], configuration: Configuration
    ) -> Iterator[tuple[str, str, Objects]]:
        """A translator's sheet, or a test in the other language with parallel ids."""
        views = {name: self.view(item, configuration).objects for name, item in items.items()}
        return by_item(_read(path, items, views, configuration))


def _sides(tests: Sequence[Test], configuration: Configuration) -> tuple[Test, Test | None]:
    """The test to translate, and the other side where there is one."""
    if len(tests) == 1:
        [test] = tests
        if target_of(test.language, configuration) == test.language:
            raise DataError(f"is in {test.language!r} already", file=test.file)
        return test, None
    target = str(configuration.options.get("language") or "zh")
    others = [test for test in tests if test.language != target]
    in_target = [test for test in tests if test.language == target]
    if len(others) != 1 or len(in_target) != 1:
        message = f"expected one side in {target!r} and one in another language"
        raise DataError(message, file=tests[0].file)
    return others[0], in_target[0]


def _is_right(source: str, text: str, expected: str) -> bool:
    """Whether a translation is the reference, or as good by the rules of `set translate`."""
    pair = TranslationPair("", "", "", "question", source, text, expected)
    if pair.exact or not text.strip():
        return pair.exact
    return language_of([expected]) == "zh" and suggest(source, text, expected).adopt == "either"


def _read(
    path: Path,
    items: Mapping[str, WorkItem],
    views: Mapping[str, Objects],
    configuration: Configuration,
) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """The forms of a translator's sheet, by person and item; ``views`` are empty forms."""
    language = next((language_of_item(item) for item in items.values()), "en")
    sheet = open_sheet(path, target_of(language, configuration))
    person = require_name(person_by_file(path), "person", file=path)
    forms = {
        shared_id: (item, form_id)
        for item in items.values()
        for form_id, shared_id in shared_ids(item).items()
    }
    if language == "en":
        entries = {
            id: entry for item in items.values() for id, entry in source_of(item).entries.items()
        }
        require_same_english(TranslationSheet("the project", entries), sheet)
    for id, entry in sheet.entries.items():
        if id not in forms:
            hint = did_you_mean(id, forms)
            raise DataError(f"the project has no question {id!r}; {hint}", file=path)
        item, form_id = forms[id]
        texts = {"question": entry.question, "key": BETWEEN_KEYS.join(entry.keys)}
        fields = {name: text for name, text in texts.items() if text.strip()}
        yield person, item.name, form_id, {**views[item.name][form_id], "fields": fields}
    for record in sheet.test.records() if sheet.test is not None else ():
        yield from _read_passage(record, person, items, views, path)


def _read_passage(
    record: Passage,
    person: str,
    items: Mapping[str, WorkItem],
    views: Mapping[str, Objects],
    path: Path,
) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """The sentences of a translated passage, which must be as many as the source's."""
    by_passage = {paper_of(item).shared_id: item for item in items.values()}
    item = by_passage.get(record.shared_id)
    if item is None:
        raise DataError(f"the project has no passage {record.shared_id!r}", file=path)
    for name, note in notes_in(record).items():
        yield name, item.name, NOTE, note
    spans = record.layers["sentence"].spans if "sentence" in record.layers else ()
    source_spans = sentences_of(item)
    if len(source_spans) == 1:
        spans = ((0, len(record.text)),)
    if source_spans and len(spans) != len(source_spans):
        message = f"has {len(spans)} sentences, the source {len(source_spans)}"
        raise DataError(message, file=path, where=record.id)
    for number, (start, end) in enumerate(spans if source_spans else (), 1):
        form = views[item.name][f"s-{number}"]
        fields = {"translation": record.text[start:end]}
        yield person, item.name, f"s-{number}", {**form, "fields": fields}


TRANSLATION = TranslatingPassages()
