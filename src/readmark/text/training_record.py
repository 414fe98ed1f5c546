"""What a candidate learnt from, small enough to ship with it: hashed stretches of its passages.

A passage is compared by its letters and digits alone: case, width, script, white space and
punctuation do not count. Its fingerprints are those of "Winnowing: Local Algorithms for Document
Fingerprinting": the least hash in every window of stretches. Whatever is cut from a passage, if it
is longer than a window, has fingerprints that the whole passage has too. The fingerprints of each
source are in a Bloom filter, from which no text can be read back.
"""

from __future__ import annotations

import base64
import re
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec

from readmark.core.errors import DataError, ReadmarkError
from readmark.core.files import JSON_ERRORS, read_bytes, toml_of
from readmark.core.json_lines import in_words
from readmark.core.records import Value
from readmark.core.test import Test
from readmark.core.writing import writing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Hashes = NDArray[np.uint64]

SCHEMA = 1
MEMBER = "training_record"
"""The member of the note in a model's JSON file that has its record."""
FILE = "training_record.json"
"""The file of a model's folder that has its record."""
SCORES, POOLING = "scores", "pooling"
"""Uses that have no part in most answers: fitted scores and thresholds; weights of an encoder."""
RULES = "winnowing-1"
"""How texts are compared: another number when a text would get other fingerprints."""


class ByScript(NamedTuple):
    """A length in characters, for Chinese text and for text in letters."""

    han: int
    letters: int


STRETCH = ByScript(20, 48)
"""How long a stretch is. Two texts seldom share so long a one by chance."""
WINDOW = ByScript(32, 64)
"""Stretches of a window, powers of two: a part of a passage is recognised if it is as long as two
windows and a stretch together, 83 Han characters or 175 letters."""
_HAN_SHARE = 0.3
_BITS, _PROBES = 14.5, 10
"""Bits a fingerprint and bits that are looked at: 1 in 1,000 strange fingerprints is mistaken."""
_LEAST_MATCHES = 2
"""Fingerprints of a text that must match: 1 in 1,000 texts would match in one by mistake."""
_SHARE = 0.5
"""From this share of matching fingerprints on, a text is one that was learnt from."""
_SHORT = 8
"""Fingerprints of a text that has fewer than two windows: the least hashes of its stretches."""
_LEAST_SHORT = 4


_NOTES = re.compile(r"[\[［【〔][^\[\]［］【】〔〕\n]{1,12}[\]］】〕]")
"""Marks of notes such as [12] or ［注3］: an encyclopedia's text is copied with them or without."""


class TrainingSource(Value, frozen=True):
    """Passages that a candidate learnt from, such as a test's."""

    name: str
    passages: Annotated[int, msgspec.Meta(ge=0)]
    use: str | None = None
    """What was learnt from them, where it is not their questions and answers."""
    paper: str | None = None
    """The fingerprint of the test's paper, where they are a test's."""
    window: ByScript = WINDOW
    fingerprints: Annotated[int, msgspec.Meta(ge=0)] = 0
    filter: bytes = b""

    def __post_init__(self) -> None:
        if any(size < 1 or size & (size - 1) for size in self.window):
            raise ValueError("the windows must be powers of two")
        if len(self.filter) % 8 or (self.fingerprints and not self.filter):
            raise ValueError("the filter is damaged")

    def has(self, text: ComparedText) -> bool:
        """Whether half of a text or more is in these passages, up to the filter's mistakes."""
        import numpy as np

        prints, is_short = text.fingerprints(self.window)
        if not len(prints) or not self.filter:
            return False
        matches = int(_is_in(np.frombuffer(self.filter, "<u8"), prints).sum())
        least = _LEAST_SHORT if is_short else _LEAST_MATCHES
        return matches >= max(least, _SHARE * len(prints))


