"""Annotating a test: the layers of an analyser stored once, beside the texts that they lie over.

A layer that is there is kept unless ``force`` says not to: nobody can tell whether people have been
over it. A passage or question that has a language of its own is analysed in that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import msgspec

from readmark.corpus.annotation import OWN
from readmark.corpus.errors import UsageError
from readmark.corpus.language import primary
from readmark.corpus.problems import Report
from readmark.corpus.test import Placed, Test
from readmark.corpus.values import PAPER_LAYERS, Layer, Layers, Passage
from readmark.setting.proposed_mentions import with_mentions
from readmark.text.analysers import LANGUAGES, Analyser, known_layers

BATCH = 64
"""Records whose texts are analysed together; a text that stands twice in them is analysed once."""


@dataclass(slots=True)
class Annotation:
    """What annotating did to layers, each counted by name, and texts analysed."""

    analysers: dict[str, str]
    """Languages and the signature of each one's analyser."""
    layers: tuple[str, ...]
    records: int = 0
    units: int = 0
    texts: int = 0
    analysed: int = 0
    """Texts that went through the analyser; the others had every layer, or stood twice."""
    added: dict[str, int] = field(default_factory=dict)
    replaced: dict[str, int] = field(default_factory=dict)
    """Layers that were there and are others now: only by force."""
    kept: dict[str, int] = field(default_factory=dict)
    """All layers that were there and stayed; those of the next two are among them."""
    corrected: dict[str, int] = field(default_factory=dict)
    """Layers that name this analyser and are not what it makes: people's work."""
    otherwise: dict[str, int] = field(default_factory=dict)
    """Layers that an analyser of ours made in another version or with other settings."""


Watch = Callable[[Annotation], None]
AnalyserOf = Callable[[str], Analyser]
Over = Callable[[str, str, Layers], Layers]
"""Takes a language, a text in it and the text's layers."""


def languages_of(test: Test) -> list[str]:
    """The languages of a test's texts, its own first; one that cannot be analysed is placed."""
    found = {test.language: None}
    for record in test.records():
        for holder in (record, *getattr(record, "questions", ())):
            if said := getattr(holder, "language", None):
                if primary(said) not in LANGUAGES:
                    raise UsageError(
                        f"{test.file}:{holder.id}: no analyser for language {said!r}; "
                        f"known: {', '.join(LANGUAGES)}"
                    )
                found[primary(said)] = None
    return list(found)


def annotated(
    test: Test,
    analyser_of: AnalyserOf,
    layers: Sequence[str] = PAPER_LAYERS,
    *,
    keys: bool = False,
    mentions: bool = False,
    force: bool = False,
    watch: Watch | None = None,
) -> tuple[Test, Annotation]:
    """The test with layers on its passages and questions, made as its records are read.

    ``analyser_of`` gives the analyser of a language and is asked once for each. ``keys`` annotates
    published keys too, ``mentions`` proposes references in passages. The second value counts along
    while records are read.
    """
    asked = known_layers(layers)
    done = Annotation({}, asked)
    analysers: dict[str, Analyser] = {}

    def analyser(language: str) -> Analyser:
        if language not in analysers:
            analysers[language] = analyser_of(language)
            done.analysers[language] = analysers[language].signature()
        return analysers[language]

    analyser(test.language)

    def stream(report: Report) -> Iterator[Placed]:
        records = test.stream(report)
        while batch := list(islice(records, BATCH)):
            work = _Batch(analyser, asked, force, done)
            for _, record in batch:
                _visit(record, test.language, keys, work.need)
            work.run()
            for place, record in batch:
                done.records += 1
                done.units += sum(1 for _ in test.kind.units(record))
                made = _visit(record, test.language, keys, work.layers)
                if mentions and isinstance(made, Passage):
                    made = _proposed(made, test.language, force, done)
                yield place, made
            if watch is not None:
                watch(done)

    return replace(test, stream=stream), done


