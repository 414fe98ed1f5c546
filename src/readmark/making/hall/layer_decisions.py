"""Adjudication of layers: two annotators' words, phrases, entities, references and sentences.

The comparison is that of ``set crosscheck``, the gold that of ``set adjudicate``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.test import Test, in_memory
from readmark.formats.registry import open_languages, open_test, save_test, save_tests
from readmark.making.crosscheck.adjudicate import FIELD, adjudicate
from readmark.making.crosscheck.comparison import cross_check
from readmark.making.crosscheck.disagreements import FOLLOWS, marked_context, version_words
from readmark.making.crosscheck.items import ANSWER_SENTENCE, ANTECEDENT
from readmark.making.crosscheck.third_versions import NEEDED
from readmark.making.hall.annotated_sides import key_text_id, passages_of, text_id
from readmark.making.hall.layers import FORMATS, WORK, tests_of
from readmark.settling import (
    AdjudicationHeader,
    Disagreement,
    read_adjudication,
    write_adjudication,
)
from readmark.works import (
    Configuration,
    EntryField,
    Objects,
    PersonsWork,
    ProjectWork,
    WorkFinding,
    WorkItem,
)
from readmark.works.decisions import DecisionForms
from readmark.works.disputed_places import ENTRY, OTHER, DisputedPlace, dispute_item
from readmark.works.forms import entries_of

GOLD, DECISIONS = "gold", "decisions"


class LayerDecisions(DecisionForms):
    """One version of each place that two annotators marked differently."""

    most = 2
    fields = ("decision", "other", "label", "reason")
    other = EntryField(widget="spans")

    def disputes(self, project: ProjectWork) -> Iterator[WorkItem]:
        """An item for each item with a place that two people marked differently."""
        rows: dict[str, list[tuple[str, Disagreement]]] = {}
        for pair, items in pairs_of(project):
            ids = {
                (side, passage.id): item.name
                for item in items
                for side, passage in passages_of(item.key).items()
            }
            tests_a, tests_b = (_tests(project, person, items) for person in pair)
            names = [person.person for person in pair]
            for side in tests_a:
                for line in cross_check(tests_a[side], tests_b[side], names=names).rows:
                    rows.setdefault(ids[side, line.record], []).append((side, line))
        for item in project.items:
            if lines := rows.get(item.name):
                sides = passages_of(item.key)
                lines = _in_text_order(lines)
                places = [_place(side, line, sides[side].text) for side, line in lines]
                view = WORK.view(item, project.configuration)
                seed = project.configuration.project.seed
                yield dispute_item(item.name, view.texts, places, seed)

    def check(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """As for every decision; a third version also needs its label or antecedent."""
        yield from super().check(item, objects, configuration)
        layers = {id: form["what"] for id, form in item.paper["objects"].items()}
        for id, fields in entries_of(objects, ENTRY):
            spans = _spans(fields)
            if fields.get("decision") != OTHER or not spans or layers.get(id) not in NEEDED:
                continue
            if layers[id] == "ne" and not fields.get("label"):
                message = {"en": "An entity needs its type.", "zh": "实体需要类型。"}
                yield WorkFinding("no_label", message, "error", id)
            if layers[id] == "mention" and len(spans) != 2:
                message = {
                    "en": "Mark the phrase, then what it refers to.",
                    "zh": "先标指代词，再标所指对象。",
                }
                yield WorkFinding("no_antecedent", message, "error", id)

    def other_version(self, fields: Mapping[str, Any], line: Disagreement) -> Any:
        """Marked spans as the library reads a third version: spans, quotes and labels."""
        spans = sorted(_spans(fields), key=lambda span: int(span["start"]))
        if line.what == "mention" and len(spans) == 2:
            # The phrase was marked first.
            phrase, target = _spans(fields)
            name = target["text"].partition(":")[2]
            part = f"{line.record}:{name}" if name else line.record
            antecedent = {"in": part, "span": [target["start"], target["end"]]}
            return [{**_span(phrase), ANTECEDENT: antecedent}]
        label = fields.get("label")
        type_ = label.strip() if isinstance(label, str) and line.what == "ne" else ""
        labels = {"type": type_} if type_ else {}
        return [{**_span(span), **labels} for span in spans]

    def write(self, project: ProjectWork, decided: ProjectWork, folder: Path) -> list[Path]:
        """The gold, and the decisions of each two people; a file for each side if there are two."""
        lines = self.decided(decided)
        pairs = list(pairs_of(project))
        written: list[Path] = []
        golds: dict[str, list[Test]] = {}
        for (first, second), items in pairs:
            of_pair = [line for item in items for line in lines.get(item.name, ())]
            names = (first.person, second.person)
            pair_suffix = f".{names[0]}+{names[1]}" if len(pairs) > 1 else ""
            tests_a, tests_b = (_tests_in(folder, name) for name in names)
            for side, test in tests_a.items():
                side_suffix = f".{side}" if len(tests_a) > 1 else ""
                file = folder / f"{DECISIONS}{pair_suffix}{side_suffix}.jsonl"
                both = test, tests_b[side]
                gold = _gold(both, names, of_pair, file, is_common=len(pairs) > 1)
                if file.exists():  # there is none where nothing differs
                    written.append(file)
                golds.setdefault(side, []).append(gold)
        return written + _save(project, golds, folder)


def pairs_of(
    project: ProjectWork,
) -> Iterator[tuple[tuple[PersonsWork, PersonsWork], list[WorkItem]]]:
    """Every two people who have handed in the same items, and these items."""
    by_pair: dict[tuple[str, str], list[WorkItem]] = {}
    for item in project.items:
        people = [person.person for person in project.finished_by(item.name)]
        if len(people) > 2:
            message = (
                f"{len(people)} people have finished it, but only two versions can be compared"
            )
            raise DataError(f"{message}: withdraw the others", where=item.name)
        if len(people) == 2:
            by_pair.setdefault((people[0], people[1]), []).append(item)
    for first, second in combinations(project.people, 2):
        if items := by_pair.get((first.person, second.person)):
            yield (first, second), items


def _tests(project: ProjectWork, person: PersonsWork, items: Sequence[WorkItem]) -> dict[str, Test]:
    """A person's layers of some items, a test for each side."""
    return {test.language: test for test in tests_of(project, person, items)}


