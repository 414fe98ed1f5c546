"""Passages of raw encyclopaedia text, of the lengths that reading tests have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_TITLE = re.compile(r'<doc [^>]*title="([^"]*)"')
_HOLLOW = re.compile(
    r"[（(][\s,，、;；:：]*[)）]|(?<=[（(])[\s,，、;；:：]+|[\s,，、;；:：]+(?=[)）])"
)
_SENTENCE = {
    "zh": re.compile(r"[^。！？]+[。！？][」』”’）]*"),
    "en": re.compile(r"\S.*?[.!?][\"')\]]*(?=\s+[\"'(]*[A-Z0-9]|\s*$)"),
}
_ABBREVIATED = re.compile(r"(?:\b(?:[A-Z]|Mr|Mrs|Ms|Dr|St|Jr|Sr|vs|No|c|ca|etc|e\.g|i\.e|U\.S))\.$")


@dataclass(frozen=True, slots=True)
class Cut:
    """How long passages are in a language, and how many an article gives at most."""

    least: int
    most: int
    sentence: int
    joint: str
    an_article: int = 14


CUTS = {"zh": Cut(160, 460, 8, ""), "en": Cut(450, 1000, 30, " ", an_article=40)}


def articles(lines: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Titles and paragraphs of articles as wikiextractor leaves them."""
    title, paragraphs = "", list[str]()
    for line in lines:
        if line.startswith("<doc "):
            found = _TITLE.match(line)
            title, paragraphs = found[1] if found else "", []
        elif line.startswith("</doc"):
            yield title, paragraphs
        elif line.strip():
            paragraphs.append(_HOLLOW.sub("", line.strip()))


def sentences(text: str, language: str) -> list[str]:
    """A paragraph's whole sentences; a rough cut is enough for what is thrown away again."""
    found: list[str] = []
    for one in _SENTENCE[language].findall(text):
        if found and language == "en" and _ABBREVIATED.search(found[-1]):
            found[-1] += " " + one
        else:
            found.append(one.strip())
    return found


def passages(paragraphs: Iterable[str], language: str) -> Iterator[list[str]]:
    """Runs of sentences, each as long as a test's passage; short paragraphs are put together."""
    cut = CUTS[language]
    run: list[str] = []
    length = given = 0
    for paragraph in paragraphs:
        for one in sentences(paragraph, language):
            if not cut.sentence <= len(one) <= cut.most // 2:
                continue
            if length + len(one) > cut.most:
                if length >= cut.least:
                    yield run
                    given += 1
                if given >= cut.an_article:
                    return
                run, length = [], 0
            run.append(one)
            length += len(one) + len(cut.joint)
        # A paragraph that is long enough stands alone more often than not.
        if length >= cut.least * 1.6:
            yield run
            run, length, given = [], 0, given + 1
            if given >= cut.an_article:
                return
    if length >= cut.least:
        yield run
