"""``readmark set merge`` of a series test: people's golds are checked, compared and decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from rich.console import Console

from readmark.core import numbers
from readmark.core.display import Result, counted, headline, plain_table
from readmark.core.errors import DataError, UsageError
from readmark.core.numbers import first_ids
from readmark.core.problems import Problem
from readmark.core.test import Test
from readmark.formats.registry import format_for, save_test
from readmark.making.agreement.agree import REWRITES, agree
from readmark.making.agreement.annotator import Annotator
from readmark.making.agreement.annotator_files import annotators_in_key
from readmark.making.agreement.report import AgreementReport
from readmark.making.blind.gold_disagreements import (
    CONTEXT,
    WORK,
    compared_golds,
    decided_golds,
)
from readmark.making.blind.golds import (
    GoldSizes,
    ReturnedGolds,
    gold_problems,
    gold_sizes,
    require_new_golds,
    require_same_questions,
    returned_golds,
    with_golds,
)
from readmark.making.blind.returns import gathered
from readmark.settling import (
    AdjudicationHeader,
    carry_decisions,
    read_decisions,
    read_earlier,
    require_work,
    write_adjudication,
)
from readmark.statistics.agreement.value import Resampling


@dataclass
class MergedGolds(Result):
    """The merged golds: sizes, agreement, outstanding questions, and breaches of the guidelines."""

    output: str | None
    """The test that was written; None while faults or undecided questions prevent it."""
    people: Mapping[str, GoldSizes]
    sizes: GoldSizes
    owed: Mapping[str, Sequence[str]]
    """By person, the questions of the sheet without a gold."""
    agreement: AgreementReport | None = None
    problems: Sequence[Problem] = ()
    """What breaks the guidelines, and what may, in the order of people and rows."""
    disagreements: str | None = None
    """The adjudication file that was written."""
    decisions: str | None = None
    """The adjudication file that was read."""
    open_decisions: int = 0
    """Its questions without a decision."""
    decided: Mapping[str, int] = field(default_factory=dict)
    """How many questions were decided each way."""
    undecided: Sequence[str] = ()
    format: str = ""
    lost: Sequence[str] = ()
    notes: Sequence[str] = ()

    @property
    def messages(self) -> tuple[str, ...]:
        """What a person should look at, then what was written."""
        written = []
        if self.disagreements is not None:
            questions = counted(self.open_decisions, "question")
            state = f"{questions} to decide" if self.open_decisions else "everything is decided"
            written.append(f"{self.disagreements}: {state}; then: --decisions")
        if self.output is not None:
            written.append(f"{self.output} written as {self.format}")
        lost = (f"{self.format}: {line}" for line in self.lost)
        return (*self.notes, *map(str, self.problems), *lost, *written)

    @property
    def faults(self) -> list[Problem]:
        """What breaks the guidelines."""
        return [problem for problem in self.problems if problem.severity == "error"]

    def require_written(self) -> None:
        """Raise an error that says why no test was written, unless one was."""
        if self.output is not None:
            return
        if self.undecided:
            ids = first_ids(self.undecided)
            questions = counted(len(self.undecided), "question")
            raise DataError(f"{questions} undecided: {ids}", file=self.decisions)
        faults = counted(len(self.faults), "fault")
        raise DataError(f"{faults} by the guidelines, nothing written; `keep_faults` merges them")

    def as_json(self) -> dict[str, Any]:
        """The document that ``set merge --json`` prints."""
        return {
            "output": self.output,
            "format": self.format,
            "lost": self.lost,
            "sizes": self.sizes.as_json(),
            "people": {name: sizes.as_json() for name, sizes in self.people.items()},
            "owed": self.owed,
            "agreement": None if self.agreement is None else self.agreement.as_json(),
            "problems": [asdict(problem) for problem in self.problems],
            "disagreements": self.disagreements,
            "open": self.open_decisions,
            "decisions": self.decisions,
            "decided": self.decided,
            "undecided": self.undecided,
            "notes": self.notes,
        }

    def show(self, console: Console) -> None:
        """Print the sizes by person, outstanding questions, then the agreement."""
        table = plain_table("golds of", "questions", "golds", "maximum", "mean")
        rows = dict(self.people)
        if len(rows) != 1 or self.sizes not in rows.values():
            rows["the test"] = self.sizes
        for name, sizes in rows.items():
            mean = numbers.decimal(sizes.mean)
            table.add_row(name, f"{sizes.questions:,}", f"{sizes.golds:,}", str(sizes.most), mean)
        console.print(table)
        for way, count in self.decided.items():
            console.print(f"decided {way}: {counted(count, 'question')}")
        for name, ids in self.owed.items():
            console.print(headline("still owed", " by ", name, f": {len(ids)} ({first_ids(ids)})"))
        if self.agreement is not None:
            console.print()
            self.agreement.show(console)


def merge_golds(
    test: Test,
    files: Sequence[str | Path],
    output: str,
    *,
    names: Sequence[str] = (),
    disagreements: str | None = None,
    decisions: str | None = None,
    keep_faults: bool = False,
    resampling: Resampling | None = None,
    format: str | None = None,
) -> MergedGolds:
    """Write a series test with people's golds: sheets, sittings or tests with golds.

    Every gold keeps its person's name. ``disagreements`` is a file to write the questions to on
    which two people differ; with such a file as ``decisions`` the test has the decided golds.
    Nothing is written if golds break the guidelines, unless ``keep_faults``.
    """
    test.require_kind("series")
    if disagreements is not None and decisions is not None:
        raise UsageError("`disagreements` is written first, and `decisions` read later: choose one")
    work = gathered(files, names, "golds", lambda file, name: returned_golds(file, test, name))
    people = {rows[0].annotator: rows for rows in work.people.values()}
    require_same_questions(people, test)
    require_new_golds(people, test)
    owed: dict[str, list[str]] = {}
    golds: dict[str, list[ReturnedGolds]] = {}
    for name, rows in people.items():
        golds[name] = [row for row in rows if row.golds]
        if not golds[name]:
            raise DataError("every gold is empty: was it filled in?", file=rows[0].file)
        if without := [row.id for row in rows if not row.golds]:
            owed[name] = without
    new = with_golds(test, *golds.items())
    records = {series.id: series for series in new.records()}
    annotators = [replace(person, records=records, test=new) for person in annotators_in_key(new)]
    agreement = None
    if _share_a_question(annotators):
        agreement = agree(annotators, [REWRITES], resampling=resampling)
    result = MergedGolds(
        None,
        {name: gold_sizes(new, name) for name in golds},
        gold_sizes(new),
        owed,
        agreement,
        format=format or format_for(Path(output), test),
        notes=tuple(work.notes),
    )
    versions = list(golds.values())
    if decisions is not None:
        versions = [_decide(result, golds, test, decisions)]
        new = with_golds(test, (None, versions[0]))
        result.sizes = gold_sizes(new)
    result.problems = [problem for version in versions for problem in gold_problems(version, test)]
    if result.undecided or (result.faults and not keep_faults):
        return result
    if disagreements is not None:
        _write_disagreements(result, golds, test, disagreements)
    result.lost = save_test(new, output, format=result.format)
    result.output = output
    return result


def _share_a_question(people: Sequence[Annotator]) -> bool:
    """Whether any two have golds of one question; each series may be one person's work."""
    pairs = combinations((person.rewrites.keys() for person in people), 2)
    return any(first & second for first, second in pairs)


