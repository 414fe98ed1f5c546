"""The gold that a task has now, and as it was at an earlier version.

A split is made as its last version was. A task whose gold was never versioned is asked what it
holds: the settings that give its answers are those that it was made with, so that a new version
starts from the gold that is there and loses none of it unseen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress

from readmark.core.errors import DataError
from readmark.core.json_lines import json_line
from readmark.tasks.gold import GoldMaker, GoldSettings, TaskGold, annotators, judged_gold
from readmark.tasks.judged_gold import UNITED
from readmark.tasks.manifest import AnswerRow, GoldVersion, Identity, identity
from readmark.tasks.names import respell
from readmark.tasks.package import Package
from readmark.tasks.verdicts import judgements_of

MIXED = GoldSettings(several="mixed")
"""How a gold was made whose splits were made in different ways."""


def recorded_settings(
    history: Sequence[GoldVersion], split: str | None, *, upto: int | None = None
) -> GoldSettings | None:
    """Whose graphs make the gold of a split by its last version, up to one; None without any."""
    for version in reversed(history):
        if version.split == split and (upto is None or version.version <= upto):
            return GoldSettings(version.annotator, version.several)
    return None


def standing_settings(
    package: Package,
    history: Sequence[GoldVersion],
    split: str | None,
    *,
    upto: int | None = None,
    default: str = "error",
) -> GoldSettings:
    """Whose graphs make the gold of a split: those of its last version, else those that give the
    answers which the task has, else those of the last version of the whole."""
    recorded = recorded_settings(history, split, upto=upto)
    if recorded is not None and recorded != MIXED:
        return recorded
    by_answers = _settings_of_answers(package, history, split, nearest=default != "error")
    if by_answers is not None:
        return by_answers
    whole = recorded_settings(history, None, upto=upto)
    return whole if whole is not None and whole != MIXED else GoldSettings(several=default)


def _settings_of_answers(
    package: Package, history: Sequence[GoldVersion], split: str | None, *, nearest: bool
) -> GoldSettings | None:
    """The settings that give the answers of a split, exactly or as nearly as any do."""
    names = sorted(annotators(package.asserted()))
    rows = answers_of(package, split)
    if not rows or len(names) < 2:
        return None
    judged = {identity(row): row for row in rows if row.by and row.why != UNITED}
    judged |= judgements_of(history)
    if any(row.why == UNITED for row in rows):
        tried = [GoldSettings(several="union")]
    else:
        tried = [GoldSettings(several="agreed"), *map(GoldSettings, names)]

    maker = GoldMaker(package)
    planned = []
    for settings in tried:
        with suppress(DataError):  # somebody who annotated nothing of this split
            planned.append((settings, maker.plan(settings, split=split)))
    present = _answers_with_verdicts(rows, package)
    differences: list[tuple[int, GoldSettings]] = []
    golds = maker.golds([plan for _, plan in planned])
    for (settings, _), gold in zip(planned, golds, strict=True):
        whole = maker.judged(gold, judged.values(), split)
        answers = _answers_with_verdicts(whole.rows, package)
        if answers == present:
            return settings
        differences.append((len(answers ^ present), settings))
    if not nearest or not differences:
        return None
    return min(differences, key=lambda pair: pair[0])[1]


def _answers_with_verdicts(
    rows: Iterable[AnswerRow], package: Package
) -> set[tuple[Identity, str]]:
    return {(canonical_identity(row, package), row.verdict) for row in rows}


def standing_gold(
    package: Package,
    judgements: Collection[AnswerRow],
    history: Sequence[GoldVersion],
    *,
    split: str | None = None,
    upto: int | None = None,
    default: str = "error",
) -> tuple[TaskGold, GoldSettings]:
    """The gold of a split, or of all splits each in its own way, and the settings it has."""
    parts = [split]
    if split is None:
        parts = [file.split for file in package.manifest.of("answers")] or [None]
        parts = [None] if None in parts else parts
    settings_of_parts = [
        standing_settings(package, history, part, upto=upto, default=default) for part in parts
    ]
    first = settings_of_parts[0]
    if all(settings == first for settings in settings_of_parts):
        return judged_gold(package, judgements, first, split=split), first
    golds = [
        judged_gold(package, judgements, settings, split=part)
        for part, settings in zip(parts, settings_of_parts, strict=True)
    ]
    whole = TaskGold(
        tuple(row for gold in golds for row in gold.rows),
        tuple(id for gold in golds for id in gold.contradicted),
        tuple(sorted({name for gold in golds for name in gold.united})),
        sum(gold.disputed for gold in golds),
    )
    return whole, MIXED


def answers_of(package: Package, split: str | None) -> list[AnswerRow]:
    """The answers that a task has for the documents of a split, or for all."""
    return [
        row for _, _, row in package.answers() if split in (None, package.splits.get(row.document))
    ]


def canonical_identity(row: AnswerRow, package: Package) -> Identity:
    """What makes an answer the same, however its entities are spelt."""
    solution = respell(row.solution(), package.manifest.namespaces)
    return row.document, row.query, solution.bound


def require_version(package: Package, history: Sequence[GoldVersion], version: int | None) -> None:
    """Refuses a version that the gold never had."""
    versions = [0, *(row.version for row in history)]
    if version is not None and version not in versions:
        message = f"there is no gold {version}; there are {', '.join(map(str, versions))}"
        raise DataError(message, file=package.folder.path)


def files_at(package: Package, version: int) -> dict[str, bytes]:
    """The answers and the history of a task as they were at a version of its gold."""
    history = package.history()
    require_version(package, history, version)
    judgements = judgements_of(history, upto=version).values()
    files = {}
    for file in package.manifest.of("answers"):
        settings = standing_settings(package, history, file.split, upto=version, default="agreed")
        gold = judged_gold(package, judgements, settings, split=file.split)
        files[file.path] = b"".join(json_line(row) for row in gold.rows)
    for file in package.manifest.of("history"):
        versions = (json_line(row) for row in history if row.version <= version)
        files[file.path] = b"".join(versions)
    return files
