"""People's golds merged into a series test: checked, compared, decided and counted."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from rich.console import Console

from readmark.core import numbers
from readmark.core.display import Result, counted, headline, plain_table
from readmark.core.errors import DataError, UsageError
from readmark.core.numbers import first_ids
from readmark.core.problems import Problem, of_owner
from readmark.core.records import Answer
from readmark.core.source import Source
from readmark.core.spans import clip
from readmark.core.test import Test
from readmark.formats.registry import format_for, open_test, save_test
from readmark.formats.returned_work import folded_name, require_name
from readmark.formats.sheets import is_table
from readmark.making.agreement.annotators import people_of
from readmark.making.agreement.command import REWRITES, agree
from readmark.making.agreement.report import AgreementReport
from readmark.making.agreement.values import Annotator
from readmark.making.blind.returns import (
    ReturnedWork,
    annotator_by_file,
    gathered,
    is_predictions,
    returned,
)
from readmark.making.gold_sheet import read_gold_sheet
from readmark.making.question_rules import Examiner, RuleProfile, profile_named
from readmark.series import SeriesQuestion, SeriesQuestionKey, series_findings
from readmark.settling import (
    AdjudicationHeader,
    Disagreement,
    carry_decisions,
    read_decisions,
    read_earlier,
    require_work,
    write_adjudication,
)
from readmark.statistics.agreement.value import Resampling

GUIDELINES = "A gold standard of question reformulations for TREC question series"
"""What golds of a sheet follow."""
WORK = "golds"
"""The sort of work that an adjudication file of golds is of."""
CONTEXT = ("target", "question")
"""What a decision on golds also depends on."""
FAULTS = (
    *("too_many_golds", "no_earlier_question", "no_embedding_gold"),
    *("misspelt_variable", "bracket_variants"),
)
"""The codes of ``check`` that are about what a person wrote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnedGolds(ReturnedWork):
    """Somebody's golds of a question, none where a sheet is not filled in."""

    golds: tuple[str, ...]
    target: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class GoldSizes:
    """How many golds there are; the mean is over the questions that have any."""

    questions: int = 0
    golds: int = 0
    most: int = 0

    @property
    def mean(self) -> float | None:
        """Golds of a question."""
        return self.golds / self.questions if self.questions else None

    def as_json(self) -> dict[str, Any]:
        """The sizes with their mean."""
        return {**asdict(self), "mean": self.mean}


def gold_sizes(test: Test, person: str | None = None) -> GoldSizes:
    """The sizes of a series test, or of one person's golds in it; equal golds of two count once."""
    each = []
    for series in test.records():
        for question in series.questions:
            rewrites = question.key.rewrites if question.key is not None else ()
            golds = {gold.text for gold in rewrites if person in (None, gold.annotator)}
            if golds:
                each.append(len(golds))
    return GoldSizes(len(each), sum(each), max(each, default=0))


