"""The classic formulas as ratings: a monotone line through what each says of three levels.

The table that ships has the mean of each formula over the passages of each level of
OneStopEnglish; between the means and beyond them the line goes on straight, and the ends of the
scale are soft. Chinese has no levelled texts: its line gives passages the mean and the spread that
the English rater gives to the same passages in English.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import islice
from typing import Any

import msgspec

from readmark.core.error_rows import one_by_one
from readmark.core.errors import DataError, UsageError
from readmark.core.language import primary
from readmark.core.records import Unit
from readmark.core.registry import parameter
from readmark.core.sitting import Row
from readmark.hooks import Kind
from readmark.readability.formulas.by_language import readability, signature
from readmark.readability.formulas.chinese import ChineseReadability
from readmark.readability.formulas.english import EnglishReadability
from readmark.readability.raters import chinese, parses
from readmark.readability.raters.chinese import ChinesePassage, parse_chinese
from readmark.readability.raters.explanation import evidence
from readmark.readability.raters.model import fingerprint, load_rater, shipped_rater
from readmark.readability.raters.parses import ParsedPassage, parse_all
from readmark.readability.raters.sentence_vectors import DISTRIBUTION
from readmark.readability.raters.spelling import as_read
from readmark.readability.raters.word_tables import tables_fingerprint
from readmark.readability.scale import MIDDLE, squashed
from readmark.text.training_record import TrainingRecord
from readmark.text.training_record_files import recorded_in

FORMULAS = ("flesch", "flesch_kincaid", "fog", "smog", "ari", "coleman_liau", "dale_chall")
CHINESE = "zh_index"
"""What the Chinese measure is called as a formula."""
ORDINARY, A_POINT = 70.0, 34.0
"""The Chinese index of a rating of 3, and of one point: by ``benchmarks/rating_chinese.py``."""
SCALE = (
    "aligned with the English ratings of the same passages in English (XQuAD); "
    "no person's ratings of Chinese"
)
"""What a Chinese rating rests on."""

Anchors = tuple[tuple[float, float], ...]
"""Formula and unbounded rating, the lowest formula first."""


def rate_english(scores: EnglishReadability, formula: str) -> float:
    """The rating that a formula's value corresponds to."""
    return squashed(_on_line(getattr(scores, formula), anchors()[formula]))


def rate_chinese(scores: ChineseReadability) -> float:
    """The rating that the Chinese index corresponds to."""
    return squashed(MIDDLE - (scores.index - ORDINARY) / A_POINT)


