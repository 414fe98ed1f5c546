"""``readmark set adjudicate``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from readmark import console as options
from readmark.core.display import ABSENT, counted, fitting, headline, make_console, plain_table
from readmark.core.errors import DataError
from readmark.making.adjudication import Disagreement
from readmark.making.crosscheck.comparison import (
    CONTEXT,
    CONTEXT_START,
    ENGLISH,
    FOLLOWS,
    CrossCheck,
    to_decide,
)
from readmark.making.crosscheck.corrections import Corrected
from readmark.making.crosscheck.differences import REPEAT, SORTS
from readmark.making.crosscheck.gold import Gold

SHOWN = 20


@click.command("adjudicate")
@click.argument("a")
@click.argument("b")
@click.option(
    "--decisions",
    required=True,
    metavar="ADJUDICATION",
    help="Adjudication file of `set crosscheck`, with its decisions filled in.",
)
@click.option("-o", "--output", required=True, metavar="GOLD", help="Gold test to write.")
@click.option(
    "--undecided",
    type=click.Choice(["a", "b", "drop"]),
    help="Version to use for undecided disagreements: A's, B's or neither  [default: "
    "refuse to write while any is undecided]",
)
@options.from_option
@click.option("--from-b", metavar="FORMAT", help="Format of B  [default: same as A]")
@click.option(
    "--to",
    "to_format",
    metavar="FORMAT",
    help="Format to write  [default: detected from GOLD's suffix]",
)
@options.json_option
def adjudicate_command(
    a: str,
    b: str,
    decisions: str,
    output: str,
    undecided: str | None,
    from_format: str | None,
    from_b: str | None,
    to_format: str | None,
    as_json: bool,
) -> None:
    """Make one gold annotation from two annotators' files A and B.

    GOLD has what both agree on and, where they differ, the decided version. Everything else
    comes from A, or from B if A lacks it. Nothing is written while disagreements are undecided
    (unless --undecided is given) or decisions contradict each other; both are reported. The
    header's field adjudication records who decided what.
    """
    from readmark.core.files import require_apart
    from readmark.formats.registry import format_for, open_test, save_test
    from readmark.making.adjudication import read_adjudication
    from readmark.making.crosscheck.gold import adjudicate

    require_apart([output], [a, b, decisions])
    header, said = read_adjudication(decisions)
    first = open_test(a, format=from_format)
    second = open_test(b, format=from_b or from_format)
    format = to_format or format_for(Path(output), first)
    gold = adjudicate(
        first,
        second,
        header,
        said,
        file=decisions,
        otherwise=undecided,  # type: ignore[arg-type]
    )
    refused = bool(gold.undecided or gold.conflicts)
    lost = [] if refused else save_test(gold.test, output, format=format)
    if as_json:
        document: dict[str, Any] = {
            "output": None if refused else output,
            "format": format,
            "a": header.a,
            "b": header.b,
            "passages": gold.passages,
            "decisions": gold.decisions,
            "by": gold.people,
            "undecided": gold.undecided,
            "conflicts": gold.conflicts,
            "lost": lost,
            "notes": gold.notes,
        }
        options.print_json(document)
    elif gold.undecided:
        print_undecided(gold.undecided, show=SHOWN)
    elif not refused:
        print_gold(gold, output)
    left_out = [] if refused else list(_left_out(a, from_format, output, format))
    options.notify([*gold.notes, *(f"{format}: {line}" for line in lost), *left_out])
    if gold.undecided:
        raise DataError(
            f"{_undecided(len(gold.undecided))}, or choose a version "
            "with --undecided a|b|drop (words and sentences are never dropped)",
            file=decisions,
        )
    if gold.conflicts:
        options.notify(f"{decisions}: {_told(one)}" for one in gold.conflicts[1:SHOWN])
        raise DataError(_told(gold.conflicts[0]), file=decisions)


def _undecided(count: int) -> str:
    if count == 1:
        return "1 disagreement is undecided; decide it"
    return f"{count:,} disagreements are undecided; decide them"


def _left_out(source: str, chosen: str | None, output: str, format: str) -> Iterator[str]:
    """A BRCC file has room for the side of A's that was not read: say that it is not there."""
    from readmark.formats.registry import sides_of

    others = [one for one in sides_of(source) if one is not None and one != chosen]
    if chosen is not None and chosen != "brcc" and format.startswith("brcc") and others:
        yield (
            f"{output}: the other side of {source} ({others[0]}) is not in it; "
            "convert --with puts two sides into one file"
        )


def _told(fault: Any) -> str:
    by = " and ".join(fault.decisions) or "what both agree on"
    return f"{fault.part}: {fault.message}: see {by}"


# Cross-checks in a terminal: counts by layer, and each disagreement at its place.


AROUND = 24
"""Characters of the sentence that are shown on each side of a place."""
NOTHING = "(nothing)"
ONCE = "(not marked again)"
"""What both marked, and the other more often."""


def print_crosscheck(made: CrossCheck, *, show: int) -> None:
    """Counts and F1 a layer, sorts of disagreement, then the first disagreements."""
    console = make_console()
    places = counted(len(made.rows), "disagreement")
    texts = f"{counted(made.passages, 'passage')}, {counted(made.texts, 'text')}, {places}"
    console.print(headline(made.header.a, " and ", made.header.b, f": {texts}"))
    if not made.counts:
        console.print("no layer is in both files: nothing was compared")
        return
    table = plain_table("layer", made.header.a, made.header.b, "same", "F1", "places")
    for name, one in made.counts.items():
        table.add_row(
            name, f"{one.a:,}", f"{one.b:,}", f"{one.same:,}", _percent(one.f1), f"{one.places:,}"
        )
    console.print(table)
    _print_sorts(console, made)
    for row in made.rows[:show]:
        print_disagreement(console, row, (made.header.a, made.header.b))
    if len(made.rows) > show > 0:
        console.print(f"and {len(made.rows) - show:,} more")