@dataclass
class MergedGolds(Result):
    """What was merged: sizes, agreement, outstanding questions, and what breaks the guidelines."""

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
            count = counted(self.open_decisions, "question")
            left = f"{count} to decide" if self.open_decisions else "everything is decided"
            written.append(f"{self.disagreements}: {left}; then: --decisions")
        if self.output is not None:
            written.append(f"{self.output} written as {self.format}")
        lost = (f"{self.format}: {line}" for line in self.lost)
        return (*self.notes, *map(str, self.problems), *lost, *written)

    @property
    def faults(self) -> list[Problem]:
        """What breaks the guidelines."""
        return [problem for problem in self.problems if problem.severity == "error"]

    def require_written(self) -> None:
        """Raise what prevents the test."""
        if self.output is not None:
            return
        if self.undecided:
            ids = first_ids(self.undecided)
            count = counted(len(self.undecided), "question")
            raise DataError(f"{count} undecided: {ids}", file=self.decisions)
        count = counted(len(self.faults), "fault")
        raise DataError(f"{count} by the guidelines, nothing written; `keep_faults` merges them")

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
        """Sizes by person, outstanding questions, then the agreement."""
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
    Nothing is written while golds break the guidelines, unless ``keep_faults``.
    """
    test.require_kind("series")
    if disagreements is not None and decisions is not None:
        raise UsageError("`disagreements` is written first, and `decisions` read later: choose one")
    came = gathered(files, names, "golds", lambda file, name: returned_golds(file, test, name))
    people = {own[0].annotator: own for own in came.people.values()}
    require_same_questions(people, test)
    _require_new(people, test)
    lacking = {name: [one.id for one in own if not one.golds] for name, own in people.items()}
    owed = {name: ids for name, ids in lacking.items() if ids}
    written = {name: [one for one in own if one.golds] for name, own in people.items()}
    for name, own in written.items():
        if not own:
            raise DataError("every gold is empty: was it filled in?", file=people[name][0].file)
    made = with_golds(test, *written.items())
    records = {series.id: series for series in made.records()}
    named = [replace(person, records=records, test=made) for person in people_of(made)]
    result = MergedGolds(
        None,
        {name: gold_sizes(made, name) for name in written},
        gold_sizes(made),
        owed,
        agree(named, [REWRITES], resampling=resampling) if _share(named) else None,
        format=format or format_for(Path(output), test),
        notes=tuple(came.notes),
    )
    checked = list(written.values())
    if decisions is not None:
        checked = [_decide(result, written, test, decisions)]
        made = with_golds(test, (None, checked[0]))
        result.sizes = gold_sizes(made)
    result.problems = [problem for own in checked for problem in _problems(own, test)]
    if result.undecided or (result.faults and not keep_faults):
        return result
    if disagreements is not None:
        _write_disagreements(result, written, test, disagreements)
    result.lost = save_test(made, output, format=result.format)
    result.output = output
    return result


def _share(people: Sequence[Annotator]) -> bool:
    """Whether any two have golds of one question; series may be rewritten by one person each."""
    pairs = combinations((person.rewrites.keys() for person in people), 2)
    return any(first & second for first, second in pairs)


# What came back: one file a person, or several people's golds in a test.


def returned_golds(
    file: str | Path, test: Test, name: str | None = None
) -> Iterator[ReturnedGolds]:
    """The golds of a file; questions that a sheet has without golds are empty ones."""
    source = Source(file)
    if source.folder is None and is_table(source):
        for row in read_gold_sheet(file):
            person = name or row.person or annotator_by_file(source)
            require_name(person, "annotator", file=source.file, where=row.place)
            yield ReturnedGolds(
                id=row.id,
                annotator=person,
                golds=row.golds,
                file=source.file,
                place=row.place,
                question=row.question,
                target=row.target,
                note=row.note,
                signed=row.person,
            )
    elif source.readmark_file == "sitting" or is_predictions(source):
        for answer in returned(file, test, name):
            text = " ".join(answer.text.split())
            yield ReturnedGolds(
                id=answer.id,
                annotator=answer.annotator,
                golds=(text,) if text else (),
                file=answer.file,
                place=answer.place,
                signed=answer.signed,
            )
    else:
        theirs = open_test(file)
        theirs.require_kind("series")
        for series in theirs.records():
            for question in series.questions:
                rewrites = question.key.rewrites if question.key is not None else ()
                for signature in dict.fromkeys(rewrite.annotator for rewrite in rewrites):
                    own = [gold.text for gold in rewrites if gold.annotator == signature]
                    yield ReturnedGolds(
                        id=question.id,
                        annotator=name or signature or annotator_by_file(source),
                        golds=tuple(dict.fromkeys(own)),
                        file=source.file,
                        place=question.id,
                        question=question.text,
                        target=series.target,
                        signed=signature,
                    )


def require_same_questions(people: Mapping[str, Sequence[ReturnedGolds]], test: Test) -> None:
    """Refuse golds of questions that the test does not have, or has in other words."""
    asked = {
        question.id: (series.target, question.text)
        for series in test.records()
        for question in series.questions
    }
    for own in people.values():
        for golds in own:
            if golds.id not in asked:
                raise golds.fault(f"{test.file} has no question {golds.id!r}")
            target, question = asked[golds.id]
            for what, theirs, ours in (
                ("target", golds.target, target),
                ("question", golds.question, question),
            ):
                if theirs is not None and theirs.split() != ours.split():
                    raise golds.fault(
                        f"{golds.id!r} has another {what}: {clip(theirs)!r}, here it is "
                        f"{clip(ours)!r}"
                    )


def _require_new(people: Mapping[str, Sequence[ReturnedGolds]], test: Test) -> None:
    """Nobody's golds are merged twice, nor under a name that the key has in other letters."""
    spelling = {folded_name(name): (name, {golds.id for golds in own})
                for name, own in people.items()}  # fmt: skip
    for series in test.records():
        for question in series.questions:
            for gold in question.key.rewrites if question.key is not None else ():
                name, ids = spelling.get(folded_name(gold.annotator or ""), ("", set()))
                if name and (name != gold.annotator or question.id in ids):
                    raise DataError(
                        f"the key has golds of {gold.annotator!r} already; these are of {name!r}",
                        file=test.file,
                        where=question.id,
                    )


