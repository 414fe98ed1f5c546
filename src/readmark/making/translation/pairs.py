"""The English and two translations of it side by side; what is missing on a side is None."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from readmark.core.errors import DataError
from readmark.formats.text_versions import require_same_text
from readmark.making.translation.sheets import SheetEntry, TranslationSheet

What = Literal["question", "key"]


@dataclass(frozen=True, slots=True)
class TranslationPair:
    """One English text and its two translations; None where there is none, or only white space."""

    id: str
    unit: str
    record: str
    what: What
    english: str
    a: str | None
    b: str | None

    @property
    def is_complete(self) -> bool:
        """Whether both translated it."""
        return self.a is not None and self.b is not None

    @property
    def exact(self) -> bool:
        """Exact string matching; white space at the ends, which nobody sees, does not count."""
        return self.a is not None and self.b is not None and self.a.strip() == self.b.strip()


@dataclass(frozen=True, slots=True)
class Stray:
    """A translation of something that the English does not have."""

    id: str
    by: str
    question: str
    keys: tuple[str, ...]


def pairs(
    english: TranslationSheet, a: TranslationSheet, b: TranslationSheet
) -> list[TranslationPair]:
    """Every English question and key with what each translator made of it, in English order."""
    for sheet in (a, b):
        if not english.entries.keys() & sheet.entries.keys():
            raise DataError(
                f"has no id of {english.file}: found {next(iter(sheet.entries))!r}, "
                f"expected ids such as {next(iter(english.entries))!r}",
                file=sheet.file,
            )
        require_same_english(english, sheet)
    return [
        pair
        for entry in english.entries.values()
        for pair in _entry_pairs(entry, a.entries.get(entry.id), b.entries.get(entry.id))
    ]


def require_same_english(english: TranslationSheet, sheet: TranslationSheet) -> None:
    """A file that repeats the English must repeat this one: other words get other translations."""
    for entry in sheet.entries.values():
        source = english.entries.get(entry.id)
        if source is None:
            continue
        for expected, repeated in (
            (source.question, entry.english),
            (" | ".join(source.keys), entry.english_key),
        ):
            if repeated:
                require_same_text(expected.strip(), repeated.strip(), file=sheet.file, id=entry.id)


def strays(english: TranslationSheet, sheet: TranslationSheet, name: str) -> list[Stray]:
    """What a translator has beyond the English: questions of unknown ids, keys where none was."""
    beyond = []
    for entry in sheet.entries.values():
        source = english.entries.get(entry.id)
        if source is None:
            beyond.append(Stray(entry.id, name, entry.question, entry.keys))
        elif len(entry.keys) > len(source.keys):
            beyond.append(Stray(entry.id, name, "", entry.keys[len(source.keys) :]))
    return beyond


def _entry_pairs(
    english: SheetEntry, a: SheetEntry | None, b: SheetEntry | None
) -> Iterator[TranslationPair]:
    questions = (_text(entry.question if entry else None) for entry in (a, b))
    ids = english.id, english.passage
    yield TranslationPair(f"{english.id}/question", *ids, "question", english.question, *questions)
    keys_a = _as_many_keys(a, len(english.keys))
    keys_b = _in_order_of(keys_a, _as_many_keys(b, len(english.keys)))
    for index, (key, key_a, key_b) in enumerate(zip(english.keys, keys_a, keys_b, strict=True)):
        number = f".{index + 1}" if index else ""
        yield TranslationPair(f"{english.id}/key{number}", *ids, "key", key, key_a, key_b)


def _as_many_keys(entry: SheetEntry | None, size: int) -> list[str | None]:
    """The alternatives of a key, one for each of the English."""
    keys = [_text(key) for key in entry.keys[:size]] if entry is not None else []
    return [*keys, *[None] * (size - len(keys))]


def _in_order_of(keys_a: list[str | None], keys_b: list[str | None]) -> list[str | None]:
    """B's alternatives with those that A has too where A has them; the rest in their order."""
    left = [key for key in keys_b if key is not None]
    same_keys: list[str | None] = []
    for key_a in keys_a:
        same = next((key for key in left if key_a and key.strip() == key_a.strip()), None)
        if same is not None:
            left.remove(same)
        same_keys.append(same)
    rest = iter([*left, *[None] * len(same_keys)])
    return [next(rest) if same is None else same for same in same_keys]


def _text(text: str | None) -> str | None:
    return text if text and text.strip() else None
