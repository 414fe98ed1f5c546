"""``readmark set merge`` of a series test: people's golds are checked, compared and decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from readmark.core.display import counted
from readmark.core.errors import DataError, UsageError
from readmark.core.numbers import first_ids
from readmark.core.test import Test
from readmark.formats.registry import format_for, save_test
from readmark.making.agreement.agree import REWRITES, agree
from readmark.making.agreement.annotator import Annotator
from readmark.making.agreement.annotator_files import annotators_in_key
from readmark.making.blind.gold_disagreements import (
    CONTEXT,
    WORK,
    compared_golds,
    decided_golds,
)
from readmark.making.blind.golds import (
    ReturnedGolds,
    gold_problems,
    gold_sizes,
    require_new_golds,
    require_same_questions,
    returned_golds,
    with_golds,
)
from readmark.making.blind.merged_golds import MergedGolds
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
        decided = _decided(golds, test, decisions)
        versions = [decided.golds]
        new = with_golds(test, (None, decided.golds))
        result = replace(
            result,
            sizes=gold_sizes(new),
            decisions=decisions,
            decided=decided.counts,
            undecided=decided.undecided,
        )
    problems = [problem for version in versions for problem in gold_problems(version, test)]
    result = replace(result, problems=problems)
    if result.undecided or (result.faults and not keep_faults):
        return result
    if disagreements is not None:
        result = _with_disagreements(result, golds, test, disagreements)
    lost = save_test(new, output, format=result.format)
    return replace(result, lost=lost, output=output)


def _share_a_question(people: Sequence[Annotator]) -> bool:
    """Whether any two have golds of one question; each series may be one person's work."""
    pairs = combinations((person.rewrites.keys() for person in people), 2)
    return any(first & second for first, second in pairs)


def _with_disagreements(
    result: MergedGolds,
    people: Mapping[str, Sequence[ReturnedGolds]],
    test: Test,
    file: str,
) -> MergedGolds:
    """Write the questions on which two people differ; decisions in the file are kept."""
    rows = compared_golds(people, test)
    notes = [*result.notes]
    earlier = read_earlier(file)
    if earlier is not None:
        earlier_header, earlier_rows = earlier
        require_work(earlier_header, WORK, file)
        rows, outdated = carry_decisions(rows, earlier_rows, *CONTEXT)
        if outdated:
            decisions = counted(len(outdated), "decision")
            ids = first_ids([line.id for line in outdated])
            notes.append(f"{file}: {decisions} on golds that have changed, left out: {ids}")
    a, b = people
    header = AdjudicationHeader(work=WORK, a=a, b=b, paper=test.facts.paper)
    if note := write_adjudication(file, header, rows):  # without a difference there is no file
        return replace(result, notes=(*notes, note))
    open_decisions = sum(row.decision is None for row in rows)
    return replace(result, notes=tuple(notes), disagreements=file, open_decisions=open_decisions)


@dataclass(frozen=True, slots=True)
class _DecidedGolds:
    """One version of each question by the decisions of a file."""

    golds: list[ReturnedGolds]
    counts: Mapping[str, int]
    """How many questions were decided each way."""
    undecided: Sequence[str]


def _decided(people: Mapping[str, Sequence[ReturnedGolds]], test: Test, file: str) -> _DecidedGolds:
    """Read the decisions of a file, which must be on these golds."""
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
    words = {"a": f"for {header.a}", "b": f"for {header.b}"}
    decisions = (row.decision for row in rows if row.decision is not None)
    return _DecidedGolds(
        golds=decided_golds(people, rows, file),
        counts=dict(Counter(words.get(decision, decision) for decision in decisions)),
        undecided=[row.id for row in rows if row.decision is None],
    )
