"""Writing an annotated test, and what became of its layers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from readmark.core.counts import counted
from readmark.core.display import Result
from readmark.core.errors import DataError
from readmark.core.records import PAPER_LAYERS
from readmark.core.test import Test
from readmark.formats.inputs import TestInput, as_test
from readmark.formats.registry import format_for, save_test
from readmark.hooks import Analyser
from readmark.making.annotation.annotate import annotate
from readmark.making.annotation.annotation_counts import Annotation, counts_in_words
from readmark.making.annotation.key_proposals import KEY_PROPOSALS
from readmark.making.annotation.languages import languages_of
from readmark.making.reading_table import english_questions
from readmark.sitting import Cluster
from readmark.text.analysers.registry import analyser


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

    counts: Annotation
    output: str
    format: str
    language: str
    lost: list[str]
    """What the format cannot hold."""

    @property
    def closing(self) -> tuple[str, ...]:
        """What was analysed and written, for people."""
        counts = self.counts
        analysers = " and ".join(counts.analysers.values())
        lines = []
        if analysers:
            lines.append(f"{counted(counts.analysed, 'text')} analysed by {analysers}")
        outcomes = {
            "added": counts.added,
            "replaced": counts.replaced,
            "kept as they were": counts.kept,
        }
        layers = [
            f"layers {outcome}: {counts_in_words(by_layer)}"
            for outcome, by_layer in outcomes.items()
            if by_layer
        ]
        lines.append("; ".join(layers) or "no layer was made")
        if not {*counts.layers}.isdisjoint(KEY_PROPOSALS):
            lines.append("types and answers are proposals: fields.proposed of a key lists them")
        if counts.corrected:
            lines.append(f"of those kept, people corrected: {counts_in_words(counts.corrected)}")
        if counts.otherwise:
            lines.append(
                "of those kept, another version or other settings made: "
                f"{counts_in_words(counts.otherwise)}; --force makes them anew"
            )
        lost = (f"{self.format}: {line}" for line in self.lost)
        return (*lost, *(f"{self.output}: {line}" for line in lines))

    def as_json(self) -> dict[str, Any]:
        return {
            "output": self.output,
            "format": self.format,
            "language": self.language,
            "lost": self.lost,
            **asdict(self.counts),
        }

    def show(self, console: Console) -> None:
        """Nothing: the result is the file, and the rest goes to stderr."""


@dataclass(frozen=True, slots=True)
class _AnalyserOf:
    """Makes analysers, in any process; relative paths start in the command's folder."""

    hmm: bool
    lexicon: str | None
    has_chinese: bool
    folder: Path

    def __call__(self, language: str) -> Analyser:
        # In a test of both languages, the lexicon is for the Chinese. In an English test it is
        # handed on as well, for the analyser to refuse.
        takes_lexicon = language == "zh" or not self.has_chinese
        lexicon: str | Path | None = self.lexicon if takes_lexicon else None
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
    settings = settings or AnnotationSettings()
    format = format or format_for(Path(output), test)
    has_chinese = "zh" in languages_of(test)
    analyser_of = _AnalyserOf(settings.hmm, settings.lexicon, has_chinese, Path.cwd())
    parallel = [] if english is None else [as_test(english)]
    for other in parallel:
        if other.language != "en":
            raise DataError(f"is in {other.language!r}, expected English", file=other.file)
    annotated, counts = annotate(
        test,
        analyser_of,
        settings.layers,
        keys=settings.keys,
        mentions=settings.mentions,
        force=settings.force,
        watch=None if watch is None else lambda counts: watch(counts.records),
        english=english_questions(parallel),
        workers=workers,
        engine=engine,
    )
    lost = save_test(annotated, output, format=format)
    return AnnotatedTest(counts, output, format, test.language, lost)
