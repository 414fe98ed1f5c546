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
"""Chinese passages stay in their script, or become simplified."""
NO_PASSAGE = "no_passage"
"""Why an article is listed that was read whole and left out in parts, all of them."""
LANGUAGE_SAMPLE = 300
"""Characters at an article's beginning that its language is detected from."""
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
    has_own_id: bool = True
    """Whether the article's id is the source's."""
    lines: bytes = b""
    passages: int = 0
    characters: int = 0
    converted: int = 0
    other_language: bool = False
    """Whether the article is Chinese where the plan is for another language, or the reverse."""
    mixed: int = 0
    """Passages in which traditional characters remain after conversion."""
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
    for article in articles_in(chunk):
        if isinstance(article, NotTaken):
            place = article.article, article.title, article.file, article.where
            outcomes.append(ArticleOutcome(*place, not_taken=(article,)))
        else:
            outcomes.append(_outcome(plan, article))
    return PieceOutcome(outcomes, chunk.size, chunk.shape, chunk.about)


def _outcome(plan: CuttingPlan, article: Article) -> ArticleOutcome:
    """The passages of an article, and what of it is not in any."""
    pieces = cut(article.text, plan.recipe, plan.language, counter(plan.recipe, plan.language))
    passages: list[Passage] = []
    if isinstance(pieces, str):
        omitted = [_not_taken_whole(article, pieces)]
    else:
        passages = [
            _passage(plan, article, piece, number)
            for number, piece in enumerate(pieces.passages, 1)
        ]
        omitted = [
            _not_taken(article, reason, length=piece.length, start=piece.start, end=piece.end)
            for reason, piece in pieces.omissions
        ]
        if not passages:
            omitted.insert(0, _not_taken_whole(article, NO_PASSAGE))
    # What cleaning dropped has no offsets: they would be those in the text before cleaning.
    dropped = (
        _not_taken(article, part.reason, detail=part.heading, length=part.length)
        for part in article.dropped
    )
    return ArticleOutcome(
        article.id,
        article.title,
        article.file,
        article.where,
        article.has_own_id,
        lines=b"".join(map(json_line, passages)),
        passages=len(passages),
        characters=sum(len(passage.text) for passage in passages),
        converted=sum("original" in passage.fields for passage in passages),
        mixed=sum("traditional" in passage.fields for passage in passages),
        licence=article.licence,
        not_taken=(*omitted, *dropped),
        cleaned=article.cleaned,
        other_language=_is_chinese(article.text[:LANGUAGE_SAMPLE]) != (plan.language == "zh"),
    )


def _is_chinese(text: str) -> bool:
    """Whether ``language_of`` calls a text Chinese."""
    # The share among all characters is never above that among letters, which ``language_of``
    # counts: where it is enough already, the slower function need not be called.
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
            converted = to_simplified(text, unconverted=_within(article.unconverted, piece))
            if converted is not text:
                fields["original"] = text
                text = converted
                if (count := counter(plan.recipe, plan.language)) is not None:
                    fields["length"] = count(text)  # words may be others now
            # A title is too short to tell whether characters of both scripts are traditional.
            is_traditional = written_in_both(title) and is_dense(article.text)
            converted = to_simplified(title, dense=is_traditional)
            if converted is not title:
                fields["original_title"] = title
                title = converted
            if remaining := traditional_in(text):
                fields["traditional"] = remaining
    id = f"{article.id}-{number}"
    return Passage(id=id, text=text, title=title, article=article.id, fields=fields)


def _within(spans: tuple[Offsets, ...], piece: Cut) -> list[Offsets]:
    """Spans of an article as far as they lie in a piece of it, with offsets in the piece."""
    return [
        (max(start, piece.start) - piece.start, min(end, piece.end) - piece.start)
        for start, end in spans
        if start < piece.end and end > piece.start
    ]


def renamed(outcome: ArticleOutcome, article: str) -> ArticleOutcome:
    """The outcome of an article that gets another id."""
    lines: list[bytes] = []
    for number, encoded in enumerate(outcome.lines.splitlines(), 1):
        row = msgspec.json.decode(encoded)
        row |= {"id": f"{article}-{number}", "article": article}
        row["fields"]["doc"] = article
        lines.append(json_line(row))
    not_taken = tuple(replace(stretch, article=article) for stretch in outcome.not_taken)
    return replace(outcome, article=article, lines=b"".join(lines), not_taken=not_taken)


def _not_taken(article: Article, reason: str, **more: Any) -> NotTaken:
    return NotTaken(reason, article.id, article.title, article.file, article.where, **more)


def _not_taken_whole(article: Article, reason: str) -> NotTaken:
    return _not_taken(article, reason, length=len(article.text) - article.text.count("\n"))


def counter(recipe: Recipe, language: str) -> Count | None:
    """What counts the words of a text; None for a recipe that counts characters."""
    return None if recipe.unit == "characters" else _word_count(language)


def unit_name(recipe: Recipe, language: str) -> str:
    """The unit of lengths, with the signature of what counts words."""
    if recipe.unit == "characters":
        return "characters"
    if language != "zh":
        from readmark.text.words import RULES

        return f"words({RULES})"
    return f"words({_segmenter().signature()},punctuation=not counted)"


@functools.cache
def _word_count(language: str) -> Count:
    """Counts words; in Chinese those of a segmenter, without punctuation."""
    if language == "zh":
        words = _segmenter().words
        return lambda text: sum(any(map(str.isalnum, word)) for word in words(text))
    from readmark.text.words import words as plain_words

    return lambda text: len(plain_words(text, language))


@functools.cache
def _segmenter() -> Any:
    from readmark.text.segmenter import Segmenter

    return Segmenter(hmm=True)
