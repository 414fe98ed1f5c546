"""``readmark set translate``: compare two translators, then write the Chinese test decided on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from readmark import console as options
from readmark.console import OUTPUT_FILE, Ticker
from readmark.core.distinct_files import require_distinct_files, same_file
from readmark.core.errors import UsageError
from readmark.formats.people_names import require_name
from readmark.formats.registry import open_test
from readmark.making.translation.adopted_translation import (
    AdoptedTranslation,
    adopt_translations,
)
from readmark.making.translation.adoption import BY_SUGGESTION
from readmark.making.translation.comparison import (
    SHOWN,
    TranslationComparison,
    compare,
    write_comparison,
)
from readmark.making.translation.sheets import open_sheet
from readmark.settling import read_adjudication, require_two


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
    first 20 are printed, or all with --full. Decisions already in OUT are kept if their strings are
    unchanged. When everything is decided, pass the file to --decisions: OUT is then the Chinese
    test.
    """
    translators: Sequence[str] = ()
    if names is not None:
        translators = require_two(options.fields(names), "translator")
    require_distinct_files([output], [english, a, b, decisions, passages])
    if same_file(a, b):
        raise UsageError(f"{a} and {b} are one file: give two translators' files")
    if decisions is None and (adopt_suggestions or by or passages or to_format):
        raise UsageError("--adopt-suggestions, --by, --passages and --to go with --decisions")
    if by is not None and require_name(by, "--by: person").strip() == BY_SUGGESTION:
        raise UsageError(f"--by takes a person's name, found {by!r}")
    source = open_sheet(english, "en", format=from_format, split=split)
    sheets = open_sheet(a, "zh", split=split), open_sheet(b, "zh", split=split)
    if decisions is not None and not translators and Path(decisions).exists():
        header, _ = read_adjudication(decisions)
        translators = [header.a, header.b]
    with Ticker() as ticker:

        def watch(done: int) -> None:
            ticker.count(done, source.texts)

        if decisions is None:
            comparison = write_comparison(source, *sheets, output, names=translators, watch=watch)
        else:
            comparison = compare(source, *sheets, names=translators, watch=watch)
    result: TranslationComparison | AdoptedTranslation
    printed: tuple[str, ...] = ()
    if decisions is None:
        result = replace(comparison, shown=None if full else SHOWN)
    else:
        printed = comparison.notes
        options.notify(printed)  # before adopting, which is refused while anything is undecided
        result = adopt_translations(
            comparison,
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
