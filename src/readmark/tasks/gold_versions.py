"""The gold of a task as files: its versions with every judgement, pools to judge, sittings."""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.core.display import Result, counted, plain_table
from readmark.core.distinct_files import require_distinct_files
from readmark.core.json_lines import json_line
from readmark.core.writing import writing
from readmark.formats.native_sitting import NATIVE_SITTING
from readmark.formats.registry import open_sitting, open_test
from readmark.tasks.annotator_sitting import annotator_sitting
from readmark.tasks.file_roles import HISTORY
from readmark.tasks.gold import GoldSettings, TaskGold, gold_of, judged_gold
from readmark.tasks.judged_gold import UNITED
from readmark.tasks.manifest import AnswerRow, GoldVersion, Identity, Judgement, identity
from readmark.tasks.package import Package
from readmark.tasks.packer import put_file
from readmark.tasks.pooled_answers import UNJUDGED, pool
from readmark.tasks.standing_gold import (
    answers_of,
    canonical_identity,
    require_version,
    standing_gold,
)
from readmark.tasks.task_folder import open_task
from readmark.tasks.verdicts import judgements_of, new_judgements, read_judgements
from readmark.works import DroppedAnswers

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, repr=False)
class MadeGold(Result):
    """How many answers of which sort were written, and what was left out."""

    output: str
    explicit: int
    inferred: int
    rejected: int
    out_of_bounds: int
    adjudicated: int
    unjudged: int
    contradicted: tuple[str, ...]
    united: tuple[str, ...] = ()
    """The annotators whose graphs were combined."""
    disputed: int = 0
    """Answers that not all annotators of a document have, and that nobody judged."""
    version: int = 0
    """The version of the gold that was written; 0 is the annotation alone."""
    recorded: int = 0
    """Judgements that are new in the task's history."""
    dropped: tuple[str, ...] = ()
    """Right answers of the gold before that are not in this one."""

    def as_json(self) -> dict[str, Any]:
        """The file and the counts."""
        return dataclasses.asdict(self)

    def show(self, console: Console) -> None:
        """Nothing: the answers are in the file."""

    def __str__(self) -> str:
        return "\n".join(self.notes)

    @property
    def notes(self) -> tuple[str, ...]:
        """The counts, and the documents without answers."""
        counts = [
            f"{self.explicit} explicit, {self.inferred} inferred",
            f"{self.rejected} judged wrong" if self.rejected else "",
            f"{self.out_of_bounds} out of bounds" if self.out_of_bounds else "",
            f"{self.unjudged} still unjudged" if self.unjudged else "",
            f"{self.disputed} left out, not of all annotators" if self.disputed else "",
        ]
        lines = [f"{self.output}: {', '.join(filter(None, counts))}"]
        if self.recorded:
            new = counted(self.recorded, "new judgement")
            lines.append(f"{self.output}: gold {self.version}, with {new} in {HISTORY}")
        lines += [f"{self.output}: no longer in the gold: {text}" for text in self.dropped]
        why = "it contradicts the theory (see readmark check)"
        if self.united:
            names = f"{', '.join(self.united[:-1])} and {self.united[-1]}"
            lines.append(f"{self.output}: the annotations of {names} together")
            why = f"it contradicts the theory, or {names} each other"
        return (*lines, *(f"{id}: no answers, {why}" for id in self.contradicted))