class TrainingRecord(Value, frozen=True):
    """What a candidate learnt from, source by source."""

    readmark: int = SCHEMA
    file: str = MEMBER
    rules: str = RULES
    sources: tuple[TrainingSource, ...] = ()

    def sources_of(self, text: str) -> tuple[str, ...]:
        """The names of the sources that have a text, with its notes in brackets or without."""
        forms = [ComparedText(form) for form in dict.fromkeys((text, _NOTES.sub("", text)))]
        return tuple(
            source.name for source in self.sources if any(source.has(form) for form in forms)
        )

    def plus(self, *others: TrainingRecord | None) -> TrainingRecord:
        """And what else was learnt from, such as by the encoder that a training began with."""
        sources = {source: None for one in (self, *others) if one for source in one.sources}
        return msgspec.structs.replace(self, sources=tuple(sources))

    def as_json(self) -> dict[str, Any]:
        """The record in a file of its own, or as a member of a model's."""
        document: dict[str, Any] = msgspec.to_builtins(self)
        return {"readmark": self.readmark, "file": self.file, "rules": self.rules, **document}

    def write(self, path: str | Path) -> None:
        """Write the record to a file of its own."""
        with writing(path) as stream:
            stream.write(msgspec.json.encode(self.as_json()) + b"\n")

    def without(self, use: str) -> TrainingRecord:
        """Without the sources of one use, where what was learnt from them is not used."""
        sources = tuple(source for source in self.sources if source.use != use)
        return msgspec.structs.replace(self, sources=sources)


class ComparedText:
    """A text as it is compared; what is made of it is made once."""

    def __init__(self, text: str) -> None:
        import numpy as np

        from readmark.text.folding import folded_points
        from readmark.text.near_duplicates import shingle_hashes

        points = folded_points(text if text.isascii() else unicodedata.normalize("NFKC", text))
        points = np.where(points == ord("着"), np.uint32(ord("著")), points)  # by OpenCC's tw2s
        han = (points >= 0x3400) & (points < 0xA000)
        self._is_han = len(points) > 0 and bool(han.mean() > _HAN_SHARE)
        self._hashes = shingle_hashes(points, STRETCH.han if self._is_han else STRETCH.letters)
        self._prints: dict[int, tuple[Hashes, bool]] = {}

    def fingerprints(self, window: ByScript) -> tuple[Hashes, bool]:
        """Its fingerprints, and whether it is a short text."""
        size = window.han if self._is_han else window.letters
        if size not in self._prints:
            self._prints[size] = _fingerprints(self._hashes, size)
        return self._prints[size]


def _fingerprints(hashes: Hashes, window: int) -> tuple[Hashes, bool]:
    import numpy as np

    from readmark.text.near_duplicates import mix_bits

    if len(hashes) >= window:
        least, width = hashes, 1
        while width < window:  # the least of windows twice as wide, from those of two halves
            least, width = np.minimum(least[:-width], least[width:]), 2 * width
        prints = np.unique(least)
        if len(prints) >= _LEAST_MATCHES:
            return prints, False
    prints = np.unique(hashes)[:_SHORT]
    if 0 < len(prints) < _LEAST_SHORT:  # too few to be sure by: each is hashed several times
        seeds = np.arange(1, _LEAST_SHORT + 1, dtype=np.uint64)
        prints = mix_bits(np.add.outer(seeds, prints)).ravel()
    return prints, True


def _places(prints: Hashes, bits: int) -> Iterator[Hashes]:
    """The bits of fingerprints: two halves of a hash give as many as are needed."""
    import numpy as np

    from readmark.text.near_duplicates import mix_bits

    first, step = prints % np.uint64(bits), mix_bits(prints) | np.uint64(1)
    for index in range(_PROBES):
        yield (first + np.uint64(index) * (step % np.uint64(bits))) % np.uint64(bits)


def _is_in(words: Hashes, prints: Hashes) -> NDArray[np.bool_]:
    import numpy as np

    matches = np.ones(len(prints), np.bool_)
    for places in _places(prints, 64 * len(words)):
        bits = words[places >> np.uint64(6)] >> (places & np.uint64(63))
        matches &= (bits & np.uint64(1)).astype(np.bool_)
    return matches


