"""``readmark set crosscheck``: disagreements of two annotators, placed and counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console

from readmark import console as options
from readmark.console import OUTPUT_FILE, Ticker
from readmark.core.display import Result, counted, fitting, headline, plain_table
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import UsageError
from readmark.core.numbers import and_more, first_ids, mark
from readmark.core.records import Offsets, Passage
from readmark.core.test import Test
from readmark.formats.registry import open_test
from readmark.making.crosscheck.differences import (
    REPEAT,
    SORTS,
    Difference,
    LayerCount,
    count,
    differences,
    followed,
    layer_pairs,
)
from readmark.making.crosscheck.english import English
from readmark.making.crosscheck.items import (
    KEY,
    PASSAGE,
    QUESTION,
    LayerItem,
    Scope,
    layers_to_compare,
    notes_on,
    paired,
    parts_of,
    scope_of,
)
from readmark.settling import (
    AdjudicationHeader,
    Disagreement,
    carry_decisions,
    free_name,
    name_two,
    read_earlier,
    show_versions,
    write_adjudication,
)
from readmark.text.answers.sentences import passage_sentences

if TYPE_CHECKING:
    from readmark.making.crosscheck.consistency import Consistency
    from readmark.making.crosscheck.corrections import Corrections

WORK = "annotation"
FOLLOWS = "follows"
"""In ``beside``: the id of the disagreement whose decision settles this one too."""
CONTEXT, CONTEXT_START, ENGLISH = "context", "context_start", "english"
AROUND = 24
"""Characters of the sentence that are shown on each side of a place."""


@dataclass(frozen=True)
class CrossCheck(Result):
    """Where two annotators' files differ."""

    header: AdjudicationHeader
    passages: int
    texts: int
    counts: Mapping[str, LayerCount]
    rows: Sequence[Disagreement]
    remarks: Sequence[str] = ()
    """What was not compared."""
    output: str | None = None
    shown: int = 10
    """How many disagreements are printed."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What was not compared, and how much is left to decide in the file."""
        done = () if self.output is None else (f"{self.output}: {_left_to_decide(self.rows)}",)
        return (*self.remarks, *done)

    def as_json(self) -> dict[str, Any]:
        return {
            "a": self.header.a,
            "b": self.header.b,
            "output": self.output,
            "passages": self.passages,
            "texts": self.texts,
            "layers": {
                name: {**asdict(layer), "f1": layer.f1} for name, layer in self.counts.items()
            },
            "disagreements": self.rows,
            "notes": self.remarks,
        }

    def show(self, console: Console) -> None:
        """Counts and F1 a layer, sorts of disagreement, then the first disagreements."""
        names = self.header.a, self.header.b
        size = (
            f": {counted(self.passages, 'passage')}, {counted(self.texts, 'text')}, "
            f"{counted(len(self.rows), 'disagreement')}"
        )
        console.print(headline(names[0], " and ", names[1], size))
        if not self.counts:
            console.print("no layer is in both files: nothing was compared")
            return
        table = plain_table("layer", *names, "same", "F1", "places")
        for name, layer in self.counts.items():
            numbers = (f"{number:,}" for number in (layer.a, layer.b, layer.same))
            table.add_row(name, *numbers, percent(layer.f1), f"{layer.places:,}")
        console.print(table)
        sorts = [sort for sort in SORTS if any(sort in one.sorts for one in self.counts.values())]
        for columns in fitting(sorts, console.width - max(map(len, self.counts)) - 3):
            table = plain_table("layer", *columns)
            for name, layer in self.counts.items():
                if layer.sorts:
                    table.add_row(name, *(str(layer.sorts.get(sort, 0)) for sort in columns))
            console.print(table)
        for row in self.rows[: self.shown]:
            decided = f", decided: {row.decision}" if row.decision else ""
            lines = {
                names[0]: version_words(row.a, row.cause),
                names[1]: version_words(row.b, row.cause),
                "text": marked_context(row),
                "English": row.beside.get(ENGLISH, ""),
                "follows": row.beside.get(FOLLOWS, ""),
            }
            show_versions(console, row.id, f"{row.cause}{decided}", lines)
        if len(self.rows) > self.shown > 0:
            console.print(and_more(len(self.rows) - self.shown))


