"""The features rater: named features of a passage, weighed; every rating says what moved it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.kinds import Kind
from readmark.corpus.language import primary
from readmark.corpus.sitting import Row
from readmark.corpus.values import Unit
from readmark.sitting.candidates import one_by_one
from readmark.sitting.candidates.ratable import no_measure, unratable

if TYPE_CHECKING:
    from readmark.models.rating.parsed import Parsed

TOGETHER = 64
"""How many passages are parsed together."""


@dataclass
class Features:
    """Rates English by surface, words, syntax, discourse, fluency and assertions."""

    model: str = field(default="", metadata={"help": "a model's file; the one that ships"})
    _rater: Any = field(default=None, init=False, repr=False)
    _parsed: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    def prepare(self, kind: Kind, language: str) -> None:
        from readmark.models.rating.parsed import parse_all
        from readmark.models.rating.rater import load_rater

        if primary(language) != "en":
            raise UsageError(f"features rates English, not {language!r}; formula rates Chinese")
        self._rater = load_rater(self.model or None)
        for one in parse_all(["It is so."]):  # loads pipeline and tables
            self._rater.rate(one)

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        from readmark.models.rating.parsed import parse_all

        waiting = iter(units)
        while together := list(islice(waiting, TOGETHER)):
            try:
                parsed = list(parse_all([unit.item.text for unit in together]))
            except Exception:  # one of them; each by itself tells which
                yield from one_by_one(together, self._reply)
                continue
            self._parsed = {unit.id: one for unit, one in zip(together, parsed, strict=True)}
            yield from one_by_one(together, self._reply)
            self._parsed = {}

    def signature(self) -> Mapping[str, Any]:
        from importlib.metadata import version

        from readmark.models.rating import tables
        from readmark.models.rating.embedding import DISTRIBUTION
        from readmark.models.rating.parsed import signature
        from readmark.models.rating.rater import fingerprint, load_rater
        from readmark.text.readability import signature as counts

        embeds = load_rater(self.model or None).meaning is not None
        return {
            "model": fingerprint(self.model or None),
            "analyser": signature(),
            "frequency": f"wordfreq-{version('wordfreq')}",
            "tables": tables.fingerprint(),
            "counts": dict(counts("en")),
        } | ({"embedding": f"{DISTRIBUTION}-{version(DISTRIBUTION)}"} if embeds else {})

    def _reply(self, unit: Unit) -> Row:
        from readmark.models.rating.parsed import parse_all

        parsed = self._parsed.get(unit.id)
        return self._row(unit, parsed or next(iter(parse_all([unit.item.text]))))

    def _row(self, unit: Unit, parsed: Parsed) -> Row:
        from readmark.models.rating.explaining import evidence

        why = unratable(unit.item.text, "en") or (None if parsed.words else no_measure("en"))
        if why is not None:
            raise DataError(why)
        rated = self._rater.rate(parsed)
        told = evidence(self._rater, parsed, rated)
        return Row(id=unit.id, rating=round(rated.rating, 4), evidence=told)
