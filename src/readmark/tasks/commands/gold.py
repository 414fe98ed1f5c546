"""``readmark task gold``."""

from __future__ import annotations

import click

from readmark import console as options


@click.command("gold")
@click.argument("task", metavar="TASK")
@click.option(
    "-o", "--output", required=True, metavar="FILE", help="JSON Lines file to write the answers to."
)
@click.option("--split", metavar="NAME", help="Use only documents of this split  [default: all]")
@click.option("--annotator", metavar="NAME", help="Use only this annotator's graphs.")
@click.option(
    "--adjudicated",
    multiple=True,
    metavar="FILE",
    help="Pool with the verdicts filled in (repeatable).",
)
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
    "--domain", metavar="NAME|FOLDER", help="Domain that supplies the ontology, rules and queries."
)
@options.json_option
def gold_command(
    task: str,
    output: str,
    split: str | None,
    annotator: str | None,
    adjudicated: tuple[str, ...],
    union: bool,
    as_sitting: bool,
    domain: str | None,
    as_json: bool,
) -> None:
    """Answer the queries of TASK from its annotated graphs: explicit and inferred answers.

    TASK is a packed task or a folder to pack. Answers derived by rules are inferred. Documents
    that contradict the theory get no answers; repair them first. Adjudicated answers are added
    with the judge and the reason; documents with several annotators then have the answers that
    all of them gave. Without adjudication, choose one --annotator or take the --union.
    """
    from dataclasses import asdict

    from readmark.core.errors import UsageError
    from readmark.tasks.gold import make_gold, make_sitting

    if as_sitting:
        if annotator is None or adjudicated or domain or union:
            raise UsageError("--as-sitting takes a packed task and --annotator, and no more")
        count = make_sitting(task, output, annotator=annotator, split=split)
        if as_json:
            options.print_json({"output": output, "annotator": annotator, "units": count})
        else:
            options.notify([f"{output}: {annotator} answered {count} units"])
        return
    if union and (annotator is not None or adjudicated):
        raise UsageError("--union goes with neither --annotator nor --adjudicated")
    made = make_gold(
        task,
        output,
        split=split,
        annotator=annotator,
        adjudicated=adjudicated,
        union=union,
        domain=domain,
    )
    if as_json:
        options.print_json({"output": output, **asdict(made)})
        return
    told = [
        f"{made.explicit} explicit, {made.inferred} inferred",
        f"{made.rejected} judged wrong" if made.rejected else "",
        f"{made.out_of_bounds} out of bounds" if made.out_of_bounds else "",
        f"{made.unjudged} still unjudged" if made.unjudged else "",
        f"{made.disputed} left out, not of all annotators" if made.disputed else "",
    ]
    options.notify([f"{output}: {', '.join(filter(None, told))}"])
    why = "it contradicts the theory (see task check)"
    if made.united:
        together = f"{', '.join(made.united[:-1])} and {made.united[-1]}"
        options.notify([f"{output}: the annotations of {together} together"])
        why = f"it contradicts the theory, or {together} each other"
    options.notify(f"{one}: no answers, {why}" for one in made.contradicted)


# ``readmark task pool``.


@click.command("pool")
@click.argument("task", metavar="TASK")
@click.argument("sittings", nargs=-1, required=True, metavar="SITTING...")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    help="JSON Lines file to write the answers to judge to.",
)
@options.json_option
def pool_command(task: str, sittings: tuple[str, ...], output: str, as_json: bool) -> None:
    """Pool the unjudged answers of SITTINGs, each once with its excerpts.

    Fill in verdict (right, wrong, out_of_bounds), by and why, then pass the file to task gold
    --adjudicated.
    """
    from readmark.tasks.gold import make_pool

    count = make_pool(task, sittings, output)
    if as_json:
        options.print_json({"output": output, "answers": count})
    else:
        options.notify([f"{output}: {count} answers to judge"])
