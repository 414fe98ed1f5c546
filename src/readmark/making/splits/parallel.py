"""The splits of one side of a parallel corpus, copied to the other side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from readmark.core.errors import DataError
from readmark.core.record_members import questions_of
from readmark.core.splits import split_order
from readmark.core.test import Test
from readmark.making.splits.articles import articles_of, spread_in
from readmark.making.splits.overlaps import ARTICLE
from readmark.making.splits.plan import Splitting, summed


def splits_like(
    test: Test,
    other: Test,
    *,
    by: Sequence[str] | None = None,
    article: Sequence[str] = ARTICLE,
    keep: Collection[str] = (),
) -> Splitting:
    """Every passage in the split of its parallel; the proportions are the other side's shares.

    A passage of a split to ``keep`` must be in that split on the other side too.
    """
    by = spread_in(test) if by is None else by
    split_by_passage: dict[str, str] = {}
    split_by_question: dict[str, str] = {}
    sizes: Counter[str] = Counter()
    for record in other.records():
        if record.split is None:
            raise DataError("has no split to take over", file=other.file, where=record.id)
        split_by_passage[record.parallel or record.id] = record.split
        questions = questions_of(record)
        split_by_question |= {_shared_id(question): record.split for question in questions}
        sizes[record.split] += len(questions)
    if not sizes.total():
        sizes = Counter(split_by_passage.values())

    split_of: dict[str, str] = {}
    for record in test.records():
        parallel = record.parallel or record.id
        split = split_by_passage.get(parallel)
        if not split:
            # Where passages have no ids in common, their questions tell which is parallel.
            ids = (_shared_id(question) for question in questions_of(record))
            split = next((split_by_question[id] for id in ids if split_by_question.get(id)), None)
        if split is None:
            raise DataError(
                f"no passage of {other.file} has the parallel id {parallel!r}, or its questions'",
                file=test.file,
                where=record.id,
            )
        if record.split in keep and record.split != split:
            raise DataError(
                f"is in {record.split}, in {other.file} in {split}", file=test.file, where=record.id
            )
        split_of[record.id] = split

    groups, _ = articles_of(test, by=by, article=article, alike=False)
    for group in groups:
        parts = sorted({split_of[passage] for passage in group.passages}, key=split_order)
        if len(parts) > 1:
            raise DataError(
                f"an article would be parted, as in {other.file}: {' and '.join(parts)}",
                file=test.file,
                where=group.name.partition("=")[2],
            )
    shares = {name: sizes[name] / sizes.total() for name in sorted(sizes, key=split_order)}
    like, noun = other.header.name or other.file, test.kind.unit_noun
    return summed(groups, split_of, shares, by=by, like=like, noun=noun)


def _shared_id(question: Any) -> str:
    return str(getattr(question, "shared_id", question.id))
