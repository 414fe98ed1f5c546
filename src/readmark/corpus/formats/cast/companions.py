"""The other files of a year of CAsT, beside the one read: resolved questions, titles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from readmark.corpus.decoding import decoded
from readmark.corpus.errors import DataError
from readmark.corpus.files import read_bytes, read_head
from readmark.corpus.formats.cast.text_files import looks_resolved, resolved_of, topics_of
from readmark.corpus.formats.cast.topics import Topic, Turn, topic_of
from readmark.corpus.formats.members import Fault, objects
from readmark.corpus.problems import fail
from readmark.corpus.source import Source


def filled(topics: Sequence[Topic], path: Path) -> list[Topic]:
    """Topics with rewrites and titles from the files beside theirs, where they have none."""
    resolved = {}
    if not any(turn.manual for topic in topics for turn in topic.turns):
        for other in _beside(path, "resolved", (".tsv",)):
            if looks_resolved(read_head(other)):
                resolved = resolved_of(decoded(read_bytes(other), str(other)), str(other))
                break
    titled = _titled(path) if not any(topic.title for topic in topics) else {}
    return [_with(topic, titled.get(topic.number), resolved) for topic in topics]


def topics_for(path: Path) -> list[Topic]:
    """The topics whose resolved questions a file holds; they have to lie beside it."""
    for other in _beside(path, "topics", (".json", ".txt")):
        if "resolved" not in other.name:
            if other.suffix == ".json":
                return _of_json(other)
            return list(topics_of(decoded(read_bytes(other), str(other)), str(other), fail))
    raise DataError(
        "holds resolved questions alone: what was asked stands in a file of topics, such as "
        f"{_first(path)}_topics_v1.0.json, which does not lie beside it",
        file=path,
    )


def _with(topic: Topic, titled: Topic | None, resolved: dict[str, tuple[int, str]]) -> Topic:
    def turned(turn: Turn) -> Turn:
        id = f"{topic.number}_{turn.number}"
        return replace(turn, manual=resolved[id][1]) if id in resolved else turn

    turns = tuple(map(turned, topic.turns)) if resolved else topic.turns
    if titled is None:
        return replace(topic, turns=turns)
    description = topic.description or titled.description
    return replace(topic, turns=turns, title=titled.title, description=description)


def _titled(path: Path) -> dict[str, Topic]:
    for other in sorted(path.parent.glob("*topics*annotated*.json")):
        if other != path:
            with suppress(DataError, Fault):  # it is a help, not what was asked for
                return {topic.number: topic for topic in _of_json(other)}
    return {}


def _of_json(path: Path) -> list[Topic]:
    found = Source(path).json
    return [topic_of(one, f"[{at}]") for at, one in enumerate(objects(found))]


def _beside(path: Path, word: str, suffixes: Sequence[str]) -> Iterator[Path]:
    """Files of the same folder whose names begin alike, such as ``evaluation_``, with a word."""
    for suffix in suffixes:
        yield from sorted(
            other for other in path.parent.glob(f"{_first(path)}*{word}*{suffix}") if other != path
        )


def _first(path: Path) -> str:
    return path.name.partition("_")[0].replace("[", "[[]")