def _write_disagreements(
    result: MergedGolds,
    people: Mapping[str, Sequence[ReturnedGolds]],
    test: Test,
    file: str,
) -> None:
    """Write the questions on which two people differ; decisions in the file are kept."""
    rows = compared_golds(people, test)
    earlier = read_earlier(file)
    if earlier is not None:
        header, decided = earlier
        require_work(header, WORK, file)
        rows, outdated = carry_decisions(rows, decided, *CONTEXT)
        if outdated:
            decisions = counted(len(outdated), "decision")
            ids = first_ids([line.id for line in outdated])
            note = f"{file}: {decisions} on golds that have changed, left out: {ids}"
            result.notes = (*result.notes, note)
    a, b = people
    header = AdjudicationHeader(work=WORK, a=a, b=b, paper=test.facts.paper)
    if note := write_adjudication(file, header, rows):
        result.notes = (*result.notes, note)
        return
    result.disagreements = file
    result.open_decisions = sum(row.decision is None for row in rows)


def _decide(
    result: MergedGolds,
    people: Mapping[str, Sequence[ReturnedGolds]],
    test: Test,
    file: str,
) -> list[ReturnedGolds]:
    """Read the decisions into the result; the golds with one version of each question."""
    rows = compared_golds(people, test)
    a, b = people
    header, lines = read_decisions(file, AdjudicationHeader(work=WORK, a=a, b=b), rows)
    require_work(header, WORK, file)
    if (header.a, header.b) != tuple(people):
        raise DataError(
            f"is about golds of {header.a} and {header.b}, in this order; these are of "
            f"{' and '.join(people)}",
            file=file,
            where=1,
        )
    rows, outdated = carry_decisions(rows, lines, *CONTEXT)
    if outdated:
        raise DataError(
            "is about other golds than these files have; write `disagreements` again, which keeps "
            "the decisions that still apply",
            file=file,
            where=outdated[0].id,
        )
    result.decisions = file
    result.undecided = [row.id for row in rows if row.decision is None]
    words = {"a": f"for {header.a}", "b": f"for {header.b}"}
    decisions = (row.decision for row in rows if row.decision is not None)
    result.decided = dict(Counter(words.get(decision, decision) for decision in decisions))
    return decided_golds(people, rows, file)
