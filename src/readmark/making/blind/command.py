"""Merged answers in a terminal: how each annotator's were placed, and what needs a look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from readmark import console as options
from readmark.core.display import counted, headline, make_console, plain_table
from readmark.making.blind.merge import Merged

# ``readmark set blind``.


@click.command("blind")
@click.argument("test")
@click.option("-o", "--output", required=True, metavar="DIR", help="Folder to write.")
@click.option(
    "--annotator",
    "annotators",
    multiple=True,
    metavar="NAME",
    help="Name of an annotator (repeatable).",
)
@click.option(
    "--each",
    type=click.IntRange(min=1),
    default=2,
    help="Number of annotators who answer each question",
)
@options.seed_option
@options.from_option
@options.json_option
def blind_command(
    test: str,
    output: str,
    annotators: tuple[str, ...],
    each: int,
    seed: int,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Plan second and third answers to a TEST and write the annotators' material.

    Each annotator gets a page to read (HTML, without any key), a sheet to fill in (CSV) and
    instructions; the paper in the same folder is for programs. Passages are distributed evenly,
    so that every question is answered by --each people. Nobody gets a passage for which they
    proposed or answered a question. Pass the completed sheets to set merge.
    """
    from readmark.formats.registry import open_test
    from readmark.making.blind.plan import hand_out, planned

    source = open_test(test, format=from_format)
    plan = planned(source, annotators, each=each, seed=seed)
    written = hand_out(source, plan, output)
    if as_json:
        options.print_json({"output": output, "files": written, **asdict(plan)})
        return
    for name, ids in plan.passages.items():
        click.echo(f"{name}: {plan.questions[name]} questions on {len(ids)} passages")
    options.notify([f"{output}: {len(written)} files written; when filled in: readmark set merge"])


# ``readmark set merge``.


@click.command("merge")
@click.argument("test")
@click.argument("answers", nargs=-1, required=True, metavar="ANSWERS...")
@click.option("-o", "--output", required=True, metavar="OUT", help="Test to write.")
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    help="Annotator of an ANSWERS file, in the order of the files; overrides the name "
    "in it (repeatable).",
)
@click.option(
    "--drop-free",
    is_flag=True,
    help="Omit answers that do not occur in the passage. This makes people's scores "
    "look better than they are.",
)
@options.from_option
@click.option(
    "--to",
    "to_format",
    metavar="FORMAT",
    help="Format to write  [default: detected from OUT's suffix]",
)
@options.json_option
def merge_command(
    test: str,
    answers: tuple[str, ...],
    output: str,
    names: tuple[str, ...],
    drop_free: bool,
    from_format: str | None,
    to_format: str | None,
    as_json: bool,
) -> None:
    """Merge people's ANSWERS into the key of a TEST: completed sheets, sittings or answered tests.

    Each answer is located in its passage and spelt as it is there. An answer that does not
    occur in the passage is listed and stored without a position. The key records who gave no
    answer. If the plan of set blind is in the same folder as the sheets, annotators with
    outstanding answers are reported. The paper stays the same, so existing sittings can still
    be marked.
    """
    from readmark.core.files import require_apart
    from readmark.formats.registry import format_for, open_test, save_test
    from readmark.making.blind.merge import merged

    source = open_test(test, format=from_format)
    require_apart([output], [test, *answers])
    made, done = merged(source, answers, names=names, drop_free=drop_free)
    format = to_format or format_for(Path(output), source)
    lost = save_test(made, output, format=format)
    options.notify(done.notes)
    if drop_free and done.absent:
        options.notify(
            [
                f"{len(done.absent)} answers of people that do not occur in their passage were "
                "left out: people's figure is then flattered"
            ]
        )
    if as_json:
        options.print_json({"output": output, "format": format, "lost": lost, **asdict(done)})
        return
    print_merged(done, dropped=drop_free)
    options.notify(f"{format}: {line}" for line in lost)
    options.notify([f"{output}: {done.answers} answers merged; people's figure: readmark people"])


COLUMNS = {
    "given": "as placed",
    "exact": "found",
    "several": "one of several",
    "folded": "respelt",
    "absent": "not there",
    "empty": "empty",
}
SHOWN = 10
OWED = 3


def print_merged(done: Merged, *, dropped: bool) -> None:
    """A row an annotator; then the answers that need a look, and who still owes some."""
    console = make_console()
    used = [how for how in COLUMNS if any(how in counts for counts in done.counts.values())]
    table = plain_table("annotator", *(COLUMNS[how] for how in used))
    for name, counts in done.counts.items():
        table.add_row(name, *(str(counts.get(how, 0)) for how in used))
    console.print(table)
    if done.respelt:  # all of them: each is another answer than was given
        console.print("respelt as in the passage:")
        for id, annotator, before, after in done.respelt:
            console.print(_change(id, annotator, before, after))
    fate = "left out" if dropped else "kept without a place"
    _list(console, f"not in the passage, {fate}", done.absent)
    _list(console, "at several places, one taken", done.several)
    for name, ids in done.owed.items():
        every = len(ids) == done.handed_out[name]
        shown = ", ".join(ids[:OWED]) + ", …" * (len(ids) > OWED)
        owed = f"all {counted(len(ids), 'question')}" if every else f"{len(ids)} ({shown})"
        console.print(headline("still owed", " by ", name, f": {owed}"))


def _change(id: str, annotator: str, before: str, after: str) -> Text:
    return Text.assemble("  ", (id, "bold"), f" ({annotator}) {before} → {after}")


def _list(console: Console, title: str, rows: Sequence[tuple[str, str, str]]) -> None:
    if not rows:
        return
    console.print(f"{title}:")
    for id, annotator, text in rows[:SHOWN]:
        console.print(headline("  ", id, f" ({annotator}) ", text))
    if len(rows) > SHOWN:
        console.print(f"  and {len(rows) - SHOWN} more (--json lists all)")
