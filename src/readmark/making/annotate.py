"""``readmark set annotate``."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from itertools import islice
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console

from readmark import console as options
from readmark.comprehension import QuestionOverlap
from readmark.console import OUTPUT_FILE, Ticker
from readmark.core.display import Result, counted
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.core.kinds import kind_named
from readmark.core.language import primary
from readmark.core.problems import ReportProblem
from readmark.core.record_members import language_in, questions_of
from readmark.core.records import (
    PAPER_LAYERS,
    PROPOSED,
    Layer,
    Layers,
    Passage,
    Question,
    QuestionKey,
    RecordKey,
    Unit,
)
from readmark.core.test import Placed, Test
from readmark.formats.inputs import TestInput, as_test
from readmark.formats.registry import format_for, open_test, save_test
from readmark.hooks import Analyser, Kind
from readmark.making.reading_table import english_questions
from readmark.series import Series
from readmark.sitting import Cluster, map_with_workers
from readmark.text.analysers.registry import ANALYSER_PREFIX, LANGUAGES, analyser, known_layers
from readmark.text.proposed_mentions import proposed_mentions
from readmark.text.questions.types import RULED, question_type


def with_mentions(passage: Passage, language: str, *, force: bool = False) -> Passage:
    """The passage with a proposed mention layer under its key; one of other makers is kept."""
    key = passage.key or RecordKey()
    there = key.layers.get("mention")
    if there is not None and not (force or there.source.startswith(ANALYSER_PREFIX)):
        return passage
    layer = proposed_mentions(passage.text, passage.layers, language)
    # A layer that names the rule and is not what the rule makes is people's work.
    corrected = there is not None and layer is not None and there.source == layer.source
    if layer is None or (corrected and there != layer and not force):
        return passage
    layers = {**key.layers, "mention": layer}
    return msgspec.structs.replace(passage, key=msgspec.structs.replace(key, layers=layers))


# Types and answer sentences: proposals for the key of a question.


KEY_PROPOSALS = ("types", "answers")
"""What ``layers`` may name besides layers; a key lists its proposals in ``fields.proposed``."""


def layers_and_proposals(names: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The layers among some names, and the proposals for keys; an unknown name is an error."""
    proposals = tuple(name for name in KEY_PROPOSALS if name in names)
    layers = [name for name in names if name not in KEY_PROPOSALS]
    known = known_layers(layers, KEY_PROPOSALS) if layers or not proposals else ()
    return known, proposals


class _KeyProposals:
    """Proposes the type of a question, and the sentence that answers it as AutSent would."""

    def __init__(self, kind: Kind, language: str, asked: Sequence[str], force: bool) -> None:
        self._kind = kind
        self._language = language
        self._asked = asked
        self._force = force
        self._overlaps: dict[str, QuestionOverlap] = {}

    def over(self, passage: Passage, english: Mapping[str, str], done: Annotation) -> Passage:
        """The passage with proposals in its questions' keys."""
        if not self._asked:
            return passage
        questions = tuple(
            self._proposed(passage, unit, english, done) for unit in self._kind.units(passage)
        )
        return msgspec.structs.replace(passage, questions=questions)

    def _proposed(
        self, passage: Passage, unit: Unit, english: Mapping[str, str], done: Annotation
    ) -> Question:
        question: Question = unit.item
        key = question.key or QuestionKey()
        language = _language(question, _language(passage, self._language))
        if language not in RULED:
            return question
        listed = set(key.fields.get(PROPOSED, ()))
        changed: dict[str, Any] = {}
        if "types" in self._asked and _may_replace(key.type, "type" in listed, self._force):
            parallel = english.get(question.shared_id) if language == "zh" else None
            changed["type"] = question_type(question.text, language, parallel=parallel)
        if "answers" in self._asked and _may_replace(
            key.sentences, "sentences" in listed, self._force
        ):
            bare = msgspec.structs.replace(key, sentences=())
            asked = msgspec.structs.replace(question, key=bare)
            if language not in self._overlaps:
                self._overlaps[language] = QuestionOverlap(self._kind, language)
            asked_unit = msgspec.structs.replace(unit, item=asked)
            if found := self._overlaps[language].answer_sentences(asked_unit):
                changed["sentences"] = tuple(found)
        for name, proposal in (("types", "type"), ("answers", "sentences")):
            before = getattr(key, proposal)
            # What a rule would propose too stays what it is: people's.
            if changed.get(proposal, before) == before:
                changed.pop(proposal, None)
                into = done.kept
            else:
                into = done.replaced if before else done.added
            if name in self._asked and (proposal in changed or before):
                _count(into, name)
        if not changed:
            return question
        fields = {**key.fields, PROPOSED: sorted(listed | changed.keys())}
        key = msgspec.structs.replace(key, **changed, fields=fields)
        return msgspec.structs.replace(question, key=key)


