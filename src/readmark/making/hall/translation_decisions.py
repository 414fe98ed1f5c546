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
from readmark.making.hall import translation
from readmark.making.hall.layer_decisions import pairs_of
from readmark.making.translation.adopted_translation import adopt_translations
from readmark.making.translation.adoption import AdoptedText, adopt
from readmark.making.translation.comparison import TranslationComparison, compare, mismatch
from readmark.making.translation.pairs import TranslationPair
from readmark.making.translation.sheets import SheetEntry, open_sheet, write_translations
from readmark.making.translation.suggestions import suggest
from readmark.settling import AdjudicationHeader, Disagreement, write_adjudication
from readmark.works import (
    Configuration,
    DraftText,
    ItemView,
    PersonsWork,
    ProjectWork,
    Text,
    WorkItem,
    in_language,
)
from readmark.works.decisions import (
    BETWEEN,
    ENTRY,
    LETTERS,
    NOTHING,
    DecisionForms,
    DisputedPlace,
    decision_page,
    dispute_item,
    drawn_order,
)
from readmark.works.field_values import TEXT
from readmark.works.forms import entries_of, fields_of
from readmark.works.passages import language_of_item, paper_of, passage_view, record_of, test_of
from readmark.works.people_files import save_records

SENTENCE = "sentence"
ADOPTED = "adjudicated.csv"
DECISIONS, OF_SENTENCES = "decisions{}.jsonl", "decisions.sentences{}.jsonl"
_Pair = tuple[PersonsWork, PersonsWork]


class TranslationDecisions(DecisionForms):
    """One version of each question, key and sentence that two people translated differently."""

    most = 2
    fields = ("decision", "other", "cause", "reason")

    def disputes(self, project: ProjectWork) -> Iterator[WorkItem]:
        """An item for each passage of which a text was translated differently."""
        seed = project.configuration.project.seed
        for pair, items in pairs_of(project):
            for item in items:
                _require_chinese(item, project.configuration)
                lines = [*_sentence_lines(pair, item), *_lines(pair, item)]
                if lines:
                    is_swapped = drawn_order(seed, item.name, 2)[0] == 1
                    places = [_place(line, item, is_swapped) for line in lines]
                    yield dispute_item(item.name, passage_view(item).texts, places, seed)

    def view(self, item: WorkItem, configuration: Configuration) -> ItemView:
        """The source and the forms; both versions can be taken over and edited."""
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
        found = self.decided(decided)
        made: list[Path] = []
        entries: list[SheetEntry] = []
        pairs = list(pairs_of(project))
        for pair, items in pairs:
            first, second = (person.person for person in pair)
            ending = f".{first}+{second}" if len(pairs) > 1 else ""
            lines = [line for item in items for line in found.get(item.name, ())]
            source = folder / f"source{ending}.jsonl"
            save_test(test_of(project.header, map(record_of, items)), source)
            comparison = _compared(folder, source, (first, second))
            file = folder / DECISIONS.format(ending)
            rows = _filled(comparison.rows, lines)
            write_adjudication(file, comparison.header(), rows)
            adopted, _ = adopt(comparison, comparison.header(), rows, file=file.name)
            entries += _entries(comparison, adopted)
            made += [path for path in (source, file) if path.exists()]
            sentences = [line for line in lines if line.what == SENTENCE]
            if sentences:
                path = folder / OF_SENTENCES.format(ending)
                header = AdjudicationHeader(work="sentences", a=first, b=second)
                write_adjudication(path, header, sentences)
                made.append(path)
            passages = [
                passage
                for item in items
                if (passage := _passage(pair, item, sentences, project.configuration)) is not None
            ]
            if len(passages) == len(items):
                path = folder / f"passages{ending}.jsonl"
                target = translation.target_header(project.header, passages[0].language)
                made += save_records(target, passages, path)
                output = folder / f"gold{ending}.jsonl"
                adopt_translations(comparison, str(file), str(output), passages=open_test(path))
                made.append(output)
        if entries:
            write_translations(folder / ADOPTED, entries)
            made.append(folder / ADOPTED)
        return made


def _require_chinese(item: WorkItem, configuration: Configuration) -> None:
    target = translation.target_of(language_of_item(item), configuration)
    if (language_of_item(item), target) != ("en", "zh"):
        raise DataError("only translations of English into Chinese are compared", where=item.name)


def _forms(person: PersonsWork, item: WorkItem, entry: str) -> list[tuple[str, dict[str, Any]]]:
    return entries_of(person.objects.get(item.name, {}), entry)


