"""The other files of a year of CAsT, next to the file that is read: topics, rewrites, titles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from readmark.core.encodings import decoded
from readmark.core.errors import DataError
from readmark.core.files import read_bytes, read_head
from readmark.core.problems import fail
from readmark.core.source import Source
from readmark.formats.members import Fault, objects
from readmark.series.formats.cast.text_files import looks_resolved, read_resolved, read_topics
from readmark.series.formats.cast.topics import CastTopic, topic_of, turn_id


def with_companions(topics: Sequence[CastTopic], path: Path) -> list[CastTopic]:
    """Topics with the rewrites and titles that only files next to theirs have."""
    resolved: dict[str, tuple[int, str]] = {}
    if not any(turn.manual for topic in topics for turn in topic.turns):
        for file in _sibling_files(path, "resolved", (".tsv",)):
            if looks_resolved(read_head(file)):
                resolved = read_resolved(decoded(read_bytes(file), str(file)), str(file))
                break
    titled: dict[str, CastTopic] = {}
    if not any(topic.title for topic in topics):
        titled = _annotated_topics(path)
    return [_titled(_with_rewrites(topic, resolved), titled.get(topic.number)) for topic in topics]


def topics_next_to(path: Path) -> list[CastTopic]:
    """The topics whose resolved questions are in a file; they must be in the same folder."""
    for file in _sibling_files(path, "topics", (".json", ".txt")):
        if "resolved" not in file.name:
            if file.suffix == ".json":
                return _json_topics(file)
            return list(read_topics(decoded(read_bytes(file), str(file)), str(file), fail))
    raise DataError(
        "has resolved questions alone: the questions are in a file of topics, such as "
        f"{_prefix(path)}_topics_v1.0.json, which is not next to it",
        file=path,
    )


def _with_rewrites(topic: CastTopic, resolved: dict[str, tuple[int, str]]) -> CastTopic:
    turns = []
    for turn in topic.turns:
        if turn_id(topic, turn) in resolved:
            _, rewrite = resolved[turn_id(topic, turn)]
            turn = replace(turn, manual=rewrite)
        turns.append(turn)
    return replace(topic, turns=tuple(turns))


def _titled(topic: CastTopic, titled: CastTopic | None) -> CastTopic:
    if titled is None:
        return topic
    description = topic.description or titled.description
    return replace(topic, title=titled.title, description=description)


def _annotated_topics(path: Path) -> dict[str, CastTopic]:
    for file in sorted(path.parent.glob("*topics*annotated*.json")):
        if file != path:
            # The user did not name this file: one that cannot be read only gives no titles.
            with suppress(DataError, Fault):
                return {topic.number: topic for topic in _json_topics(file)}
    return {}


def _json_topics(path: Path) -> list[CastTopic]:
    return [topic_of(raw, f"[{index}]") for index, raw in enumerate(objects(Source(path).json))]


def _sibling_files(path: Path, word: str, suffixes: Sequence[str]) -> Iterator[Path]:
    """Files of the same folder with the same prefix, such as ``evaluation_``, and a word."""
    prefix = _prefix(path).replace("[", "[[]")  # a bracket begins a set of characters in a glob
    for suffix in suffixes:
        yield from sorted(
            file for file in path.parent.glob(f"{prefix}*{word}*{suffix}") if file != path
        )


def _prefix(path: Path) -> str:
    return path.name.partition("_")[0]
