"""The splits of one side of a parallel corpus, taken over for the other side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from readmark.corpus.errors import DataError
from readmark.corpus.test import Test
from readmark.setting.splits.alike import ARTICLE
from readmark.setting.splits.articles import articles_of, spread_in
from readmark.setting.splits.order import split_order
from readmark.setting.splits.splitting import Splitting, summed


def splits_like(
    test: Test, other: Test, *, by: Sequence[str] | None = None, article: Sequence[str] = ARTICLE
) -> Splitting:
    """Every passage in the split of its parallel; what was wanted are the other side's shares."""
    by = spread_in(test) if by is None else by
    theirs: dict[str, str] = {}
    asked: dict[str, str] = {}
    sizes: Counter[str] = Counter()
    for record in other.records():
        if record.split is None:
            raise DataError("has no split to take over", file=other.file, where=record.id)
        theirs[record.parallel or record.id] = record.split
        questions = getattr(record, "questions", ())
        asked |= {_shared(question): record.split for question in questions}
        sizes[record.split] += len(questions)
    if not sizes.total():
        sizes = Counter(theirs.values())
    split_of: dict[str, str] = {}
    for record in test.records():
        shared = record.parallel or record.id
        # Where passages have no ids of their own, their questions tell which is parallel.
        questions = getattr(record, "questions", ())
        told = [asked.get(_shared(question)) for question in questions]
        split = theirs.get(shared) or next(filter(None, told), None)
        if split is None:
            raise DataError(
                f"no passage of {other.file} has the parallel id {shared!r}, or its questions'",
                file=test.file,
                where=record.id,
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


def _shared(question: Any) -> str:
    return str(getattr(question, "shared_id", question.id))
