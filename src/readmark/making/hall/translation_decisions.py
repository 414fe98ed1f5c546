"""Adjudication of two translations, with the causes of differences of BRCC, section 4.1.

Questions and keys are compared as by ``set translate`` and adopted as by its ``--decisions``.
Sentences of passages are decided in the same way, and make the passages of the gold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.formats.registry import open_test, save_test
from readmark.making.hall import translation_papers
from readmark.making.hall.layer_decisions import pairs_of
from readmark.making.translation.adopted_translation import adopt_translations
from readmark.making.translation.adoption import AdoptedText, adopt
from readmark.making.translation.comparison import TranslationComparison, compare, mismatch
from readmark.making.translation.pairs import TranslationPair
from readmark.making.translation.sheets import SheetEntry, open_sheet, write_translations
from readmark.making.translation.suggestions import suggest
from readmark.settling import AdjudicationHeader, Disagreement, write_adjudication
from readmark.works import (
    PEOPLE,
    Configuration,
    DraftText,
    ItemView,
    PersonsWork,
    ProjectWork,
    Text,
    WorkItem,
    in_language,
)
from readmark.works.decisions import DecisionForms, decision_page
from readmark.works.disputed_places import (
    BETWEEN,
    ENTRY,
    LETTERS,
    NOTHING,
    DisputedPlace,
    dispute_item,
    drawn_order,
)
from readmark.works.field_values import TEXT
from readmark.works.forms import entries_of, fields_of
from readmark.works.passages import language_of_item, paper_of, passage_view, record_of, test_of
from readmark.works.people_files import save_records

SENTENCE = "sentence"
"""What a line on a sentence of a passage is about."""
ADOPTED = "adjudicated.csv"
"""The sheet of adopted questions and keys."""
_Pair = tuple[PersonsWork, PersonsWork]
_EITHER = {"en": " Either will do.", "zh": "两种译法都可以。"}


class TranslationDecisions(DecisionForms):
    """One version of each question, key and sentence that two people translated differently."""

    most = 2
    fields = ("decision", "other", "cause", "reason")

    def disputes(self, project: ProjectWork) -> Iterator[WorkItem]:
        """An item for each passage with a text that two people translated differently."""
        seed = project.configuration.project.seed
        for pair, items in pairs_of(project):
            for item in items:
                _require_chinese(item, project.configuration)
                lines = [*_sentence_lines(pair, item), *_question_lines(pair, item)]
                if lines:
                    is_swapped = drawn_order(seed, item.name, 2)[0] == 1
                    places = [_place(line, is_swapped) for line in lines]
                    yield dispute_item(item.name, passage_view(item).texts, places, seed)

    def view(self, item: WorkItem, configuration: Configuration) -> ItemView:
        """The source and the forms; either version can be taken as a draft and edited."""
        drafts = {
            id: [
                DraftText(letter.upper(), text.partition(BETWEEN)[2])
                for letter, text in form["choices"]["decision"].items()
                if letter in LETTERS and not text.endswith(BETWEEN + NOTHING)
            ]
            for id, form in item.paper["objects"].items()
        }
        return replace(super().view(item, configuration), drafts=drafts)

    def write(self, project: ProjectWork, decided: ProjectWork, folder: Path) -> list[Path]:
        """The adopted translations: a sheet, and the Chinese test where passages are translated.

        With them are the source and the decisions, so that ``set translate`` makes the same test.
        """
        lines_of_items = self.decided(decided)
        paths: list[Path] = []
        entries: list[SheetEntry] = []
        pairs = list(pairs_of(project))
        for pair, items in pairs:
            names = (pair[0].person, pair[1].person)
            # One pair of people, as usual: its files need no names of people.
            ending = f".{'+'.join(names)}" if len(pairs) > 1 else ""
            lines = [line for item in items for line in lines_of_items.get(item.name, ())]
            source = folder / f"source{ending}.jsonl"
            save_test(test_of(project.header, map(record_of, items)), source)
            comparison = _compared_sheets(folder, source, names)
            decisions = folder / f"decisions{ending}.jsonl"
            rows = _with_decisions(comparison.rows, lines)
            write_adjudication(decisions, comparison.header(), rows)
            adopted, _ = adopt(comparison, comparison.header(), rows, file=decisions.name)
            entries += _sheet_entries(comparison, adopted)
            paths += [path for path in (source, decisions) if path.exists()]

            sentence_lines = [line for line in lines if line.what == SENTENCE]
            if sentence_lines:
                path = folder / f"decisions.sentences{ending}.jsonl"
                header = AdjudicationHeader(work="sentences", a=names[0], b=names[1])
                write_adjudication(path, header, sentence_lines)
                paths.append(path)
            passages = [
                passage
                for item in items
                if (passage := _passage(pair[0], item, sentence_lines, project.configuration))
                is not None
            ]
            if len(passages) == len(items):
                path = folder / f"passages{ending}.jsonl"
                target = translation_papers.target_header(project.header, passages[0].language)
                paths += save_records(target, passages, path)
                gold = folder / f"gold{ending}.jsonl"
                adopt_translations(comparison, str(decisions), str(gold), passages=open_test(path))
                paths.append(gold)
        if entries:
            write_translations(folder / ADOPTED, entries)
            paths.append(folder / ADOPTED)
        return paths


def _require_chinese(item: WorkItem, configuration: Configuration) -> None:
    source = language_of_item(item)
    if (source, translation_papers.target_of(source, configuration)) != ("en", "zh"):
        raise DataError("only translations of English into Chinese are compared", where=item.name)


def _forms(person: PersonsWork, item: WorkItem, entry: str) -> list[tuple[str, dict[str, Any]]]:
    return entries_of(person.objects.get(item.name, {}), entry)


def _question_lines(pair: _Pair, item: WorkItem) -> Sequence[Disagreement]:
    """Questions and keys that differ, as ``set translate`` compares them."""
    sheets = [
        translation_papers.sheet_of_forms(
            item, _forms(person, item, translation_papers.ENTRY), person.person
        )
        for person in pair
    ]
    for person, sheet in zip(pair, sheets, strict=True):
        if not sheet.entries:
            message = f"{person.person} has handed it in without a translated question"
            raise DataError(message, where=item.name)
    names = [person.person for person in pair]
    return compare(translation_papers.source_of(item), sheets[0], sheets[1], names=names).rows


def _sentence_lines(pair: _Pair, item: WorkItem) -> Iterator[Disagreement]:
    """Sentences of the passage that differ, with a cause and a suggestion as for questions."""
    record = paper_of(item)
    forms_of_a, forms_of_b = (
        dict(_forms(person, item, translation_papers.SENTENCE)) for person in pair
    )
    for number, (start, end) in enumerate(translation_papers.sentences_of(item), 1):
        a, b = (
            str(forms.get(f"s-{number}", {}).get("translation") or "").strip()
            for forms in (forms_of_a, forms_of_b)
        )
        if a == b:
            continue
        english, id = record.text[start:end], f"{record.shared_id}/s-{number}"
        # Pairs are of questions or of keys, and a sentence is compared as a question is.
        sentence = TranslationPair(
            id, id, record.shared_id, "question", english, a or None, b or None
        )
        line = mismatch(sentence, (pair[0].person, pair[1].person))
        yield msgspec.structs.replace(line, what=SENTENCE, unit=None, place=(start, end))


def _place(line: Disagreement, is_swapped: bool) -> DisputedPlace:
    """A line as the page shows it.

    The suggestion names versions by the letters that the page gives them, so it is made from the
    versions in the page's order.
    """
    english = str(line.beside.get("english", ""))
    suggested: int | None = None
    why: Text = ""
    if line.a and line.b:
        first, second = (line.b, line.a) if is_swapped else (line.a, line.b)
        suggestion = suggest(english, first, second)
        if suggestion.adopt in ("a", "b"):
            suggested = ("ba" if is_swapped else "ab").index(suggestion.adopt)
        reason = suggestion.why.replace("; a ", "; A ").replace("; b ", "; B ")
        why = _why(suggestion.cause, reason, is_either=suggestion.adopt == "either")
    place = None
    if line.place is not None:
        place = {"text": TEXT, "start": line.place[0], "end": line.place[1]}
    return DisputedPlace(
        line, english, [line.a or "", line.b or ""], place=place, suggested=suggested, why=why
    )


def _why(cause: str, reason: str, *, is_either: bool) -> Text:
    choices = fields_of(decision_page(), ENTRY)["cause"].choices
    names: Mapping[str, Text] = choices if isinstance(choices, dict) else {}
    return {
        language: f"{in_language(names.get(cause, cause), language)} – {reason}."
        + (_EITHER[language] if is_either else "")
        for language in ("en", "zh")
    }


def _compared_sheets(folder: Path, source: Path, names: tuple[str, str]) -> TranslationComparison:
    """The comparison of two people's sheets in the export.

    It names files without their folder, which may be another where ``set translate`` reads them.
    """
    sheets = [(source, "en"), *((folder / PEOPLE / f"{name}.csv", "zh") for name in names)]
    english, a, b = (
        replace(open_sheet(path, language), file=path.name) for path, language in sheets
    )
    return compare(english, a, b, names=names)


def _with_decisions(
    rows: Iterable[Disagreement], lines: Iterable[Disagreement]
) -> list[Disagreement]:
    """Rows of a comparison with what people decided on the pages."""
    decided = {line.id: line for line in lines if line.decision is not None}
    members = ("decision", "other", "decided_cause", "reason", "by")
    return [
        msgspec.structs.replace(row, **{name: getattr(decided[row.id], name) for name in members})
        if row.id in decided
        else row
        for row in rows
    ]


def _sheet_entries(
    comparison: TranslationComparison, adopted: Sequence[AdoptedText]
) -> Iterator[SheetEntry]:
    """The adopted questions and keys as entries of a sheet."""
    questions: dict[str, str] = {}
    keys: dict[str, list[str]] = {}
    for text in adopted:
        if text.pair.what == "question":
            questions[text.pair.unit] = text.text
        else:
            keys.setdefault(text.pair.unit, []).append(text.text)
    for unit in dict.fromkeys(text.pair.unit for text in adopted):
        english = comparison.english.entries[unit]
        yield SheetEntry(
            unit,
            questions.get(unit, ""),
            tuple(keys.get(unit, ())),
            english.passage,
            english.question,
        )


def _passage(
    person: PersonsWork,
    item: WorkItem,
    lines: Iterable[Disagreement],
    configuration: Configuration,
) -> Any:
    """The passage of the adopted sentences, if all are translated.

    Sentences without a decision are the person's own.
    """
    record = paper_of(item)
    decided = {line.id: line.adopted for line in lines if line.decision is not None}
    objects: dict[str, Any] = {}
    for id, fields in _forms(person, item, translation_papers.SENTENCE):
        text = decided.get(f"{record.shared_id}/{id}", fields.get("translation"))
        objects[id] = {
            "type": "entry",
            "entry": translation_papers.SENTENCE,
            "fields": {"translation": text},
        }
    target = translation_papers.target_of(language_of_item(item), configuration)
    return translation_papers.translated(item, objects, (), target)


TRANSLATIONS = TranslationDecisions()
