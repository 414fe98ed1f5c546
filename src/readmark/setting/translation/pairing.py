"""The English and two translations of it side by side; what is missing on a side is told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from readmark.corpus.errors import DataError, UsageError
from readmark.setting.same_text import require_same_text
from readmark.setting.translation.sheets import Entry, Sheet

What = Literal["question", "key"]


@dataclass(frozen=True, slots=True)
class Pair:
    """One English text and its two translations; None where there is none, or only white space."""

    id: str
    unit: str
    record: str
    what: What
    english: str
    a: str | None
    b: str | None

    @property
    def whole(self) -> bool:
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


def named(names: tuple[str, str] | None, a: Sheet, b: Sheet) -> tuple[str, str]:
    """The translators' names, by default those of their files; two of one name are refused."""
    one, other = names or (_stem(Path(a.file).name), _stem(Path(b.file).name))
    if one == other:
        raise UsageError(f"both translators are called {one!r}: name them with --names NAME,NAME")
    return one, other


def pairs(english: Sheet, a: Sheet, b: Sheet) -> list[Pair]:
    """Every English question and key with what each translator made of it, in English order."""
    for sheet in (a, b):
        if not english.entries.keys() & sheet.entries.keys():
            raise DataError(
                f"has no id of {english.file}: found {next(iter(sheet.entries))!r}, "
                f"expected such as {next(iter(english.entries))!r}",
                file=sheet.file,
            )
        _same_english(english, sheet)
    return [
        pair
        for entry in english.entries.values()
        for pair in _entry_pairs(entry, a.entries.get(entry.id), b.entries.get(entry.id))
    ]


def strays(english: Sheet, sheet: Sheet, name: str) -> list[Stray]:
    """What a translator has beyond the English: questions of unknown ids, keys where none was."""
    found = []
    for entry in sheet.entries.values():
        own = english.entries.get(entry.id)
        if own is None:
            found.append(Stray(entry.id, name, entry.question, entry.keys))
        elif len(entry.keys) > len(own.keys):
            found.append(Stray(entry.id, name, "", entry.keys[len(own.keys) :]))
    return found


def _entry_pairs(english: Entry, a: Entry | None, b: Entry | None) -> Iterator[Pair]:
    yield Pair(
        f"{english.id}/question",
        english.id,
        english.passage,
        "question",
        english.question,
        _text(a.question if a else None),
        _text(b.question if b else None),
    )
    keys_a = _keys(a, len(english.keys))
    keys_b = _in_order_of(keys_a, _keys(b, len(english.keys)))
    for at, key in enumerate(english.keys):
        number = f".{at + 1}" if at else ""
        yield Pair(
            f"{english.id}/key{number}",
            english.id,
            english.passage,
            "key",
            key,
            keys_a[at],
            keys_b[at],
        )


def _keys(entry: Entry | None, size: int) -> list[str | None]:
    """The alternatives of a key, one for each of the English."""
    own = [_text(one) for one in entry.keys[:size]] if entry is not None else []
    return [*own, *[None] * (size - len(own))]


def _in_order_of(keys_a: list[str | None], keys_b: list[str | None]) -> list[str | None]:
    """B's alternatives with those that A has too where A has them; the rest in their order."""
    left = [one for one in keys_b if one is not None]
    made: list[str | None] = []
    for key in keys_a:
        same = next((one for one in left if key and one.strip() == key.strip()), None)
        if same is not None:
            left.remove(same)
        made.append(same)
    rest = iter([*left, *[None] * len(made)])
    return [next(rest) if one is None else one for one in made]


def _text(text: str | None) -> str | None:
    return text if text and text.strip() else None


def _same_english(english: Sheet, sheet: Sheet) -> None:
    """A file that repeats the English must repeat this one: other words get other translations."""
    for entry in sheet.entries.values():
        own = english.entries.get(entry.id)
        if own is None:
            continue
        for expected, found in (
            (own.question, entry.english),
            (" | ".join(own.keys), entry.english_key),
        ):
            if found:
                require_same_text(expected.strip(), found.strip(), file=sheet.file, id=entry.id)


def _stem(name: str) -> str:
    return name.split(".")[0] or name
