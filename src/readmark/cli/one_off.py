"""``readmark ask`` and ``readmark score``: one question, one answer, no files."""

from __future__ import annotations

import click

from readmark import console as options
from readmark.console import METRIC_NAME, WORDS, candidate_name


@click.command("ask")
@click.argument("passage")
@click.argument("question", type=WORDS)
@click.option(
    "-r",
    "--reader",
    "readers",
    multiple=True,
    metavar="READER",
    help="Reader to ask, such as span or bow (repeatable). `readmark list candidates` shows all  "
    "[default: span]",
    type=candidate_name("comprehension"),
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
    """Ask readers one QUESTION about a PASSAGE.

    PASSAGE is the text itself, a text file, or - for standard input. The answers are highlighted
    in the passage: in colour on a terminal, in brackets elsewhere.
    """
    from readmark.sitting import DEFAULT_READER, ask

    with options.candidate_output_to_stderr():
        reader_answers = ask(
            options.text_or_file(passage),
            question,
            reader=readers or DEFAULT_READER,
            language=language,
        )
    options.print_result(reader_answers, as_json=as_json)


@click.command("score")
@click.argument("metric", type=METRIC_NAME)
@click.argument("answer", type=WORDS)
@click.argument("references", nargs=-1, required=True, metavar="REFERENCE...", type=WORDS)
@click.option(
    "--language",
    metavar="LANGUAGE",
    help="Language of the texts, such as en or zh  [default: detected from the texts]",
)
@options.json_option
def score_command(
    metric: str, answer: str, references: tuple[str, ...], language: str | None, as_json: bool
) -> None:
    """Score one ANSWER against REFERENCEs with a METRIC, such as f1 or jaccard.

    The score is that of a single unit: from 0 to 1 for em, f1 and the similarities. METRIC may
    list several metrics, such as em,f1.
    """
    from readmark.marking import score_all

    options.print_result(score_all(metric, answer, references, language=language), as_json=as_json)