def _may_replace(there: object, proposed: bool, force: bool) -> bool:
    """What people made stays, unless by force; what a rule proposed is proposed anew."""
    return not there or proposed or force


# Annotating a test: the layers of an analyser, stored once, apart from their texts.


BATCH = 64
"""Records whose texts are analysed together; a text that occurs twice in them is analysed once."""


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

    def add(self, batch: Annotation) -> None:
        """Count the records that follow; an analyser that is another one elsewhere is refused."""
        for language, signature in batch.analysers.items():
            known = self.analysers.setdefault(language, signature)
            if signature != known:
                raise ReadmarkError(
                    f"the analyser is not the same everywhere: {known} here, {signature} on a node"
                )
        for name in ("records", "units", "texts", "analysed"):
            setattr(self, name, getattr(self, name) + getattr(batch, name))
        for name in ("added", "replaced", "kept", "corrected", "otherwise"):
            for layer, count in getattr(batch, name).items():
                _count(getattr(self, name), layer, count)


WatchAnnotation = Callable[[Annotation], None]
AnalyserOf = Callable[[str], Analyser]
Over = Callable[[str, str, Layers], Layers]
"""Takes a language, a text in it and the text's layers."""


def languages_of(test: Test) -> list[str]:
    """The languages of a test's texts, its own first; one that cannot be analysed is placed."""
    found = {test.language: None}
    for record in test.records():
        for holder in (record, *questions_of(record)):
            if named := language_in(holder):
                if primary(named) not in LANGUAGES:
                    raise UsageError(
                        f"{test.file}:{holder.id}: no analyser for language {named!r}; "
                        f"known: {', '.join(LANGUAGES)}"
                    )
                found[primary(named)] = None
    return list(found)