@dataclass(frozen=True, slots=True)
class ComparedPassage:
    """One passage of two annotators and where they differ, with what follows from what."""

    a: Passage
    b: Passage
    differences: list[Difference]
    follows: dict[str, str]


def cross_check(
    a: Test,
    b: Test,
    *,
    names: Sequence[str] = (),
    english: English | None = None,
    layers: Sequence[str] = (),
    common: bool = False,
    output: str | None = None,
    shown: int = 10,
    watch: Callable[[int], None] | None = None,
) -> CrossCheck:
    """Compare two annotators' files of the same passages.

    ``output`` is the adjudication file to write; decisions in it are kept. ``common`` compares the
    passages that both have. ``watch`` is called with the number of passages done.
    """
    if {a.language, b.language} == {"en", "zh"}:
        raise UsageError(
            f"{a.file} is in {a.language}, {b.file} in {b.language}; --consistency compares "
            "parallel tests"
        )
    called = name_two((a.file, b.file), names, "annotator", with_folder=True)
    pairs = paired(a, b, common=common)
    scope, lone = layers_to_compare(pairs, layers)
    header = AdjudicationHeader(
        work=WORK,
        a=called[0],
        b=called[1],
        paper=a.facts.paper,
        fields={"layers": scope, **({"common": True} if common else {})},
    )
    remarks = notes_on(pairs, called, lone)
    rows: list[Disagreement] = []
    counts: dict[str, LayerCount] = {}
    texts = 0
    for done, (first, second) in enumerate(pairs, 1):
        rows += _rows(compare(first, second, scope, counts), a.language, english)
        texts += sum(1 for _ in parts_of(first))
        if watch is not None:
            watch(done)
    if english is not None:
        missing = [passage.id for passage, _ in pairs if english.passage(passage) is None]
        if missing:
            remarks.append(f"{english.file} has no parallel passage of {first_ids(missing)}")
    if output is not None:
        rows, dropped = _with_earlier(rows, header, scope, output)
        remarks += dropped
        if note := write_adjudication(output, header, rows):
            remarks.append(note)
            output = None
    return CrossCheck(header, len(pairs), texts, counts, rows, remarks, output, shown)


def compare(
    a: Passage, b: Passage, scope: Scope, counts: dict[str, LayerCount] | None = None
) -> ComparedPassage:
    """The differences of one passage, added to ``counts``."""
    found: list[Difference] = []
    for pair in layer_pairs(a, b, scope):
        own = differences(pair)
        if counts is not None:
            count(counts, pair, own)
        found += own
    return ComparedPassage(a, b, found, followed(found))


def row(
    difference: Difference,
    *,
    context: Offsets | None = None,
    english: str | None = None,
    follows: str | None = None,
) -> Disagreement:
    """A line of the file: both versions, the sentence around, the parallel English."""
    shown: dict[str, Any] = {}
    if context is not None:
        shown |= {CONTEXT: difference.text[slice(*context)], CONTEXT_START: context[0]}
    shown |= {ENGLISH: english} if english is not None else {}
    shown |= {FOLLOWS: follows} if follows is not None else {}
    return Disagreement(
        id=difference.id,
        what=difference.what,
        record=difference.part.record,
        unit=difference.part.unit,
        place=difference.place,
        a=_written_out(difference.a, difference.text),
        b=_written_out(difference.b, difference.text),
        beside=shown,
        cause=difference.sort,
    )


def _written_out(items: Iterable[LayerItem], text: str) -> list[dict[str, Any]]:
    """Items as they are in the file: span, quote and labels."""
    return [
        {
            "span": list(item.span),
            "quote": text[slice(*item.span)],
            **{name: label for name, label in item.labels.items() if label is not None},
        }
        for item in items
    ]


def _rows(
    compared: ComparedPassage, language: str, english: English | None
) -> Iterator[Disagreement]:
    """The differences in the order of the text, each with what is shown with it."""
    sentences: dict[str, list[Offsets]] = {}
    passage = compared.a
    for difference in compared.differences:
        text = difference.text
        if text not in sentences:
            whole = [(0, len(text))]
            sentences[text] = (
                passage_sentences(passage, language) if text == passage.text else whole
            )
        beside = None
        if english is not None:
            part = difference.part if text != passage.text else next(parts_of(passage))
            beside = english.parallel_text(passage, part, difference.place, language)
        start, end = difference.place
        touched = [
            span
            for span in sentences[text]
            if (span[0] < end and start < span[1]) or span[0] <= start < span[1]
        ]
        context = (touched[0][0], touched[-1][1]) if touched else None
        follows = compared.follows.get(difference.id)
        yield row(difference, context=context, english=beside, follows=follows)


