"""Files of raters: those that ship, those that were trained, and what makes a file unusable."""

from __future__ import annotations

import functools
import hashlib
import math
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError, UsageError
from readmark.core.files import JSON_ERRORS, read_bytes
from readmark.core.json_lines import refuse_newer
from readmark.readability.raters.learned_words import vector_width
from readmark.readability.raters.model import FORMAT, Rater, known_features

SHIPPED = {"en": "rater.json", "zh": "chinese.json"}
LARGEST = 1_000.0
"""No base, slope or weight of a rating from 1 to 5 is beyond it."""


@functools.lru_cache(maxsize=4)
def load_rater(model: str | None = None, language: str = "en") -> Rater:
    """The rater of a file, or the one that ships for a language."""
    if model is None:
        shipped = shipped_rater(language)
        return from_json(shipped.read_bytes(), shipped.name)
    if not Path(model).is_file():
        raise UsageError(f"there is no model {model}: readmark train rater TEST -o {model}")
    return from_json(read_bytes(Path(model)), model)


def shipped_rater(language: str) -> Path:
    """The file of the rater that ships for a language."""
    return Path(str(files("readmark.readability.raters"))) / "data" / SHIPPED[language]


@functools.lru_cache(maxsize=4)
def fingerprint(model: str | None = None, language: str = "en") -> str:
    """A short hash of a rater's weights, for signatures."""
    return hashlib.sha256(to_json(load_rater(model, language)).encode()).hexdigest()[:12]


def to_json(rater: Rater) -> str:
    """The file of a rater: indented, numbers with six digits."""
    document = _shortened(msgspec.to_builtins(rater))
    return msgspec.json.format(msgspec.json.encode(document), indent=1).decode() + "\n"


def from_json(data: bytes, file: str = "") -> Rater:
    """A rater from its file; of several faults, the first is reported."""
    refuse_newer(data, FORMAT, file=file, member="readmark_rater")
    try:
        rater = msgspec.json.decode(data, type=Rater)
    except JSON_ERRORS as error:
        raise DataError(f"is not a rater ({error})", file=file) from None
    fault = next(_faults(rater), None)
    if fault is not None:
        raise DataError(fault, file=file)
    return rater


def _shortened(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {key: _shortened(member) for key, member in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_shortened(member) for member in value]
    return value


def _faults(rater: Rater) -> Iterator[str]:
    if rater.readmark_rater != FORMAT:
        yield f"is a rater of format {rater.readmark_rater}, expected {FORMAT}"
    if rater.language not in SHIPPED:
        yield f"rates {rater.language!r}, expected 'en' or 'zh'"
    if not rater.features:
        yield "has no features"
    if not _are_usable(rater.base, *rater.knots) or not 0 <= rater.pardon < LARGEST:
        yield f"its base, a knot or its pardon is not a number within {LARGEST:g}"
    yield from _feature_faults(rater)
    yield from _block_faults(rater)


def _feature_faults(rater: Rater) -> Iterator[str]:
    known = known_features(rater.language)
    seen: set[str] = set()
    expected = len(rater.knots) + 1
    for feature in rater.features:
        if feature.name not in known:
            yield f"weighs {feature.name!r}, which is not a feature here"
        if feature.name in seen:
            yield f"weighs {feature.name!r} twice"
        seen.add(feature.name)
        if len(feature.slopes) != expected:
            yield f"weighs {feature.name!r} by {len(feature.slopes)} slopes, expected {expected}"
        if not _are_usable(feature.centre, *feature.slopes):
            yield f"the centre or a slope of {feature.name!r} is not a number within {LARGEST:g}"
        if not (0 < feature.spread < math.inf and 0 < feature.limit < math.inf):
            yield f"the spread or limit of {feature.name!r} is not a number over 0"


def _block_faults(rater: Rater) -> Iterator[str]:
    words, meaning = rater.words, rater.meaning
    if rater.language == "zh" and (words is not None or meaning is not None):
        yield "has weights of English words for Chinese"
        return
    if words is not None:
        if len(words.axes) != vector_width():
            yield f"has {len(words.axes)} axes of words, expected {vector_width()}"
        numbers = (number for pair in words.lemmas.values() for number in pair)
        if not _are_usable(words.base, *words.axes, *numbers):
            yield f"a weight of its words is not a number within {LARGEST:g}"
    if meaning is not None:
        from readmark.readability.raters.sentence_vectors import minilm, shipped

        size = shipped.SIZE if meaning.encoder else minilm.SIZE
        if len(meaning.weights) != size:
            yield f"has {len(meaning.weights)} weights of embeddings, expected {size}"
        if not _are_usable(meaning.base, *meaning.weights):
            yield f"a weight of its embeddings is not a number within {LARGEST:g}"


def _are_usable(*numbers: float) -> bool:
    return all(abs(number) < LARGEST for number in numbers)  # false for NaN, too
