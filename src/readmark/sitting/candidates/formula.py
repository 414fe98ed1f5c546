"""A classic readability formula as a rater: its value on the scale from 1 to 5."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.kinds import Kind
from readmark.corpus.language import primary
from readmark.corpus.sitting import Row
from readmark.corpus.values import Unit
from readmark.sitting.candidates import one_by_one
from readmark.sitting.candidates.ratable import no_measure, unratable

LANGUAGES = ("en", "zh")


@dataclass
class Formula:
    """Rates by one formula; in Chinese by the Chinese index, uncalibrated."""

    name: str = field(
        default="auto",
        metadata={
            "help": "which formula; flesch in English and the index of our own in Chinese",
            "choices": (
                *("auto", "flesch", "flesch_kincaid", "fog", "smog", "ari", "coleman_liau"),
                *("dale_chall", "zh_index"),
            ),
        },
    )
    _language: str = field(default="en", init=False, repr=False)

    def prepare(self, kind: Kind, language: str) -> None:
        code = primary(language)
        if code not in LANGUAGES:
            raise UsageError(f"formula rates English and Chinese, not {language!r}")
        if self.name != "auto" and (self.name == "zh_index") != (code == "zh"):
            raise UsageError(f"formula {self.name} is not for {code}; leave the name out")
        self._language = code

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self._reply)

    def signature(self) -> Mapping[str, Any]:
        from readmark.models.rating.formulas import CHINESE, UNCALIBRATED, anchors
        from readmark.text.readability import signature

        own = signature(self._language)
        if self._language == "zh":
            return {"formula": CHINESE, "scale": UNCALIBRATED, **own}
        line = " ".join(f"{x:g}:{y:g}" for x, y in anchors()[self._formula])
        return {"formula": self._formula, "scale": f"OneStopEnglish levels {line}", **own}

    @property
    def _formula(self) -> str:
        return "flesch" if self.name == "auto" else self.name

    def _reply(self, unit: Unit) -> Row:
        from readmark.models.rating.formulas import (
            CHINESE,
            UNCALIBRATED,
            rate_chinese,
            rate_english,
        )
        from readmark.models.rating.spelling import as_read
        from readmark.text.readability import readability
        from readmark.text.readability.chinese import ChineseReadability

        text = unit.item.text
        why = unratable(text, self._language)
        if why is not None:
            raise DataError(why)
        found = readability(as_read(text) if self._language == "en" else text, self._language)
        if found is None:
            raise DataError(no_measure(self._language))
        if isinstance(found, ChineseReadability):
            told: dict[str, Any] = {"formula": CHINESE, "value": round(found.index, 4)}
            told["note"] = UNCALIBRATED
            return Row(id=unit.id, rating=round(rate_chinese(found), 4), evidence=told)
        value = getattr(found, self._formula)
        told = {"formula": self._formula, "value": round(value, 4)}
        return Row(id=unit.id, rating=round(rate_english(found, self._formula), 4), evidence=told)
