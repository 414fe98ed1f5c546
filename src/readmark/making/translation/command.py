"""``readmark set translate``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from readmark import console as options
from readmark.console import Ticker
from readmark.core.errors import UsageError
from readmark.core.files import require_distinct_files, same_file

if TYPE_CHECKING:
    from readmark.making.translation.adoption import AdoptedTranslation
    from readmark.making.translation.comparison import TranslationComparison

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
)
@click.option(
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
    "--show-all", is_flag=True, help=f"Print every mismatch instead of the first {SHOWN}."
)
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
    show_all: bool,
    from_format: str | None,
    to_format: str | None,
    split: str | None,
    as_json: bool,
) -> None:
    """Compare two translators' questions and keys, A and B, of an ENGLISH test.

    Each file is a test of any format with parallel ids, or a table (.tsv, .csv, .xlsx, .jsonl) with
    id, question and key. OUT lists every mismatch with a likely cause and a suggested version.
    Decisions already in OUT are kept if their strings are unchanged. Once it is decided, pass
    the file to --decisions: OUT is then the Chinese test.
    """
    from dataclasses import replace
    from pathlib import Path

    from readmark.formats.registry import open_test
    from readmark.formats.returned_work import require_name
    from readmark.making.adjudication import read_adjudication, require_two
    from readmark.making.translation.adoption import BY_SUGGESTION, adopt_translations
    from readmark.making.translation.comparison import compare, write_comparison
    from readmark.making.translation.sheets import open_sheet

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
    with Ticker() as ticker:
        if decisions is None:
            result = write_comparison(
                source,
                *sheets,
                output,
                names=called,
                watch=lambda done: ticker.count(done, source.texts),
            )
            result = replace(result, shown=None if show_all else SHOWN)
        else:
            found = compare(
                source, *sheets, names=called, watch=lambda done: ticker.count(done, source.texts)
            )
    printed: tuple[str, ...] = ()
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
