"""Which files of a task reveal, or may reveal, the answers of hidden splits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.problems import fail
from readmark.tasks.manifest import AnswerRow, TaskFile, rows
from readmark.tasks.package import Package
from readmark.tasks.reasoning.namespaces import Namespaces

KEY_ROLES = ("answers", "annotations", "history")
"""Roles of files that say what is right."""


def secret_files(package: Package, keep: Sequence[str] = ()) -> frozenset[str]:
    """The paths of files that a public task goes without.

    Answers and annotated graphs go by the documents that they are about, whatever they are called;
    a file of no known use may hold anything, so it stays out unless ``keep`` names it.
    """
    paths = [file.path for file in package.manifest.files]
    for path in keep:
        if path not in paths:
            raise UsageError(f"--keep {path}: no such file; {did_you_mean(path, paths)}")
    hidden = {split.casefold() for split in package.manifest.hidden}
    secret = set()
    for file in package.manifest.files:
        if file.path in keep:
            continue
        is_key = file.role in KEY_ROLES and bool(hidden)
        if file.role == "other" or (is_key and _may_reveal(file, package, hidden)):
            secret.add(file.path)
    return frozenset(secret)


def _may_reveal(file: TaskFile, package: Package, hidden: set[str]) -> bool:
    """Whether a file is, or may be, about a document of a hidden split."""
    if file.split is not None and file.split.casefold() in hidden:
        return True
    try:
        documents = set(_documents_of(file, package))
    except DataError:
        return True  # nobody can say what is in it
    if not documents and file.split is None:
        return True
    for id in documents:
        # Rows about an unknown document may be about one that was renamed.
        if id not in package.splits or (package.splits[id] or "").casefold() in hidden:
            return True
    return False


def _documents_of(file: TaskFile, package: Package) -> Iterable[str]:
    """The documents that a file is about."""
    if file.role == "answers":
        return (row.document for _, row in rows(package.folder, file.path, AnswerRow, fail))
    if file.role == "annotations":
        annotated = package.annotated_in(file, Namespaces())
        return (statement.asserted.graph for statement in annotated)
    return (row.document for version in package.history() for row in version.judgements)
