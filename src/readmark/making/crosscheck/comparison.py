"""Two annotators' files compared: counts by layer, and a disagreement for each place they differ.

Decisions in an earlier adjudication file are kept where both versions are still the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console

from readmark.core.display import Result, counted, fitting, headline, plain_table
from readmark.core.errors import UsageError
from readmark.core.numbers import and_more, first_ids, mark
from readmark.core.records import Offsets, Passage
from readmark.core.test import Test
from readmark.making.crosscheck.compared_layers import (
    ComparedLayers,
    layers_to_compare,
    stated_layers,
)
from readmark.making.crosscheck.dependent_differences import phrase_decisions
from readmark.making.crosscheck.differences import (
    SORTS,
    Difference,
    LayerCount,
    count,
    differences,
    layer_pairs,
)
from readmark.making.crosscheck.disagreements import (
    ENGLISH,
    FOLLOWS,
    disagreement,
    left_to_decide,
    marked_context,
    version_words,
)
from readmark.making.crosscheck.english import English
from readmark.making.crosscheck.pairing import not_compared, pair_passages
from readmark.making.crosscheck.texts import KEY, PASSAGE, QUESTION, parts_of
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

WORK = "annotation"
"""What the header of an adjudication file says it is about."""


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
    """The adjudication file; None if there is none, or nothing to decide in it."""
    shown: int = 10
    """How many disagreements are printed."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What was not compared, and how much is left to decide in the file."""
        if self.output is None:
            return tuple(self.remarks)
        return (*self.remarks, f"{self.output}: {left_to_decide(self.rows)}")

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
        """Counts and F1 by layer, sorts of disagreement, then the first disagreements."""
        names = self.header.a, self.header.b
        totals = (
            f": {counted(self.passages, 'passage')}, {counted(self.texts, 'text')}, "
            f"{counted(len(self.rows), 'disagreement')}"
        )
        console.print(headline(names[0], " and ", names[1], totals))
        if not self.counts:
            console.print("no layer is in both files: nothing was compared")
            return
        table = plain_table("layer", *names, "same", "F1", "places")
        for name, layer in self.counts.items():
            numbers = (f"{number:,}" for number in (layer.a, layer.b, layer.same))
            table.add_row(name, *numbers, percent(layer.f1), f"{layer.places:,}")
        console.print(table)
        layers = self.counts.values()
        sorts = [sort for sort in SORTS if any(sort in layer.sorts for layer in layers)]
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
    """One passage of two annotators, and where they differ."""

    a: Passage
    b: Passage
    differences: list[Difference]
    follows: dict[str, str]
    """By the id of a difference, the id of the one on noun phrases that it rests on."""


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

    ``output`` is the adjudication file to write; decisions in it are kept. ``common`` compares only
    the passages that both have. ``watch`` is called with the number of passages compared.
    """
    if {a.language, b.language} == {"en", "zh"}:
        raise UsageError(
            f"{a.file} is in {a.language}, {b.file} in {b.language}; "
            "`compare_phrases` compares parallel tests"
        )
    annotators = name_two((a.file, b.file), names, "annotator", with_folder=True)
    pairs = pair_passages(a, b, common=common)
    compared_layers, layers_of_one = layers_to_compare(pairs, layers)
    header = AdjudicationHeader(
        work=WORK,
        a=annotators[0],
        b=annotators[1],
        paper=a.facts.paper,
        fields={"layers": compared_layers, **({"common": True} if common else {})},
    )
    remarks = not_compared(pairs, annotators, layers_of_one)
    rows: list[Disagreement] = []
    counts: dict[str, LayerCount] = {}
    texts = 0
    for number, (first, second) in enumerate(pairs, 1):
        rows += _rows(compare(first, second, compared_layers, counts), a.language, english)
        texts += sum(1 for _ in parts_of(first))
        if watch is not None:
            watch(number)
    if english is not None:
        missing = [passage.id for passage, _ in pairs if english.passage(passage) is None]
        if missing:
            remarks.append(f"{english.file} has no parallel passage of {first_ids(missing)}")
    if output is not None:
        rows, dropped = _with_earlier(rows, header, compared_layers, output)
        remarks += dropped
        if note := write_adjudication(output, header, rows):
            remarks.append(note)
            output = None
    return CrossCheck(header, len(pairs), texts, counts, rows, remarks, output, shown)


def compare(
    a: Passage,
    b: Passage,
    layers: ComparedLayers,
    counts: dict[str, LayerCount] | None = None,
) -> ComparedPassage:
    """The differences of one passage, which are added to ``counts``."""
    of_passage: list[Difference] = []
    for pair in layer_pairs(a, b, layers):
        of_layer = differences(pair)
        if counts is not None:
            count(counts, pair, of_layer)
        of_passage += of_layer
    return ComparedPassage(a, b, of_passage, phrase_decisions(of_passage))


def _rows(
    compared: ComparedPassage, language: str, english: English | None
) -> Iterator[Disagreement]:
    """The differences in the order of the text, each with what helps to decide it."""
    passage = compared.a
    sentences: dict[str, list[Offsets]] = {}
    for difference in compared.differences:
        text = difference.text
        if text not in sentences:
            # A question or a published key is shown whole.
            whole = [(0, len(text))]
            is_passage = text == passage.text
            sentences[text] = passage_sentences(passage, language) if is_passage else whole
        parallel_text = None
        if english is not None:
            # Answer sentences belong to a question and lie in its passage.
            part = difference.part if text != passage.text else next(parts_of(passage))
            parallel_text = english.parallel_text(passage, part, difference.place, language)
        start, end = difference.place
        context = [
            span
            for span in sentences[text]
            if (span[0] < end and start < span[1]) or span[0] <= start < span[1]
        ]
        yield disagreement(
            difference,
            context=(context[0][0], context[-1][1]) if context else None,
            english=parallel_text,
            follows=compared.follows.get(difference.id),
        )


def _with_earlier(
    rows: list[Disagreement], header: AdjudicationHeader, layers: ComparedLayers, output: str
) -> tuple[list[Disagreement], list[str]]:
    """The rows with the decisions in the file, and a note on decisions that fit no row any more.

    Those are written to a file of their own: they are somebody's work.
    """
    earlier_file = read_earlier(output)
    if earlier_file is None:
        return rows, []
    earlier, lines = earlier_file
    if (earlier.work, earlier.a, earlier.b) != (header.work, header.a, header.b):
        raise UsageError(
            f"{output}: is the adjudication of {earlier.a} and {earlier.b} ({earlier.work}); "
            "use the same names, or write to another file"
        )
    if left_out := layers_left_out(lines, stated_layers(earlier) or {}, layers):
        raise UsageError(
            f"{output}: has decisions about {', '.join(left_out)}, which would no longer be "
            "compared; compare them too, or write to another file"
        )
    rows, dropped = carry_decisions(rows, lines)
    if not dropped:
        return rows, []
    dropped_file = free_name(f"{output}.dropped")
    write_adjudication(dropped_file, earlier, dropped)
    return rows, [
        f"{counted(len(dropped), 'decision')} about versions that no longer exist, "
        f"now in {dropped_file}: {first_ids([line.id for line in dropped])}"
    ]


def layers_left_out(
    lines: Iterable[Disagreement], earlier: ComparedLayers, current: ComparedLayers
) -> list[str]:
    """Layers that have decisions and are not compared any more, as a message names them.

    ``earlier`` is what the lines were compared in, ``current`` what is compared this time. A layer
    that is compared in other texts is named with the texts that it is no longer compared in.
    """
    left_out: dict[str, None] = {}
    for line in lines:
        if not line.touched:
            continue
        sort = PASSAGE
        if line.unit is not None:
            is_key = line.id.startswith(f"{line.record}:{line.unit}:key")
            sort = KEY if is_key else QUESTION
        sorts = current.get(line.what, ())
        if sort in earlier.get(line.what, ()) and sort not in sorts:
            left_out[f"{line.what} in {sort}s" if sorts else line.what] = None
    return list(left_out)


def percent(value: float | None) -> str:
    """A share as a mark of 100."""
    return mark(None if value is None else 100 * value, 100)
