"""Passages that clozes are made of, and the tests that they become."""

from __future__ import annotations

import lzma
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from readmark.core.errors import DataError, UsageError
from readmark.core.records import Answer, Passage, Question, QuestionKey

# What clozes are made of and into.


KEPT = 0.15
"""How often a blank is asked for although its answer is only in its own sentence: such
questions are soon learnt, since the sentence is still there."""


@dataclass(frozen=True, slots=True)
class Article:
    """A passage of an article: its title and the passage's sentences."""

    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cloze:
    """A question made of a sentence, and the text that contains its answer."""

    text: str
    question: str
    answer: str
    start: int


@dataclass(frozen=True, slots=True)
class Blank:
    """A stretch of a sentence that can be asked for, and how it is asked for."""

    start: int
    end: int
    asked: str
    """What replaces it in the question."""
    kind: str


def context(
    article: Article, index: int, blank: Blank, *, keep: bool, joint: str
) -> tuple[str, int] | None:
    """The passage with or without the asked sentence, and where the answer is in it."""
    answer = article.sentences[index][blank.start : blank.end]
    if keep:
        before = sum(len(sentence) + len(joint) for sentence in article.sentences[:index])
        return joint.join(article.sentences), before + blank.start
    text = joint.join(article.sentences[:index] + article.sentences[index + 1 :])
    found = text.find(answer)
    # Where it recurs more than twice nobody could tell which place is meant.
    if found < 0 or text.count(answer) > 2:
        return None
    return text, found


def chosen(draw: Random, blanks: list[Blank], count: int) -> list[Blank]:
    """A few blanks of a sentence, of different kinds as far as there are."""
    draw.shuffle(blanks)
    taken: list[Blank] = []
    for fresh in (True, False):
        for blank in blanks:
            if len(taken) < count and blank not in taken:
                kinds = {other.kind for other in taken}
                if (blank.kind not in kinds) is fresh:
                    taken.append(blank)
    return taken


def word_set(words: str) -> frozenset[str]:
    """Words that are written with blanks between them."""
    return frozenset(words.split())


def read_articles(path: Path) -> list[Article]:
    """Passages of a file of lines: a title and its sentences, with tabs between."""
    try:
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            rows = [line.rstrip("\n").split("\t") for line in lines]
    except (OSError, EOFError, lzma.LZMAError, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read as passages: {error}") from error
    found = [Article(row[0], tuple(row[1:])) for row in rows if len(row) > 2]
    if not found:
        expected = "lines of a title and two sentences or more, tabs between them"
        raise DataError(f"{path} has no passages, expected {expected}")
    return found


def clozes_of(article: Article, language: str, draw: Random, count: int) -> Iterator[Cloze]:
    """Clozes of a passage in its language."""
    if language == "zh":
        from training.span.clozes import chinese

        return chinese.clozes(article, draw, count)
    if language == "en":
        from training.span.clozes import english

        return english.clozes(article, draw, count)
    raise UsageError(f"clozes are made in English and Chinese, not in {language!r}")


# Passages of raw encyclopaedia text, of the lengths that reading tests have.


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
        for sentence in sentences(paragraph, language):
            if not cut.sentence <= len(sentence) <= cut.most // 2:
                continue
            if length + len(sentence) > cut.most:
                if length >= cut.least:
                    yield run
                    given += 1
                if given >= cut.an_article:
                    return
                run, length = [], 0
            run.append(sentence)
            length += len(sentence) + len(cut.joint)
        # A paragraph that is long enough stands alone more often than not.
        if length >= cut.least * 1.6:
            yield run
            run, length, given = [], 0, given + 1
            if given >= cut.an_article:
                return
    if length >= cut.least:
        yield run


# Questions that were made, as the passages of an ordinary test.


def records(clozes: Iterable[Cloze], before: int = 0) -> Iterator[Passage]:
    """A passage for each text with all its questions; ``before`` were made already."""
    texts: dict[str, list[Cloze]] = {}
    for cloze in clozes:
        texts.setdefault(cloze.text, []).append(cloze)
    for at, (text, own) in enumerate(texts.items(), before):
        yield Passage(
            id=f"p{at}",
            text=text,
            questions=tuple(
                Question(
                    id=f"q{at}-{number}",
                    text=one.question,
                    key=QuestionKey(answers=(Answer(text=one.answer, start=one.start),)),
                )
                for number, one in enumerate(own)
            ),
        )