def annotated(
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
    asked, proposals = layers_and_proposals(layers)
    done = Annotation({}, (*asked, *proposals))
    if proposals and test.kind.record is not Passage:
        raise UsageError(f"{test.file}: types and answers are proposed for comprehension tests")
    work = _Annotator(
        test.header.kind, test.language, analyser_of, asked, proposals, keys, mentions, force
    )
    if asked:
        done.analysers[test.language] = work.analyser(test.language).signature()
    parallel = english or {}

    def stream(report: ReportProblem) -> Iterator[Placed]:
        placed = test.stream(report)
        waiting: deque[list[Placed]] = deque()

        def batches() -> Iterator[_Records]:
            while batch := list(islice(placed, BATCH)):
                waiting.append(batch)
                records = [record for _, record in batch]
                yield records, _parallel(records, parallel) if parallel else {}

        for made, counts in map_with_workers(work, batches(), workers=workers, engine=engine):
            done.add(counts)
            for (place, _), record in zip(waiting.popleft(), made, strict=True):
                yield place, record
            if watch is not None:
                watch(done)

    return replace(test, stream=stream), done


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
    asked: tuple[str, ...]
    proposals: tuple[str, ...]
    keys: bool
    mentions: bool
    force: bool
    analysers: dict[str, Analyser] = field(default_factory=dict)

    def __reduce__(self) -> tuple[type[_Annotator], tuple[Any, ...]]:
        """Without the analysers: each process loads its own."""
        return _Annotator, tuple(getattr(self, one.name) for one in fields(self)[:-1])

    def analyser(self, language: str) -> Analyser:
        """The analyser of a language, made once."""
        if language not in self.analysers:
            self.analysers[language] = self.analyser_of(language)
        return self.analysers[language]

    def __call__(self, batch: _Records) -> tuple[list[Any], Annotation]:
        records, english = batch
        done = Annotation({}, ())
        kind = kind_named(self.kind)

        def known_analyser(language: str) -> Analyser:
            found = self.analyser(language)
            if language not in done.analysers:
                done.analysers[language] = found.signature()
            return found

        work = _Batch(known_analyser, self.asked, self.force, done)
        for record in records if self.asked else ():
            _visit(record, self.language, self.keys, work.need)
        work.run()
        keys_of = _KeyProposals(kind, self.language, self.proposals, self.force)
        made = []
        for record in records:
            done.records += 1
            done.units += sum(1 for _ in kind.units(record))
            if self.asked:
                record = _visit(record, self.language, self.keys, work.layers)
            if isinstance(record, Passage):
                record = keys_of.over(record, english, done)
                if self.mentions:
                    record = _proposed(record, self.language, self.force, done)
            made.append(record)
        return made, done


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
        self._layers: dict[tuple[str, str], Layers] = {}

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
                self._layers[language, text] = analysis.layers

    def layers(self, language: str, text: str, layers: Layers) -> Layers:
        """A text's layers with those that were missing; by force, with all that were asked for."""
        self._done.texts += 1
        sought = self._sought(language, layers)
        found = {name: self._layers[language, text][name] for name in sought}
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


def _count(into: dict[str, int], name: str, more: int = 1) -> None:
    into[name] = into.get(name, 0) + more


def _proposed(passage: Passage, language: str, force: bool, done: Annotation) -> Passage:
    """A passage with proposed references, counted as the layers are."""
    there = passage.key.layers.get("mention") if passage.key is not None else None
    made = passage
    if there is None or force:
        made = with_mentions(passage, _language(passage, language), force=force)
    if made != passage:
        _count(done.added if there is None else done.replaced, "mention")
    elif there is not None:
        _count(done.kept, "mention")
    return made


def _by_others(layer: Layer | None) -> bool:
    return layer is not None and not layer.source.startswith(ANALYSER_PREFIX)


def _visit(record: Any, language: str, keys: bool, over: Over) -> Any:
    """A record with the layers of each of its texts replaced by what ``over`` makes of them."""
    own = _language(record, language)
    changed: dict[str, Any] = {}
    if isinstance(record, Passage | Series):
        changed["questions"] = tuple(
            _question(question, own, keys, over) for question in record.questions
        )
    if not isinstance(record, Series):  # its target has none
        changed["layers"] = over(own, record.text, record.layers)
    return msgspec.structs.replace(record, **changed)


def _question(question: Any, language: str, keys: bool, over: Over) -> Any:
    own = _language(question, language)
    changed: dict[str, Any] = {"layers": over(own, question.text, question.layers)}
    key = question.key
    if keys and isinstance(key, QuestionKey):
        published = tuple(
            msgspec.structs.replace(phrase, layers=over(own, phrase.text, phrase.layers))
            for phrase in key.published
        )
        changed["key"] = msgspec.structs.replace(key, published=published)
    return msgspec.structs.replace(question, **changed)


def _language(holder: Any, otherwise: str) -> str:
    """A record's or question's own language where it says one."""
    own = language_in(holder)
    return primary(own) if own else otherwise


@click.command("annotate")
@click.argument("test")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="OUT",
    help="Annotated test to write.",
    type=OUTPUT_FILE,
)
@options.list_option(
    "--layers",
    default=",".join(PAPER_LAYERS),
    metavar="NAME,...",
    help="Layers to create; types and answers propose question types and answer sentences",
)
@click.option(
    "--lexicon", metavar="FILE", help="Additional words for Chinese segmentation, one per line."
)
@click.option(
    "--hmm/--no-hmm",
    default=True,
    help="Detect Chinese words that are not in the dictionary",
)
@click.option("--keys", is_flag=True, help="Also annotate published keys.")
@click.option(
    "--mentions",
    is_flag=True,
    help="Propose referents of he, it, they, 他, 它 and definite descriptions (the rider, "
    "这位骑手) as mentions in the key.",
)
@click.option(
    "--english",
    metavar="TEST",
    help="Parallel English test: types in --layers are those of its questions.",
)
@click.option("--force", is_flag=True, help="Replace existing layers, including corrected ones.")
@options.workers_option
@options.engine_option
@options.split_option
@options.from_option
@options.to_option
@options.json_option
def annotate_command(
    test: str,
    output: str,
    layers: str,
    lexicon: str | None,
    english: str | None,
    split: str | None,
    from_format: str | None,
    to_format: str | None,
    as_json: bool,
    workers: int,
    engine: str,
    **how: Any,
) -> None:
    """Analyse the passages and questions of a TEST and store the layers in OUT.

    OUT is written completely or not at all. Its suffix selects the format, as for convert;
    .jsonl is Readmark's own, which stores everything. People can correct the proposed layers;
    set crosscheck --corrections then measures their changes. Existing layers are kept, because
    they may have been corrected; --force replaces them. The text stays the same, so existing
    sittings can still be marked. With types or answers in --layers, the key gets proposals:
    HumSent ignores proposed sentences until a person confirms them. Passages and questions with
    a language of their own are analysed in that language.
    """
    require_distinct_files([output], [test, lexicon])
    source = open_test(test, format=from_format, split=split)
    settings = AnnotationSettings(tuple(options.fields(layers)), lexicon, **how)
    with Ticker() as ticker:
        result = annotate_test(
            source,
            output,
            settings,
            english=english,
            format=to_format,
            watch=lambda done: ticker.count(done, source.facts.records, "record"),
            workers=workers,
            engine=engine,
        )
    options.print_result(result, as_json=as_json)
    if not as_json:
        options.notify(result.closing)


