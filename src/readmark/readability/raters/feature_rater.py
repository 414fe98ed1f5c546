"""The candidate ``features``: named features of a passage, weighed; every rating says why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from itertools import islice
from typing import Any

from readmark.core.error_rows import one_by_one
from readmark.core.errors import DataError, UsageError
from readmark.core.language import primary
from readmark.core.records import Unit
from readmark.core.registry import parameter
from readmark.core.sitting import Row
from readmark.hooks import Kind
from readmark.readability.formulas.by_language import LANGUAGES, signature
from readmark.readability.raters import parses
from readmark.readability.raters.explanation import evidence
from readmark.readability.raters.features import chinese
from readmark.readability.raters.features.word_tables import tables_fingerprint
from readmark.readability.raters.formula_rater import CHINESE_SCALE
from readmark.readability.raters.model import MeasuredPassage, Rater
from readmark.readability.raters.ratable import unratable, without_words
from readmark.readability.raters.rater_files import fingerprint, load_rater, shipped_rater
from readmark.readability.raters.sentence_vectors.minilm import DISTRIBUTION
from readmark.text.training_record import TrainingRecord
from readmark.text.training_record_files import recorded_in

BATCH = 64
"""How many passages are parsed in one batch."""


@dataclass
class Features:
    """Rates English and Chinese by named features of words, sentences and style."""

    model: str = parameter("", help="a model's file; by default the one that ships")
    _language: str = field(default="en", init=False, repr=False)

    def prepare(self, kind: Kind, language: str) -> None:
        code = primary(language)
        if code not in LANGUAGES:
            raise UsageError(f"features rates English and Chinese, not {language!r}")
        self._language = code
        rater = self._rater()
        if rater.language != code:
            raise UsageError(f"{self.model} rates {rater.language!r}, not {language!r}")
        for passage in self._parsed(["It is so." if code == "en" else "是的。"]):  # loads tables
            rater.rate(passage)

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        waiting = iter(units)
        while batch := list(islice(waiting, BATCH)):
            ids, texts = [unit.id for unit in batch], [unit.item.text for unit in batch]
            try:
                passages = dict(zip(ids, self._parsed(texts), strict=True))
            except Exception:  # one of them failed; parsing each alone shows which
                passages = {}
            yield from one_by_one(batch, partial(self._rated, passages))

    def training_record(self) -> TrainingRecord | None:
        """The passages that the weights were learnt from."""
        return recorded_in(self.model or shipped_rater(self._language))

    def signature(self) -> Mapping[str, Any]:
        model = {"model": fingerprint(self.model or None, self._language)}
        rules = signature(self._language)
        if self._language == "zh":
            parts = {name: part for name, part in rules.items() if name != "index"}
            return model | {"features": chinese.RULES, "scale": CHINESE_SCALE} | parts
        embedding = {}
        meaning = self._rater().meaning
        if meaning is not None and meaning.encoder:
            runtime = f"onnxruntime-{version('onnxruntime')}"
            embedding = {"embedding": f"span-{meaning.encoder}, {runtime}"}
        elif meaning is not None:
            embedding = {"embedding": f"{DISTRIBUTION}-{version(DISTRIBUTION)}"}
        return {
            **model,
            "analyser": parses.signature(),
            "frequency": f"wordfreq-{version('wordfreq')}",
            "tables": tables_fingerprint(),
            "counts": dict(rules),
            **embedding,
        }

    def _rater(self) -> Rater:
        return load_rater(self.model or None, self._language)

    def _parsed(self, texts: Iterable[str]) -> Iterable[MeasuredPassage]:
        if self._language == "zh":
            return map(chinese.parse_chinese, texts)
        return parses.parse_all(texts)

    def _rated(self, passages: Mapping[str, MeasuredPassage], unit: Unit) -> Row:
        passage = passages.get(unit.id)
        if passage is None:
            [passage] = self._parsed([unit.item.text])
        reason = unratable(unit.item.text, self._language)
        if reason is None and not passage.words:
            reason = without_words(self._language)
        if reason is not None:
            raise DataError(reason)
        rater = self._rater()
        parts = rater.rate(passage)
        details = evidence(rater, passage, parts)
        if self._language == "zh":
            details["note"] = CHINESE_SCALE
        return Row(id=unit.id, answer=round(parts.rating, 4), evidence=details)
