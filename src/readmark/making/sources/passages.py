"""From a source to passages: clean, cut, convert, and record where each passage is.

What a worker process does with a piece of a source; nothing is kept from one piece to the next.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
from rich.console import Console
from rich.text import Text

from readmark.core.display import Result, counted, plain_table
from readmark.core.json_lines import json_line
from readmark.core.language import HAN_SHARE, language_of
from readmark.core.records import Offsets, Passage
from readmark.core.test import Header
from readmark.making.sources.cuts import Count, Cut, Recipe, cut
from readmark.making.sources.shapes import Article, Chunk, NotTaken, articles_in
from readmark.text.cleaning import RULES

KEEP, SIMPLIFIED = "keep", "simplified"
NO_PASSAGE = "no_passage"
"""An article all of which was left out."""
LANGUAGE_SAMPLE = 300
"""Characters from which the language of an article is detected."""
_HAN = re.compile("[\u4e00-\u9fff]+")


@dataclass(frozen=True, slots=True)
class CuttingPlan:
    """What is to be made of articles."""

    recipe: Recipe
    language: str
    script: str = KEEP


@dataclass(slots=True)
class ArticleOutcome:
    """What became of one article: passages as lines of a file, and what was not taken."""

    article: str
    title: str = ""
    file: str = ""
    where: str = ""
    given: bool = True
    """Whether the article's id is the source's own."""
    lines: bytes = b""
    passages: int = 0
    characters: int = 0
    converted: int = 0
    other_language: bool = False
    """Whether the article is Chinese where the plan is for another language, or the reverse."""
    mixed: int = 0
    """Passages that hold traditional characters still."""
    licence: str | None = None
    not_taken: tuple[NotTaken, ...] = ()
    cleaned: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class PieceOutcome:
    """What became of a piece of a source."""

    outcomes: list[ArticleOutcome]
    size: int
    shape: str
    about: dict[str, Any]


def make(plan: CuttingPlan, chunk: Chunk) -> PieceOutcome:
    """The passages of every article of a piece."""
    outcomes = []
    for found in articles_in(chunk):
        if isinstance(found, NotTaken):
            where = found.article, found.title, found.file, found.where
            outcomes.append(ArticleOutcome(*where, not_taken=(found,)))
        else:
            outcomes.append(_passages(plan, found))
    return PieceOutcome(outcomes, chunk.size, chunk.shape, chunk.about)


def _passages(plan: CuttingPlan, article: Article) -> ArticleOutcome:
    other = _is_chinese(article.text[:LANGUAGE_SAMPLE]) != (plan.language == "zh")
    pieces = cut(article.text, plan.recipe, plan.language, counter(plan.recipe, plan.language))
    made: list[Passage] = []
    if isinstance(pieces, str):
        left = [_left(article, pieces, None)]
    else:
        made = [
            _passage(plan, article, passage, index)
            for index, passage in enumerate(pieces.passages, 1)
        ]
        left = [_left(article, reason, cut) for reason, cut in pieces.left]
        if not made:
            left.insert(0, _left(article, NO_PASSAGE, None))
    # What cleaning dropped has no offsets in what is left of the article.
    dropped = (
        _not_taken(article, part.reason, detail=part.heading, length=part.length)
        for part in article.dropped
    )
    return ArticleOutcome(
        article.id,
        article.title,
        article.file,
        article.where,
        article.given,
        lines=b"".join(map(json_line, made)),
        passages=len(made),
        characters=sum(len(passage.text) for passage in made),
        converted=sum("original" in passage.fields for passage in made),
        mixed=sum("traditional" in passage.fields for passage in made),
        licence=article.licence,
        not_taken=(*left, *dropped),
        cleaned=article.cleaned,
        other_language=other,
    )


def _is_chinese(text: str) -> bool:
    """What ``language_of`` says, sooner: there are no more letters than characters."""
    if len(text) - len(_HAN.sub("", text)) > HAN_SHARE * len(text):
        return True
    return language_of([text]) == "zh"


def _passage(plan: CuttingPlan, article: Article, piece: Cut, number: int) -> Passage:
    text, title = article.text[piece.start : piece.end], article.title
    fields: dict[str, Any] = {
        "doc": article.id,
        "start": piece.start,
        "end": piece.end,
        "paragraphs": (piece.first, piece.last),
        "length": piece.length,
    }
    for name in ("revision", "timestamp", "url"):
        if (value := getattr(article, name)) is not None:
            fields[name] = value
    if plan.language == "zh":
        from readmark.text.script_conversion import (
            is_dense,
            script_of,
            to_simplified,
            traditional_in,
            written_in_both,
        )

        fields["script"] = script_of(text) if plan.script == KEEP else SIMPLIFIED
        if plan.script == SIMPLIFIED:
            if (
                found := to_simplified(text, unconverted=_within(article.unconverted, piece))
            ) is not text:
                fields["original"] = text
                text = found
                if (count := counter(plan.recipe, plan.language)) is not None:
                    fields["length"] = count(text)  # words may be others now
            dense = written_in_both(title) and is_dense(article.text)
            if (found := to_simplified(title, dense=dense)) is not title:
                fields["original_title"] = title
                title = found
            if stayed := traditional_in(text):
                fields["traditional"] = stayed
    return Passage(
        id=f"{article.id}-{number}",
        text=text,
        title=title,
        article=article.id,
        fields=fields,
    )


def _within(spans: tuple[Offsets, ...], piece: Cut) -> list[Offsets]:
    """The spans of an article that occur in a piece of it, counted from its beginning."""
    return [
        (max(start, piece.start) - piece.start, min(end, piece.end) - piece.start)
        for start, end in spans
        if start < piece.end and end > piece.start
    ]


def renamed(outcome: ArticleOutcome, article: str) -> ArticleOutcome:
    """The same passages of an article that is to have another id."""
    lines: list[bytes] = []
    for number, encoded in enumerate(outcome.lines.splitlines(), 1):
        row = msgspec.json.decode(encoded)
        row |= {"id": f"{article}-{number}", "article": article}
        row["fields"]["doc"] = article
        lines.append(json_line(row))
    left = tuple(replace(one, article=article) for one in outcome.not_taken)
    return replace(outcome, article=article, lines=b"".join(lines), not_taken=left)


def _not_taken(article: Article, reason: str, **more: Any) -> NotTaken:
    return NotTaken(reason, article.id, article.title, article.file, article.where, **more)


def _left(article: Article, reason: str, piece: Cut | None) -> NotTaken:
    if piece is None:
        length = len(article.text) - article.text.count("\n")
        return _not_taken(article, reason, length=length)
    place = {"length": piece.length, "start": piece.start, "end": piece.end}
    return _not_taken(article, reason, **place)


def counter(recipe: Recipe, language: str) -> Count | None:
    """How texts are counted; None where it is by characters."""
    return None if recipe.unit == "characters" else _word_count(language)


def unit_name(recipe: Recipe, language: str) -> str:
    """What is counted, with what counts it."""
    if recipe.unit == "characters":
        return "characters"
    if language != "zh":
        from readmark.text.words import RULES

        return f"words({RULES})"
    return f"words({_segmenter().signature()},punctuation=not counted)"


@functools.cache
def _word_count(language: str) -> Count:
    """Words; in Chinese a segmenter's, without those that are punctuation."""
    if language == "zh":
        words = _segmenter().words
        return lambda text: sum(any(map(str.isalnum, word)) for word in words(text))
    from readmark.text.words import words as plain_words

    return lambda text: len(plain_words(text, language))


