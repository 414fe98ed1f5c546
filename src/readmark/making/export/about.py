"""What the publisher says of a test: its name, licence, makers, where and when it appears."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from readmark.comprehension import LEVEL_BY, is_by_rules
from readmark.core.errors import DataError, UsageError
from readmark.core.numbers import listed_ids
from readmark.core.records import AS_WRITTEN, Answer, Unit
from readmark.core.spans import places
from readmark.core.splits import only_splits, split_order, without_keys
from readmark.core.test import Header, Test
from readmark.formats.tables.columns import UNPLACED, answers_of

# Licences by name: the identifier that the Hugging Face hub knows, and the address of its terms.


_CREATIVE = re.compile(r"cc-(by(?:-nc)?(?:-nd|-sa)?)-(1\.0|2\.0|2\.5|3\.0|4\.0)")
# Of each Creative Commons licence the hub knows some versions only.
_HUB_CREATIVE = frozenset(
    (
        *("cc-by-2.0", "cc-by-2.5", "cc-by-3.0", "cc-by-4.0", "cc-by-sa-3.0", "cc-by-sa-4.0"),
        *("cc-by-nc-2.0", "cc-by-nc-3.0", "cc-by-nc-4.0", "cc-by-nd-4.0", "cc-by-nc-nd-3.0"),
        *("cc-by-nc-nd-4.0", "cc-by-nc-sa-2.0", "cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0"),
    )
)
_OTHERS = {
    "apache-2.0": "https://www.apache.org/licenses/LICENSE-2.0",
    "mit": "https://opensource.org/license/mit",
    "cc0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "gfdl": "https://www.gnu.org/licenses/fdl-1.3.html",
    "odc-by": "https://opendatacommons.org/licenses/by/1-0/",
    "odbl": "https://opendatacommons.org/licenses/odbl/1-0/",
    "pddl": "https://opendatacommons.org/licenses/pddl/1-0/",
    "cdla-permissive-2.0": "https://cdla.dev/permissive-2-0/",
}
_ALSO = {
    "cc0": "cc0-1.0",
    "apache2": "apache-2.0",
    "apache-2": "apache-2.0",
    "odc-by-1.0": "odc-by",
    "odbl-1.0": "odbl",
    "pddl-1.0": "pddl",
}


class Licence(NamedTuple):
    """A licence as it was named; ``hub`` and ``url`` where it is a known one."""

    name: str
    hub: str | None = None
    url: str | None = None


def licence_named(text: str) -> Licence:
    """A licence by its name in any usual spelling, such as CC BY-SA 4.0, or by its address."""
    name = " ".join(text.split())
    if name.startswith(("http://", "https://")):
        return Licence(name, None, name)
    plain = re.sub(r"[\s_-]+", "-", name.lower())
    plain = _ALSO.get(plain, plain)
    match = _CREATIVE.fullmatch(plain)
    if match:
        url = f"https://creativecommons.org/licenses/{match[1]}/{match[2]}/"
        return Licence(name, plain if plain in _HUB_CREATIVE else None, url)
    if plain in _OTHERS:
        return Licence(name, plain, _OTHERS[plain])
    return Licence(name)


RELEASE = "1.0.0"
_RELEASE = re.compile(r"\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?")


@dataclass(frozen=True, slots=True)
class About:
    """Everything on the card that cannot be taken from the data; unknown members are empty."""

    name: str
    licence: Licence
    description: str = ""
    creators: tuple[str, ...] = ()
    url: str = ""
    citation: str = ""
    published: str = ""
    release: str = RELEASE

    def unsaid(self) -> list[str]:
        """The options whose answer Croissant asks for and nobody gave."""
        asked = {
            "--creator": self.creators,
            "--url": self.url,
            "--cite": self.citation,
            "--published": self.published,
        }
        return [option for option, said in asked.items() if not said]


def about(
    test: Test,
    *,
    name: str | None = None,
    licence: str | None = None,
    creators: Sequence[str] = (),
    release: str = RELEASE,
    **words: str | None,
) -> About:
    """The publisher's words, checked; the header's name and licence where none is given.

    ``words`` are ``description``, ``url``, ``citation`` and ``published``.
    """
    for option, given in (("--licence", licence), ("--name", name)):
        if given is not None and not given.strip():
            raise UsageError(f"{option} is empty")
    terms = (licence or test.header.licence or "").strip()
    if not terms:
        raise UsageError(
            f"{test.file} names no licence, and nobody may use data without one: --licence NAME"
        )
    said = {what: (text or "").strip() for what, text in words.items()}
    published, url = said.get("published"), said.get("url")
    if published and not _is_date(published):
        raise UsageError(f"--published is a date such as 2026-01-31, not {published!r}")
    if not _RELEASE.fullmatch(release):
        raise UsageError(f"--release is a version such as 1.0.0, not {release!r}")
    if url and not url.startswith(("http://", "https://")):
        raise UsageError(f"--url begins with https:// or http://, found {url!r}")
    stem = Path(test.file.replace("\\", "/")).name.partition(".")[0]
    called = " ".join((name or test.header.name or stem).split())
    if not called:
        raise UsageError(f"{test.file} has no name: --name NAME")
    named = tuple(creator.strip() for creator in creators if creator.strip())
    return About(called, licence_named(terms), creators=named, release=release, **said)


def _is_date(text: str) -> bool:
    try:
        return datetime.date.fromisoformat(text).isoformat() == text  # 20260131 is one, too
    except ValueError:
        return False


# The parts of a test that are published as files of their own: its splits, hidden ones unkeyed.


UNSPLIT = "unsplit"
"""The part of the passages that have no split."""
_NAME = re.compile(r"\w+(\.\w+)*")  # what the Hugging Face hub takes for a split's name
_RESERVED = ("all", "con", "nul", "prn", "aux")  # "all" is the hub's word for every split


@dataclass(frozen=True, slots=True)
class PublishedPart:
    """A split as it is published; ``units`` are its questions."""

    name: str
    test: Test
    records: int
    units: int
    hidden: bool = False


def published(
    test: Test, hidden: Sequence[str], header: Header, watch: Callable[[], None] = lambda: None
) -> tuple[Test, list[PublishedPart]]:
    """The test as it is published and its parts: of ``hidden`` splits the paper alone."""
    shown = without_keys(test, hidden)
    splits = test.facts.splits
    _require_names(test, [split for split in splits if split is not None], None in splits)
    told = shown.header
    header = msgspec.structs.replace(header, hidden=told.hidden, fields=told.fields)

    def watched(record: Any) -> Any:
        watch()
        return record

    shown = replace(shown.changed(watched), header=header)
    parts = []
    for split in sorted(splits, key=split_order):
        name = UNSPLIT if split is None else split
        part, size = only_splits(shown, (split,)), splits[split]
        parts.append(PublishedPart(name, part, size.records, size.units, hidden=split in hidden))
    return shown, parts


# Answers that SQuAD's shape has no place for, and who gave the levels.


@dataclass(frozen=True, slots=True)
class Unplaced:
    """Published answers that no offset points at: SQuAD's shape has -1, or what the file has."""

    answers: int = 0
    absent: tuple[str, ...] = ()
    """The questions with an answer that is no span of the passage."""
    repeated: tuple[str, ...] = ()
    """The questions with an answer that is in the passage, where is not known."""
    omitted: bool = False
    """Whether ``data/`` and ``squad/`` are without these answers."""
    questions: tuple[str, ...] = ()
    """The questions that have no other answer, and are left out with them."""

    @property
    def lines(self) -> list[str]:
        """How many answers these are, of which questions, and what was done with them."""
        sorts = [
            (self.absent, "answers that are not a span of the passage"),
            (self.repeated, "answers without an offset that are not exactly once in the passage"),
        ]
        done = "left out" if self.omitted else f"kept with answer_start {UNPLACED} or the file's"
        lines = [f"{what}, {done}: {listed_ids(ids)}" for ids, what in sorts if ids]
        if self.questions:
            lines.append(f"left out, they have no other answer: {listed_ids(self.questions)}")
        return lines


