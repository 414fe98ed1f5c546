"""``readmark series ask``: one question of a series, put to rewriters without files."""

from __future__ import annotations

from typing import Any

import click

from readmark import console as options
from readmark.console import WORDS, candidate_name


@click.command("ask")
@click.argument("question", type=WORDS)
@click.option(
    "--target",
    metavar="TEXT",
    help="What the series is about, such as Jay-Z  [default: no target]",
    type=WORDS,
)
@click.option(
    "--previous",
    multiple=True,
    metavar="QUESTION",
    help="Earlier question of the series (repeatable, in order).",
    type=WORDS,
)
@click.option(
    "--answer",
    "answers",
    multiple=True,
    metavar="TEXT",
    help="Answer to an earlier question (repeatable, in the order of --previous; '' if unknown).",
    type=WORDS,
)
@click.option(
    "-w",
    "--rewriter",
    "rewriters",
    multiple=True,
    metavar="REWRITER",
    help="Rewriter to ask (repeatable). `readmark list candidates` shows all  "
    "[default: append and guided]",
    type=candidate_name("series"),
)
@click.option(
    "--language",
    metavar="LANGUAGE",
    help="Language of the texts, en or zh  [default: detected from the texts]",
)
@options.json_option
def ask_command(question: str, target: str | None, as_json: bool, **settings: Any) -> None:
    """Rewrite one QUESTION about a --target so that it is understood alone.

    The question may refer to the target, to earlier questions (--previous) and to their answers
    (--answer).
    """
    from readmark.series.ask import rewrite_question

    with options.candidate_output_to_stderr():
        result = rewrite_question(question, target=target or "", **settings)
    options.print_result(result, as_json=as_json)
