"""``readmark set translate``."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from readmark.cli import options
from readmark.cli.ticker import Ticker
from readmark.corpus.errors import UsageError
from readmark.corpus.outputs import require_apart, same_file

if TYPE_CHECKING:
    from readmark.setting.translation.comparing import Comparison
    from readmark.setting.translation.sheets import Sheet

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
    help="The adjudication file to write; with --decisions, the Chinese test.",
)
@click.option("--names", metavar="A,B", help="The translators' names; by default their files'.")
@click.option("--decisions", metavar="FILE", help="The adjudication file with its decisions.")
@click.option("--by", metavar="NAME", help="Who decided, where a decision does not say.")
@click.option(
    "--adopt-suggestions", is_flag=True, help="Adopt what is suggested where nobody decided."
)
@click.option("--passages", metavar="TEST", help="The Chinese passages, where A has none.")
@click.option("--show-all", is_flag=True, help=f"Print every mismatch, not the first {SHOWN}.")
@options.from_option
@click.option("--to", "to_format", metavar="FORMAT", help="The test's format; by OUT's suffix.")
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
    as_json: bool,
) -> None:
    """Compare two translators' questions and keys, A and B, of an ENGLISH test.

    Each file is a test of any format with parallel ids, or a table (.tsv, .csv, .jsonl) with id,
    question and key. OUT lists every mismatch with a suggested cause and adoption. When it has its
    decisions, give it back with --decisions: OUT is then the Chinese test.
    """
    from readmark.setting.translation.comparing import compare
    from readmark.setting.translation.sheets import open_sheet

    called = _names(names)
    _apart(output, english, a, b, decisions, passages)
    if decisions is None and (adopt_suggestions or by or passages or to_format):
        raise UsageError("--adopt-suggestions, --by, --passages and --to go with --decisions")
    if decisions is None:
        _unspoilt(output)
    source = open_sheet(english, "en", format=from_format)
    sheets = open_sheet(a, "zh"), open_sheet(b, "zh")
    if decisions is not None:
        called = called or _called_in(decisions)
    ticker = Ticker()
    began = time.monotonic()

    def watch(done: int, total: int) -> None:
        from readmark.sitting.runner import Progress

        ticker.show(Progress(total, 0, done, 0, time.monotonic() - began))

    try:
        found = compare(source, *sheets, names=called, watch=watch)
    finally:
        ticker.end()
    _tell_missing(found)
    if decisions is None:
        _write_comparison(found, output, show_all, as_json)
    else:
        _write_test(
            found, sheets, decisions, output, by, adopt_suggestions, passages, to_format, as_json
        )


def _write_comparison(found: Comparison, output: str, show_all: bool, as_json: bool) -> None:
    from readmark.reporting.translation import print_mismatches, print_shares
    from readmark.setting.adjudication import write_adjudication
    from readmark.setting.translation.comparing import suggested_causes, table

    columns = table(found.compared, suggested_causes(found))
    write_adjudication(output, found.header(), found.rows)
    if as_json:
        rows = [msgspec.to_builtins(row) for row in found.rows]
        options.print_json({**_about(found, output), "table": columns, "mismatches": rows})
        return
    most = None if show_all else SHOWN
    print_mismatches(found.rows, found.names, most=most)
    print_shares(columns)
    unshown = len(found.rows) - SHOWN
    options.say(
        [
            *([f"{unshown} more stand in {output}"] if unshown > 0 and not show_all else []),
            f"{output}: {len(found.rows)} to decide",
        ]
    )


def _write_test(
    found: Comparison,
    sheets: tuple[Sheet, Sheet],
    decisions: str,
    output: str,
    by: str | None,
    adopt_suggestions: bool,
    passages: str | None,
    to_format: str | None,
    as_json: bool,
) -> None:
    from readmark.corpus.formats import format_for, open_test, save_test
    from readmark.reporting.terminal import counted
    from readmark.reporting.translation import print_shares
    from readmark.setting.adjudication import read_adjudication
    from readmark.setting.translation.adjudicating import adjudicated, decided_causes, followed
    from readmark.setting.translation.adopting import adopted_test
    from readmark.setting.translation.comparing import table

    header, rows = read_adjudication(decisions)
    adopted = adjudicated(
        found, header, rows, file=decisions, adopt_suggestions=adopt_suggestions, by=by
    )
    chinese = open_test(passages) if passages is not None else None
    test = adopted_test(found, adopted, *sheets, chinese)
    format = to_format or format_for(Path(output), test)
    lost = save_test(test, output, format=format)
    columns = table(found.compared, decided_causes(adopted))
    people = followed(adopted)
    if as_json:
        about = {**_about(found, output), "format": format, "lost": lost}
        options.print_json({**about, "table": columns, "decisions": asdict(people)})
        return
    print_shares(columns)
    options.say(f"{format}: {line}" for line in lost)
    options.say(people.lines())
    size = f"{counted(test.facts.units, 'question')} on {counted(test.facts.records, 'passage')}"
    options.say([f"{output}: {size}"])


def _about(found: Comparison, output: str) -> dict[str, Any]:
    return {
        "output": output,
        "translators": list(found.names),
        "translations": len(found.compared),
        "exact_after_trimming": found.trimmed,
        "incomplete": [
            {
                "id": pair.id,
                "missing": [
                    name
                    for name, text in zip(found.names, (pair.a, pair.b), strict=True)
                    if text is None
                ],
            }
            for pair in found.incomplete
        ],
        "not_in_english": [asdict(one) for one in found.strays],
    }


def _tell_missing(found: Comparison) -> None:
    for name, side in zip(found.names, ("a", "b"), strict=True):
        missing = [pair.id for pair in found.pairs if getattr(pair, side) is None]
        if missing:
            options.say([f"{name} has no translation of {len(missing)}: {_some(missing)}"])
        beyond = [one.id for one in found.strays if one.by == name]
        if beyond:
            options.say([f"{name} translated what the English lacks: {_some(beyond)}"])


def _some(ids: list[str]) -> str:
    return ", ".join(ids[:SHOWN]) + (", …" if len(ids) > SHOWN else "")


def _names(said: str | None) -> tuple[str, str] | None:
    if said is None:
        return None
    names = options.fields(said)
    if len(names) != 2:
        raise UsageError(f"--names takes two names with a comma between, found {said!r}")
    return names[0], names[1]


def _called_in(decisions: str) -> tuple[str, str]:
    from readmark.setting.adjudication import read_adjudication

    header, _ = read_adjudication(decisions)
    return header.a, header.b


def _apart(output: str, english: str, a: str, b: str, *others: str | None) -> None:
    require_apart([output], [english, a, b, *others])
    if same_file(a, b):
        raise UsageError(f"{a} and {b} are one file: give two translators' files")


def _unspoilt(output: str) -> None:
    """Decisions are people's work: a new comparison does not write over them."""
    from readmark.corpus.errors import DataError
    from readmark.setting.adjudication import read_adjudication

    if not Path(output).is_file():
        return
    try:
        _, rows = read_adjudication(output)
    except DataError:
        return
    made = sum(row.decision is not None for row in rows)
    if made:
        raise UsageError(f"{output} holds {made} decisions: write to another file")