def print_disagreement(console: Console, one: Disagreement, names: tuple[str, str]) -> None:
    """One place: both versions, the sentence around it, the parallel English."""
    decided = f", decided: {one.decision}" if one.decision else ""
    console.print(Text(one.id, "bold").append(f"  {one.cause}{decided}", "not bold"))
    lines = [
        (names[0], _version(one.a, one.cause)),
        (names[1], _version(one.b, one.cause)),
        ("text", _around(one)),
        ("English", one.beside.get(ENGLISH, "")),
        ("follows", one.beside.get(FOLLOWS, "")),
    ]
    width = min(max(cell_len(label) for label, _ in lines), console.width // 3)
    table = plain_table("", "")
    table.show_header = False
    table.box = None
    table.columns[0].width = width + 2
    table.columns[1].justify = "left"
    for label, text in lines:
        if text:
            table.add_row(Text(f"  {label}", "dim"), text)
    console.print(table)


def to_do(rows: Sequence[Disagreement]) -> str:
    """How much is left to decide; what follows from another line needs no decision."""
    left = len(to_decide(rows))
    follow = sum(1 for one in rows if one.decision is None) - left
    more = f" ({follow:,} more follow from others)" if follow else ""
    return f"{counted(len(rows), 'disagreement')}, {left:,} to decide{more}"


def print_gold(gold: Gold, output: str) -> None:
    """What the gold was made of."""
    console = make_console()
    console.print(
        f"{output}: {counted(gold.passages, 'passage')}, "
        f"{counted(len(gold.adopted), 'disagreement')} decided"
    )
    for title, found in (("decision", gold.decisions), ("decided by", gold.people)):
        if found:
            table = plain_table(title, "disagreements")
            for name, number in sorted(found.items()):
                table.add_row(name, f"{number:,}")
            console.print(table)


def print_corrections(layers: Mapping[str, Corrected], names: tuple[str, str]) -> None:
    """What was kept and changed of a proposal, and how good it was."""
    console = make_console()
    console.print(headline(names[0], " corrected as ", names[1], ""))
    names_of_columns = ["proposed", "kept", "moved", "retyped", "removed", "added"]
    for shown in fitting(names_of_columns, console.width - 20):
        table = plain_table("layer", *shown)
        for name, one in layers.items():
            table.add_row(name, *(_share(one, column) for column in shown))
        console.print(table)
    table = plain_table("layer", "precision", "recall", "F1")
    for name, one in layers.items():
        table.add_row(name, _percent(one.precision), _percent(one.recall), _percent(one.f1))
    console.print(table)


def _share(one: Corrected, column: str) -> str:
    """A count with its share: of the proposal, or of the result where it was added."""
    count: int = getattr(one, column)
    if column == "proposed":
        return f"{count:,}"
    whole = one.corrected if column == "added" else one.proposed
    return f"{count:,} ({100 * count / whole:.1f}%)" if whole else f"{count:,}"


def _print_sorts(console: Console, made: CrossCheck) -> None:
    sorts = [sort for sort in SORTS if any(sort in one.sorts for one in made.counts.values())]
    if not sorts:
        return
    labels = max(cell_len(name) for name in made.counts)
    for shown in fitting(sorts, console.width - labels - 3):
        table = plain_table("layer", *shown)
        for name, one in made.counts.items():
            if one.sorts:
                table.add_row(name, *(str(one.sorts.get(sort, 0)) for sort in shown))
        console.print(table)


def _version(items: Any, cause: str | None) -> str:
    """One annotator's version of a place: the spans, with what is said of them."""
    if not items:
        return ONCE if cause == REPEAT else NOTHING
    return " | ".join(_item(one) for one in items)


def _item(one: Mapping[str, Any]) -> str:
    said = list(_labels(one))
    quote = " ".join(str(one["quote"]).split())
    return f"{quote} ({', '.join(said)})" if said else quote


def _labels(one: Mapping[str, Any]) -> Iterator[str]:
    for name, value in one.items():
        if name == "antecedent":
            yield f"→ {value.get('quote') or value.get('number')}"
        elif name == "type":
            yield str(value)
        elif name == "numbered":
            yield "an antecedent of nothing"
        elif name not in ("span", "quote"):
            yield f"{name} {value}"


def _around(one: Disagreement) -> str:
    """The place in its sentence, marked, and cut where the sentence is long."""
    context = one.beside.get(CONTEXT)
    if context is None or one.place is None:
        return ""
    first = int(one.beside.get(CONTEXT_START, 0))
    start, end = max(0, one.place[0] - first), max(0, one.place[1] - first)
    if start == 0 and end >= len(context):
        return " ".join(context.split())
    before, after = context[:start], context[end:]
    if len(before) > AROUND:
        before = f"…{before[-AROUND:]}"
    if len(after) > AROUND:
        after = f"{after[:AROUND]}…"
    return " ".join(f"{before}»{context[start:end]}«{after}".split())


def _percent(value: float | None) -> str:
    return ABSENT if value is None else f"{100 * value:.1f}"


def print_undecided(ids: Sequence[str], *, show: int) -> None:
    """The ids that nobody decided."""
    console = make_console()
    for id in ids[:show]:
        console.print(id, soft_wrap=True)
    if len(ids) > show:
        console.print(f"and {len(ids) - show:,} more")
