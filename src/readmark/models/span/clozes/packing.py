"""Clozes of many passages at once, packed in several processes."""

from __future__ import annotations

import lzma
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random

from readmark.corpus.errors import DataError, UsageError
from readmark.models.span.clozes.values import Article, Cloze
from readmark.models.span.lessons import Lesson, Packed, joined, pack
from readmark.models.span.shape import Shape
from readmark.models.span.tokens import load_tokenizer

_CHUNK = 1000


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


def clozes_of(article: Article, language: str, draw: Random, many: int) -> Iterator[Cloze]:
    """Clozes of a passage in its language."""
    if language == "zh":
        from readmark.models.span.clozes import chinese

        return chinese.clozes(article, draw, many)
    if language == "en":
        from readmark.models.span.clozes import english

        return english.clozes(article, draw, many)
    raise UsageError(f"clozes are made in English and Chinese, not in {language!r}")


def pack_clozes(
    articles: Sequence[Article],
    shape: Shape,
    folder: Path,
    *,
    many: int,
    seed: int,
    processes: int = 1,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Packed:
    """Up to ``many`` clozes a passage; ``folder`` holds the tokenizer.

    Once it is stopped, what was made so far is all there is.
    """
    chunks = [articles[at : at + _CHUNK] for at in range(0, len(articles), _CHUNK)]
    work = partial(_packed, shape=shape, folder=folder, many=many, seed=seed)
    if processes <= 1:
        return joined(_until(is_stopped, map(work, enumerate(chunks))))
    from multiprocessing import get_context

    with get_context("spawn").Pool(processes) as pool:
        return joined(_until(is_stopped, pool.imap(work, enumerate(chunks))))


def _until(is_stopped: Callable[[], bool], parts: Iterator[Packed]) -> list[Packed]:
    found: list[Packed] = []
    for one in parts:
        found.append(one)
        if is_stopped():
            break
    return found


def _packed(
    chunk: tuple[int, Sequence[Article]], *, shape: Shape, folder: Path, many: int, seed: int
) -> Packed:
    number, articles = chunk
    draw = Random(f"{seed} {number}")
    lessons = (
        Lesson(one.text, one.question, ((one.start, one.start + len(one.answer)),))
        for article in articles
        for one in clozes_of(article, shape.language, draw, many)
    )
    tokenizer = load_tokenizer(folder, simplify=shape.simplify)
    return pack(lessons, shape, tokenizer, blank_share=0.0)
