"""Adjudication of golds of question series: one person's, the other's, both, or another version.

Decisions are lines that ``readmark set merge --decisions`` reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

from readmark.formats.registry import save_test
from readmark.making.blind.gold_disagreements import WORK, compared_golds, decided_golds
from readmark.making.blind.golds import ReturnedGolds, with_golds
from readmark.making.gold_sheet import BETWEEN
from readmark.making.hall.gold_guidelines import explained_gold, findings_of_golds
from readmark.making.hall.gold_papers import papers_of, test_without
from readmark.making.hall.series_items import (
    ENTRY,
    golds_in,
    paper_series,
    questions_to_rewrite,
    series_view,
    written_golds,
)
from readmark.settling import VERSIONS, AdjudicationHeader, Disagreement, write_adjudication
from readmark.works import (
    Configuration,
    DraftText,
    EntryField,
    ItemView,
    Objects,
    ProjectWork,
    Text,
    WorkFinding,
    WorkItem,
)
from readmark.works.decisions import DecisionForms
from readmark.works.disputed_places import (
    BOTH,
    LETTERS,
    OTHER,
    DisputedPlace,
    dispute_item,
    drawn_order,
)
from readmark.works.disputed_places import ENTRY as DECISION
from readmark.works.forms import entries_of
from readmark.works.passages import fixed_id

GOLD = "gold.jsonl"
QUESTIONS = "questions"
"""The member of an adjudicator's paper with the question of each form and its versions."""

_Golds = Mapping[str, Sequence[ReturnedGolds]]


