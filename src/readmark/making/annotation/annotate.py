"""Annotating a test as it is read: in batches, by this process or by several."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import islice
from typing import Any

import msgspec

from readmark.core.errors import UsageError
from readmark.core.kinds import kind_named
from readmark.core.problems import ReportProblem
from readmark.core.records import PAPER_LAYERS, Layers, Passage, QuestionKey
from readmark.core.test import Placed, Test
from readmark.hooks import Analyser
from readmark.making.annotation.annotation_counts import Annotation, count
from readmark.making.annotation.batch_layers import AnalyserOf, BatchLayers
from readmark.making.annotation.key_proposals import KeyProposer, layers_and_proposals
from readmark.making.annotation.languages import language_or
from readmark.making.annotation.mention_proposals import with_mentions
from readmark.series import Series
from readmark.sitting import Cluster, map_with_workers

BATCH = 64
"""Records whose texts are analysed together; a text that occurs twice in them is analysed once."""

WatchAnnotation = Callable[[Annotation], None]
LayersOf = Callable[[str, str, Layers], Layers]
"""Gives the layers of a text, from its language, the text and the layers that it has."""


def annotate(
    test: Test,
    analyser_of: AnalyserOf,
    layers: Sequence[str] = PAPER_LAYERS,
    *,
    keys: bool = False,
    mentions: bool = False,
    force: bool = False,
    watch: WatchAnnotation | None = None,
    english: Mapping[str, str] | None = None,
    workers: int = 1,
    engine: str | Cluster = "local",
) -> tuple[Test, Annotation]:
    """The test with layers on its passages and questions, made as its records are read.

    ``analyser_of`` gives the analyser of a language and is asked once for each. ``keys`` annotates
    published keys too, ``mentions`` proposes references in passages. The second value counts along
    while records are read. ``english`` are parallel questions by the shared id, whose types
    Chinese ones take. ``engine`` is where the texts are analysed: by ``workers`` of this machine,
    or on a Ray cluster.
    """
    names, proposals = layers_and_proposals(layers)
    totals = Annotation({}, (*names, *proposals))
    if proposals and test.kind.record is not Passage:
        raise UsageError(f"{test.file}: types and answers are proposed for comprehension tests")
    annotator = _Annotator(
        test.header.kind, test.language, analyser_of, names, proposals, keys, mentions, force
    )
    if names:
        # Made here too, so that a missing model is an error before anything is written.
        totals.analysers[test.language] = annotator.analyser(test.language).signature()
    parallel = english or {}

    def stream(report: ReportProblem) -> Iterator[Placed]:
        placed = test.stream(report)
        waiting: deque[list[Placed]] = deque()

        def batches() -> Iterator[_Records]:
            while batch := list(islice(placed, BATCH)):
                waiting.append(batch)
                records = [record for _, record in batch]
                yield records, _parallel(records, parallel) if parallel else {}

        results = map_with_workers(annotator, batches(), workers=workers, engine=engine)
        for annotated, counts in results:
            totals.add(counts)
            for (place, _), record in zip(waiting.popleft(), annotated, strict=True):
                yield place, record
            if watch is not None:
                watch(totals)

    return replace(test, stream=stream), totals


_Records = tuple[list[Any], Mapping[str, str]]
"""Records, and the English questions that are parallel to theirs by the shared id."""


def _parallel(records: Iterable[Any], english: Mapping[str, str]) -> dict[str, str]:
    ids = (question.shared_id for record in records for question in record.questions)
    return {id: english[id] for id in ids if id in english}


@dataclass(slots=True)
class _Annotator:
    """Annotates batches of records, here or in another process, and counts what it does."""

    kind: str
    language: str
    analyser_of: AnalyserOf
    names: tuple[str, ...]
    proposals: tuple[str, ...]
    keys: bool
    mentions: bool
    force: bool
    analysers: dict[str, Analyser] = field(default_factory=dict)

    def __reduce__(self) -> tuple[type[_Annotator], tuple[Any, ...]]:
        """Without the analysers: each process loads its own."""
        return _Annotator, tuple(getattr(self, member.name) for member in fields(self)[:-1])

    def analyser(self, language: str) -> Analyser:
        """The analyser of a language, made once."""
        if language not in self.analysers:
            self.analysers[language] = self.analyser_of(language)
        return self.analysers[language]

    def __call__(self, batch: _Records) -> tuple[list[Any], Annotation]:
        records, english = batch
        counts = Annotation({}, ())
        kind = kind_named(self.kind)

        def noted_analyser(language: str) -> Analyser:
            analyser = self.analyser(language)
            if language not in counts.analysers:
                counts.analysers[language] = analyser.signature()
            return analyser

        layers = BatchLayers(noted_analyser, self.names, self.force, counts)
        for record in records if self.names else ():
            _with_layers(record, self.language, self.keys, layers.need)
        layers.analyse()
        proposer = KeyProposer(kind, self.language, self.proposals, self.force)
        annotated = []
        for record in records:
            counts.records += 1
            counts.units += sum(1 for _ in kind.units(record))
            if self.names:
                record = _with_layers(record, self.language, self.keys, layers.layers)
            if isinstance(record, Passage):
                record = proposer.with_proposals(record, english, counts)
                if self.mentions:
                    record = _with_mentions(record, self.language, self.force, counts)
            annotated.append(record)
        return annotated, counts


def _with_mentions(passage: Passage, language: str, force: bool, counts: Annotation) -> Passage:
    """A passage with proposed references, counted as the layers are."""
    existing = passage.key.layers.get("mention") if passage.key is not None else None
    proposed = passage
    if existing is None or force:
        proposed = with_mentions(passage, language_or(passage, language), force=force)
    if proposed != passage:
        count(counts.added if existing is None else counts.replaced, "mention")
    elif existing is not None:
        count(counts.kept, "mention")
    return proposed


def _with_layers(record: Any, language: str, keys: bool, layers_of: LayersOf) -> Any:
    """A record with the layers that ``layers_of`` gives for each of its texts."""
    language = language_or(record, language)
    changed: dict[str, Any] = {}
    if isinstance(record, Passage | Series):
        changed["questions"] = tuple(
            _question_with_layers(question, language, keys, layers_of)
            for question in record.questions
        )
    if not isinstance(record, Series):  # its target has none
        changed["layers"] = layers_of(language, record.text, record.layers)
    return msgspec.structs.replace(record, **changed)


def _question_with_layers(question: Any, language: str, keys: bool, layers_of: LayersOf) -> Any:
    language = language_or(question, language)
    changed: dict[str, Any] = {"layers": layers_of(language, question.text, question.layers)}
    key = question.key
    if keys and isinstance(key, QuestionKey):
        published = tuple(
            msgspec.structs.replace(phrase, layers=layers_of(language, phrase.text, phrase.layers))
            for phrase in key.published
        )
        changed["key"] = msgspec.structs.replace(key, published=published)
    return msgspec.structs.replace(question, **changed)
