"""The article that a target takes in running text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from readmark.models.rewriting.nouns import singular
from readmark.models.rewriting.parsing import Parsed, Token
from readmark.models.rewriting.tables import listed

ROMAN = re.compile(r"[IVXLCDM]+|\d+")


def article_of(
    plain: str,
    alias: str,
    content: Sequence[Token],
    kind: str,
    head: str,
    plural: bool,
    sentence: bool,
    company: bool,
    series: Sequence[Parsed],
) -> str:
    """What the series says before the whole target; else what such names take."""
    if not content or sentence or re.match(r"(?:the|an?)\s", plain, re.IGNORECASE):
        return ""
    if plain[0] in "\"'“‘`":  # a title: as the series has it
        seen = _seen(plain, series)
        return max(set(seen), key=lambda one: (seen.count(one), one)) if seen else ""
    if re.match(r"[A-Z]\w*['’]s\s", plain):  # Halley's Comet
        return ""
    seen = _seen(plain, series) or (_seen(alias, series) if alias else [])
    if seen:
        return max(set(seen), key=lambda one: (seen.count(one), one))
    if kind == "person":
        return "the" if plural else ""
    if plain.lower() == plain:
        return "the" if re.search(r"\s(?:of|in)\s", plain) and not plural else ""
    last, first = content[-1], content[0]
    if re.search(r"\w\sof\s", plain):
        return "the"
    if ROMAN.fullmatch(last.text) or first.base in ("mount", "lake", "hurricane"):
        return ""
    if any(after_the(last.text).search(one.text) for one in series):
        return "the"
    if head in listed("articles", "bare") or company:
        return ""
    the = head in listed("articles", "heads") or singular(head) in listed("articles", "heads")
    if the or kind == "event":
        return "the"
    if not last.is_capital and not plural:  # Cassini space probe
        return "the"
    return "the" if plural and kind in ("organisation", "thing") and last.is_capital else ""


def after_the(last: str) -> re.Pattern[str]:
    """The end of a name after the: the Big Dig."""
    return re.compile(rf"\b[Tt]he (?:[A-Z]\w+ )?{re.escape(last)}\b(?! [A-Z])(?!['’]s [a-z]+ \w)")


def _seen(plain: str, series: Iterable[Parsed]) -> list[str]:
    """The word before each whole mention that heads its own phrase."""
    found: list[str] = []
    whole = re.compile(rf"(?<!\w){re.escape(plain)}(?!\w)", re.IGNORECASE)
    for asked in series:
        for one in whole.finditer(asked.text):
            after = asked.at(one.end() + 1)
            if asked.text[one.end() : one.end() + 1] == " " and after is not None:
                word = asked.words[after]
                if word.is_noun or word.tag in ("CD", "JJ"):
                    continue
            before = asked.text[: one.start()].rstrip(" \"'“‘").split()[-1:] or [""]
            said = before[0].lower()
            at = asked.at(max(0, one.start() - 2)) if one.start() else None
            if at is not None and asked.words[at].tag[:2] in ("JJ", "NN", "CD"):
                continue
            if said in ("the", "a", "an"):
                found.append(said)
            elif said not in ("first", "this", "that"):
                found.append("")
    return found
