"""``readmark set merge``."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from readmark.cli import options


@click.command("merge")
@click.argument("test")
@click.argument("answers", nargs=-1, required=True, metavar="ANSWERS...")
@click.option("-o", "--output", required=True, metavar="OUT", help="The test to write.")
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    help="Whose answers a file holds, whatever it says; once a file, in order.",
)
@click.option(
    "--drop-free",
    is_flag=True,
    help="Leave out answers that do not stand in the passage; people's figure is then flattered.",
)
@options.from_option
@click.option("--to", "to_format", metavar="FORMAT", help="The format to write; by OUT's suffix.")
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
    """Take people's ANSWERS into the key of a TEST: filled sheets, sittings, or answered tests.

    Every answer is placed in its passage and spelt as it stands there; one that does not stand
    there is listed and kept without a place. Who gave no answer is noted in the key. Where the
    plan of set blind lies beside the sheets, those who still owe answers are told. The paper stays
    as it is, so every sitting stays markable.
    """
    from readmark.corpus.formats import format_for, open_test, save_test
    from readmark.corpus.outputs import require_apart
    from readmark.reporting.second_answers import print_merged
    from readmark.setting.blind.merging import merged

    source = open_test(test, format=from_format)
    require_apart([output], [test, *answers])
    made, done = merged(source, answers, names=names, drop_free=drop_free)
    format = to_format or format_for(Path(output), source)
    lost = save_test(made, output, format=format)
    options.say(done.notes)
    if drop_free and done.absent:
        options.say(
            [
                f"{len(done.absent)} answers of people that do not stand in their passage were "
                "left out: people's figure is then flattered"
            ]
        )
    if as_json:
        options.print_json({"output": output, "format": format, "lost": lost, **asdict(done)})
        return
    print_merged(done, dropped=drop_free)
    options.say(f"{format}: {line}" for line in lost)
    options.say([f"{output}: {done.answers} answers merged; people's figure: readmark people"])
