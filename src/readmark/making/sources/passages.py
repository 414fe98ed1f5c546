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

from readmark.core.json_lines import json_line
from readmark.core.language import HAN_SHARE, language_of
from readmark.core.records import Offsets, Passage
from readmark.making.sources.articles import Article, Chunk, NotTaken
from readmark.making.sources.cuts import Count, Cut, cut
from readmark.making.sources.recipes import Recipe
from readmark.making.sources.shapes import articles_in

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
