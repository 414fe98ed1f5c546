"""The article that a target takes in running text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from readmark.series.guided.parses import ParsedText, QuestionToken
from readmark.series.guided.word_forms import singular
from readmark.series.guided.word_tables import listed

_THE = re.compile(r"\b[Tt]h(?:e|is) ([a-z]+)\b")
ROMAN = re.compile(r"[IVXLCDM]+|\d+")
YEAR = re.compile(r"1\d{3}|20\d{2}")


def article_of(
    plain: str,
    alias: str,
    content: Sequence[QuestionToken],
    kind: str,
    head: str,
    plural: bool,
    sentence: bool,
    company: bool,
    series: Sequence[ParsedText],
) -> str:
    """What the series says before the whole target; else what such names take."""
    if not content or sentence or re.match(r"(?:the|an?)\s", plain, re.IGNORECASE):
        return ""
    if plain[0] in "\"'“‘`":  # a title: as the series has it
        seen = _seen(plain, series)
        return max(set(seen), key=lambda one: (seen.count(one), one)) if seen else ""
    if re.match(r"[A-Z]\w*['’]s\s", plain):  # Halley's Comet
        return ""
    seen = _seen(plain, series)
    if not seen and alias:
        seen = _seen(alias, series)
        seen = seen if any(seen) or not alias.isupper() else []  # WWF tells nothing
    if seen:
        return max(set(seen), key=lambda one: (seen.count(one), one))
    if kind == "person":
        return "the" if plural and not is_joined(plain) else ""
    if plain.lower() == plain:
        return "the" if re.search(r"\s(?:of|in)\s", plain) and not plural else ""
    last, first = content[-1], content[0]
    if kind == "thing" and is_joined(plain) and all(token.is_capital for token in content):
        return ""  # a title
    if re.search(r"\w\sof\s", plain):
        return "the"
    year = YEAR.fullmatch(last.text) is not None and kind == "event"
    if year and head in listed("articles", "heads"):
        return "the"  # the Song Contest 2009
    if ROMAN.fullmatch(last.text) or first.base in ("mount", "lake", "hurricane"):
        return ""
    if any(after_the(last.text).search(question.text) for question in series):
        return "the"
    called = nouns_called(series)
    if kind == "thing" and called & listed("articles", "called"):
        return "the"
    if kind == "place" and (called & listed("articles", "waters") or head == "house"):
        return "the"
    if head in listed("articles", "bare") or company:
        return ""
    the = head in listed("articles", "heads") or singular(head) in listed("articles", "heads")
    if the or kind == "event":
        return "the"
    if not last.is_capital and not plural:  # Cassini space probe
        return "the"
    return "the" if plural and kind in ("organisation", "thing") and last.is_capital else ""


def nouns_called(series: Iterable[ParsedText]) -> set[str]:
    """The nouns that the questions speak of with the: the ship, the painting."""
    return {match[1] for asked in series for match in _THE.finditer(asked.text)}


def is_joined(plain: str) -> bool:
    return " and " in plain or " & " in plain


def after_the(last: str) -> re.Pattern[str]:
    """The end of a name after the: the Big Dig."""
    return re.compile(rf"\b[Tt]he (?:[A-Z]\w+ )?{re.escape(last)}\b(?! [A-Z])(?!['’]s [a-z]+ \w)")


def _seen(plain: str, series: Iterable[ParsedText]) -> list[str]:
    """The word before each whole mention that heads its own phrase."""
    found: list[str] = []
    pattern = re.compile(rf"(?<!\w){re.escape(plain)}(?!\w)", re.IGNORECASE)
    for asked in series:
        for match in pattern.finditer(asked.text):
            after = asked.word_at(match.end() + 1)
            if asked.text[match.end() : match.end() + 1] == " " and after is not None:
                word = asked.words[after]
                if word.is_noun or word.tag in ("CD", "JJ"):
                    continue
            before = asked.text[: match.start()].rstrip(" \"'“‘").split()[-1:] or [""]
            text = before[0].lower()
            at = asked.word_at(max(0, match.start() - 2)) if match.start() else None
            if at is not None and asked.words[at].tag[:2] in ("JJ", "NN", "CD"):
                continue
            if text in ("the", "a", "an"):
                found.append(text)
            elif text not in ("first", "this", "that"):
                found.append("")
    return found