@functools.cache
def anchors() -> dict[str, Anchors]:
    """The table that ships."""
    data = files("readmark.readability.raters").joinpath("data", "formulas.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, Anchors])


def _on_line(value: float, points: Anchors) -> float:
    """The line through the points; its first and last segments continue."""
    index = 0
    while index < len(points) - 2 and value > points[index + 1][0]:
        index += 1
    (x0, y0), (x1, y1) = points[index], points[index + 1]
    return y0 + (value - x0) * (y1 - y0) / (x1 - x0)


# Whether a passage can be rated at all, and in words why not.


_LETTER = re.compile(r"[^\W\d_]")
_LATIN = re.compile("[A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff\uff21-\uff5a]")
_NAMES = {"en": "English", "zh": "Chinese"}


def unratable(text: str, language: str) -> str | None:
    """Why a text of a language has no rating; None where it may have one."""
    if not text.strip():
        return "the text is empty"
    letters = len(_LETTER.findall(text))
    if not letters:
        return "the text has no word"
    if language == "en" and len(_LATIN.findall(text)) * 2 < letters:
        return "most of its letters are not Latin; it was to be English"
    return None


def no_measure(language: str) -> str:
    """What is said of a text in which the measures find nothing to count."""
    return f"the text has no {_NAMES.get(language, language)} word"


# The features rater: named features of a passage, weighed; every rating says what moved it.


LANGUAGES = ("en", "zh")
BATCH = 64
"""How many passages are parsed in one batch."""


@dataclass
class Features:
    """Rates English and Chinese by named features of words, sentences and style."""

    model: str = parameter("", help="a model's file; the one that ships")
    _rater: Any = field(default=None, init=False, repr=False)
    _parsed: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    def prepare(self, kind: Kind, language: str) -> None:
        code = primary(language)
        if code not in LANGUAGES:
            raise UsageError(f"features rates English and Chinese, not {language!r}")
        self._rater = load_rater(self.model or None, code)
        if self._rater.language != code:
            raise UsageError(f"{self.model} rates {self._rater.language!r}, not {language!r}")
        for passage in self._parse(["It is so." if code == "en" else "是的。"]):  # loads tables
            self._rater.rate(passage)

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        waiting = iter(units)
        while together := list(islice(waiting, BATCH)):
            try:
                parsed = list(self._parse([unit.item.text for unit in together]))
            except Exception:  # one of them failed; rating each alone shows which
                yield from one_by_one(together, self._reply)
                continue
            self._parsed = {
                unit.id: passage for unit, passage in zip(together, parsed, strict=True)
            }
            yield from one_by_one(together, self._reply)
            self._parsed = {}

    def training_record(self) -> TrainingRecord | None:
        """The passages that the weights were learnt from."""
        return recorded_in(self.model or shipped_rater(self._rater.language))

    def signature(self) -> Mapping[str, Any]:
        from importlib.metadata import version

        code = self._rater.language if self._rater is not None else "en"
        model = {"model": fingerprint(self.model or None, code)}
        if code == "zh":
            return model | {"features": chinese.RULES, "scale": SCALE} | chinese_parts()
        meaning = load_rater(self.model or None).meaning
        embedding = {}
        if meaning is not None:
            package = f"{DISTRIBUTION}-{version(DISTRIBUTION)}" if not meaning.encoder else ""
            runtime = f"span-{meaning.encoder}, onnxruntime-{version('onnxruntime')}"
            embedding = {"embedding": package or runtime}
        return {
            **model,
            "analyser": parses.signature(),
            "frequency": f"wordfreq-{version('wordfreq')}",
            "tables": tables_fingerprint(),
            "counts": dict(signature("en")),
        } | embedding

    def _parse(self, texts: Iterable[str]) -> Iterable[ParsedPassage | ChinesePassage]:
        return map(parse_chinese, texts) if self._rater.language == "zh" else parse_all(texts)

    def _reply(self, unit: Unit) -> Row:
        parsed = self._parsed.get(unit.id)
        return self._row(unit, parsed or next(iter(self._parse([unit.item.text]))))

    def _row(self, unit: Unit, parsed: ParsedPassage | ChinesePassage) -> Row:
        code = self._rater.language
        why = unratable(unit.item.text, code) or (None if parsed.words else no_measure(code))
        if why is not None:
            raise DataError(why)
        rated = self._rater.rate(parsed)
        details = evidence(self._rater, parsed, rated)
        if code == "zh":
            details["note"] = SCALE
        return Row(id=unit.id, answer=round(rated.rating, 4), evidence=details)


def chinese_parts() -> dict[str, str]:
    """What the Chinese features are measured by, for signatures."""
    return {name: part for name, part in signature("zh").items() if name != "index"}


# A classic readability formula as a rater: its value on the scale from 1 to 5.


@dataclass
class Formula:
    """Rates by one formula; in Chinese by the Chinese index."""

    name: str = parameter(
        "auto",
        help="which formula; flesch in English and the index of our own in Chinese",
        choices=(
            "auto",
            "flesch",
            "flesch_kincaid",
            "fog",
            "smog",
            "ari",
            "coleman_liau",
            "dale_chall",
            "zh_index",
        ),
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
        own = signature(self._language)
        if self._language == "zh":
            return {"formula": CHINESE, "scale": SCALE, **own}
        line = " ".join(f"{x:g}:{y:g}" for x, y in anchors()[self._formula])
        return {"formula": self._formula, "scale": f"OneStopEnglish levels {line}", **own}

    @property
    def _formula(self) -> str:
        return "flesch" if self.name == "auto" else self.name

    def _reply(self, unit: Unit) -> Row:
        text = unit.item.text
        why = unratable(text, self._language)
        if why is not None:
            raise DataError(why)
        read = as_read(text) if self._language == "en" else text
        found = readability(read, self._language)
        if found is None:
            raise DataError(no_measure(self._language))
        if isinstance(found, ChineseReadability):
            index = {"formula": CHINESE, "value": round(found.index, 4), "note": SCALE}
            return Row(id=unit.id, answer=round(rate_chinese(found), 4), evidence=index)
        details = {"formula": self._formula, "value": round(getattr(found, self._formula), 4)}
        rating = round(rate_english(found, self._formula), 4)
        return Row(id=unit.id, answer=rating, evidence=details)
