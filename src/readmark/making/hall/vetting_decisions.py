"""Adjudication of vetting: whether a passage is kept, where people are of two minds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from readmark.formats.passage_decisions import Decision, majority, write_decisions
from readmark.making.hall import vetting
from readmark.making.hall.level_decisions import ADJUDICATED
from readmark.settling import (
    grouped_versions,
    version_line,
    write_decision_lines,
)
from readmark.works import Configuration, ProjectWork, WorkItem
from readmark.works.decisions import DecisionForms
from readmark.works.disputed_places import DisputedPlace, dispute_item
from readmark.works.passages import paper_of, passage_view, record_of
from readmark.works.people_files import save_records


class VettingDecisions(DecisionForms):
    """Keep or discard, where people are of two minds."""

    fields = ("decision", "reason")

    def disputes(self, project: ProjectWork) -> Iterator[WorkItem]:
        """An item for each passage that some would keep and others discard."""
        for item in project.items:
            votes = _votes(project, item)
            groups = grouped_versions((vote.person, vote.decision) for vote in votes)
            if len(groups) < 2:
                continue
            record = paper_of(item)
            line = version_line(record.id, "decision", record.id, groups)
            most = majority(votes)
            counts = " : ".join(str(len(people)) for _, people in groups)
            tie = {
                "en": f"As many would keep it as discard it ({counts}).",
                "zh": f"票数相同（{counts}）。",
            }
            most_words = {"en": f"Most people ({counts}).", "zh": f"多数意见（{counts}）。"}
            place = DisputedPlace(
                line,
                record.title or record.id,
                [_vote_words(project.configuration, votes, version) for version, _ in groups],
                suggested=None if most is None else [version for version, _ in groups].index(most),
                why=tie if most is None else most_words,
            )
            seed = project.configuration.project.seed
            yield dispute_item(item.name, passage_view(item).texts, [place], seed)

    def write(self, project: ProjectWork, decided: ProjectWork, folder: Path) -> list[Path]:
        """The decisions, which ``set screen --decisions`` reads, and the test of what is kept."""
        lines = self.decided(decided)
        rows, kept = [], []
        for item in project.items:
            record = record_of(item)
            votes = _votes(project, item)
            line = next(iter(lines.get(item.name, ())), None)
            if line is not None and line.decision is not None:
                decision = Decision(person=ADJUDICATED, decision=line.adopted, reason=line.reason)
            elif votes:
                decision = msgspec.structs.replace(votes[0], person=ADJUDICATED)
            else:
                continue
            rows.append((record.id, record.text, decision))
            if decision.decision == "keep":
                kept.append(record)
        write_decisions(folder / "adjudicated.csv", rows, {})
        return [
            folder / "adjudicated.csv",
            *save_records(project.header, kept, folder / "gold.jsonl"),
            *write_decision_lines(
                folder, "vetting", [line for of_item in lines.values() for line in of_item]
            ),
        ]


def _votes(project: ProjectWork, item: WorkItem) -> list[Decision]:
    votes = []
    for person in project.finished_by(item.name):
        vote = vetting.decision_of(person.objects.get(item.name, {}), person.person)
        if vote is not None:
            votes.append(vote)
    return votes


def _vote_words(configuration: Configuration, votes: Sequence[Decision], version: str) -> str:
    of_version = [vote for vote in votes if vote.decision == version]
    reasons = ", ".join(dict.fromkeys(vote.reason for vote in of_version if vote.reason))
    return f"{version} × {len(of_version)}" + (f" ({reasons})" if reasons else "")


VETTING = VettingDecisions()
