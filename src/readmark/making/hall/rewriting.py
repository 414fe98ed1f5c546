"""Golds of question series: two people rewrite each question so that it can be understood alone.

After "A gold standard of question reformulations for TREC question series". Each person's golds are
a test that ``readmark set merge`` and ``readmark set agree`` take. A question's golds are the lines
of one field: a second gold is one more line, and a draft is one key.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import did_you_mean
from readmark.core.language import primary
from readmark.core.numbers import mark
from readmark.core.source import Source
from readmark.core.splits import without_hidden
from readmark.core.test import Header, Test, in_memory
from readmark.formats.people_names import folded_name
from readmark.formats.registry import open_test, save_test
from readmark.formats.sheets import is_table
from readmark.making.blind.golds import (
    GoldFinding,
    ReturnedGolds,
    gold_findings,
    require_same_questions,
    returned_golds,
    with_golds,
)
from readmark.making.blind.returns import is_predictions
from readmark.making.gold_drafts import drafted
from readmark.marking import score
from readmark.series import OTHER, PREVIOUS_ANSWER, Series, SeriesQuestion, gold_explanation
from readmark.works import (
    Configuration,
    DraftText,
    ItemView,
    Objects,
    ProjectWork,
    Text,
    TextView,
    WorkFinding,
    WorkItem,
)
from readmark.works.forms import NOTE, TEXT, entries_of, form_faults, form_findings
from readmark.works.notes import note_of, notes_in, with_notes
from readmark.works.passages import (
    fixed_entry,
    fixed_id,
    language_of_item,
    only_test,
    record_items,
    test_of,
)
from readmark.works.people_files import by_item, named_work, people_folder, save_records, work_on

ENTRY, FIELD = "gold", "golds"
MERGED = "golds.jsonl"
DRAFTS = "drafts"
"""The option, and the member of a paper, with drafts."""
LEAST = 0.8
"""The Jaccard similarity from which a gold in practice is right."""
_LABELS: Mapping[str, Text] = {
    "question": {"en": "as it is", "zh": "原样"},
    "target": {"en": "with the target", "zh": "用对象"},
    "without_brackets": {"en": "without brackets", "zh": "不带括号"},
    "in_brackets": {"en": "in brackets", "zh": "括号内"},
    "previous_answer": {"en": "earlier answer", "zh": "前面的答案"},
    "previous_question": {"en": "earlier question", "zh": "前面的问题"},
}
_TARGET = {"en": "Target: {}", "zh": "对象：{}"}
_KNOWN = {"en": "known answer: {}", "zh": "已知答案：{}"}
_COMMA = {"en": ", ", "zh": "、"}
_QUOTED = re.compile(r"""(?<!\w)(?:'((?:[^'\\]|\\.)+)'|"((?:[^"\\]|\\.)+)")(?!\w)""")


