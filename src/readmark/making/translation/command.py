"""``readmark set translate``."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from readmark import console as options
from readmark.console import Ticker
from readmark.core.display import make_console, plain_table
from readmark.core.errors import DataError, UsageError
from readmark.core.files import require_apart, same_file
from readmark.making.adjudication import Disagreement
from readmark.making.translation.comparison import SCOPES, Column

if TYPE_CHECKING:
    from readmark.making.adjudication import AdjudicationHeader
    from readmark.making.translation.comparison import Comparison
    from readmark.making.translation.sheets import Sheet


if TYPE_CHECKING:
    Earlier = tuple[AdjudicationHeader, list[Disagreement]]

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

    Each file is a test of any format with parallel ids, or a table (.tsv, .csv, .jsonl) with
    id, question and key. OUT lists every mismatch with a likely cause and a suggested version.
    Decisions already in OUT are kept if their strings are unchanged. Once it is decided, pass
    the file to --decisions: OUT is then the Chinese test.
    """
    from readmark.formats.returned_work import require_name
    from readmark.making.translation.comparison import compare
    from readmark.making.translation.decisions import BY_SUGGESTION
    from readmark.making.translation.sheets import open_sheet

    called = _names(names)
    _apart(output, english, a, b, decisions, passages)
    if decisions is None and (adopt_suggestions or by or passages or to_format):
        raise UsageError("--adopt-suggestions, --by, --passages and --to go with --decisions")
    if by is not None and require_name(by, "--by: person").strip() == BY_SUGGESTION:
        raise UsageError(f"--by takes a person's name, found {by!r}")
    source = open_sheet(english, "en", format=from_format)
    sheets = open_sheet(a, "zh"), open_sheet(b, "zh")
    if decisions is not None:
        called = called or _called_in(decisions)
    earlier = _earlier(output) if decisions is None else None
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
    _tell_unparted(source, *sheets)
    if decisions is None:
        _write_comparison(found, earlier, output, show_all, as_json)
    else:
        _write_test(
            found, sheets, decisions, output, by, adopt_suggestions, passages, to_format, as_json
        )