def _times(unit: Unit, answer: Answer) -> int:
    """In how many places an answer may be; one with an offset, or an option, has its own."""
    text = unit.record.text
    if unit.item.options or not answer.text:
        return 1
    if answer.start is not None and answer.start >= 0:  # a wrong one is a fault, listed as such
        return int(answer.text in text)
    found = len(places(text, answer.text))
    return found + (found == 1 and answer.start is not None)  # a file that says -1 keeps it


def unplaced(test: Test, *, omit: bool) -> Unplaced:
    """The answers of a comprehension test that have no place in their passages."""
    times = {
        unit.id: [_times(unit, answer) for answer in answers_of(unit)]
        for unit in (test.units() if test.kind.name == "comprehension" else ())
    }
    answers = sum(count != 1 for found in times.values() for count in found)
    emptied = tuple(id for id, found in times.items() if found and 1 not in found)
    return Unplaced(
        answers,
        absent=tuple(id for id, found in times.items() if 0 in found),
        repeated=tuple(id for id, found in times.items() if any(count > 1 for count in found)),
        omitted=omit and answers > 0,
        questions=emptied if omit else (),
    )


def placed_part(part: PublishedPart, found: Unplaced) -> PublishedPart:
    """A part without the answers that have no place, and without questions of no other answer."""
    if not found.omitted:
        return part
    gone, test = frozenset(found.questions), part.test

    def placed(record: Any) -> Any:
        units = (unit for unit in test.kind.units(record) if unit.id not in gone)
        questions = tuple(map(_placed_question, units))
        if questions == record.questions:
            return record
        return msgspec.structs.replace(record, questions=questions, key=_unspelt(record.key))

    ids = {unit.id for unit in test.units()}
    return replace(part, test=test.changed(placed), units=len(ids - gone))


