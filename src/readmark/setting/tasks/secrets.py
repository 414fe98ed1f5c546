"""Which files of a task tell, or may tell, the answers of hidden splits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from readmark.corpus.errors import DataError, UsageError, did_you_mean
from readmark.corpus.problems import fail
from readmark.corpus.task_package import AnswerRow, TaskFile, rows
from readmark.reasoning.namespaces import Namespaces
from readmark.setting.tasks.package import Package

TELLING = ("answers", "annotations")


def secrets(package: Package, keep: Sequence[str] = ()) -> frozenset[str]:
    """The paths of files that a public task goes without.

    Answers and annotated graphs go by the documents that they are about, whatever they are called;
    a file of no known use may hold anything, so it stays out unless ``keep`` names it.
    """
    paths = [one.path for one in package.manifest.files]
    for path in keep:
        if path not in paths:
            raise UsageError(f"--keep {path}: no such file; {did_you_mean(path, paths)}")
    hidden = {one.casefold() for one in package.manifest.hidden}
    return frozenset(
        one.path
        for one in package.manifest.files
        if one.path not in keep
        and (
            one.role == "other" or (hidden and one.role in TELLING and _tells(one, package, hidden))
        )
    )


def _tells(file: TaskFile, package: Package, hidden: set[str]) -> bool:
    if file.split is not None and file.split.casefold() in hidden:
        return True
    try:
        about = set(_answered(file, package) if file.role == "answers" else _graphs(file, package))
    except DataError:
        return True  # nobody can say what is in it
    # What is of no document may be of one that was called otherwise.
    splits = (package.splits.get(id, None) if id in package.splits else "" for id in about)
    told = any(split == "" or (split or "").casefold() in hidden for split in splits)
    return told or (not about and file.split is None)


def _answered(file: TaskFile, package: Package) -> Iterable[str]:
    return (row.document for _, row in rows(package.folder, file.path, AnswerRow, fail))


def _graphs(file: TaskFile, package: Package) -> Iterable[str]:
    return (one.asserted.graph for one in package.annotated_in(file, Namespaces()))
