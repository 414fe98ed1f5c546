"""Whether the gold is still what annotation, rules and recorded judgements give."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterator, Sequence

from readmark.core.errors import DataError
from readmark.core.problems import Problem
from readmark.tasks.gold import GoldMaker, GoldPlan, GoldSettings, TaskGold, annotators
from readmark.tasks.manifest import AnswerRow, TaskFile, identity
from readmark.tasks.package import Package
from readmark.tasks.standing_gold import canonical_identity, recorded_settings
from readmark.tasks.verdicts import judgements_of


def stale_problems(package: Package) -> Iterator[Problem]:
    """Answers that no longer follow, and those that follow and are not there.

    Documents without annotated graphs are passed over: their answers were found otherwise.
    """
    history = package.history()
    recorded = judgements_of(history)
    maker = GoldMaker(package, explained=False)
    annotated = {asserted.graph for asserted in maker.asserted}
    names = annotators(maker.asserted)
    plans: list[tuple[TaskFile, GoldPlan]] = []
    for file in package.manifest.of("answers"):
        tried = [recorded_settings(history, file.split) or GoldSettings()]
        if len(names) > 1 and tried == [GoldSettings()]:
            # Nothing says whose graphs the gold was made of: the nearest gold is what it should be.
            tried = [GoldSettings(several=several) for several in ("agreed", "union")]
            tried += [GoldSettings(name) for name in sorted(names)]
        for settings in tried:
            # What is wrong is reported where the graphs, rules and queries are checked.
            with contextlib.suppress(DataError):
                plans.append((file, maker.plan(settings, split=file.split)))
    try:
        golds = maker.golds([plan for _, plan in plans])
    except DataError:
        return
    rows: dict[TaskFile, list[tuple[int, AnswerRow]]] = defaultdict(list)
    for file, line, row in package.answers():
        rows[file].append((line, row))
    fewest: dict[TaskFile, list[Problem]] = {}
    for (file, _), gold in zip(plans, golds, strict=True):
        judged = {**{identity(row): row for _, row in rows[file] if row.by}, **recorded}
        gold = maker.judged(gold, judged.values(), file.split)
        place = package.folder.place(file.path)
        problems = list(_stale(place, rows[file], gold, annotated, package))
        fewest[file] = min(fewest.get(file, problems), problems, key=len)
    for problems in fewest.values():
        yield from problems


def _stale(
    place: str,
    rows: Sequence[tuple[int, AnswerRow]],
    gold: TaskGold,
    annotated: set[str],
    package: Package,
) -> Iterator[Problem]:
    """Differences of a file of answers from the gold that is made anew."""
    made = {canonical_identity(row, package): row for row in gold.rows}
    seen = set()
    for line, row in rows:
        answer = canonical_identity(row, package)
        seen.add(answer)
        if row.document not in annotated or row.document in gold.contradicted:
            continue
        now = made.get(answer)
        text = row.solution().text
        fault = None
        if now is None:
            fault = f"has {text}, which neither the annotation with the rules nor a judgement gives"
        elif now.verdict != row.verdict:
            fault = f"calls {text} {row.verdict}, but {now.by} judged it {now.verdict}"
        elif row.inferred is not None and bool(now.inferred) != row.inferred:
            words = ("explicit", "inferred")
            fault = f"calls {text} {words[row.inferred]}, but it is {words[not row.inferred]}"
        if fault is not None:
            yield Problem(place, line, "stale_gold", _sentence(row, fault))
    for key, row in made.items():
        if key not in seen and row.document in annotated:
            why = (
                f"{row.by} judged {row.verdict}" if row.by else "follows from annotation and rules"
            )
            fault = f"lacks {row.solution().text}, which {why}"
            yield Problem(place, 1, "stale_gold", _sentence(row, fault))


def _sentence(row: AnswerRow, fault: str) -> str:
    return f"document {row.document}, query {row.query}: the gold {fault}; make the gold again"