# The guidelines: what check reports of a person's golds, at the rows of their file.


def _problems(golds: Sequence[ReturnedGolds], test: Test) -> Iterator[Problem]:
    """Faults and doubts of one person's golds, or of the decided ones, each at its row."""
    own = {one.id: one for one in golds}
    order = {id: index for index, id in enumerate(own)}
    about = [finding for finding in gold_findings(golds, test) if finding.id in own]
    for id, code, message, severity in sorted(about, key=lambda finding: order[finding.id]):
        yield of_owner(own[id].file, own[id].place, id, code, message, severity)


class GoldFinding(NamedTuple):
    """What a check says of the golds of a question; faults have the severity ``error``."""

    id: str
    code: str
    message: str
    severity: str


def gold_findings(golds: Sequence[ReturnedGolds], test: Test) -> Iterator[GoldFinding]:
    """What breaks the guidelines, or may, in one person's golds of a series test."""
    without = _replaced(test, lambda question: _with_key(question, ()))
    alone = with_golds(without, (None, golds))
    profile = _series_profile()
    for series in alone.records():
        for id, code, message in series_findings(series):
            if code in FAULTS:
                yield GoldFinding(id, code, message, "error")
    for id, code, message in Examiner(profile).findings(alone):
        yield GoldFinding(id, code, message, profile.rules[code].severity)


@functools.cache
def _series_profile() -> RuleProfile:
    return profile_named("series")


def with_golds(test: Test, *people: tuple[str | None, Sequence[ReturnedGolds]]) -> Test:
    """The test with people's golds after those that its key has."""
    new: dict[str, list[Answer]] = {}
    for name, own in people:
        for golds in own:
            new.setdefault(golds.id, []).extend(
                Answer(text=gold, annotator=name) for gold in golds.golds
            )

    def grown(question: SeriesQuestion) -> SeriesQuestion:
        known = question.key.rewrites if question.key is not None else ()
        own = new.get(question.id)
        return question if own is None else _with_key(question, (*known, *own))

    return _replaced(test, grown)


def _with_key(question: SeriesQuestion, golds: Sequence[Answer]) -> SeriesQuestion:
    if question.key is None and not golds:
        return question
    key = question.key or SeriesQuestionKey()
    rules = key.guidelines or (GUIDELINES if golds else None)
    key = msgspec.structs.replace(key, rewrites=tuple(golds), guidelines=rules)
    return msgspec.structs.replace(question, key=key)


def _replaced(test: Test, change: Any) -> Test:
    return test.changed(
        lambda series: msgspec.structs.replace(
            series, questions=tuple(map(change, series.questions))
        )
    )


# Two people's golds of one question as two versions, and the decisions about them.


