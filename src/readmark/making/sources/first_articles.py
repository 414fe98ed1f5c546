"""What the first articles of a source tell before anything is cut: its language and their texts."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from readmark.core.errors import ReadmarkError
from readmark.core.language import language_of, primary
from readmark.making.sources.articles import Chunk, NotTaken
from readmark.making.sources.shapes import articles_in

SAMPLE = 20_000
"""Characters from which the language is detected."""
MOST_BUFFERED = 32 << 20
"""Most bytes of a source that are buffered until the language is detected."""


def read_first_articles(
    chunks: Iterator[Chunk], count: int
) -> tuple[str, list[str], Iterator[Chunk]]:
    """The language of a source, the texts of its first ``count`` articles, and all its chunks.

    The language is the one that the source states, else that of the texts. Chunks without an
    article, such as a picture, are passed over. What fails to be read fails again when its turn
    comes.
    """
    buffered: list[Chunk] = []
    texts: list[str] = []
    language: str | None = None
    failure: ReadmarkError | None = None
    try:
        while len(texts) < count and sum(chunk.size for chunk in buffered) < MOST_BUFFERED:
            chunk = next(chunks)
            buffered.append(chunk)
            language = language or chunk.about.get("language") or None
            if language and count == 1:
                break
            for article in articles_in(chunk):
                if isinstance(article, NotTaken):
                    continue
                language = language or article.language
                texts.append(article.text)
                if len(texts) >= count and (language or sum(map(len, texts)) >= SAMPLE):
                    break
    except StopIteration:
        pass
    except ReadmarkError as error:
        failure = error

    def rest() -> Iterator[Chunk]:
        if failure is not None:  # not after the sources that follow
            raise failure
        yield from chunks

    if not language:
        language = language_of(["".join(texts)[:SAMPLE]])
    return primary(language), texts[:count], itertools.chain(buffered, rest())
