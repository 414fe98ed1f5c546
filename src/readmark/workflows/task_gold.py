"""The gold of a task: from its annotated graphs and rules, and from adjudicated answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from readmark.corpus.files import writing
from readmark.corpus.formats import open_sitting, open_test
from readmark.corpus.formats.lines import line
from readmark.corpus.formats.sittings import NATIVE_SITTING
from readmark.corpus.outputs import require_apart
from readmark.corpus.task_package import MANIFEST, AnswerRow
from readmark.reasoning.namespaces import Namespaces
from readmark.setting.tasks.gold import gold_of, sitting_of
from readmark.setting.tasks.judging import UNJUDGED, pool, read_judgements, with_judgements
from readmark.setting.tasks.package import Package, open_package
from readmark.setting.tasks.packing import gather
from readmark.workflows.task_pack import domain_folder


@dataclass(frozen=True)
class MadeGold:
    """How many answers of which sort were written, and what was left out."""

    explicit: int
    inferred: int
    rejected: int
    out_of_bounds: int
    adjudicated: int
    unjudged: int
    contradicted: tuple[str, ...]
    united: tuple[str, ...] = ()
    """The annotators whose graphs were put together."""
    disputed: int = 0
    """Answers that not all annotators of a document have, and that nobody judged."""


def make_gold(
    task: str | Path,
    output: str | Path,
    *,
    split: str | None = None,
    annotator: str | None = None,
    adjudicated: Sequence[str] = (),
    union: bool = False,
    domain: str | None = None,
) -> MadeGold:
    """Write the gold of a split, an answer a line."""
    require_apart([output], [task, *adjudicated])
    package = opened(task, domain=domain)
    several = "union" if union else "agreed" if adjudicated else "error"
    gold = gold_of(package, split=split, annotator=annotator, several=several)
    judgements = read_judgements(
        adjudicated,
        documents=package.splits,
        queries={row.id for _, _, row in package.queries()},
        namespaces=package.manifest.namespaces,
    )
    own = [one for one in judgements.rows if split in (None, package.splits.get(one.document))]
    rows = with_judgements(gold.rows, own)
    _write(rows, output)
    right = [one for one in rows if one.verdict == "right"]
    return MadeGold(
        explicit=sum(not one.inferred for one in right),
        inferred=sum(bool(one.inferred) for one in right),
        rejected=sum(one.verdict == "wrong" for one in rows),
        out_of_bounds=sum(one.verdict == "out_of_bounds" for one in rows),
        adjudicated=len(own),
        unjudged=judgements.unjudged,
        contradicted=gold.contradicted,
        united=gold.united,
        disputed=gold.disputed,
    )


def make_sitting(
    task: str | Path, output: str | Path, *, annotator: str, split: str | None = None
) -> int:
    """Write what one annotator found as their sitting, so that people can be marked; gives rows."""
    require_apart([output], [task])
    test, package = open_test(task), open_package(task)
    ontology = package.ontology()
    namespaces = ontology.namespaces if ontology is not None else Namespaces()
    gold = gold_of(package, split=split, annotator=annotator)
    own = {one.graph for one in package.asserted(namespaces) if one.annotator == annotator}
    read = [id for id in own if split in (None, package.splits.get(id))]
    sitting = sitting_of(test, gold, name=annotator, documents=read)
    NATIVE_SITTING.write_sitting(sitting, Path(output))
    return len(sitting.rows)


def make_pool(task: str | Path, sittings: Sequence[str], output: str | Path) -> int:
    """Write the answers of sittings that nobody has judged, for adjudicators; gives how many."""
    require_apart([output], [task, *sittings])
    test = open_test(task)
    sat = [open_sitting(one, test.kind) for one in sittings]
    # What is to be filled in stands there to be filled in.
    blank = {"verdict": UNJUDGED, "by": "", "why": ""}
    return _write((msgspec.to_builtins(row) | blank for row in pool(test, sat)), output)


def opened(task: str | Path, *, domain: str | None = None) -> Package:
    """A packed task, or a folder that is still to be packed."""
    if Path(task).is_dir() and not (Path(task) / MANIFEST).exists():
        return gather(task, domain=domain_folder(domain) if domain else None).package
    return open_package(task)


def _write(rows: Iterable[AnswerRow | dict[str, Any]], output: str | Path) -> int:
    count = 0
    with writing(output) as stream:
        for row in rows:
            stream.write(line(row))
            count += 1
    return count
