"""Golds of question series: two people rewrite each question so that it can be understood alone.

After "A gold standard of question reformulations for TREC question series". Each person's golds are
a test that ``readmark set merge`` and ``readmark set agree`` take. A question's golds are the lines
of one field: a second gold is one more line, and a draft is one key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from readmark.core.numbers import mark
from readmark.core.splits import without_hidden
from readmark.core.test import Test
from readmark.formats.registry import save_test
from readmark.making.blind.golds import ReturnedGolds, with_golds
from readmark.making.gold_drafts import drafted
from readmark.making.hall.gold_guidelines import explained_gold, findings_of_golds
from readmark.making.hall.gold_papers import papers_of, read_golds, series_header, test_without
from readmark.making.hall.series_items import (
    ENTRY,
    FIELD,
    gold_writers,
    golds_in,
    labelled_drafts,
    paper_series,
    questions_to_rewrite,
    record_series,
    series_language,
    series_view,
    written_golds,
)
from readmark.marking import score
from readmark.series import OTHER, PREVIOUS_ANSWER
from readmark.works import (
    Configuration,
    DraftText,
    ItemView,
    Objects,
    ProjectWork,
    WorkFinding,
    WorkItem,
)
from readmark.works.forms import entries_of, form_faults, form_findings
from readmark.works.notes import note_of, with_notes
from readmark.works.passages import fixed_id, only_test, record_items
from readmark.works.people_files import by_item, named_work, people_folder, save_records, work_on

MERGED = "golds.jsonl"
"""The test with everybody's golds, in an export."""
DRAFTS = "drafts"
"""The option, and the member of a paper, with drafts."""
LEAST = 0.8
"""The Jaccard similarity from which a gold in practice is right."""


class WritingGolds:
    """Rewrite the questions of a series so that each can be understood alone."""

    def faults(self, configuration: Configuration) -> Iterable[tuple[tuple[str, ...], str]]:
        """A form without golds, and options that cannot be followed."""
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
        """An item for each series, not for people who wrote golds of it.

        Drafts are often the golds that practice compares with, so practice items have none. Control
        items have them, since they must look like work.
        """
        test = only_test(tests)
        items = record_items(test, "series", is_asked=True, knowing=gold_writers)
        drafts: Mapping[str, Mapping[str, str]] = {}
        if purpose in ("work", "control") and configuration.options.get(DRAFTS, True):
            test.require_kind("series")
            drafts, _ = drafted(without_hidden(test, "in the hall")[0])
        for item in items:
            item_drafts = [
                dict(drafts.get(question.id, {})) for question in paper_series(item).questions
            ]
            yield WorkItem(item.name, {**item.paper, DRAFTS: item_drafts}, item.key)

    def view(self, item: WorkItem, configuration: Configuration) -> ItemView:
        """The target, the questions in order with known answers, and a form for each."""
        drafts = item.paper.get(DRAFTS) or ()
        series = paper_series(item)
        offered = {
            fixed_id(number): [DraftText(*draft) for draft in labelled_drafts(question, texts)]
            for number, (question, texts) in enumerate(
                zip(series.questions, drafts, strict=False), 1
            )
            if question.category != OTHER and texts
        }
        return series_view(item, ENTRY, offered)

    def check(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Golds that break the guidelines or may, and questions without a gold."""
        series, forms = paper_series(item), dict(entries_of(objects, ENTRY))
        golds = list(written_golds(item, objects, ""))
        ids = {question.id: fixed_id(number) for number, question in questions_to_rewrite(series)}
        findings = (
            explained_gold(finding, ids[finding.id]) for finding in findings_of_golds(item, golds)
        )
        entries = [(id, {FIELD: list(golds_in(forms.get(id, {})))}) for id in ids.values()]
        yield from form_findings(findings, configuration, ENTRY, entries)

    def grade(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Golds that are not similar to any of the key's, and earlier answers that are missing."""
        least = float(configuration.options.get("least_similarity", LEAST))
        language, forms = series_language(item), dict(entries_of(objects, ENTRY))
        for number, question in questions_to_rewrite(record_series(item)):
            golds = question.key.rewrites if question.key is not None else ()
            references = list(dict.fromkeys(gold.text for gold in golds))
            if not references:
                continue
            id = fixed_id(number)
            written = golds_in(forms.get(id, {}))
            in_key = " | ".join(references)
            detail = {"en": f"The key has: {in_key}", "zh": f"参考改写：{in_key}"}
            if not written:
                message = {"en": "no gold", "zh": "没有改写"}
                yield WorkFinding("no_gold", message, "error", id, detail)
            for gold in written:
                similarity = score("jaccard", gold, references, language=language)
                if similarity < least:
                    message = {
                        "en": f"similarity {mark(similarity, 1)}: {gold}",
                        "zh": f"相似度 {mark(similarity, 1)}：{gold}",
                    }
                    yield WorkFinding("golds", message, "error", id, detail)
            uses_answer, key_uses_answer = (
                any(PREVIOUS_ANSWER in gold for gold in texts) for texts in (written, references)
            )
            if written and key_uses_answer and not uses_answer:
                message = {
                    "en": f"no gold with {PREVIOUS_ANSWER}",
                    "zh": f"缺少带 {PREVIOUS_ANSWER} 的改写",
                }
                yield WorkFinding("previous", message, "error", id, detail)

    def write(self, project: ProjectWork, folder: Path) -> list[Path]:
        """A test with each person's golds, and one with everybody's by name."""
        paths: list[Path] = []
        people: dict[str, list[ReturnedGolds]] = {}
        for person in named_work(project):
            name = person.person
            all_golds, records = people.setdefault(name, []), []
            for item, objects in work_on(person, project.items):
                golds = list(written_golds(item, objects, name))
                all_golds += golds
                note = note_of(objects)
                if golds or note:
                    test = with_golds(papers_of(project.header, [item]), (name, golds))
                    [record] = test.records()
                    records.append(with_notes(record, {name: note} if note else {}))
            if all_golds:  # notes alone are no test
                path = people_folder(folder) / f"{name}.jsonl"
                paths += save_records(series_header(project.header), records, path)
        written = [(name, golds) for name, golds in people.items() if golds]
        if written:
            test = test_without(project, people)
            save_test(with_golds(test, *written), folder / MERGED)
            paths.append(folder / MERGED)
        return paths

    def read(
        self, path: Path, items: Mapping[str, WorkItem], configuration: Configuration
    ) -> Iterator[tuple[str, str, Objects]]:
        """Golds of a sheet of ``set sheet``, a test with golds, or a sitting."""
        return by_item(read_golds(path, items))


REWRITING = WritingGolds()
