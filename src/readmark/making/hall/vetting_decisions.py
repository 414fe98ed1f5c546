"""Adjudication of vetting: whether a passage is kept, where people are of two minds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from readmark.formats.passage_decisions import Decision, majority, write_decisions
from readmark.making.hall import vetting
from readmark.making.hall.level_decisions import ADJUDICATED
from readmark.settling import grouped_versions, version_line, write_decision_lines
from readmark.works import ProjectWork, WorkItem
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
            decisions = [decision for decision, _ in groups]
            counts = " : ".join(str(len(people)) for _, people in groups)
            suggested = None
            why = {
                "en": f"As many would keep it as discard it ({counts}).",
                "zh": f"票数相同（{counts}）。",
            }
            if (most := majority(votes)) is not None:
                suggested = decisions.index(most)
                why = {"en": f"Most people ({counts}).", "zh": f"多数意见（{counts}）。"}
            place = DisputedPlace(
                line,
                record.title or record.id,
                [_vote_words(votes, decision) for decision in decisions],
                suggested=suggested,
                why=why,
            )
            seed = project.configuration.project.seed
            yield dispute_item(item.name, passage_view(item).texts, [place], seed)

    def write(self, project: ProjectWork, decided: ProjectWork, folder: Path) -> list[Path]:
        """The decisions, as ``set screen --decisions`` reads them, and the passages to keep."""
        lines = self.decided(decided)
        rows, passages = [], []
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
                passages.append(record)
        write_decisions(folder / "adjudicated.csv", rows, {})
        all_lines = [line for of_item in lines.values() for line in of_item]
        return [
            folder / "adjudicated.csv",
            *save_records(project.header, passages, folder / "gold.jsonl"),
            *write_decision_lines(folder, "vetting", all_lines),
        ]


def _votes(project: ProjectWork, item: WorkItem) -> list[Decision]:
    votes = []
    for person in project.finished_by(item.name):
        vote = vetting.decision_of(person.objects.get(item.name, {}), person.person)
        if vote is not None:
            votes.append(vote)
    return votes


def _vote_words(votes: Sequence[Decision], decision: str) -> str:
    """A decision with the number of its votes and their reasons."""
    same = [vote for vote in votes if vote.decision == decision]
    reasons = ", ".join(dict.fromkeys(vote.reason for vote in same if vote.reason))
    return f"{decision} × {len(same)}" + (f" ({reasons})" if reasons else "")


VETTING = VettingDecisions()