@dataclass(frozen=True, slots=True)
class AnnotationSettings:
    """What is annotated, and how."""

    layers: tuple[str, ...] = PAPER_LAYERS
    lexicon: str | None = None
    """A file of further words for Chinese segmentation."""
    hmm: bool = True
    """Whether Chinese words that are not in the dictionary are detected."""
    keys: bool = False
    mentions: bool = False
    force: bool = False


@dataclass(frozen=True)
class AnnotatedTest(Result):
    """The annotated test that was written, and what became of its layers."""

    done: Annotation
    output: str
    format: str
    language: str
    lost: list[str]
    """What the format cannot hold."""

    @property
    def closing(self) -> tuple[str, ...]:
        """What was analysed and written, for people."""
        done = self.done
        by = " and ".join(done.analysers.values())
        changed = {"added": done.added, "replaced": done.replaced, "kept as they were": done.kept}
        layers = [f"layers {what}: {_counts(counts)}" for what, counts in changed.items() if counts]
        lines = [f"{counted(done.analysed, 'text')} analysed by {by}"] if by else []
        lines.append("; ".join(layers) or "no layer was made")
        if not {*done.layers}.isdisjoint(KEY_PROPOSALS):
            lines.append("types and answers are proposals: fields.proposed of a key lists them")
        if done.corrected:
            lines.append(f"of those kept, people corrected: {_counts(done.corrected)}")
        if done.otherwise:
            lines.append(
                "of those kept, another version or other settings made: "
                f"{_counts(done.otherwise)}; --force makes them anew"
            )
        lost = (f"{self.format}: {line}" for line in self.lost)
        return (*lost, *(f"{self.output}: {line}" for line in lines))

    def as_json(self) -> dict[str, Any]:
        about = {"output": self.output, "format": self.format, "language": self.language}
        return {**about, "lost": self.lost, **asdict(self.done)}

    def show(self, console: Console) -> None:
        """Nothing: the result is the file, and the rest goes to stderr."""


@dataclass(frozen=True, slots=True)
class _AnalyserOf:
    """Makes analysers, in any process: a relative path is of the folder that the command ran in."""

    hmm: bool
    lexicon: str | None
    has_chinese: bool
    folder: Path

    def __call__(self, language: str) -> Analyser:
        # A lexicon is for the Chinese of a test of both; where there is none, it is refused.
        is_its = language == "zh" or not self.has_chinese
        lexicon: str | Path | None = self.lexicon if is_its else None
        if lexicon is not None and self.folder != Path.cwd():
            lexicon = self.folder / lexicon
        return analyser(language, hmm=self.hmm, lexicon=lexicon)


def annotate_test(
    test: Test,
    output: str,
    settings: AnnotationSettings | None = None,
    *,
    english: TestInput | None = None,
    format: str | None = None,
    watch: Callable[[int], None] | None = None,
    workers: int = 1,
    engine: str | Cluster = "local",
) -> AnnotatedTest:
    """Write a test with layers on its passages and questions.

    ``english`` is the parallel test whose questions decide the types of Chinese ones. ``watch`` is
    called with the number of records done. ``engine`` is where the texts are analysed: by
    ``workers`` of this machine, or on a Ray cluster.
    """
    how = settings or AnnotationSettings()
    format = format or format_for(Path(output), test)
    analyser_of = _AnalyserOf(how.hmm, how.lexicon, "zh" in languages_of(test), Path.cwd())
    parallel = [] if english is None else [as_test(english)]
    for other in parallel:
        if other.language != "en":
            raise DataError(f"is in {other.language!r}, expected English", file=other.file)
    made, done = annotated(
        test,
        analyser_of,
        how.layers,
        keys=how.keys,
        mentions=how.mentions,
        force=how.force,
        watch=None if watch is None else lambda done: watch(done.records),
        english=english_questions(parallel),
        workers=workers,
        engine=engine,
    )
    lost = save_test(made, output, format=format)
    return AnnotatedTest(done, output, format, test.language, lost)


def _counts(found: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in found.items())
