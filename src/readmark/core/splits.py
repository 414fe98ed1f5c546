"""The splits of a test: selecting them, and what of hidden ones may be handed out.

What is selected is a test of its own, with fingerprints of its own. The paper of a hidden split may
be published; its key is for marking alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from readmark.core.errors import DataError, UsageError
from readmark.core.problems import ignore
from readmark.core.test import Test, split_of

_USUAL = ("train", "training", "dev", "development", "validation", "trial", "test", "challenge")


def split_order(split: str | None) -> tuple[int, str]:
    """A sort key: train, dev, test, a challenge, then any other by name; no split comes last."""
    if split is None:
        return len(_USUAL) + 1, ""
    known = split.lower()
    return (_USUAL.index(known) if known in _USUAL else len(_USUAL)), split


def select_split(test: Test, name: str) -> Test:
    """One split of a test; a split that the test does not have is an error."""
    known: dict[str, None] = {}
    for _, record in test.stream(ignore):  # what is wrong in a record is reported when it is read
        split = split_of(record)
        if split == name:
            return only_splits(test, (name,))
        if split is not None:
            known[split] = None
    raise _unknown_split(test, name, known)


def select_splits(test: Test, names: Sequence[str]) -> Test:
    """Some splits of a test by their names, each of which it must have; the whole test for none."""
    if not names:
        return test
    known = {split_of(record): None for _, record in test.stream(ignore)}
    for name in names:
        if name not in known:
            raise _unknown_split(test, name, filter(None, known))
    return only_splits(test, tuple(dict.fromkeys(names)))


def only_splits(test: Test, names: Collection[str | None]) -> Test:
    """The records of some splits, as a test; None stands for the records without a split."""

    def selected(record: Any) -> Any:
        return record if split_of(record) in names else None

    # A header names the hidden splits that the test has, so that a check of it alone is content.
    hidden = tuple(name for name in test.header.hidden if name in names)
    header = msgspec.structs.replace(test.header, hidden=hidden)
    whole = test.whole or test
    part = test.changed(selected)
    return replace(part, header=header, whole=whole, selected=tuple(names))


def _unknown_split(test: Test, name: str, known: Iterable[str]) -> UsageError:
    names = ", ".join(sorted(known, key=split_order))
    there = f"it has {names}" if names else "its records name no splits"
    return UsageError(f"{test.file} has no split {name!r}; {there}")


def split_words(names: Iterable[str | None]) -> str:
    """Splits as a message names them."""
    listed = sorted(names, key=split_order)
    noun = "split" if len(listed) == 1 else "splits"
    said = ["the records without a split" if name is None else name for name in listed]
    return said[0] if listed == [None] else f"{noun} {', '.join(said)}"


def without_keys(test: Test, hidden: Sequence[str]) -> Test:
    """The test with the keys of hidden splits taken out.

    A split that the test does not have is refused: a misspelt one must not be published whole.
    """
    for name in hidden:
        if name not in test.facts.splits:
            raise _unknown_split(test, name, filter(None, test.facts.splits))

    def shown(record: Any) -> Any:
        return test.kind.paper(record) if split_of(record) in hidden else record

    fields = dict(test.header.fields)
    if hidden and isinstance(fields.get("adjudication"), dict):
        # What was decided is named by its place, and some places are in keys.
        about = fields["adjudication"]
        fields["adjudication"] = {name: about[name] for name in about if name != "decided"}
    header = msgspec.structs.replace(test.header, hidden=tuple(hidden), fields=fields)
    return replace(test.changed(shown), header=header)


def without_hidden(test: Test, purpose: str) -> tuple[Test, tuple[str, ...]]:
    """The test without its hidden splits, and a note where there are any.

    Hidden splits are for marking: nothing is learnt from them, and their keys are handed to
    nobody, unless a split is selected by its name. A test of hidden splits alone is refused.
    """
    hidden = test.header.hidden
    if not hidden or test.selected:
        return test, ()
    splits = {split_of(record) for record in test.records()}
    withheld = [name for name in hidden if name in splits]
    if not withheld:
        return test, ()
    shown = splits.difference(withheld)
    if not shown:
        raise DataError(
            f"{split_words(withheld)} is hidden, and nothing else is left {purpose}; "
            "`split` selects a hidden split by its name",
            file=test.file,
        )
    note = f"{test.file}: hidden, so not used {purpose}: {split_words(withheld)}"
    return only_splits(test, shown), (note,)