def _write_comparison(
    found: Comparison, earlier: Earlier | None, output: str, show_all: bool, as_json: bool
) -> None:
    from readmark.making.adjudication import write_adjudication
    from readmark.making.translation.comparison import suggested_causes, table
    from readmark.making.translation.decisions import gone

    columns = table(found.compared, suggested_causes(found))
    rows, stale = _carried(found, earlier, output)
    write_adjudication(output, found.header(stale), rows)
    kept = sum(row.touched for row in rows)
    if stale:
        options.notify([f"{gone(stale)}; kept in {output}'s first line"])
    if as_json:
        told = {"table": columns, "mismatches": [msgspec.to_builtins(row) for row in rows]}
        about = {"kept": kept, "set_aside": [one.id for one in stale]}
        options.print_json({**_about(found, output), **told, **about})
        return
    most = None if show_all else SHOWN
    print_mismatches(found.rows, found.names, most=most)
    print_shares(columns)
    unshown = len(found.rows) - SHOWN
    options.notify(
        [
            *([f"{unshown} more are in {output}"] if unshown > 0 and not show_all else []),
            *([f"{output}: {kept} decisions kept"] if kept else []),
            f"{output}: {sum(row.decision is None for row in rows)} to decide",
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
    from readmark.core.display import counted
    from readmark.formats.registry import format_for, open_test, save_test
    from readmark.making.adjudication import read_adjudication
    from readmark.making.translation.comparison import table
    from readmark.making.translation.decisions import adjudicated, decided_causes, followed, gone
    from readmark.making.translation.test import adopted_test

    header, rows = read_adjudication(decisions)
    adopted, stale = adjudicated(
        found, header, rows, file=decisions, adopt_suggestions=adopt_suggestions, by=by
    )
    chinese = open_test(passages) if passages is not None else None
    test, replaced = adopted_test(found, adopted, *sheets, chinese)
    format = to_format or format_for(Path(output), test)
    lost = save_test(test, output, format=format)
    columns = table(found.compared, decided_causes(adopted))
    people = followed(adopted)
    if stale:
        options.notify([gone(stale)])
    if as_json:
        about = {**_about(found, output), "format": format, "lost": lost, "replaced": replaced}
        about["set_aside"] = [one.id for one in stale]
        options.print_json({**about, "table": columns, "decisions": asdict(people)})
        return
    print_shares(columns)
    options.notify(f"{format}: {line}" for line in lost)
    options.notify(people.lines())
    if replaced:
        first, texts = next(iter(replaced.items()))
        more = f", and of {len(replaced) - 1} more" if len(replaced) > 1 else ""
        options.notify([f"no longer in the key of {first}: {' | '.join(texts)}{more}"])
    size = f"{counted(test.facts.units, 'question')} on {counted(test.facts.records, 'passage')}"
    options.notify([f"{output}: {size}"])


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
            options.notify([f"{name} has no translation of {len(missing)}: {_some(missing)}"])
        beyond = [one.id for one in found.strays if one.by == name]
        if beyond:
            options.notify([f"{name} translated what the English lacks: {_some(beyond)}"])


def _tell_unparted(*sheets: Sheet) -> None:
    for sheet in sheets:
        if sheet.unparted:
            options.notify(
                [
                    f"{sheet.file}: a key holds | without spaces around it and is taken for one "
                    f"({_some(sheet.unparted)}); alternatives have ' | ' between them"
                ]
            )


def _some(ids: list[str]) -> str:
    return ", ".join(ids[:SHOWN]) + (", …" if len(ids) > SHOWN else "")


def _names(said: str | None) -> tuple[str, str] | None:
    if said is None:
        return None
    names = options.fields(said)
    if len(names) != 2:
        raise UsageError(f"--names takes two names with a comma between, found {said!r}")
    from readmark.formats.returned_work import require_name

    first, second = (require_name(name, "translator") for name in names)
    return first, second


def _called_in(decisions: str) -> tuple[str, str]:
    from readmark.making.adjudication import read_adjudication

    header, _ = read_adjudication(decisions)
    return header.a, header.b


def _apart(output: str, english: str, a: str, b: str, *others: str | None) -> None:
    require_apart([output], [english, a, b, *others])
    if same_file(a, b):
        raise UsageError(f"{a} and {b} are one file: give two translators' files")


def _earlier(output: str) -> Earlier | None:
    """What stands in the file already: decisions are people's work, and are not written over."""
    from readmark.making.adjudication import read_adjudication

    path = Path(output)
    if not path.exists() or (path.is_file() and not path.stat().st_size):
        return None
    try:
        return read_adjudication(output)
    except DataError as error:
        raise DataError(
            f"{error}; it may contain people's decisions: fix it, or write to another file"
        ) from None


def _carried(
    found: Comparison, earlier: Earlier | None, output: str
) -> tuple[list[Disagreement], list[Disagreement]]:
    from readmark.making.translation.decisions import carried, require_same_work, set_aside

    if earlier is None:
        return list(found.rows), []
    header, rows = earlier
    require_same_work(found, header, output)
    return carried(found.rows, [*set_aside(header, file=output), *rows])


# The comparison of two translators in a terminal: the table, then mismatches side by side.


ROOM = 72
"""The width from which questions and keys have columns of their own."""

_TITLES = {"all": "all", "question": "questions", "key": "keys"}
_ROWS = {
    "exact": "exact matches",
    "synonym": "synonyms",
    "equivalent_description": "equivalent descriptions",
    "voice": "active or passive voice",
    "anaphora": "anaphora or direct reference",
    "different_meaning": "different meanings",
}


def print_shares(columns: Mapping[str, Column]) -> None:
    """Exact matches and causes as percentages of all translations, with the counts."""
    console = make_console()
    scopes = SCOPES if console.width >= ROOM else SCOPES[:1]
    table = plain_table("percent of translations", *(_TITLES[scope] for scope in scopes))
    for name, label in _ROWS.items():
        table.add_row(label, *(_cell(columns[scope], name) for scope in scopes))
    table.add_section()
    totals = {scope: sum(one.count for one in columns[scope].values()) for scope in scopes}
    table.add_row(
        "translations", *(f"{'100.0' if total else '–'} ({total:,})" for total in totals.values())
    )
    console.print(table)


def print_mismatches(
    rows: Sequence[Disagreement], names: tuple[str, str], *, most: int | None
) -> None:
    """Mismatches one under the other, the two versions under the English."""
    console = make_console()
    for row in rows[:most]:
        console.print(_headline(row, names))
        a, b = (f"{side}: {name}" for side, name in zip("ab", names, strict=True))
        versions = {"English": row.beside.get("english"), a: row.a, b: row.b}
        width = max(map(cell_len, (*versions, "why")))
        for label, text in versions.items():
            _line(console, label, "–" if text is None else str(text), width)
        _line(console, "why", row.why or "", width, "dim")
        console.print()


def _headline(row: Disagreement, names: tuple[str, str]) -> Text:
    if row.cause is None:
        return Text(row.id, "bold").append("  not compared", "not bold")
    cause = f"{row.cause}{'?' if row.confidence == 'low' else ''}"
    adopt = {"a": names[0], "b": names[1], "either": "either", None: "undecidable"}[row.suggestion]
    return Text(row.id, "bold").append(f"  {cause}, adopt {adopt}", "not bold")


def _line(console: Console, label: str, text: str, width: int, style: str = "") -> None:
    room = max(20, console.width - width - 4)
    for at, part in enumerate(Text(text, style).wrap(console, room)):
        part.rstrip()
        head = label if at == 0 else ""
        console.print(Text(f"  {head}{' ' * (width - cell_len(head))}  ").append(part))


def _cell(column: Column, name: str) -> str:
    one = column[name]
    empty = not any(share.count for share in column.values())
    return "–" if empty else f"{one.percent:.1f} ({one.count:,})"
