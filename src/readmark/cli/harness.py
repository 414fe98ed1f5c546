"""``readmark harness``: tests as tasks of evaluation harnesses, and their logs as sittings."""

from __future__ import annotations

import click

from readmark.cli import options
from readmark.corpus.errors import UsageError


@click.group("harness")
def harness_command() -> None:
    """Export a test to an evaluation harness; import the log of its samples as a sitting.

    `readmark mark TEST LOG` takes such a log at once; an import also places the answers.
    """


@harness_command.command("export", short_help="Write a test as a task of a harness.")
@click.argument("test")
@click.option(
    "--to",
    "harness",
    required=True,
    type=click.Choice(["lm-eval", "inspect"]),
    help="lm-evaluation-harness or Inspect AI.",
)
@click.option("-o", "--output", required=True, metavar="DIR", help="The folder to write, new.")
@click.option("--prompt", default="", metavar="FILE", help="A prompt of your own.")
@click.option(
    "--max-tokens", type=int, default=256, show_default=True, help="Of a reply, thinking included."
)
@click.option("--shots", type=int, metavar="N", help="Show N examples before every question.")
@click.option(
    "--shots-from", metavar="TEST2", help="The test that examples are of, on other passages."
)
@options.seed_option
@click.option("--with-keys", is_flag=True, help="Write the keys of hidden splits too.")
@options.from_option
@options.json_option
def export_command(
    test: str,
    harness: str,
    output: str,
    prompt: str,
    max_tokens: int,
    shots: int | None,
    shots_from: str | None,
    seed: int,
    with_keys: bool,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Write a TEST as a task of a harness, with its prompts and a page of the two commands.

    The harness prints its own scores; Readmark marks the same answers from the harness's log.
    Keys of hidden splits are left out, so the harness counts those questions as wrong. Examples
    are drawn from the train split of TEST2, or from all of it where it has no splits.
    """
    from readmark.corpus.formats import open_test
    from readmark.corpus.outputs import require_apart
    from readmark.setting.harness.examples import Draw
    from readmark.setting.harness.questions import exported
    from readmark.setting.harness.writing import no_targets, write_task

    if (shots is None) != (shots_from is None):
        raise UsageError("--shots N and --shots-from TEST2 go together")
    require_apart([output], [test, prompt or None, shots_from])
    drawn = Draw(open_test(shots_from), shots, seed) if shots_from and shots is not None else None
    exam = open_test(test, format=from_format)
    task = exported(exam, prompt=prompt, with_keys=with_keys, shots=drawn)
    files = write_task(task, output, harness, max_tokens=max_tokens)
    if as_json:
        options.print_json(
            {
                "output": output,
                "task": task.name,
                "paper": task.paper,
                "questions": len(task.questions),
                "options": task.choosing,
                "without_target": task.withheld,
                "shots": [one["id"] for one in task.examples],
                "files": files,
            }
        )
        return
    if task.withheld:
        options.say([f"{no_targets(task.withheld)}: the harness counts that as wrong"])
    options.say([f"{output} written: task {task.name}, {len(task.questions)} questions"])


@harness_command.command("import", short_help="Write a harness's log as a sitting of a test.")
@click.argument("log")
@click.argument("test")
@click.option("-o", "--output", required=True, metavar="SITTING", help="The sitting to write.")
@click.option(
    "--filter",
    "filter_name",
    default="",
    metavar="NAME",
    help="Which filter's responses (lm-eval); the first of the log if absent.",
)
@click.option("--raw", is_flag=True, help="The responses as they came, before any filter.")
@options.from_option
@options.json_option
def import_command(
    log: str,
    test: str,
    output: str,
    filter_name: str,
    raw: bool,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Write the LOG of a harness as a sitting of TEST, its answers placed in their passages.

    LOG is a samples_*.jsonl of lm-evaluation-harness, or an .eval or .json of Inspect AI.
    A log of another version of the test is refused.
    """
    from readmark.corpus.formats import open_test
    from readmark.sitting.logged import import_log

    source = open_test(test, format=from_format)
    done = import_log(log, source, output, filter_name=filter_name, raw=raw)
    if as_json:
        options.print_json(done.as_json())
        return
    options.say(done.notes)
    options.say([f"{output} written: {done.candidate}, {done.words}"])