def _with_earlier(
    rows: list[Disagreement], header: AdjudicationHeader, scope: Scope, output: str
) -> tuple[list[Disagreement], list[str]]:
    """The rows with the decisions in the file; those about other versions go to another file."""
    earlier = read_earlier(output)
    if earlier is None:
        return rows, []
    before, lines = earlier
    if (before.work, before.a, before.b) != (header.work, header.a, header.b):
        raise UsageError(
            f"{output}: is the adjudication of {before.a} and {before.b} ({before.work}); "
            "name them so with --names, or write to another file"
        )
    if lost := outside(lines, scope_of(before) or {}, scope):
        raise UsageError(
            f"{output}: has decisions about {', '.join(lost)}, which this would not compare; "
            "compare them too, or write to another file"
        )
    rows, gone = carry_decisions(rows, lines)
    if not gone:
        return rows, []
    beside = free_name(f"{output}.dropped")
    write_adjudication(beside, before, gone)
    return rows, [
        f"{counted(len(gone), 'decision')} about versions that no longer exist, now in {beside}: "
        f"{first_ids([line.id for line in gone])}"
    ]


def outside(earlier: Iterable[Disagreement], before: Scope, now: Scope) -> list[str]:
    """Layers, some with their sort of text, that have decisions and are not compared any more.

    ``before`` is what the earlier lines were compared in, ``now`` what is compared this time.
    """
    found: dict[str, None] = {}
    for line in earlier:
        sort = PASSAGE
        if line.unit is not None:
            is_key = line.id.startswith(f"{line.record}:{line.unit}:key")
            sort = KEY if is_key else QUESTION
        is_gone = sort in before.get(line.what, ()) and sort not in now.get(line.what, ())
        if line.touched and is_gone:
            found[f"{line.what} in {sort}s" if now.get(line.what) else line.what] = None
    return list(found)


def to_decide(rows: Sequence[Disagreement]) -> list[str]:
    """The ids that need a decision of their own and have none."""
    others = {line.id for line in rows if line.decision == "other"}  # they settle no other line
    return [
        line.id
        for line in rows
        if line.decision is None and line.beside.get(FOLLOWS) in (None, *others)
    ]


def _left_to_decide(rows: Sequence[Disagreement]) -> str:
    """How much is left; what follows from another line needs no decision."""
    left = len(to_decide(rows))
    follow = sum(line.decision is None for line in rows) - left
    more = f" ({follow:,} more follow from others)" if follow else ""
    return f"{counted(len(rows), 'disagreement')}, {left:,} to decide{more}"


def version_words(items: Sequence[Mapping[str, Any]], cause: str | None) -> str:
    """One annotator's version of a place: the spans, with their labels."""
    if not items:
        return "(not marked again)" if cause == REPEAT else "(nothing)"
    shown = []
    for item in items:
        quote = " ".join(str(item["quote"]).split())
        labels = ", ".join(_labels(item))
        shown.append(f"{quote} ({labels})" if labels else quote)
    return " | ".join(shown)


def _labels(item: Mapping[str, Any]) -> Iterator[str]:
    for name, value in item.items():
        if name == "antecedent":
            yield f"→ {value.get('quote') or value.get('number')}"
        elif name == "type":
            yield str(value)
        elif name == "numbered":
            yield "an antecedent of nothing"
        elif isinstance(value, Mapping) and "span" in value:
            start, end = value["span"]
            yield f"{name} → {value.get('type')} {start}–{end}"
        elif name not in ("span", "quote"):
            yield f"{name} {value}"


