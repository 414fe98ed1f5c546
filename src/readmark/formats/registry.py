"""The formats that tests and sittings come in: found by content, or asked for by name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Protocol

from readmark.core.errors import UsageError
from readmark.core.kinds import Kind
from readmark.core.registry import Entry, Registry
from readmark.core.sitting import Sitting
from readmark.core.source import Source, unknown
from readmark.core.test import Test


class TestFormat(Protocol):
    """A format that tests are read from and written to."""

    __test__: ClassVar[bool] = False

    def recognises(self, source: Source) -> bool:
        """Whether a file is of this format, by its content (and suffix where that tells)."""

    def read(self, source: Source) -> Test:
        """The test in a file."""

    def write(self, test: Test, path: Path) -> list[str]:
        """Write a test; what the format cannot hold is named, a line each."""


class SittingFormat(Protocol):
    """A format that sittings are read from."""

    def recognises(self, source: Source) -> bool:
        """Whether a file is of this format."""

    def read_sitting(self, source: Source, kind: Kind) -> Sitting:
        """The sitting in a file."""


FORMATS = Registry(
    "format",
    "readmark.formats",
    {
        "native": Entry("readmark.formats.native:NATIVE", "Readmark's own JSON Lines"),
        # Before those that ask for a JSON document, which JSON Lines are not.
        "flat": Entry(
            "readmark.formats.tables.format:FLAT",
            "flat JSON Lines: a question a line, as the Hugging Face hub has SQuAD",
        ),
        "parquet": Entry(
            "readmark.formats.tables.parquet:PARQUET",
            "Parquet with the columns of flat: a file, or a folder of shards as on the hub",
        ),
        "squad": Entry("readmark.formats.squad:SQUAD", "SQuAD 1.1 JSON"),
        "squad2": Entry(
            "readmark.formats.squad:SQUAD2",
            "SQuAD 2.0 JSON, with unanswerable questions",
        ),
        "drcd": Entry("readmark.formats.squad:DRCD", "DRCD JSON: SQuAD with answer ids"),
        "smart": Entry("readmark.formats.squad:SMART", "SMART JSON: SQuAD with levels 1 to 4"),
        "cmrc2018": Entry(
            "readmark.formats.cmrc2018:CMRC2018",
            "CMRC 2018's own JSON: context_text, query_text, answers without offsets",
        ),
        "c3": Entry(
            "readmark.comprehension.formats.c3:C3_FORMAT",
            "C3's and DREAM's JSON: documents with multiple-choice questions, with C3's labels",
        ),
        "brcc": Entry(
            "readmark.comprehension.brcc.format:BRCC",
            "BRCC: annotated passages, questions and answer keys, English and Chinese",
        ),
        "cbc4kids": Entry(
            "readmark.comprehension.formats.cbc4kids:CBC4KIDS",
            "CBC4Kids: a folder of .story, .questions and .answers files",
        ),
        "remedia": Entry(
            "readmark.comprehension.formats.remedia:REMEDIA",
            "Remedia reading sheets, plain or with MITRE's tags: a file or a folder of them",
        ),
        "brat": Entry(
            "readmark.formats.brat:BRAT",
            "brat standoff: a folder of .txt and .ann files",
        ),
        "conllu": Entry(
            "readmark.formats.conllu:CONLLU",
            "CoNLL-U: sentences, tokens, lemmas, tags and dependencies",
        ),
        "web_annotation": Entry(
            "readmark.formats.web_annotation:WEB_ANNOTATION",
            "W3C Web Annotation JSON-LD: layers, questions and answers by position and quote",
        ),
        "trec_series": Entry(
            "readmark.series.formats.trec:TREC_SERIES",
            "TREC question series 2004 to 2007: XML, with target types and patterns next to it",
        ),
        "cast": Entry(
            "readmark.series.formats.cast:CAST",
            "TREC CAsT 2019 to 2022: topics in JSON or text, resolved questions in TSV",
        ),
        "canard": Entry(
            "readmark.series.formats.canard:CANARD",
            "CANARD JSON: questions of a dialogue with their history, rewritten by people",
        ),
        "series_gold": Entry(
            "readmark.series.formats.gold:SERIES_GOLD",
            "gold rewrites of question series with their guidelines, in one JSON document",
        ),
        "task": Entry(
            "readmark.tasks.kind:TASK_FORMAT",
            "a reading task: a folder or zip of documents, queries and answers with a manifest",
        ),
        "sitting": Entry("readmark.formats.native:NATIVE_SITTING", "a sitting in JSON Lines"),
        # Before those that ask for a JSON document, which samples in JSON Lines are not.
        "lm_eval_log": Entry(
            "readmark.formats.harness_logs.lm_eval:LM_EVAL_LOG",
            "the samples that lm-evaluation-harness logs, as a sitting",
        ),
        "inspect_log": Entry(
            "readmark.formats.harness_logs.inspect_ai:INSPECT_LOG",
            "a log of Inspect AI, .eval or .json, as a sitting",
        ),
        "cast_automatic": Entry(
            "readmark.series.formats.cast:CAST_AUTOMATIC",
            "the automatic rewrites of a TREC CAsT file as a sitting",
        ),
        "predictions": Entry(
            "readmark.formats.native:PREDICTIONS",
            "a dictionary of predictions, {id: text}, as SQuAD's scorers take",
        ),
    },
)


def reads_tests(format: object) -> bool:
    """Whether a format holds tests."""
    return hasattr(format, "read") and hasattr(format, "recognises")


def reads_sittings(format: object) -> bool:
    """Whether a format holds sittings."""
    return hasattr(format, "read_sitting")


def format_named(text: str) -> Any:
    """The format of a name such as ``brcc(side=zh)``."""
    _, format = FORMATS.set(text)
    return format


def sides_of(path: str | Path, *, format: str | None = None) -> list[str | None]:
    """The formats to read a file in, a side each, where it holds the two of a parallel corpus."""
    if format is None or format in FORMATS:  # one with parameters has chosen its side
        source = Source(path)
        for name, one in FORMATS.working():
            if format in (None, name) and hasattr(one, "sides") and one.recognises(source):
                found = [f"{name}(side={side})" for side in one.sides(source)]
                return [*found] if len(found) > 1 else [format]
    return [format]


def open_test(path: str | Path | Source, *, format: str | None = None) -> Test:
    """Read a test in the format named, or in the one that recognises it."""
    source = path if isinstance(path, Source) else Source(path)
    if format is not None:
        named = format_named(format)
        if not reads_tests(named):
            raise UsageError(f"format {format!r} does not hold tests")
        found: TestFormat = named
        return found.read(source)
    for _, one in FORMATS.working():
        if reads_tests(one) and one.recognises(source):
            test: Test = one.read(source)
            return test
    known = ", ".join(name for name, one in FORMATS.working() if reads_tests(one))
    folders = ", ".join(name for name, one in FORMATS.working() if getattr(one, "folders", False))
    raise unknown(source, "a test of a format", known, folders)


def open_sitting(path: str | Path, kind: Kind) -> Sitting:
    """Read a sitting: native, or a dictionary of predictions."""
    source = Source(path)
    for _, one in FORMATS.working():
        if reads_sittings(one) and one.recognises(source):
            sitting: Sitting = one.read_sitting(source, kind)
            return sitting
    known = ", ".join(name for name, one in FORMATS.working() if reads_sittings(one))
    raise unknown(source, "a sitting of a format", known)


def format_for(target: Path, test: Test) -> str:
    """The format that a file's name asks for: JSON Lines are native, JSON is SQuAD's.

    A series in JSON is one of golds, in XML one of TREC's.
    """
    suffixes = Source(target).suffixes
    if test.kind.name == "series" and suffixes and suffixes[-1] in (".json", ".xml"):
        return "series_gold" if suffixes[-1] == ".json" else "trec_series"
    if suffixes and suffixes[-1] == ".json":
        return "squad2" if test.facts.unanswerable else "squad"
    if suffixes and suffixes[-1] == ".jsonl":
        return "native"
    if suffixes and suffixes[-1] in (".brcc", ".conllu", ".parquet"):
        return suffixes[-1][1:]
    raise UsageError(
        f"{target}: name the format with --to, or a file that ends in .jsonl, .json, .parquet "
        "or .brcc"
    )


def save_test(test: Test, path: str | Path, *, format: str | None = None) -> list[str]:
    """Write a test in the format named (native by default); what it cannot hold is named."""
    named = format_named(format or "native")
    if not hasattr(named, "write"):
        raise UsageError(f"tests cannot be written as {format!r}")
    writer: TestFormat = named
    return writer.write(test, Path(path))


def save_sides(tests: Sequence[Test], path: str | Path, *, format: str) -> list[str]:
    """Write the two sides of a parallel corpus into one file; what does not align is named."""
    named = format_named(format)
    if not hasattr(named, "write_sides"):
        raise UsageError(f"two sides cannot be written into one file as {format!r}")
    lost: list[str] = named.write_sides(tests, Path(path))
    return lost