def _place(side: str, line: Disagreement, text: str) -> DisputedPlace:
    """A line as the page shows it: the sentence, both versions, and where they are."""
    text_name = side
    if line.unit is not None and line.what != ANSWER_SENTENCE:
        text_name = text_id(side, line.unit)
        _, is_key, rest = line.id.partition(f"{line.record}:{line.unit}:key")
        if is_key:
            text_name = key_text_id(side, line.unit, int(rest.partition(":")[0]))
    spans = [
        (version, {"text": text_name, "start": item["span"][0], "end": item["span"][1]})
        for version, items in enumerate((line.a, line.b))
        for item in items
    ]
    start, end = line.place or (0, 0)
    return DisputedPlace(
        line,
        marked_context(line) or text[start:end],
        [version_words(items, line.cause) if items else "" for items in (line.a, line.b)],
        spans=spans,
        place={"text": text_name, "start": start, "end": end},
        follows=line.beside.get(FOLLOWS),
        only=tuple(
            name for name in LayerDecisions.fields if name != "label" or line.what in NEEDED
        ),
    )


def _in_text_order(lines: Sequence[tuple[str, Disagreement]]) -> list[tuple[str, Disagreement]]:
    """Lines text by text, from its beginning; of one place, what others rest on comes first."""
    texts = {
        key: number
        for number, key in enumerate(dict.fromkeys((side, line.unit) for side, line in lines))
    }
    return sorted(lines, key=lambda pair: (texts[pair[0], pair[1].unit], pair[1].place or (0, 0)))


def _spans(fields: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The spans of another version, in the order in which they were marked."""
    value = fields.get(OTHER)
    spans = value if isinstance(value, list) else [value]
    return [span for span in spans if isinstance(span, Mapping)]


def _span(span: Mapping[str, Any]) -> dict[str, Any]:
    return {"span": [span["start"], span["end"]], "quote": span["quote"]}


def _tests_in(folder: Path, person: str) -> dict[str, Test]:
    """A person's tests by language, from files without a loss where there are such."""
    layers = sorted((folder / "layers").glob(f"{person}.*.jsonl"))
    if layers:
        tests = [open_test(path) for path in layers]
    else:
        (path,) = [
            path
            for ending in FORMATS.values()
            if (path := folder / "people" / f"{person}{ending}").exists()
        ]
        tests = open_languages(path)
    return {test.language: test for test in tests}


def _gold(
    tests: tuple[Test, Test],
    names: tuple[str, str],
    decided: Sequence[Disagreement],
    file: Path,
    *,
    is_common: bool,
) -> Test:
    """The gold of two people's tests, as ``set adjudicate`` makes it of the file of decisions."""
    check = cross_check(*tests, names=names, common=is_common)
    decisions = {line.id: line for line in decided if line.decision is not None}
    lines = [decisions.get(line.id, line) for line in check.rows]
    write_adjudication(file, check.header, lines)
    header: AdjudicationHeader = check.header
    if lines:
        header, lines = read_adjudication(file)
    gold = adjudicate(*tests, header, lines, file=file.name)
    gold.require_written()
    return gold.test


def _save(project: ProjectWork, golds: Mapping[str, Sequence[Test]], folder: Path) -> list[Path]:
    """The gold of all pairs in one file for each side, and in the format of two sides."""
    tests = []
    for of_pairs in golds.values():
        first = of_pairs[0]
        if len(of_pairs) == 1:
            tests.append(first)
            continue
        records = {record.id: record for test in of_pairs for record in test.records()}
        adjudications = [
            test.header.fields[FIELD] for test in of_pairs if FIELD in test.header.fields
        ]
        fields = {**first.header.fields, FIELD: adjudications}
        header = msgspec.structs.replace(first.header, fields=fields)
        tests.append(in_memory(header, list(records.values()), file=first.file))
    written = []
    format = project.configuration.options.get("format", "native")
    if format != "native":
        path = folder / f"{GOLD}{FORMATS[format]}"
        lost = save_tests(tests, path, format=format)
        written.append(path)
        if not lost:
            return written
    for test in tests:
        suffix = f".{test.language}" if len(tests) > 1 else ""
        path = folder / f"{GOLD}{suffix}.jsonl"
        save_test(test, path)
        written.append(path)
    return written


LAYERS = LayerDecisions()