def marked_context(line: Disagreement) -> str:
    """The place in its sentence, marked, and cut where the sentence is long."""
    context = line.beside.get(CONTEXT)
    if context is None or line.place is None:
        return ""
    first = int(line.beside.get(CONTEXT_START, 0))
    start, end = (max(0, offset - first) for offset in line.place)
    if start == 0 and end >= len(context):
        return " ".join(context.split())
    before, after = context[:start], context[end:]
    if len(before) > AROUND:
        before = f"…{before[-AROUND:]}"
    if len(after) > AROUND:
        after = f"{after[:AROUND]}…"
    return " ".join(f"{before}»{context[start:end]}«{after}".split())


def percent(value: float | None) -> str:
    """A share as a mark of 100."""
    return mark(None if value is None else 100 * value, 100)


_ONLY_FOR_TWO = {
    "--corrections": ("english", "show"),
    "--consistency": ("names", "layers", "common", "english"),
}
"""Options that do nothing with each of the two other modes."""


@click.command("crosscheck")
@click.argument("tests", nargs=-1, metavar="A B")
@click.option(
    "-o",
    "--output",
    metavar="ADJUDICATION",
    help="File to write the disagreements to, for adjudication.",
    type=OUTPUT_FILE,
)
@click.option(
    "--english", metavar="TEST", help="Parallel English test, shown with each disagreement."
)
@options.list_option(
    "--names",
    metavar="NAME,NAME",
    help="Names of the two annotators  [default: the names of their files]",
)
@options.list_option(
    "--layers", metavar="NAME,...", help="Layers to compare  [default: all that both files have]"
)
@click.option("--common", is_flag=True, help="Compare only passages that both files have.")
@click.option(
    "--corrections",
    is_flag=True,
    help="Treat A as automatic proposals and B as people's corrections.",
)
@click.option(
    "--consistency",
    is_flag=True,
    help="Compare the noun phrases of two parallel tests, one in English and one in Chinese.",
)
@click.option(
    "--show",
    type=click.IntRange(min=0),
    default=10,
    metavar="N",
    help="Maximum number of disagreements, or of unmatched phrases, to print",
)
@options.split_option
@options.from_option
@options.json_option
def crosscheck_command(
    tests: tuple[str, ...],
    output: str | None,
    english: str | None,
    names: str | None,
    layers: str | None,
    common: bool,
    corrections: bool,
    consistency: bool,
    show: int,
    split: str | None,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Compare two annotators' files A and B of the same passages, layer by layer.

    Words, noun phrases, entities, references and answer sentences of passages, questions and
    published keys are compared. Each disagreement is a line of ADJUDICATION with its position,
    both versions, the sentence and the parallel English; decisions already in that file are
    kept. The adjudicator adds "decision": "a", "b" or "other" and "by" to the line; set
    adjudicate then makes the gold test.

    With --corrections, A has the proposals of set annotate and B people's corrections. With
    --consistency, A and B are an English and a Chinese test with equal parallel ids: the noun
    phrases of both are counted and aligned, and those without a counterpart are listed.
    """
    if corrections and consistency:
        raise UsageError("--corrections and --consistency are two different things; choose one")
    mode = "--corrections" if corrections else "--consistency" if consistency else ""
    for name in _ONLY_FOR_TWO.get(mode, ()):
        if options.is_given(name):
            raise UsageError(f"--{name.replace('_', '-')} does nothing with {mode}; leave it out")
    if len(tests) != 2:
        expected = "an English and a Chinese test" if consistency else "two annotators' files"
        raise UsageError(f"expected {expected}, A and B; found {len(tests)}")
    if output is not None:
        if mode:
            raise UsageError("-o is for the disagreements of two annotators; use --json here")
        require_distinct_files([output], [*tests, english])
    opened = [open_test(path, format=from_format, split=split) for path in tests]
    people: dict[str, Any] = {
        "names": options.fields(names),
        "layers": options.fields(layers),
        "common": common,
    }
    result: CrossCheck | Corrections | Consistency
    if corrections:
        from readmark.making.crosscheck.corrections import count_corrections

        result = count_corrections(*opened, **people)
    elif consistency:
        from readmark.making.crosscheck.consistency import compare_phrases

        result = compare_phrases(*opened, shown=show)
    else:
        with Ticker() as ticker:
            result = cross_check(
                *opened,
                english=None if english is None else English(open_test(english)),
                output=output,
                shown=show,
                watch=lambda done: ticker.count(done, opened[0].facts.records),
                **people,
            )
    options.print_result(result, as_json=as_json)
    options.notify(result.notes)
