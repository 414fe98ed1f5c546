"""Paired comparisons of a board's rows, which are stored once they are made."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import select

from readmark.core.errors import ReadmarkError
from readmark.server.boards.ladder import Pair
from readmark.server.database import Database
from readmark.server.tables import SubmissionComparison

Compare = Callable[[str, str, Sequence[tuple[str, str]]], list[Any]]
"""Compares pairs of submissions on a split by a metric; gives entries of ``compare --json``."""
BATCH = 40
"""Pairs that one process compares: a batch stays well within a worker's limit."""


class PairedComparisons:
    """Paired comparisons on a split: those that are stored, and new ones from the worker."""

    def __init__(
        self,
        database: Database,
        compare: Compare,
        metric: str,
        marked: Mapping[str, float | None],
    ) -> None:
        """``marked`` says when each submission was marked."""
        self._database = database
        self._compare = compare
        self._metric = metric
        self._marked = marked
        self._entries: dict[str, dict[Pair, Any]] = {}

    def on(self, split: str) -> dict[Pair, Any]:
        """By pair, its entry of ``compare --json``, or None if none could be made."""
        if split not in self._entries:
            with self._database.reading() as session:
                rows = session.scalars(
                    select(SubmissionComparison).where(
                        SubmissionComparison.a_id.in_(self._marked),
                        SubmissionComparison.split == split,
                        SubmissionComparison.metric == self._metric,
                    )
                ).all()
            entries = self._entries[split] = {}
            for row in rows:
                content = json.loads(row.content)
                if content["marked"] == self._moments((row.a_id, row.b_id)):
                    entries[row.a_id, row.b_id] = content["entry"]
        return self._entries[split]

    def add(self, split: str, pairs: Sequence[Pair]) -> None:
        """Compare the pairs that are not compared yet, and store the entries."""
        entries = self.on(split)
        new = [pair for pair in dict.fromkeys(pairs) if pair not in entries]
        for start in range(0, len(new), BATCH):
            batch = new[start : start + BATCH]
            try:
                batch_entries = self._compare(split, self._metric, batch)
            except ReadmarkError:  # a board without these figures is better than none
                entries.update(dict.fromkeys(batch))
                continue
            entries.update(zip(batch, batch_entries, strict=True))
            with self._database.writing() as session:
                for pair, entry in zip(batch, batch_entries, strict=True):
                    content = {"marked": self._moments(pair), "entry": entry}
                    session.merge(
                        SubmissionComparison(
                            a_id=pair[0],
                            b_id=pair[1],
                            split=split,
                            metric=self._metric,
                            content=json.dumps(content),
                        )
                    )

    def _moments(self, pair: Pair) -> list[float | None]:
        """When both were marked: a comparison of older marks does not count."""
        return [self._marked.get(id) for id in pair]