class GoldDecisions(DecisionForms):
    """One version of the golds of each question that people rewrote differently."""

    other = EntryField(widget="long_text")

    def disputes(self, project: ProjectWork) -> Iterator[WorkItem]:
        """An item for each series with a question of which people have different golds."""
        for item in project.items:
            people = _people(project, item)
            by_pair = _compared(people, project, [item])
            lines = [line for of_pair in by_pair.values() for line in of_pair]
            if lines:
                yield self._dispute(item, people, lines, project.configuration.project.seed)

    def _dispute(
        self, item: WorkItem, people: _Golds, lines: Sequence[Disagreement], seed: int
    ) -> WorkItem:
        view = series_view(item, ENTRY)
        forms = {
            question.id: fixed_id(number)
            for number, question in questions_to_rewrite(paper_series(item))
        }
        all_versions = [versions_of(line) for line in lines]
        places = []
        for line, versions in zip(lines, all_versions, strict=True):
            form = view.objects[forms[line.id]]
            suggested = LETTERS.index(line.suggestion) if line.suggestion in ("a", "b") else None
            if len(versions) > 2:
                suggested = None  # a third version may be as good
            why: Text = ""
            if suggested is not None:
                why = _why(item, people, line.id, versions[1 - suggested])
            places.append(
                DisputedPlace(
                    line,
                    form["prompt"],
                    [BETWEEN.join(golds) for golds in versions],
                    context=form["context"],
                    place=form["places"][0],
                    suggested=suggested,
                    why=why,
                    allows_both=len(versions) == 2,
                )
            )
        dispute = dispute_item(item.name, view.texts, places, seed)
        # The page's check needs the golds themselves, by the letters that the page shows.
        questions = [
            {
                "id": line.id,
                VERSIONS: [
                    versions[index] for index in drawn_order(seed, item.name, len(versions))
                ],
            }
            for line, versions in zip(lines, all_versions, strict=True)
        ]
        series = {name: item.paper[name] for name in ("record", "language")}
        return replace(dispute, paper={**dispute.paper, **series, QUESTIONS: questions})

    def view(self, item: WorkItem, configuration: Configuration) -> ItemView:
        """The series, and a form for each question; all versions can be taken over and edited."""
        drafts = {
            f"d-{number}": [
                DraftText(letter.upper(), "\n".join(golds))
                for letter, golds in zip(LETTERS, question[VERSIONS], strict=False)
            ]
            for number, question in enumerate(item.paper[QUESTIONS], 1)
        }
        return replace(super().view(item, configuration), drafts=drafts)

    def check(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """What is undecided, and what the guidelines say of the golds that are adopted."""
        yield from super().check(item, objects, configuration)
        forms, ids, adopted = dict(entries_of(objects, DECISION)), {}, []
        for number, question in enumerate(item.paper[QUESTIONS], 1):
            golds = _adopted_golds(forms.get(f"d-{number}", {}), question[VERSIONS])
            if golds:
                ids[question["id"]] = f"d-{number}"
                adopted.append(_returned(question["id"], golds))
        for finding in findings_of_golds(item, adopted):
            yield explained_gold(finding, ids[finding.id])

    def other_version(self, fields: Mapping[str, Any], line: Disagreement) -> Any:
        """The golds of another version: its lines."""
        return list(golds_in({"golds": fields.get(OTHER)})) or None

    def write(self, project: ProjectWork, decided: ProjectWork, folder: Path) -> list[Path]:
        """The test with one version of golds, and the decisions of each two people."""
        lines = {line.id: line for of_item in self.decided(decided).values() for line in of_item}
        people: dict[str, list[ReturnedGolds]] = {}
        for item in project.items:
            for name, golds in _people(project, item).items():
                people.setdefault(name, []).extend(golds)
        people = {name: people[name] for name in sorted(people) if people[name]}
        if not people:
            return []
        test = test_without(project, people)
        adopted = decided_golds(people, list(lines.values()), GOLD)
        save_test(with_golds(test, (None, adopted)), folder / GOLD)
        paths = [folder / GOLD]
        pairs = _compared(people, project, project.items)
        for (a, b), compared in pairs.items():
            of_pair = [lines[line.id] for line in compared if line.id in lines]
            name = "decisions.jsonl" if len(pairs) == 1 else f"decisions {a}+{b}.jsonl"
            header = AdjudicationHeader(work=WORK, a=a, b=b, paper=test.facts.paper)
            if of_pair:
                write_adjudication(folder / name, header, of_pair)
                paths.append(folder / name)
        return paths


def versions_of(line: Disagreement) -> list[list[str]]:
    """All versions of a question's golds, A's and B's first."""
    return list(line.beside.get(VERSIONS) or [line.a, line.b])


def _people(project: ProjectWork, item: WorkItem) -> dict[str, list[ReturnedGolds]]:
    """The golds of everybody who has handed an item in, by name."""
    return {
        person.person: list(written_golds(item, person.objects[item.name], person.person))
        for person in sorted(project.finished_by(item.name), key=lambda person: person.person)
        if item.name in person.objects
    }


def _compared(
    people: _Golds, project: ProjectWork, items: Sequence[WorkItem]
) -> dict[tuple[str, str], list[Disagreement]]:
    """The questions on which people differ, by the first two who differ on them.

    What a third person has is beside the line.
    """
    test = papers_of(project.header, items)
    by_pair: dict[tuple[str, str], list[Disagreement]] = {}
    compared_ids: set[str] = set()
    for a, b in combinations(people, 2):
        pair = {name: people[name] for name in (a, b)}
        lines = [line for line in compared_golds(pair, test) if line.id not in compared_ids]
        if lines:
            compared_ids |= {line.id for line in lines}
            by_pair[a, b] = [_with_others(line, people) for line in lines]
    return by_pair


def _with_others(line: Disagreement, people: _Golds) -> Disagreement:
    """A line with the versions that neither A nor B has."""
    versions = [list(line.a), list(line.b)]
    for of_person in people.values():
        for returned in of_person:
            is_new = not any(set(returned.golds) == set(version) for version in versions)
            if returned.id == line.id and is_new:
                versions.append(list(returned.golds))
    if len(versions) == 2:
        return line
    return msgspec.structs.replace(line, beside={**line.beside, VERSIONS: versions[: len(LETTERS)]})


def _adopted_golds(fields: Mapping[str, Any], versions: Sequence[Sequence[str]]) -> list[str]:
    """The golds that a form adopts; none while it is undecided."""
    decision = fields.get("decision")
    if decision == OTHER:
        return list(golds_in({"golds": fields.get(OTHER)}))
    if decision == BOTH:
        return list(dict.fromkeys(gold for golds in versions for gold in golds))
    letters = LETTERS[: len(versions)]
    if isinstance(decision, str) and decision and decision in letters:
        return list(versions[letters.index(decision)])
    return []


def _returned(id: str, golds: Sequence[str]) -> ReturnedGolds:
    return ReturnedGolds(id=id, annotator="", golds=tuple(golds), file="", place=id)


def _why(item: WorkItem, people: _Golds, question: str, golds: Sequence[str]) -> Text:
    """What the guidelines say against the other version."""
    authors_golds = next(
        of_person
        for of_person in people.values()
        if any(
            returned.id == question and list(returned.golds) == list(golds)
            for returned in of_person
        )
    )
    findings = [
        explained_gold(finding, "")
        for finding in findings_of_golds(item, authors_golds)
        if finding.id == question
    ]
    texts = {
        language: "; ".join(finding.as_json(language)["message"] for finding in findings)
        for language in ("en", "zh")
    }
    return {"en": f"The other version: {texts['en']}", "zh": f"另一个版本：{texts['zh']}"}


GOLDS = GoldDecisions()