class WritingGolds:
    """Rewrite the questions of a series so that each can be understood alone."""

    def faults(self, configuration: Configuration) -> Iterable[tuple[tuple[str, ...], str]]:
        """A form without golds, and options that are none."""
        yield from form_faults(configuration, ENTRY, FIELD)
        if not isinstance(configuration.options.get(DRAFTS, True), bool):
            yield ("options", DRAFTS), f"{DRAFTS} is true or false"
        least = configuration.options.get("least_similarity", LEAST)
        if not isinstance(least, (int, float)) or not 0 <= least <= 1:
            message = f"least_similarity is {least!r}, expected a number from 0 to 1"
            yield ("options", "least_similarity"), message

    def divide(
        self, tests: Sequence[Test], configuration: Configuration, *, purpose: str = "work"
    ) -> Iterator[WorkItem]:
        """An item for each series; who wrote golds of it knows its key.

        Drafts often are the golds that practice compares with, so only work has them, and what must
        look like it.
        """
        test = only_test(tests)
        items = record_items(test, "series", is_asked=True, knowing=_writers)
        drafts: Mapping[str, Mapping[str, str]] = {}
        if purpose in ("work", "control") and configuration.options.get(DRAFTS, True):
            test.require_kind("series")
            drafts, _ = drafted(without_hidden(test, "in the hall")[0])
        for item in items:
            own = [dict(drafts.get(question.id, {})) for question in paper_series(item).questions]
            yield WorkItem(item.name, {**item.paper, DRAFTS: own}, item.key)

    def view(self, item: WorkItem, configuration: Configuration) -> ItemView:
        """The target, the questions in order with known answers, and a form for each."""
        drafts = item.paper.get(DRAFTS) or ()
        series = paper_series(item)
        offered = {
            fixed_id(number): [DraftText(*draft) for draft in _offered(question, made)]
            for number, (question, made) in enumerate(
                zip(series.questions, drafts, strict=False), 1
            )
            if question.category != OTHER and made
        }
        return series_view(item, ENTRY, offered)

    def check(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Golds that break the guidelines or may, and questions without a gold."""
        series, given = paper_series(item), dict(entries_of(objects, ENTRY))
        golds = list(written_golds(item, objects, ""))
        numbers = {question.id: number for number, question in asked_of(series)}
        yield from form_findings(
            (
                explained_gold(finding, fixed_id(numbers[finding.id]))
                for finding in findings_of_golds(item, golds)
            ),
            configuration,
            ENTRY,
            [
                (fixed_id(number), {FIELD: list(golds_in(given.get(fixed_id(number), {})))})
                for number, _ in asked_of(series)
            ],
        )

    def grade(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Golds that are not similar to any of the key's, and earlier answers that are missing."""
        least = float(configuration.options.get("least_similarity", LEAST))
        language, given = series_language(item), dict(entries_of(objects, ENTRY))
        for number, question in asked_of(record_series(item)):
            golds = question.key.rewrites if question.key is not None else ()
            references = list(dict.fromkeys(gold.text for gold in golds))
            if not references:
                continue
            own, id = golds_in(given.get(fixed_id(number), {})), fixed_id(number)
            keyed = " | ".join(references)
            detail = {"en": f"The key has: {keyed}", "zh": f"标准改写：{keyed}"}
            if not own:
                message = {"en": "no gold", "zh": "没有改写"}
                yield WorkFinding("no_gold", message, "error", id, detail)
            for gold in own:
                similarity = score("jaccard", gold, references, language=language)
                if similarity < least:
                    message = {
                        "en": f"similarity {mark(similarity, 1)}: {gold}",
                        "zh": f"相似度 {mark(similarity, 1)}：{gold}",
                    }
                    yield WorkFinding("golds", message, "error", id, detail)
            leans = [any(PREVIOUS_ANSWER in gold for gold in texts) for texts in (own, references)]
            if own and leans == [False, True]:
                message = {
                    "en": f"no gold with {PREVIOUS_ANSWER}",
                    "zh": f"缺少带 {PREVIOUS_ANSWER} 的改写",
                }
                yield WorkFinding("previous", message, "error", id, detail)

    def write(self, project: ProjectWork, folder: Path) -> list[Path]:
        """A test with each person's golds, and one with everybody's by name."""
        made: list[Path] = []
        people: dict[str, list[ReturnedGolds]] = {}
        for person in named_work(project):
            name = person.person
            own, records = people.setdefault(name, []), []
            for item, objects in work_on(person, project.items):
                golds = list(written_golds(item, objects, name))
                own += golds
                note = note_of(objects)
                if golds or note:
                    alone = with_golds(papers_of(project.header, [item]), (name, golds))
                    [record] = alone.records()
                    records.append(with_notes(record, {name: note} if note else {}))
            if own:  # notes alone are no test
                path = people_folder(folder) / f"{name}.jsonl"
                made += save_records(_series_header(project.header), records, path)
        written = [(name, own) for name, own in people.items() if own]
        if written:
            test = test_without(project, people)
            save_test(with_golds(test, *written), folder / MERGED)
            made.append(folder / MERGED)
        return made

    def read(
        self, path: Path, items: Mapping[str, WorkItem], configuration: Configuration
    ) -> Iterator[tuple[str, str, Objects]]:
        """Golds of a sheet of ``set sheet``, a test with golds, or a sitting."""
        return by_item(_read(path, items))


# A series as an item: its text, a form for each question, and what people wrote.


def paper_series(item: WorkItem) -> Series:
    """The series as annotators may see it."""
    return msgspec.convert(item.paper["record"], Series)


def record_series(item: WorkItem) -> Series:
    """The series with its key, where the organiser has one."""
    known = item.key.get("record") if isinstance(item.key, Mapping) else None
    return paper_series(item) if known is None else msgspec.convert(known, Series)


def series_language(item: WorkItem) -> str:
    """The language of a series."""
    return paper_series(item).language or language_of_item(item)


def asked_of(series: Series) -> list[tuple[int, SeriesQuestion]]:
    """The questions to be rewritten with their numbers in the series: all but OTHER ones."""
    return [
        (number, question)
        for number, question in enumerate(series.questions, 1)
        if question.category != OTHER
    ]


def series_view(
    item: WorkItem, entry: str, drafts: Mapping[str, Sequence[DraftText]] | None = None
) -> ItemView:
    """The series as a text, and an entry to fill in for each question that is to be rewritten."""
    series, language = paper_series(item), series_language(item)
    own = "zh" if primary(language) == "zh" else "en"
    text, places = series_text(series, own)
    title = _TARGET[own].format(series.target)
    objects = {}
    for number, question in asked_of(series):
        start, end = places[number - 1]
        context = "\n".join(filter(None, (title, _known(question, own))))
        value = fixed_entry(entry, number, question.text, context)
        objects[fixed_id(number)] = {
            **value,
            "places": [{"text": TEXT, "start": start, "end": end}],
        }
    shown = TextView(TEXT, text, language, title, is_editable=False)
    return ItemView((shown,), objects, drafts or {})


def series_text(series: Series, language: str) -> tuple[str, list[tuple[int, int]]]:
    """The questions of a series as lines with the answers known to the paper, and their places."""
    text, places = "", []
    for number, question in enumerate(series.questions, 1):
        start = len(text)
        text += f"{number}. {question.text}"
        places.append((start, len(text)))
        known = _known(question, language)
        text += f"\n    {known}\n" if known else "\n"
    return text.removesuffix("\n"), places


def _known(question: SeriesQuestion, language: str) -> str:
    answers = _COMMA[language].join(question.previous)
    return _KNOWN[language].format(answers) if answers else ""


def _offered(question: SeriesQuestion, drafts: Mapping[str, str]) -> Iterator[tuple[Text, str]]:
    """A question's drafts with labels; one that is the question itself says so."""
    for name, text in drafts.items():
        if name in _LABELS:
            yield _LABELS["question" if text == question.text else name], text


def golds_in(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """The golds of a form: its lines, each once."""
    value = fields.get(FIELD)
    lines = value.splitlines() if isinstance(value, str) else []
    return tuple(dict.fromkeys(gold for line in lines if (gold := " ".join(line.split()))))


def written_golds(item: WorkItem, objects: Objects, person: str) -> Iterator[ReturnedGolds]:
    """What a person wrote, as a file would have it."""
    given = dict(entries_of(objects, ENTRY))
    for number, question in asked_of(paper_series(item)):
        if golds := golds_in(given.get(fixed_id(number), {})):
            yield ReturnedGolds(
                id=question.id, annotator=person, golds=golds, file=item.name, place=question.id
            )


def _writers(series: Series) -> list[str]:
    """Who wrote golds of a series."""
    keys = (question.key for question in series.questions if question.key is not None)
    return sorted({gold.annotator for key in keys for gold in key.rewrites if gold.annotator})


# The guidelines, as the library checks and explains them.


def findings_of_golds(item: WorkItem, golds: Sequence[ReturnedGolds]) -> Iterator[GoldFinding]:
    """What the guidelines say of golds of an item, by question."""
    written = {own.id for own in golds}
    test = in_memory(Header(kind="series", language=series_language(item)), [paper_series(item)])
    for finding in gold_findings(golds, test):
        if finding.id in written:
            yield finding


def explained_gold(finding: GoldFinding, object: str) -> WorkFinding:
    """A finding with its reason in both languages; the words that it quotes need no translation."""
    en, zh = (gold_explanation(finding.code, language) for language in ("en", "zh"))
    if en is None or zh is None:
        return WorkFinding(finding.code, finding.message, finding.severity, object)
    quoted = "，".join(
        f"“{single or double}”" for single, double in _QUOTED.findall(finding.message)
    )
    message = {
        "en": f"{en[0]}: {finding.message}",
        "zh": f"{zh[0]}：{quoted}" if quoted else zh[0],
    }
    detail = {"en": en[1], "zh": zh[1]}
    return WorkFinding(finding.code, message, finding.severity, object, detail)


# Files.


def _series_header(header: Header) -> Header:
    return msgspec.structs.replace(header, kind="series")


def papers_of(header: Header, items: Iterable[WorkItem]) -> Test:
    """A series test of the papers of some items."""
    return test_of(_series_header(header), map(paper_series, items))


def test_without(project: ProjectWork, people: Mapping[str, Sequence[ReturnedGolds]]) -> Test:
    """The project's test without golds in its key that their authors have written again here."""
    records = (_without_golds_of(record_series(item), people) for item in project.items)
    return test_of(_series_header(project.header), records)


def _without_golds_of(series: Series, people: Mapping[str, Sequence[ReturnedGolds]]) -> Series:
    again = {(folded_name(name), own.id) for name, golds in people.items() for own in golds}

    def change(question: SeriesQuestion) -> SeriesQuestion:
        if question.key is None:
            return question
        kept = tuple(
            gold
            for gold in question.key.rewrites
            if (folded_name(gold.annotator or ""), question.id) not in again
        )
        key = msgspec.structs.replace(question.key, rewrites=kept)
        return msgspec.structs.replace(question, key=key)

    return msgspec.structs.replace(series, questions=tuple(map(change, series.questions)))


def _read(
    path: Path, items: Mapping[str, WorkItem]
) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    header = Header(language=next(map(language_of_item, items.values()), "en"))
    test = papers_of(header, items.values())
    entries = {name: series_view(item, ENTRY).objects for name, item in items.items()}
    asked = {
        question.id: (item.name, fixed_id(number))
        for item in items.values()
        for number, question in asked_of(paper_series(item))
    }
    notes: dict[tuple[str, str], list[str]] = {}
    for golds in returned_golds(path, test):
        if golds.id not in asked:
            hint = did_you_mean(golds.id, asked)
            raise golds.fault(f"the project has no question {golds.id!r}; {hint}")
        require_same_questions({golds.annotator: [golds]}, test)
        item, id = asked[golds.id]
        if golds.note:
            notes.setdefault((golds.annotator, item), []).append(golds.note)
        if golds.golds:
            fields = {FIELD: "\n".join(golds.golds)}
            yield golds.annotator, item, id, {**entries[item][id], "fields": fields}
    for (person, item), lines in notes.items():
        yield person, item, NOTE, {"type": NOTE, "value": "\n".join(lines)}
    yield from _read_notes(path, items)


def _read_notes(
    path: Path, items: Mapping[str, WorkItem]
) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """People's notes in the keys of a test."""
    source = Source(path)
    if is_table(source) or source.readmark_file == "sitting" or is_predictions(source):
        return
    names = {paper_series(item).id: name for name, item in items.items()}
    for record in open_test(path).records():
        for person, note in notes_in(record).items():
            if record.id in names:
                yield person, names[record.id], NOTE, note


REWRITING = WritingGolds()