@functools.cache
def _segmenter() -> Any:
    from readmark.text.segmenter import Segmenter

    return Segmenter(hmm=True)


# What was read and what became of it, over all sources.


OTHER_SHARE = 0.05
"""Of articles in another language: a wiki has some, a mistake has more."""
REASONS = {
    "redirect": "a redirect",
    "namespace": "a page that is not an article",
    "not_wikitext": "a page of another content model",
    "disambiguation": "a disambiguation page",
    "empty": "no text",
    "too_short": "shorter than articles are to be",
    "too_long": "longer than articles are to be",
    "too_large": "larger than a wiki lets a page be",
    "no_passage": "too little text for a passage",
    "repeated": "an id that was there before",
    "not_text": "a file that is not text",
    "unclosed": "damaged: the end is missing",
    "outside": "damaged: text between articles",
    "encoding": "damaged: not UTF-8",
    "json": "damaged: not a JSON object",
    "markup": "damaged: wikitext that cannot be parsed",
    "short_rest": "a rest too short for a passage",
    "long_sentence": "a sentence longer than a passage",
    "no_subject": "begins without its subject",
    "heading": "a heading with no passage after it",
    "tail": "references, notes, links and the like",
}
"""Every reason in words."""


@dataclass(slots=True)
class Counts:
    """What was read and what became of it."""

    articles: int = 0
    """Articles and pages that were looked at."""
    used: int = 0
    """Articles that gave passages."""
    passages: int = 0
    characters: int = 0
    converted: int = 0
    """Passages that the script conversion changed."""
    mixed: int = 0
    """Passages that hold traditional characters still."""
    other_language: int = 0
    """Articles in Chinese that were cut as another language, or the reverse."""
    bytes: int = 0
    not_taken: Counter[str] = field(default_factory=Counter)
    """Articles that gave no passage, by reason."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Stretches of articles that are in no passage, by reason."""
    cleaned: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Built(Result):
    """What was written, and from what."""

    output: str
    header: Header
    counts: Counts
    unsound: tuple[NotTaken, ...]
    """The first articles that were damaged."""
    skipped: str | None = None
    """The file that lists what was not taken."""
    chosen: str = ""
    """Which lengths were chosen for what is there, and why; empty where the recipe's were."""

    def as_json(self) -> dict[str, object]:
        header = self.header
        numbers = ("articles", "used", "passages", "characters", "converted", "mixed")
        return {
            "output": self.output,
            **{name: getattr(header, name) for name in ("name", "language", "licence")},
            **{name: header.fields[name] for name in ("recipe", "script")},
            **{name: getattr(self.counts, name) for name in numbers},
            **{
                name: dict(getattr(self.counts, name))
                for name in ("not_taken", "left_out", "cleaned")
            },
        }

    def show(self, console: Console) -> None:
        counts = self.counts
        passages = counted(counts.passages, "passage")
        used = f"{counts.used:,} of {counted(counts.articles, 'article')}"
        line = f": {passages}, {counted(counts.characters, 'character')}, from {used}"
        console.print(Text.assemble((self.output, "bold"), line))
        for what, number in (
            ("converted to simplified characters", counts.converted),
            ("with traditional characters that stay", counts.mixed),
        ):
            if number:
                console.print(f"{what}: {counted(number, 'passage')}")
        for title, by_name, words in (
            ("not taken", counts.not_taken, REASONS),
            ("left out of articles", counts.left_out, REASONS),
            ("cleaned", counts.cleaned, RULES),
        ):
            if not by_name:
                continue
            table = plain_table(title, "count", "what it is")
            table.columns[-1].justify = "left"
            for name, count in sorted(by_name.items(), key=lambda item: (-item[1], item[0])):
                table.add_row(name, f"{count:,}", words.get(name, ""))
            console.print(table)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know: damage, another language, no rules, no licence."""
        notes = [self.chosen] if self.chosen else []
        notes += [f"damaged, and passed over: {article}" for article in self.unsound]
        counts, language = self.counts, self.header.language
        if counts.other_language > OTHER_SHARE * counts.articles:
            other = "not Chinese" if language == "zh" else "Chinese"
            share = f"{counts.other_language:,} of {counts.articles:,} articles"
            notes.append(
                f"{share} are {other} and were cut as {language}: separate them (--language)"
            )
        if language not in ("en", "zh"):
            notes.append(f"there are no sentence rules for {language!r}: it was cut as English is")
        if self.header.licence is None:
            notes.append("the header names no licence: give --licence (Wikipedia's is CC BY-SA)")
        if self.skipped is not None:
            notes.append(f"{self.skipped}: everything that was not taken, with its reason")
        return tuple(notes)
