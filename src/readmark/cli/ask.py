"""``readmark ask``."""

from __future__ import annotations

import click

from readmark import console as options


@click.command("ask")
@click.argument("passage")
@click.argument("question")
@click.option(
    "-r",
    "--reader",
    "readers",
    multiple=True,
    metavar="READER",
    help="Reader to ask, such as span or bow (repeatable). `readmark readers` lists all  "
    "[default: span]",
)
@click.option(
    "--language",
    metavar="LANGUAGE",
    help="Language of the texts, such as en or zh  [default: detected from the texts]",
)
@options.json_option
def ask_command(
    passage: str, question: str, readers: tuple[str, ...], language: str | None, as_json: bool
) -> None:
    """Put one QUESTION on a PASSAGE, a text file or the text itself, to readers."""
    from readmark.sitting.ask import READER, ask

    with options.candidate_output_to_stderr():
        found = ask(
            options.text_or_file(passage), question, reader=readers or READER, language=language
        )
    options.print_result(found, as_json=as_json)