def _lines(pair: _Pair, item: WorkItem) -> Sequence[Disagreement]:
    """Questions and keys that differ, as ``set translate`` compares them."""
    sheets = [
        translation.sheet_of_forms(item, _forms(person, item, translation.ENTRY), person.person)
        for person in pair
    ]
    for person, sheet in zip(pair, sheets, strict=True):
        if not sheet.entries:
            message = f"{person.person} has handed it in without a translated question"
            raise DataError(message, where=item.name)
    names = [person.person for person in pair]
    return compare(translation.source_of(item), sheets[0], sheets[1], names=names).rows


def _sentence_lines(pair: _Pair, item: WorkItem) -> Iterator[Disagreement]:
    """Sentences of the passage that differ, with a cause and a suggestion as for questions."""
    record = paper_of(item)
    own, theirs = (dict(_forms(person, item, translation.SENTENCE)) for person in pair)
    for number, (start, end) in enumerate(translation.sentences_of(item), 1):
        a, b = (
            str(forms.get(f"s-{number}", {}).get("translation") or "").strip()
            for forms in (own, theirs)
        )
        english, id = record.text[start:end], f"{record.shared_id}/s-{number}"
        sentence = TranslationPair(
            id, id, record.shared_id, "question", english, a or None, b or None
        )
        if a != b:
            line = mismatch(sentence, (pair[0].person, pair[1].person))
            yield msgspec.structs.replace(line, what=SENTENCE, unit=None, place=(start, end))


def _place(line: Disagreement, item: WorkItem, is_swapped: bool) -> DisputedPlace:
    """A line as the page shows it; the suggestion is made of the versions as they are shown."""
    english = str(line.beside.get("english", ""))
    suggested: int | None = None
    why: Text = ""
    if line.a and line.b:
        shown = (line.b, line.a) if is_swapped else (line.a, line.b)
        found = suggest(english, *shown)
        if found.adopt in ("a", "b"):
            suggested = ("ba" if is_swapped else "ab").index(found.adopt)
        letters = found.why.replace("; a ", "; A ").replace("; b ", "; B ")
        why = _why(found.cause, letters, is_either=found.adopt == "either")
    place = None
    if line.place is not None:
        place = {"text": TEXT, "start": line.place[0], "end": line.place[1]}
    return DisputedPlace(
        line, english, [line.a or "", line.b or ""], place=place, suggested=suggested, why=why
    )


_EITHER = {"en": " Either will do.", "zh": "两种译法都可以。"}


def _why(cause: str, why: str, *, is_either: bool) -> Text:
    choices = fields_of(decision_page(), ENTRY)["cause"].choices
    names: Mapping[str, Text] = choices if isinstance(choices, dict) else {}
    return {
        language: f"{in_language(names.get(cause, cause), language)} – {why}."
        + (_EITHER[language] if is_either else "")
        for language in ("en", "zh")
    }


def _compared(folder: Path, source: Path, names: tuple[str, str]) -> TranslationComparison:
    """The comparison of two people's sheets in a folder; files are named without it."""
    english, a, b = (
        replace(open_sheet(path, language), file=path.name)
        for path, language in (
            (source, "en"),
            *((folder / "people" / f"{name}.csv", "zh") for name in names),
        )
    )
    return compare(english, a, b, names=names)


def _filled(rows: Iterable[Disagreement], lines: Iterable[Disagreement]) -> list[Disagreement]:
    known = {line.id: line for line in lines if line.decision is not None}
    written = ("decision", "other", "decided_cause", "reason", "by")
    return [
        msgspec.structs.replace(row, **{name: getattr(known[row.id], name) for name in written})
        if row.id in known
        else row
        for row in rows
    ]


def _entries(
    comparison: TranslationComparison, adopted: Iterable[AdoptedText]
) -> Iterator[SheetEntry]:
    """The adopted questions and keys as entries of a sheet."""
    texts: dict[str, dict[str, list[str]]] = {}
    for text in adopted:
        own = texts.setdefault(text.pair.unit, {"question": [], "key": []})
        own[text.pair.what].append(text.text)
    for unit, own in texts.items():
        english = comparison.english.entries[unit]
        yield SheetEntry(
            unit, "".join(own["question"]), tuple(own["key"]), english.passage, english.question
        )


def _passage(
    pair: _Pair, item: WorkItem, lines: Iterable[Disagreement], configuration: Configuration
) -> Any:
    """The passage of the adopted sentences, if all are translated."""
    record = paper_of(item)
    known = {line.id: line.adopted for line in lines if line.decision is not None}
    objects: dict[str, Any] = {}
    for id, fields in _forms(pair[0], item, translation.SENTENCE):
        text = known.get(f"{record.shared_id}/{id}", fields.get("translation"))
        objects[id] = {
            "type": "entry",
            "entry": translation.SENTENCE,
            "fields": {"translation": text},
        }
    target = translation.target_of(language_of_item(item), configuration)
    return translation.translated(item, objects, (), target)


TRANSLATIONS = TranslationDecisions()