def compared_golds(people: Mapping[str, Sequence[ReturnedGolds]], test: Test) -> list[Disagreement]:
    """The questions on which two people differ, in the order of the test."""
    if len(people) != 2:
        raise UsageError(
            f"disagreements are between two people, found {len(people)}: {', '.join(people)}"
        )
    first, second = ({golds.id: golds.golds for golds in own} for own in people.values())
    faults = [_faults_by_question(own, test) for own in people.values()]
    return [
        Disagreement(
            id=question.id,
            what=WORK,
            record=series.id,
            unit=question.id,
            a=list(first[question.id]),
            b=list(second[question.id]),
            beside={"target": series.target, "question": question.text},
            **_suggested(*(found.get(question.id, []) for found in faults)),
        )
        for series in test.records()
        for question in series.questions
        if question.id in first
        and question.id in second
        and set(first[question.id]) != set(second[question.id])
    ]


def _faults_by_question(golds: Sequence[ReturnedGolds], test: Test) -> dict[str, list[str]]:
    """What the guidelines say of one person's golds, by question."""
    found: dict[str, list[str]] = {}
    for finding in gold_findings(golds, test):
        found.setdefault(finding.id, []).append(finding.message)
    return found


def _suggested(first: Sequence[str], second: Sequence[str]) -> dict[str, Any]:
    """The version with nothing to say against it, if there is something against the other."""
    if bool(first) == bool(second):
        return {}
    suggestion, other = ("b", "a") if first else ("a", "b")
    return {"suggestion": suggestion, "why": f"{other}: {'; '.join(first or second)}"}


def _write_disagreements(
    result: MergedGolds,
    people: Mapping[str, Sequence[ReturnedGolds]],
    test: Test,
    file: str,
) -> None:
    """Write where two people differ; decisions that the file already has are kept."""
    rows, earlier = compared_golds(people, test), read_earlier(file)
    if earlier is not None:
        require_work(earlier[0], WORK, file)
        rows, left = carry_decisions(rows, earlier[1], *CONTEXT)
        if left:
            count, ids = counted(len(left), "decision"), first_ids([line.id for line in left])
            note = f"{file}: {count} on golds that have changed, left out: {ids}"
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
    """One version of each question's golds: the agreed, the decided, or the only one."""
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
    rows, left = carry_decisions(rows, lines, *CONTEXT)
    if left:
        raise DataError(
            "is about other golds than these files have; write `disagreements` again, which keeps "
            "the decisions that still apply",
            file=file,
            where=left[0].id,
        )
    result.decisions = file
    result.undecided = [row.id for row in rows if row.decision is None]
    ways: dict[str, int] = {}
    for row in rows:
        if row.decision is not None:
            way = {"a": f"for {header.a}", "b": f"for {header.b}"}.get(row.decision, row.decision)
            ways[way] = ways.get(way, 0) + 1
    result.decided = ways
    return decided_golds(people, rows, file)


def decided_golds(
    people: Mapping[str, Sequence[ReturnedGolds]], rows: Sequence[Disagreement], file: str
) -> list[ReturnedGolds]:
    """One version of each question's golds: the decided, the agreed, or the only one."""
    adopted = {golds.id: golds for own in people.values() for golds in own}
    for row in rows:
        if row.decision is not None:
            adopted[row.id] = ReturnedGolds(
                id=row.id, annotator="", golds=_adopted(row, file), file=file, place=row.id
            )
    return list(adopted.values())


def _adopted(row: Disagreement, file: str) -> tuple[str, ...]:
    golds = [row.adopted] if isinstance(row.adopted, str) else row.adopted
    texts = golds if isinstance(golds, list) else []
    if not texts or not all(isinstance(text, str) and text.strip() for text in texts):
        raise DataError(
            f"other is {clip(str(row.other))!r}, expected a gold or a list of golds",
            file=file,
            where=row.id,
        )
    return tuple(dict.fromkeys(text.strip() for text in texts))
