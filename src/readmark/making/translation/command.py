"""``readmark set translate``: the command, and what is adopted of two translations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from readmark import console as options
from readmark.console import OUTPUT_FILE, Ticker
from readmark.core.display import Result, counted
from readmark.core.distinct_files import require_distinct_files, same_file
from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.numbers import first_ids
from readmark.core.test import Test
from readmark.formats.people_names import require_name
from readmark.formats.registry import format_for, open_test, save_test
from readmark.making.translation.causes import CAUSES
from readmark.making.translation.comparison import (
    CauseTable,
    TranslationComparison,
    cause_table,
    compare,
    require_same_work,
    show_table,
    stale_message,
    write_comparison,
)
from readmark.making.translation.sheets import TranslationPair, open_sheet
from readmark.settling import (
    AdjudicationHeader,
    Disagreement,
    carry_decisions,
    read_adjudication,
    read_decisions,
    require_two,
)

BY_SUGGESTION = "suggestion"
PARTS = ("other", "by", "decided_cause", "reason")
"""What means nothing without a decision."""


@dataclass(frozen=True, slots=True)
class AdoptedText:
    """The translation adopted of one text, and who decided that."""

    pair: TranslationPair
    text: str
    decision: str
    """``exact``, ``a``, ``b`` or ``other``."""
    by: str | None
    """The adjudicator, or ``suggestion``; nobody where both translations are the same."""
    cause: str | None = None
    suggested_cause: str | None = None
    suggestion: str | None = None

    def record(self, names: tuple[str, str]) -> dict[str, Any]:
        """What the test keeps of the decision."""
        translators = {"exact": list(names), "a": [names[0]], "b": [names[1]], "other": []}
        other_cause = self.suggested_cause if self.suggested_cause != self.cause else None
        about = {"by": self.by, "cause": self.cause, "suggested_cause": other_cause}
        return {
            "from": translators[self.decision],
            "decision": self.decision,
            **{name: value for name, value in about.items() if value is not None},
        }


def adjudicated(
    comparison: TranslationComparison,
    header: AdjudicationHeader,
    decisions: list[Disagreement],
    *,
    file: str,
    adopt_suggestions: bool = False,
    by: str | None = None,
) -> tuple[list[AdoptedText], list[Disagreement]]:
    """The translation adopted of every text, and decisions whose strings are no longer there.

    What is undecided is named and refused. ``by`` signs decisions that name nobody. A suggestion of
    either adopts the first translator's.
    """
    require_same_work(comparison, header, file)
    made_of, stale = carry_decisions(comparison.rows, decisions, "english")
    rows = {row.id: row for row in made_of}
    adopted: list[AdoptedText] = []
    undecided: list[str] = []
    for pair in comparison.pairs:
        if pair.exact:
            adopted.append(AdoptedText(pair, (pair.a or "").strip(), "exact", None))
        elif pair.id in rows:
            row = _checked(rows[pair.id], file)
            made = _decided(pair, row, by, file)
            if made is None and adopt_suggestions:
                made = _suggested(pair, row)
            if made is None:
                undecided.append(pair.id)
            else:
                adopted.append(made)
    if undecided:
        way = "decide them, or --adopt-suggestions"
        if adopt_suggestions:
            way = "nothing is suggested for them"
        changed = f"; {stale_message(stale)}" if stale else ""
        ids = first_ids(undecided, 5)
        raise DataError(f"{len(undecided)} undecided ({ids}): {way}{changed}", file=file)
    return adopted, stale


def decided_causes(adopted: Sequence[AdoptedText]) -> dict[str, str]:
    """The cause of each mismatch as decided, by row id."""
    return {text.pair.id: text.cause for text in adopted if text.cause is not None}


@dataclass(frozen=True, slots=True)
class FollowedSuggestions:
    """How people's decisions compare with what was suggested, and how many each made."""

    by: dict[str, int]
    mismatches: int
    """Those with a suggested cause that a person decided."""
    same_cause: int
    suggested: int
    """Those of them with a suggested adoption."""
    same_adoption: int

    def lines(self) -> list[str]:
        """The same in words."""
        people = ", ".join(f"{name} {count}" for name, count in self.by.items())
        lines = [f"decided by: {people}"] if people else []
        if self.mismatches:
            lines.append(
                f"people kept the suggested cause in {self.same_cause} of {self.mismatches}, "
                f"the suggested adoption in {self.same_adoption} of {self.suggested}"
            )
        return lines