def make_gold(
    task: str | Path,
    output: str | Path,
    *,
    split: str | None = None,
    annotator: str | None = None,
    adjudicated: Sequence[str] = (),
    union: bool = False,
    revise: bool = False,
    drop: bool = False,
    version: int | None = None,
    domain: str | None = None,
) -> MadeGold:
    """Write the gold of a split, an answer a line: annotation, rules and every judgement so far.

    New judgements become a version of the gold in the task's history before anything is written.
    Without settings, a split is made as its last version was, else as the answers that it has.
    Judgements never drop other right answers of that gold unless ``drop`` says so; what a gold
    without judgements lacks of the one it replaces is listed. ``version`` writes an earlier one.
    """
    require_distinct_files([output], [task, *adjudicated])
    package = open_task(task, domain=domain)
    history = package.history()
    newest = max((row.version for row in history), default=0)
    require_version(package, history, version)
    judged = read_judgements(
        adjudicated,
        documents=package.splits,
        queries={row.id for _, _, row in package.queries()},
        namespaces=package.manifest.namespaces,
    )
    recorded = judgements_of(history, upto=version)
    earlier = _unrecorded(package, judgements_of(history)) if version is None else []
    new = [*earlier, *new_judgements(judged.rows, recorded, revise=revise)]
    judgements = {**recorded, **{identity(row): row for row in new}}
    if annotator is None and not union:
        default = "agreed" if adjudicated else "error"
        gold, settings = standing_gold(
            package, judgements.values(), history, split=split, upto=version, default=default
        )
    else:
        settings = GoldSettings(annotator, "union" if union else "error")
        gold = judged_gold(package, judgements.values(), settings, split=split)
    inside = _path_in(package, output)
    dropped = _dropped(package, gold, split) if adjudicated or inside is not None else []
    if dropped and adjudicated and not drop:
        raise DroppedAnswers(dropped, file=package.folder.path)
    counts = _counts(gold.rows)
    new_version = GoldVersion(
        version=newest + 1,
        when=datetime.datetime.now(datetime.UTC).date().isoformat(),
        split=split,
        annotator=settings.annotator,
        several=settings.several,
        **counts,
        rows=rows_hash(gold.rows),
        judgements=tuple(new),
    )
    is_new = version is None and (bool(new) or _changed(history, new_version))
    if is_new:
        data = b"".join(json_line(row) for row in (*history, new_version))
        put_file(package, HISTORY, data)
    data = b"".join(json_line(row) for row in gold.rows)
    if inside is not None:
        put_file(open_task(task, domain=domain), inside, data)
    else:
        with writing(output) as stream:
            stream.write(data)
    return MadeGold(
        output=str(output),
        explicit=counts["explicit"],
        inferred=counts["inferred"],
        rejected=counts["wrong"],
        out_of_bounds=counts["out_of_bounds"],
        adjudicated=len([row for row in judgements.values() if _is_of(package, row, split)]),
        unjudged=judged.unjudged,
        contradicted=gold.contradicted,
        united=gold.united,
        disputed=gold.disputed,
        version=new_version.version if is_new else newest if version is None else version,
        recorded=len(new),
        dropped=tuple(dropped),
    )


def _dropped(package: Package, gold: TaskGold, split: str | None) -> list[str]:
    """The right answers that a task has and a gold has not, whatever was judged of them."""
    present = {canonical_identity(row, package) for row in gold.rows}
    return [
        f"{row.document}:{row.query}: {row.solution().text}"
        for row in answers_of(package, split)
        if row.verdict == "right" and canonical_identity(row, package) not in present
    ]


def _unrecorded(package: Package, recorded: Mapping[Identity, Judgement]) -> list[Judgement]:
    """Verdicts in the task's answers that no version of its gold records."""
    unrecorded = []
    for file, _, row in package.answers():
        if row.by and row.why != UNITED and identity(row) not in recorded:
            members = {name: getattr(row, name) for name in AnswerRow.__struct_fields__}
            unrecorded.append(Judgement(**members, pool=file.path))
    return unrecorded


def _counts(rows: Sequence[AnswerRow]) -> dict[str, Any]:
    right = [row for row in rows if row.verdict == "right"]
    return {
        "explicit": sum(not row.inferred for row in right),
        "inferred": sum(bool(row.inferred) for row in right),
        "wrong": sum(row.verdict == "wrong" for row in rows),
        "out_of_bounds": sum(row.verdict == "out_of_bounds" for row in rows),
    }


def rows_hash(rows: Iterable[AnswerRow]) -> str:
    """A hash of answers and verdicts, whatever their order."""
    digest = hashlib.sha256()
    for row in sorted((*identity(row), row.verdict, bool(row.inferred)) for row in rows):
        digest.update(json_line(row))
    return digest.hexdigest()[:16]


def _changed(history: Sequence[GoldVersion], new: GoldVersion) -> bool:
    """Whether the gold of a split that has a version is another one now."""
    hashes = [version.rows for version in history if version.split == new.split]
    return bool(hashes) and hashes[-1] != new.rows


def _is_of(package: Package, row: AnswerRow, split: str | None) -> bool:
    return split in (None, package.splits.get(row.document))