def _placed_question(unit: Unit) -> Any:
    """A question with the answers that have one place."""
    key = unit.key
    if all(_times(unit, answer) == 1 for answer in answers_of(unit)):
        return unit.item
    key = msgspec.structs.replace(
        key,
        answers=tuple(one for one in key.answers if _times(unit, one) == 1),
        published=tuple(
            phrase for phrase in key.published if _times(unit, Answer(text=phrase.text)) == 1
        ),
    )
    return msgspec.structs.replace(unit.item, key=_unspelt(key))


def _unspelt(key: Any) -> Any:
    """A key without how its file spelt answers, which is by their places: these are others now."""
    if key is None or AS_WRITTEN not in key.fields:
        return key
    fields = {name: value for name, value in key.fields.items() if name != AS_WRITTEN}
    return msgspec.structs.replace(key, fields=fields)


@dataclass(frozen=True, slots=True)
class LevelSources:
    """How many published levels rules gave, people gave, and nobody is named for."""

    rules: Mapping[str, int] = field(default_factory=dict)
    """By the version of the rules."""
    people: int = 0
    unsaid: int = 0


def level_sources(test: Test) -> LevelSources:
    """Who gave the levels of a test, as `set levels` and people's labels record it."""
    rules: Counter[str] = Counter()
    people = unsaid = 0
    for unit in test.units():
        level = getattr(unit.key, "level", None)
        if level in (None, ""):
            continue
        by = str(unit.key.fields.get(LEVEL_BY) or "")
        if is_by_rules(by):
            rules[by] += 1
        elif by:
            people += 1
        else:
            unsaid += 1
    return LevelSources(dict(sorted(rules.items())), people, unsaid)


def _require_names(test: Test, names: Sequence[str], unsplit: bool) -> None:
    """Splits become files: their names must be fit for that, and differ in more than case."""
    seen: dict[str, str] = {UNSPLIT: UNSPLIT} if unsplit else {}
    for name in names:
        if not _NAME.fullmatch(name) or name.lower() in _RESERVED:
            raise DataError(
                f"split {name!r} cannot be a file's name: letters, digits, _ and single dots, "
                f"and none of {', '.join(_RESERVED)}",
                file=test.file,
            )
        if name.lower() in seen:
            other = seen[name.lower()]
            what = "the passages without a split" if other == UNSPLIT else f"split {other!r}"
            raise DataError(f"split {name!r} and {what} would be one file", file=test.file)
        seen[name.lower()] = name