def followed(adopted: Sequence[AdoptedText]) -> FollowedSuggestions:
    """Count deciders, and where people went with the suggestions."""
    by = Counter(text.by for text in adopted if text.by is not None)
    people = [
        text for text in adopted if text.suggested_cause and text.by not in (None, BY_SUGGESTION)
    ]
    offered = [person for person in people if person.suggestion is not None]
    return FollowedSuggestions(
        dict(by),
        len(people),
        sum(person.cause == person.suggested_cause for person in people),
        len(offered),
        sum(
            person.decision == person.suggestion
            or (person.suggestion == "either" and person.decision in ("a", "b"))
            for person in offered
        ),
    )


def _checked(row: Disagreement, file: str) -> Disagreement:
    """The row, when what a person wrote of it is a whole decision."""
    cause = row.decided_cause
    if cause is not None and cause not in CAUSES:
        raise DataError(
            f"{cause!r} is not a cause; {did_you_mean(cause, CAUSES)}", file=file, where=row.id
        )
    if row.decision is None and row.touched:
        member = next(name for name in PARTS if getattr(row, name) not in (None, ""))
        raise DataError(
            f'has "{member}" without a "decision": write "a", "b" or "other" there',
            file=file,
            where=row.id,
        )
    return row


def _decided(
    pair: TranslationPair, row: Disagreement, by: str | None, file: str
) -> AdoptedText | None:
    if row.decision is None:
        return None
    text = row.adopted
    if not isinstance(text, str) or not text.strip():
        what = "other" if row.decision == "other" else f"{row.decision}'s translation"
        raise DataError(f"decides for {what}, which is empty", file=file, where=pair.id)
    signed = (row.by or "").strip() or by
    if not signed:
        raise DataError(
            'does not state who decided: write the name in "by", or give --by NAME',
            file=file,
            where=pair.id,
        )
    if signed == BY_SUGGESTION:
        raise DataError(
            f"is signed {BY_SUGGESTION!r}, which is not a name: write who decided",
            file=file,
            where=pair.id,
        )
    cause = (row.decided_cause or row.cause) if pair.is_complete else None
    return AdoptedText(pair, text.strip(), row.decision, signed, cause, row.cause, row.suggestion)


def _suggested(pair: TranslationPair, row: Disagreement) -> AdoptedText | None:
    if row.suggestion is None:
        return None
    side = "b" if row.suggestion == "b" else "a"
    text = row.b if side == "b" else row.a
    return AdoptedText(pair, text, side, BY_SUGGESTION, row.cause, row.cause, row.suggestion)


@dataclass(frozen=True)
class AdoptedTranslation(Result):
    """The Chinese test that was written, and who decided what."""

    comparison: TranslationComparison
    adopted: Sequence[AdoptedText]
    stale: Sequence[Disagreement]
    test: Test
    replaced: Mapping[str, tuple[str, ...]]
    """What is no longer in the key of a question, by its shared id."""
    output: str
    format: str
    lost: Sequence[str]
    """What the format cannot hold."""

    @property
    def notes(self) -> tuple[str, ...]:
        """The comparison's notes, and decisions that are not used."""
        return (*self.comparison.notes, *([stale_message(self.stale)] if self.stale else []))

    @property
    def closing(self) -> tuple[str, ...]:
        """What was written, for people."""
        lines = [*(f"{self.format}: {line}" for line in self.lost), *followed(self.adopted).lines()]
        if self.replaced:
            first, texts = next(iter(self.replaced.items()))
            others = len(self.replaced) - 1
            more = f", and of {others} more" if others else ""
            lines.append(f"no longer in the key of {first}: {' | '.join(texts)}{more}")
        facts = self.test.facts
        size = f"{counted(facts.units, 'question')} on {counted(facts.records, 'passage')}"
        return (*lines, f"{self.output}: {size}")

    @property
    def _table(self) -> CauseTable:
        return cause_table(self.comparison.compared, decided_causes(self.adopted))

    def as_json(self) -> dict[str, Any]:
        return {
            **self.comparison.summary(self.output),
            "format": self.format,
            "lost": self.lost,
            "replaced": self.replaced,
            "set_aside": [row.id for row in self.stale],
            "table": self._table,
            "decisions": asdict(followed(self.adopted)),
        }

    def show(self, console: Console) -> None:
        """The table of exact matches and decided causes."""
        show_table(console, self._table)