class _Batch:
    """The texts of some records: first what each needs, then what the analyser found."""

    def __init__(
        self, analyser_of: AnalyserOf, asked: tuple[str, ...], force: bool, done: Annotation
    ) -> None:
        self._analyser_of = analyser_of
        self._asked = asked
        self._force = force
        self._done = done
        self._needed: dict[tuple[str, str], set[str]] = {}
        self._found: dict[tuple[str, str], Layers] = {}

    def need(self, language: str, text: str, layers: Layers) -> Layers:
        """Note what a text needs; its layers stay as they are."""
        self._needed.setdefault((language, text), set()).update(self._sought(language, layers))
        return layers

    def run(self) -> None:
        """Analyse every text once, together with those that need the same."""
        groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        for (language, text), needed in self._needed.items():
            if needed:
                groups.setdefault((language, known_layers(needed)), []).append(text)
        for (language, names), texts in groups.items():
            self._done.analysed += len(texts)
            analyses = self._analyser_of(language).analyse(texts, names)
            for text, analysis in zip(texts, analyses, strict=True):
                self._found[language, text] = analysis.layers

    def layers(self, language: str, text: str, layers: Layers) -> Layers:
        """A text's layers with those that were missing; by force, with all that were asked for."""
        self._done.texts += 1
        sought = self._sought(language, layers)
        found = {name: self._found[language, text][name] for name in sought}
        put: Layers = {}
        for name in self._asked:
            there = layers.get(name)
            if there is None or self._force:
                if name in found and self._fits(name, layers, found):
                    put[name] = found[name]
                    counts = self._done.added if there is None else self._done.replaced
                    _count(self._done.kept if there == found[name] else counts, name)
                continue
            _count(self._done.kept, name)
            if name in found and there.source == found[name].source:
                if (there.spans, there.columns) != (found[name].spans, found[name].columns):
                    _count(self._done.corrected, name)  # analysis is repeatable
            elif not _by_others(there):
                _count(self._done.otherwise, name)
        return {**layers, **put}

    def _sought(self, language: str, layers: Layers) -> list[str]:
        """What is to be analysed: what is missing, and what may have been corrected."""
        if self._force:
            return list(self._asked)
        own = self._analyser_of(language).signature()
        found = {name for name in self._asked if name not in layers or layers[name].source == own}
        if "ne" in found and "ne" not in layers and "np" in layers:
            found = found - {"ne"} if _by_others(layers["np"]) else found | {"np"}
        return list(known_layers(found)) if found else []

    def _fits(self, name: str, layers: Layers, found: Layers) -> bool:
        """Entities lie over phrases: over phrases that stay and are others, ours would not."""
        np = layers.get("np")
        return name != "ne" or np is None or self._force or found["np"].spans == np.spans


def _count(into: dict[str, int], name: str) -> None:
    into[name] = into.get(name, 0) + 1


def _proposed(passage: Passage, language: str, force: bool, done: Annotation) -> Passage:
    """A passage with proposed references, counted as the layers are."""
    there = passage.key.layers.get("mention") if passage.key is not None else None
    if there is not None and not force:
        _count(done.kept, "mention")
        return passage
    made = with_mentions(passage, _language(passage, language), force=force)
    if made == passage:
        counts = done.kept if there is not None else None
    else:
        counts = done.replaced if there is not None else done.added
    if counts is not None:
        _count(counts, "mention")
    return made


def _by_others(layer: Layer | None) -> bool:
    return layer is not None and not layer.source.startswith(OWN)


def _visit(record: Any, language: str, keys: bool, over: Over) -> Any:
    """A record with the layers of each of its texts replaced by what ``over`` makes of them."""
    own = _language(record, language)
    changed: dict[str, Any] = {}
    if hasattr(record, "questions"):
        changed["questions"] = tuple(_question(one, own, keys, over) for one in record.questions)
    if hasattr(record, "text"):
        changed["layers"] = over(own, record.text, record.layers)
    return msgspec.structs.replace(record, **changed)


def _question(question: Any, language: str, keys: bool, over: Over) -> Any:
    own = _language(question, language)
    changed: dict[str, Any] = {"layers": over(own, question.text, question.layers)}
    key = question.key
    if keys and key is not None and hasattr(key, "published"):
        changed["key"] = msgspec.structs.replace(key, published=tuple(_phrases(key, own, over)))
    return msgspec.structs.replace(question, **changed)


def _phrases(key: Any, language: str, over: Over) -> Iterable[Any]:
    for phrase in key.published:
        yield msgspec.structs.replace(phrase, layers=over(language, phrase.text, phrase.layers))


def _language(holder: Any, otherwise: str) -> str:
    """A record's or question's own language where it says one."""
    said = getattr(holder, "language", None)
    return primary(said) if said else otherwise
