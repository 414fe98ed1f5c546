"""The splits of a test: selecting some, and withholding hidden ones.

Selected splits are a test with its own fingerprints. The paper of a hidden split may be published;
its key is for marking alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from readmark.core.errors import DataError, UsageError
from readmark.core.problems import ignore
from readmark.core.record_members import split_of
from readmark.core.test import Test

_USUAL = ("train", "training", "dev", "development", "validation", "trial", "test", "challenge")


def split_order(split: str | None) -> tuple[int, str]:
    """A sort key: train, dev, test, a challenge, then any other by name; no split comes last."""
    if split is None:
        return len(_USUAL) + 1, ""
    name = split.lower()
    return (_USUAL.index(name) if name in _USUAL else len(_USUAL)), split


def select_split(test: Test, name: str) -> Test:
    """One split of a test; a split that the test does not have is an error."""
    others: dict[str, None] = {}
    for _, record in test.stream(ignore):  # problems are reported when the split is read
        split = split_of(record)
        if split == name:
            return only_splits(test, (name,))
        if split is not None:
            others[split] = None
    raise _unknown_split(test, name, others)


def select_splits(test: Test, names: Sequence[str]) -> Test:
    """The splits with these names, each of which the test must have; without names, the test."""
    if not names:
        return test
    splits = {split_of(record): None for _, record in test.stream(ignore)}
    for name in names:
        if name not in splits:
            raise _unknown_split(test, name, filter(None, splits))
    return only_splits(test, tuple(dict.fromkeys(names)))


def only_splits(test: Test, names: Collection[str | None]) -> Test:
    """The records of some splits, as a test; None stands for the records without a split."""

    def selected(record: Any) -> Any:
        return record if split_of(record) in names else None

    # A check refuses a header that names hidden splits which the test does not have.
    hidden = tuple(name for name in test.header.hidden if name in names)
    header = msgspec.structs.replace(test.header, hidden=hidden)
    whole = test.whole or test
    part = test.changed(selected)
    return replace(part, header=header, whole=whole, selected=tuple(names))


def _unknown_split(test: Test, name: str, splits: Iterable[str]) -> UsageError:
    names = ", ".join(sorted(splits, key=split_order))
    hint = f"it has {names}" if names else "its records name no splits"
    return UsageError(f"{test.file} has no split {name!r}; {hint}")


def split_words(names: Iterable[str | None]) -> str:
    """Splits in words, for messages."""
    splits = sorted(names, key=split_order)
    words = ["the records without a split" if name is None else name for name in splits]
    if splits == [None]:
        return words[0]
    return f"{'split' if len(splits) == 1 else 'splits'} {', '.join(words)}"


def without_keys(test: Test, hidden: Sequence[str]) -> Test:
    """The test without the keys of hidden splits.

    A split that the test does not have is refused: a misspelt one must not be published whole.
    """
    for name in hidden:
        if name not in test.facts.splits:
            raise _unknown_split(test, name, filter(None, test.facts.splits))

    def published(record: Any) -> Any:
        return test.kind.paper(record) if split_of(record) in hidden else record

    fields = dict(test.header.fields)
    adjudication = fields.get("adjudication")
    if hidden and isinstance(adjudication, dict):
        # What was decided is named by its place, and some places are in keys.
        fields["adjudication"] = {
            name: value for name, value in adjudication.items() if name != "decided"
        }
    header = msgspec.structs.replace(test.header, hidden=tuple(hidden), fields=fields)
    return replace(test.changed(published), header=header)


def without_hidden(test: Test, purpose: str) -> tuple[Test, tuple[str, ...]]:
    """The test without its hidden splits, and a note if there are any.

    Hidden splits are for marking: nothing is trained on them and nobody gets their keys, unless a
    split is selected by its name. A test of hidden splits alone is refused.
    """
    hidden = test.header.hidden
    if not hidden or test.selected:
        return test, ()
    splits = {split_of(record) for record in test.records()}
    withheld = [name for name in hidden if name in splits]
    if not withheld:
        return test, ()
    visible = splits.difference(withheld)
    if not visible:
        raise DataError(
            f"{split_words(withheld)} is hidden, and nothing else is left {purpose}; "
            "`split` selects a hidden split by its name",
            file=test.file,
        )
    note = f"{test.file}: hidden, so not used {purpose}: {split_words(withheld)}"
    return only_splits(test, visible), (note,)