def adopt_translations(
    comparison: TranslationComparison,
    decisions: str,
    output: str,
    *,
    by: str | None = None,
    adopt_suggestions: bool = False,
    passages: Test | None = None,
    format: str | None = None,
) -> AdoptedTranslation:
    """Write the Chinese test of a comparison and the decisions in its adjudication file.

    ``by`` and ``adopt_suggestions`` as in `adjudicated`; ``passages`` has the Chinese passages if
    the translators' files have none.
    """
    from readmark.making.translation.chinese_test import adopted_test

    header, rows = read_decisions(decisions, comparison.header([]), comparison.rows)
    adopted, stale = adjudicated(
        comparison, header, rows, file=decisions, adopt_suggestions=adopt_suggestions, by=by
    )
    test, replaced = adopted_test(comparison, adopted, passages)
    format = format or format_for(Path(output), test)
    lost = save_test(test, output, format=format)
    return AdoptedTranslation(comparison, adopted, stale, test, replaced, output, format, lost)


SHOWN = 20


@click.command("translate")
@click.argument("english")
@click.argument("a")
@click.argument("b")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="OUT",
    help="Adjudication file to write or, with --decisions, the Chinese test.",
    type=OUTPUT_FILE,
)
@options.list_option(
    "--names", metavar="A,B", help="Names of the translators  [default: the names of their files]"
)
@click.option("--decisions", metavar="FILE", help="Adjudication file with its decisions filled in.")
@click.option(
    "--by", metavar="NAME", help="Name of the adjudicator, for decisions that do not state one."
)
@click.option(
    "--adopt-suggestions", is_flag=True, help="Adopt the suggestion wherever a decision is missing."
)
@click.option("--passages", metavar="TEST", help="Test with the Chinese passages, if A has none.")
@click.option(
    "--from",
    "from_format",
    metavar="FORMAT",
    help="Format of ENGLISH; A and B are always detected  [default: detected from its content]",
)
@click.option(
    "--to",
    "to_format",
    metavar="FORMAT",
    help="Format of the Chinese test  [default: detected from OUT's suffix]",
)
@options.split_option
@options.full_option
@options.json_option
def translate_command(
    english: str,
    a: str,
    b: str,
    output: str,
    names: str | None,
    decisions: str | None,
    by: str | None,
    adopt_suggestions: bool,
    passages: str | None,
    from_format: str | None,
    to_format: str | None,
    split: str | None,
    full: bool,
    as_json: bool,
) -> None:
    """Compare two translators' questions and keys, A and B, of an ENGLISH test.

    Each file is a test of any format with parallel ids, or a table (.tsv, .csv, .xlsx, .jsonl) with
    id, question and key. OUT lists every mismatch with a likely cause and a suggested version; the
    first 20 are printed, or all with --full.
    Decisions already in OUT are kept if their strings are unchanged. Once it is decided, pass
    the file to --decisions: OUT is then the Chinese test.
    """
    called: Sequence[str] = ()
    if names is not None:
        called = require_two(options.fields(names), "translator")
    require_distinct_files([output], [english, a, b, decisions, passages])
    if same_file(a, b):
        raise UsageError(f"{a} and {b} are one file: give two translators' files")
    if decisions is None and (adopt_suggestions or by or passages or to_format):
        raise UsageError("--adopt-suggestions, --by, --passages and --to go with --decisions")
    if by is not None and require_name(by, "--by: person").strip() == BY_SUGGESTION:
        raise UsageError(f"--by takes a person's name, found {by!r}")
    source = open_sheet(english, "en", format=from_format, split=split)
    sheets = open_sheet(a, "zh", split=split), open_sheet(b, "zh", split=split)
    if decisions is not None and not called and Path(decisions).exists():
        header, _ = read_adjudication(decisions)
        called = [header.a, header.b]
    result: TranslationComparison | AdoptedTranslation
    printed: tuple[str, ...] = ()
    with Ticker() as ticker:

        def watch(done: int) -> None:
            ticker.count(done, source.texts)

        if decisions is None:
            found = write_comparison(source, *sheets, output, names=called, watch=watch)
            result = replace(found, shown=None if full else SHOWN)
        else:
            found = compare(source, *sheets, names=called, watch=watch)
    if decisions is not None:
        printed = found.notes
        options.notify(printed)  # also where not everything is decided yet
        result = adopt_translations(
            found,
            decisions,
            output,
            by=by,
            adopt_suggestions=adopt_suggestions,
            passages=None if passages is None else open_test(passages, split=split),
            format=to_format,
        )
    options.notify(note for note in result.notes if note not in printed)
    options.print_result(result, as_json=as_json)
    options.notify(() if as_json else result.closing)