def _path_in(package: Package, output: str | Path) -> str | None:
    """The path of an output inside the task's own folder, if it is there."""
    folder = package.folder.path.resolve()
    if package.folder.is_zip or not Path(output).resolve().is_relative_to(folder):
        return None
    return Path(output).resolve().relative_to(folder).as_posix()


@dataclass(frozen=True, repr=False)
class GoldHistory(Result):
    """The versions of a task's gold, oldest first."""

    task: str
    versions: tuple[GoldVersion, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What a task without versions has instead."""
        return () if self.versions else (f"{self.task}: no judgements yet, the gold is gold 0",)

    def as_json(self) -> dict[str, Any]:
        """Every version with its judgements."""
        return {"task": self.task, "versions": msgspec.to_builtins(self.versions)}

    def show(self, console: Console) -> None:
        """A line per version, and its judgements by pool and judge."""
        if not self.versions:
            return
        table = plain_table(
            "gold", "when", "split", "explicit", "inferred", "wrong", "new judgements"
        )
        for row in self.versions:
            sources = Counter(f"{each.by}, {each.pool}" for each in row.judgements)
            new = "; ".join(f"{count} by {source}" for source, count in sources.items())
            numbers = map(str, (row.explicit, row.inferred, row.wrong))
            table.add_row(str(row.version), row.when, row.split or "all", *numbers, new or "-")
        console.print(table)


def gold_history(task: str | Path) -> GoldHistory:
    """The versions of a task's gold: when, from which pools, and who judged what."""
    return GoldHistory(str(task), tuple(open_task(task).history()))


@dataclass(frozen=True, repr=False)
class WrittenAnswers(Result):
    """A file of answers: the sitting of an annotator, or a pool to judge."""

    output: str
    count: int
    annotator: str | None = None
    doubts: tuple[str, ...] = ()
    """Answers that were read and can hardly be right, a line each."""

    @property
    def notes(self) -> tuple[str, ...]:
        """How many answers there are, and which of them are doubtful."""
        if self.annotator is None:
            return (f"{self.output}: {counted(self.count, 'answer')} to judge",)
        answered = f"{self.output}: {self.annotator} answered {counted(self.count, 'unit')}"
        return (*self.doubts, answered)

    def as_json(self) -> dict[str, Any]:
        """The file and the count."""
        if self.annotator is None:
            return {"output": self.output, "answers": self.count}
        members = {"output": self.output, "annotator": self.annotator, "units": self.count}
        return members | ({"doubts": list(self.doubts)} if self.doubts else {})

    def show(self, console: Console) -> None:
        """Nothing: the answers are in the file."""

    def __str__(self) -> str:
        return "\n".join(self.notes)


def make_sitting(
    task: str | Path, output: str | Path, *, annotator: str, split: str | None = None
) -> WrittenAnswers:
    """Write what one annotator found as their sitting, so that people can be marked."""
    require_distinct_files([output], [task])
    test, package = open_test(task), open_task(task)
    gold = gold_of(package, GoldSettings(annotator), split=split)
    graphs = {asserted.graph for asserted in package.asserted() if asserted.annotator == annotator}
    documents = [id for id in graphs if split in (None, package.splits.get(id))]
    sitting = annotator_sitting(test, gold, name=annotator, documents=documents)
    NATIVE_SITTING.write_sitting(sitting, Path(output))
    return WrittenAnswers(str(output), len(sitting.rows), annotator)


def make_pool(
    task: str | Path, sittings: Sequence[str], output: str | Path, *, split: str | None = None
) -> WrittenAnswers:
    """Write the answers of sittings that nobody has judged, for adjudicators."""
    require_distinct_files([output], [task, *sittings])
    test = open_test(task, split=split)
    sat = [open_sitting(sitting, test.kind) for sitting in sittings]
    # The fields that adjudicators fill in are there, empty.
    blank = {"verdict": UNJUDGED, "by": "", "why": ""}
    rows = (msgspec.to_builtins(row) | blank for row in pool(test, sat))
    return WrittenAnswers(str(output), _write(rows, output))


def _write(rows: Iterable[AnswerRow | dict[str, Any]], output: str | Path) -> int:
    count = 0
    with writing(output) as stream:
        for row in rows:
            stream.write(json_line(row))
            count += 1
    return count