def make_source(
    name: str,
    texts: Iterable[str],
    *,
    use: str | None = None,
    paper: str | None = None,
    window: ByScript = WINDOW,
) -> TrainingSource:
    """The record of texts; a larger ``window`` makes it smaller, and blind to short passages."""
    import numpy as np

    parts: list[Hashes] = []
    passages = 0
    for text in texts:
        passages += 1
        parts.append(ComparedText(text).fingerprints(window)[0])
    prints = np.unique(np.concatenate(parts)) if parts else np.empty(0, np.uint64)
    words = np.zeros(int(_BITS * len(prints)) // 64 + 1 if len(prints) else 0, np.uint64)
    for places in _places(prints, 64 * len(words)) if len(prints) else ():
        np.bitwise_or.at(words, places >> np.uint64(6), np.uint64(1) << (places & np.uint64(63)))
    return TrainingSource(
        name=name,
        passages=passages,
        use=use,
        paper=paper,
        window=window,
        fingerprints=len(prints),
        filter=words.astype("<u8").tobytes(),
    )


def compared_text(test: Test, record: Any) -> str:
    """The text by which a record of a test is known again."""
    return "\n".join(test.kind.texts(test.kind.paper(record)))


def source_of_test(test: Test, *, use: str | None = None) -> TrainingSource:
    """The record of a test's passages, series or documents."""
    texts = (compared_text(test, record) for record in test.records())
    name = test.header.name or Path(test.file).name
    return make_source(name, texts, use=use, paper=test.facts.paper)


# Records in files: alone, in a model's JSON file, in a model's folder.


def read_record(path: str | Path) -> TrainingRecord:
    """The record in a file."""
    try:
        document = msgspec.json.decode(read_bytes(path))
    except JSON_ERRORS as error:
        raise DataError(f"is not a training record: {error}", file=str(path)) from None
    if not isinstance(document, dict) or document.get("file") != MEMBER:
        raise DataError("is not a training record", file=str(path))
    return decode_record(document, str(path))


def decode_record(document: Any, file: str) -> TrainingRecord:
    """A record that is a member of a file."""
    version = document.get("readmark") if isinstance(document, dict) else None
    if isinstance(version, int) and version > SCHEMA:
        raise DataError(
            f"newer_schema: the training record is of schema {version}, this Readmark reads up to "
            f"{SCHEMA}",
            file=file,
        )
    try:
        record = msgspec.convert(document, TrainingRecord)
    except (msgspec.ValidationError, ValueError) as error:
        what = in_words(error) if isinstance(error, msgspec.ValidationError) else error
        raise DataError(f"the training record: {what}", file=file) from None
    if record.rules != RULES:
        raise DataError(
            f"the training record compares texts by {record.rules!r}, this version by {RULES!r}",
            file=file,
        )
    return record


def toml_table(record: TrainingRecord) -> list[str]:
    """The lines of a record's table, for the end of a TOML file."""
    lines = [f"[{MEMBER}]", f"readmark = {record.readmark}", f'rules = "{record.rules}"']
    for source in record.sources:
        lines += ["", f"[[{MEMBER}.sources]]"]
        for name, value in msgspec.to_builtins(source, builtin_types=(bytes,)).items():
            if isinstance(value, bytes):
                wrapped = textwrap.wrap(base64.b64encode(value).decode(), 96)
                lines += [f'{name} = """\\', *(f"{line}\\" for line in wrapped), '"""']
            elif value is not None:
                # JSON's strings, whole numbers and lists of them are TOML's too.
                lines.append(f"{name} = {msgspec.json.encode(value).decode()}")
    return lines


def record_in_toml(data: bytes, file: str) -> TrainingRecord | None:
    """The record in a TOML file; None without one."""
    document = toml_of(data, file)
    return decode_record(document[MEMBER], file) if MEMBER in document else None


def recorded_in(model: str | Path) -> TrainingRecord | None:
    """The record of a model: in its folder, JSON or TOML file, or next to it; None without one.

    That of a shipped ``ranker.json`` is next to it, so that the model's hash stays as it was.
    """
    path = Path(model)
    if path.is_dir():
        return read_record(path / FILE) if (path / FILE).is_file() else None
    beside = path.with_name(f"{path.stem}.{FILE}")
    if beside.is_file():
        return read_record(beside)
    if not path.is_file():
        return None
    if path.suffix == ".toml":
        return record_in_toml(read_bytes(path), str(path))
    try:
        note = msgspec.json.decode(read_bytes(path), type=_Noted).note
    except (ReadmarkError, OSError, *JSON_ERRORS):
        return None
    return decode_record(note[MEMBER], str(path)) if MEMBER in note else None


class _Noted(msgspec.Struct):
    """What models say of how they were made."""

    note: dict[str, Any] = {}
