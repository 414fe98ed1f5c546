"""``readmark task gold``: the gold of a task, its versions, and annotators' sittings."""

from __future__ import annotations

import click

from readmark import console as options
from readmark.console import OUTPUT_FILE, WORDS
from readmark.tasks.commands.shared_options import print_with_notes


@click.command("gold")
@click.argument("task", metavar="TASK")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="JSON Lines file to write the answers to.",
    type=OUTPUT_FILE,
)
@click.option("--split", metavar="NAME", help="Use only documents of this split  [default: all]")
@click.option("--annotator", metavar="NAME", help="Use only this annotator's graphs.")
@click.option(
    "--adjudicated",
    multiple=True,
    metavar="FILE",
    help="Pool with the verdicts filled in (repeatable).",
)
@click.option("--revise", is_flag=True, help="Let verdicts in --adjudicated replace earlier ones.")
@click.option(
    "--drop",
    is_flag=True,
    help="Make a version with --adjudicated even if it lacks right answers of the gold.",
)
@click.option(
    "--gold",
    "version",
    type=click.IntRange(min=0),
    metavar="N",
    help="Version of the gold to write  [default: the newest]",
)
@click.option("--history", is_flag=True, help="List the versions of the gold, and write nothing.")
@click.option(
    "--union",
    is_flag=True,
    help="Combine the graphs of all annotators of a document; the answers record this.",
)
@click.option(
    "--as-sitting",
    is_flag=True,
    help="Write the annotator's answers as a sitting, for `mark --people`.",
)
@click.option(
    "--domain",
    metavar="NAME|FOLDER",
    help="Domain that supplies the ontology, rules and queries.",
    type=WORDS,
)
@options.json_option
def gold_command(
    task: str,
    output: str | None,
    split: str | None,
    annotator: str | None,
    adjudicated: tuple[str, ...],
    revise: bool,
    drop: bool,
    version: int | None,
    history: bool,
    union: bool,
    as_sitting: bool,
    domain: str | None,
    as_json: bool,
) -> None:
    """Answer the queries of TASK from its annotated graphs: explicit and inferred answers.

    TASK is a packed task or a folder to pack. Answers derived by rules are inferred. Documents
    that contradict the theory get no answers; repair them first. Adjudicated answers are added
    with the judge and the reason, and recorded as a new version of the gold in the task's
    history.jsonl. A version starts from the answers that TASK has; without any, documents with
    several annotators have the answers that all of them gave. Without adjudication, choose one
    --annotator or take the --union.
    """
    from readmark.core.errors import UsageError
    from readmark.tasks.gold_versions import gold_history, make_gold, make_sitting

    if history:
        print_with_notes(gold_history(task), as_json)
        return
    if output is None:
        raise UsageError("Missing option '-o' / '--output'.")
    if as_sitting:
        if annotator is None or adjudicated or domain or union:
            raise UsageError("--as-sitting takes a packed task and --annotator, and no more")
        print_with_notes(make_sitting(task, output, annotator=annotator, split=split), as_json)
        return
    if union and (annotator is not None or adjudicated):
        raise UsageError("--union goes with neither --annotator nor --adjudicated")
    if version is not None and adjudicated:
        raise UsageError("--gold writes an earlier version; --adjudicated makes a new one")
    result = make_gold(
        task,
        output,
        split=split,
        annotator=annotator,
        adjudicated=adjudicated,
        revise=revise,
        drop=drop,
        version=version,
        union=union,
        domain=domain,
    )
    print_with_notes(result, as_json)
