"""The checks by name: what each is for, its thresholds, and the languages that it fits."""

from __future__ import annotations

import functools
import gzip
import math
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeGuard

import msgspec

from readmark.core import numbers
from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.extras import MissingExtra
from readmark.core.files import read_toml
from readmark.core.language import primary
from readmark.making.screening.passages import (
    CheckFinding,
    ScreenedText,
    at_most,
    classical_style,
    term_segmenter,
)
from readmark.making.screening.passages import topic as topic_of

# Checks that look at characters alone: other scripts, symbols, holes, classical style, length.


LEFTOVERS = ("formula_", "codice_", "</", "<br", "<ref", "&lt;", "&nbsp;", "{{", "}}", "[[", "]]")
"""What extractors leave of markup: placeholders of formulas and code, tags, templates, links.
Each has a symbol or & in it."""


def non_chinese(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """Letters of other scripts and digits, as a share of all characters but white space."""
    characters = reading.characters
    return at_most(
        _share(characters.latin + characters.other + characters.digits, characters.size),
        settings["most"],
    )


def non_latin(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """The same of an English text: letters that are not Latin, and digits."""
    characters = reading.characters
    return at_most(
        _share(characters.han + characters.other + characters.digits, characters.size),
        settings["most"],
    )


def symbols(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """Signs other than punctuation, and leftovers of markup, as a share of the characters."""
    characters, text = reading.characters, reading.text
    if not characters.symbols and "&" not in text:
        return at_most(0.0, settings["most"])
    left = {mark: count for mark in LEFTOVERS if (count := text.count(mark))}
    signs = characters.symbols + settings["leftover"] * sum(left.values())
    note = ", ".join(f"{mark} {count}" for mark, count in left.items()) or None
    return at_most(min(1.0, _share(signs, characters.size)), settings["most"], note)


_EMPTY = r"《\s*》|「\s*」|『\s*』|“\s*”|〈\s*〉|【\s*】"
_PLACEHOLDER = r"(?<![A-Za-z])(?:formula|codice)_\d+"
_HOLES = re.compile(
    rf"{_EMPTY}|[、，；](?=\s?[、，；。])|(?:还有|還有|包括|包含|分别是|分別是|例如|：)、|(?<=有)、(?=等)|{_PLACEHOLDER}"
)
_ENGLISH_HOLES = re.compile(
    rf'(?<=\s)""(?=[\s,.;:)])|\(\s*[,;]|\( (?:or|to|and)\b|(?<=\w) ,|,\s,|{_PLACEHOLDER}'
)
_SHOWN_HOLES = 3
_SENTENCE_END, _ENGLISH_END = re.compile(r"[。！？\n]"), re.compile(r"[.!?][\"')\]]*\s|\n")
# Whether there may be any: an expression that begins with one character is tried only where that
# occurs, which is many times as fast as the whole.
_HOLE_SIGNS = {
    **{one[0]: re.compile(one) for one in _EMPTY.split("|")},
    "，": re.compile(r"，\s?[、，；。]"),
    "；": re.compile(r"；\s?[、，；。]"),
    "、": re.compile(r"、(?:\s?[、，；。等]|(?<=[有括含是如：]、))"),
    "_": re.compile("_"),
}
_ENGLISH_HOLE_SIGNS = {
    '"': re.compile('""'),
    "(": re.compile(r"\((?:\s*[,;]| [ota])"),
    ",": re.compile(r",(?:(?<= ,)|\s,)"),
    "_": re.compile("_"),
}


def holes(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """Sentences of which an extractor left something out: 《》, 还有、、等, formula_1."""
    return _holes(_HOLE_SIGNS, _HOLES, _SENTENCE_END, reading.text, settings)


def english_holes(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """The same of an English text."""
    return _holes(_ENGLISH_HOLE_SIGNS, _ENGLISH_HOLES, _ENGLISH_END, reading.text, settings)


def _holes(
    may_hold: Mapping[str, re.Pattern[str]],
    pattern: re.Pattern[str],
    end: re.Pattern[str],
    text: str,
    settings: Mapping[str, float],
) -> CheckFinding:
    """Holes of one sentence count once: a list of which five items are gone is one of them."""
    if not any(first in text and one.search(text) for first, one in may_hold.items()):
        return at_most(0, settings["most"])
    found: list[str] = []
    broken = last = 0
    for match in pattern.finditer(text):
        broken += not found or end.search(text, last, match.start()) is not None
        found.append(match[0].strip())
        last = match.start()
    note = " ".join(dict.fromkeys(found[:_SHOWN_HOLES])) or None
    return at_most(broken, settings["most"], note)


UNSETTLED = 1.0, 6.0
"""Scores of particles, clauses and verse between which words are looked at."""
SINGLE_WEIGHT, MODERN_SINGLE = 8.0, 0.39
"""What a share of one-character words above that of most modern prose counts for."""


def classical(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """Classical Chinese: particles, short clauses and verse against the words of modern prose.

    Where these do not settle it, the share of words of one character does.
    """
    style = classical_style(reading.text, reading.characters)
    parts = {"particles": style.particles, "clauses": style.clauses, "verse": style.verse}
    if UNSETTLED[0] < style.score < UNSETTLED[1]:
        parts["words"] = SINGLE_WEIGHT * (_single_words(reading.words) - MODERN_SINGLE)
    finding = at_most(sum(parts.values()), settings["most"])
    if finding.verdict == "keep":
        return finding
    note = ", ".join(
        f"{name} {numbers.decimal(value, 1)}" for name, value in parts.items() if value
    )
    return msgspec.structs.replace(finding, note=note)


def _single_words(words: Mapping[str, int]) -> float:
    """The share of a text's Han characters that are words of their own."""
    han = {word: count for word, count in words.items() if _HAN_ONLY.fullmatch(word)}
    size = sum(len(word) * count for word, count in han.items())
    return sum(count for word, count in han.items() if len(word) == 1) / size if size else 0.0


def length(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """Characters, white space not counted: neither too few nor too many."""
    size, least, most = reading.characters.size, settings["least"], settings["most"]
    return CheckFinding(
        value=size,
        threshold=[least, most],
        verdict="keep" if least <= size <= most else "discard",
        note="too short" if size < least else "too long" if size > most else None,
    )


def _share(part: float, whole: int) -> float:
    return part / whole if whole else 0.0


# A check that looks at lines: lists and tables of which an extractor left the fragments, verse.


_SENTENCE = re.compile(r"[。！？；]|[.!?:：…][\"'”’」』）)]*$|[a-z][.!?] ")
"""What a line of running text has: a sentence's end anywhere in it (many paragraphs lack the last
one). A colon may announce a list, and is no part of one."""


def list_like(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """The share of the text in lines that hold no sentence, or are too short for prose.

    An empty text is all of it: there is nothing to ask about.
    """
    whole = fragments = 0
    for line in reading.text.split("\n"):
        bare = line.strip()
        whole += len(bare)
        # Most lines have a full stop, which is found faster than by the expression.
        sentence = "。" in bare or _SENTENCE.search(bare) is not None
        if len(bare) < settings["short"] or not sentence:
            fragments += len(bare)
    return at_most(fragments / whole if whole else 1.0, settings["most"])


# Words that most readers seldom meet, by the frequency lists of ``wordfreq``.


RARE = {"zh": 2.3, "en": 3.0}
"""Zipf values (log10 of the uses in a billion words) below which a word is rare. Chinese lists
lack many plain compounds, so the bound is lower there."""
LEAST_WORDS = 40
"""A text of fewer different words counts as one of that many."""
_NOUNS = ("n", "vn", "b")
_HAN_WORD = re.compile("[\u4e00-\u9fff]{2,}")
_HAN_ONLY = re.compile("[\u4e00-\u9fff]+")
_ENGLISH = re.compile(r"(?<![\w'’-])[a-z]{4,}(?![\w-])")
_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Rare:
    """The share of rare words among the different words of a text, and the first of them."""

    share: float
    examples: tuple[str, ...]


def rare_chinese(words: Iterable[str]) -> Rare:
    """Rare words among the different words of a text, which are in simplified characters."""
    kinds = _chinese()
    known = 0
    rare: list[str] = []
    for word in words:
        kind = kinds[word]
        if kind == _RARE:
            rare.append(word)
        else:
            known += kind
    return _rare(rare, known)


def rare_english(text: str) -> Rare:
    """Rare words of an English text, among its words of four small letters or more."""
    words = dict.fromkeys(_ENGLISH.findall(text))
    frequent = _frequent("en")
    rare = [word for word in words if word not in frequent]
    return _rare(rare, len(words) - len(rare))


def _rare(rare: list[str], known: int) -> Rare:
    return Rare(len(rare) / max(len(rare) + known, LEAST_WORDS), tuple(rare[:_SHOWN]))


_NONE, _KNOWN, _RARE = range(3)


class _Kinds(dict[str, int]):
    """What each word is, found out once: no word, a known one, a rare one."""

    def __init__(self) -> None:
        super().__init__()
        self._frequent = _frequent("zh")
        self._tagged = term_segmenter().tagged

    def __missing__(self, word: str) -> int:
        if not _HAN_WORD.fullmatch(word):
            if len(word) == 1:
                self[word] = _NONE
            return _NONE  # numbers and foreign words never run out: they are not stored
        rare = word not in self._frequent and self._tagged(word)[0][2] in _NOUNS
        self[word] = _RARE if rare else _KNOWN
        return self[word]


@functools.cache
def _chinese() -> _Kinds:
    return _Kinds()


@functools.cache
def _frequent(language: str) -> frozenset[str]:
    """The words that are not rare."""
    frequent: set[str] = set()
    words = msgspec.msgpack.Decoder(list[str]).decode
    # A list for each share of all words, from 1 down, by hundredths of its logarithm. Only those
    # that matter are decoded: three words of four are rare.
    for index, of in enumerate(_shares(language)):
        if -index / 100 < RARE[language] - 9:
            break
        frequent.update(words(of))
    return frozenset(frequent)


def _shares(language: str) -> list[msgspec.Raw]:
    """wordfreq's large list, without its tokenizer: importing that takes longer than the list.

    The format is the one that ``wordfreq.read_cBpack`` describes.
    """
    spec = find_spec("wordfreq")
    folders = (spec.submodule_search_locations or ()) if spec is not None else ()
    for folder in folders:
        file = Path(folder) / "data" / f"large_{language}.msgpack.gz"
        if file.is_file():
            packed = gzip.decompress(file.read_bytes())
            return msgspec.msgpack.decode(packed, type=list[msgspec.Raw])[1:]  # after a header
    raise MissingExtra("wordfreq", "make")


# Checks that look at words: rare ones, and those of the sciences.


LEAST_TERMS, LETTERS_A_TERM, FEW_TERMS = 2, 40, 1.5
"""Different terms that a short text needs, the letters to each, and how much higher their share."""


def terms(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """Rare words of a Chinese text, names apart."""
    return _terms(rare_chinese(reading.words), settings)


def english_terms(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """Rare words of an English text, names apart."""
    return _terms(rare_english(reading.text), settings)


def topic(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """Words of the sciences and of technology, as a share of the letters of the text.

    A short text has few different ones, so fewer do, if their share is higher.
    """
    science_topic = topic_of(reading.words)
    letters = reading.characters.han + reading.characters.latin
    share = science_topic.weight / letters if letters else 0.0
    note = (
        f"{science_topic.field}: {' '.join(science_topic.examples)}"
        if science_topic.field
        else None
    )
    most = settings["most"]
    if science_topic.words < settings["words"]:
        most *= FEW_TERMS
        if science_topic.words < max(LEAST_TERMS, letters // LETTERS_A_TERM):
            # Little more than its subject's name; what was measured is still reported.
            return CheckFinding(value=round(share, 4), threshold=most, verdict="keep", note=note)
    return at_most(share, most, note)


def _terms(found: Rare, settings: Mapping[str, float]) -> CheckFinding:
    return at_most(found.share, settings["most"], " ".join(found.examples) or None)


Measure = Callable[[ScreenedText, Mapping[str, float]], CheckFinding]


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a threshold may be, in words and as a test."""

    expected: str
    allows: Callable[[float], bool]


SHARE = Bounds("a share, 0 to 1", lambda value: 0 <= value <= 1)
COUNT = Bounds("a whole number from 0", lambda value: value == int(value) >= 0)
AMOUNT = Bounds("0 or more", lambda value: value >= 0)
SCORE = Bounds("a number", lambda value: True)
RESEMBLANCE = Bounds("more than 0, at most 1", lambda value: 0 < value <= 1)
SIZE = Bounds("a whole number from 1", lambda value: value == int(value) >= 1)
NEAR_DUPLICATES = "near_duplicates"


@dataclass(frozen=True, slots=True)
class Check:
    """One check; ``measures`` has its function for each language."""

    name: str
    thresholds: Mapping[str, Bounds]
    measures: Mapping[str, Measure]
    characters_only: bool = True


def _not_alone(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """Near-duplicates are found among passages, after the other checks."""
    return CheckFinding(value=None, threshold=settings["resemblance"], verdict="keep")


def _both(measure: Measure) -> dict[str, Measure]:
    return {"zh": measure, "en": measure}


CHECKS = {
    check.name: check
    for check in (
        Check("non_chinese", {"most": SHARE}, {"zh": non_chinese}),
        Check("non_latin", {"most": SHARE}, {"en": non_latin}),
        Check("symbols", {"most": SHARE, "leftover": AMOUNT}, _both(symbols)),
        Check(
            "holes",
            {"most": COUNT},
            {"zh": holes, "en": english_holes},
        ),
        Check("list_like", {"most": SHARE, "short": COUNT}, _both(list_like)),
        Check(
            "terms",
            {"most": SHARE},
            {"zh": terms, "en": english_terms},
            characters_only=False,
        ),
        Check(
            "topic",
            {"most": SHARE, "words": COUNT},
            {"zh": topic},
            characters_only=False,
        ),
        Check("classical", {"most": SCORE}, {"zh": classical}),
        Check("length", {"least": COUNT, "most": COUNT}, _both(length)),
        Check(NEAR_DUPLICATES, {"resemblance": RESEMBLANCE, "shingle": SIZE}, _both(_not_alone)),
    )
}
LANGUAGES = ("zh", "en")


# Which checks are on and by what thresholds: the file that ships, and a user's over it.


Settings = Mapping[str, Mapping[str, float]]
"""The checks of a language that are on, each with its thresholds."""


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of each language, and the document whose checks they are, if it is one's."""

    languages: Mapping[str, Settings]
    document: str | None = None

    def of(self, language: str, *, file: str, where: object = None) -> Settings:
        """A language's checks; one that has none is an error of usage."""
        found = self.languages.get(primary(language))
        if found is None:
            place = f"{file}:{where}" if where is not None else file
            known = ", ".join(self.languages)
            raise UsageError(f"{place}: no checks for language {language!r}; known: {known}")
        return found


def default_config() -> str:
    """The file that ships."""
    folder = files("readmark.making.screening")
    return folder.joinpath("data", "screening.toml").read_text("utf-8")


PROFILES = {
    "cmrc": ("non_chinese", "terms", "topic", "symbols", "classical"),
    "smart": ("non_chinese", "topic"),
}
"""The checks that a document asks for, which are all that its profile applies. CMRC 2018 discards
passages with over 30% non-Chinese characters, many professional terms, many symbols, and classical
Chinese; SMART leaves out articles with many non-Chinese characters and specialised subjects."""


BASE = "profile"
"""The key by which a user's file names the document whose checks it changes."""


def is_file(profile: str | Path | None) -> TypeGuard[str | Path]:
    """Whether a profile is a file that changes one."""
    return profile is not None and str(profile).endswith(".toml")


def load_config(profile: str | Path | None = None) -> Config:
    """The built-in checks, those of a document, or either with what a user's TOML file changes."""
    if not is_file(profile):
        if profile is not None and profile not in PROFILES:
            hint = did_you_mean(str(profile), PROFILES)
            raise UsageError(f"no profile {profile!r}, and no .toml file; {hint}")
        document, changes = profile, {}
    else:
        changes = read_toml(profile)
        document = changes.pop(BASE, None)
        if document is not None and str(document) not in PROFILES:
            hint = did_you_mean(str(document), PROFILES)
            raise DataError(f"no profile {document!r}; {hint}", file=profile, where=BASE)
    tables = tomllib.loads(default_config())
    if document is not None:
        document = str(document)
        tables = {"zh": tables["zh"]}  # both documents are about Chinese
        for name, settings in tables["zh"].items():
            settings["on"] = name in PROFILES[document]
    file = str(profile)
    for language, checks in changes.items():
        _known(language, tuple(tables), "language", file)
        fitting = [name for name, check in CHECKS.items() if language in check.measures]
        for name, settings in _table(checks, language, file).items():
            _known(name, fitting, f"check for {language}", file)
            where, bounds = f"{language}.{name}", CHECKS[name].thresholds
            for key, value in _table(settings, where, file).items():
                _known(key, ("on", *bounds), f"threshold of {where}", file)
                _sound(value, bounds.get(key), f"{where}.{key}", file)
                tables[language][name][key] = value
            _in_order(tables[language][name], where, file)
    languages = {language: _on(checks) for language, checks in tables.items()}
    return Config(languages, document)


def _on(checks: Mapping[str, Mapping[str, Any]]) -> Settings:
    return {
        name: {key: value for key, value in settings.items() if key != "on"}
        for name, settings in checks.items()
        if settings["on"]
    }


def _table(value: object, name: str, path: str | Path) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise DataError(f"{name} is not a table; expected [LANGUAGE.CHECK] tables", file=path)
    return value


def _known(name: str, known: tuple[str, ...] | list[str], what: str, path: str | Path) -> None:
    if name not in known:
        raise DataError(f"no {what} named {name!r}; {did_you_mean(name, known)}", file=path)


def _sound(value: object, bounds: Bounds | None, where: str, path: str | Path) -> None:
    if bounds is None:  # whether the check is on
        if not isinstance(value, bool):
            raise DataError(f"{where} is {value!r}, expected true or false", file=path)
        return
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not math.isfinite(value):  # type: ignore[arg-type]
        raise DataError(f"{where} is {value!r}, expected a number", file=path)
    if not bounds.allows(value):  # type: ignore[arg-type]
        raise DataError(f"{where} is {value!r}, expected {bounds.expected}", file=path)


def _in_order(settings: Mapping[str, Any], where: str, path: str | Path) -> None:
    """A least above the most would discard everything; either may be the default's."""
    if "least" in settings and settings["least"] > settings["most"]:
        least, most = settings["least"], settings["most"]
        raise DataError(f"{where}.least is {least}, above its most, {most}", file=path)
