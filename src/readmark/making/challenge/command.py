"""``readmark set challenge``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.text import Text

from readmark import console as options
from readmark.console import Ticker
from readmark.core.display import ABSENT, counted, make_console, plain_table
from readmark.core.errors import UsageError
from readmark.core.files import require_apart
from readmark.making.challenge.criteria import CRITERIA, WORDS, Selection, Verdict

if TYPE_CHECKING:
    from readmark.core.records import Layer, Passage, Question
    from readmark.making.challenge.clues import Entities
    from readmark.making.challenge.criteria import LevelOf


@click.command("challenge")
@click.argument("test")
@click.option("-o", "--output", metavar="OUT", help="Test to write, with the selected questions.")
@click.option(
    "--find/--check",
    default=True,
    help="Find the questions that meet the criteria, or check every question against them",
)
@click.option(
    "--long",
    is_flag=True,
    help="With --find, also accept longer answers that a single sentence gives.",
)
@click.option(
    "--short",
    type=click.IntRange(1),
    metavar="N",
    help="Length up to which an answer counts as short  [default: 10 characters in "
    "Chinese, 5 words in English]",
)
@click.option(
    "--annotators",
    type=click.IntRange(0),
    default=3,
    metavar="N",
    help="Number of people who must have answered a question",
)
@click.option(
    "--show", type=click.IntRange(0), default=20, help="Maximum number of questions to print"
)
@options.from_option
@options.json_option
@click.pass_context
def challenge_command(
    ctx: click.Context,
    test: str,
    output: str | None,
    find: bool,
    long: bool,
    short: int | None,
    annotators: int,
    show: int,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Find the questions of a TEST that no single sentence answers, or check proposed ones.

    The criteria are those of CMRC 2018: a word or short phrase cannot be deduced from one
    sentence, an answer of some class is not the only one of its class in the passage, and three
    people answered. OUT stores each verdict in the question's key. A check exits with status 1
    if a question fails.
    """
    from readmark.core.language import primary
    from readmark.core.question_rules import RULED_LANGUAGES as LANGUAGES
    from readmark.formats.registry import format_for, open_test, save_test
    from readmark.making.challenge.criteria import Judge, selected
    from readmark.sitting.runner import Progress

    if output is None and find and not as_json:
        raise click.UsageError("name the file to write with -o, or ask for --json")
    if long and not find:
        raise click.UsageError("--long is for --find: a check takes longer answers as they are")
    source = open_test(test, format=from_format)
    if primary(source.language) not in LANGUAGES:
        raise UsageError(f"{test}: questions are judged in en and zh, this is {source.language!r}")
    require_apart([output], [test])
    judge = Judge(
        primary(source.language),
        _entities(),
        short=short,
        least=annotators,
        long_pass=long or not find,
        every=not find,
        level_of=_level_of(),
    )
    ticker = Ticker()
    total = source.facts.units
    began = time.monotonic()

    def watch(done: Selection) -> None:
        ticker.show(Progress(total, 0, done.questions, 0, time.monotonic() - began))

    made, done = selected(source, judge, find=find, watch=watch)
    lost: list[str] = []
    try:
        if output is not None:
            lost = save_test(made, output, format=format_for(Path(output), source))
        else:
            for _ in made.records():
                pass
    finally:
        ticker.end()
    failed = not find and any(one.fails for one in done.verdicts)
    if as_json:
        options.print_json({"test": test, "find": find, "lost": lost, **done.summary()})
    else:
        from readmark.core.display import counted

        print_selection(done, find=find, show=show)
        options.notify(lost)
        if output is not None:
            options.notify([f"{output}: {counted(len(done.verdicts), 'question')} written"])
    ctx.exit(1 if failed else 0)


def _entities() -> Entities:
    """Entities by the passage's own layer, else by an analyser that is made when first needed."""
    from readmark.text.analysers.registry import Analyser, analyser

    made: dict[str, Analyser] = {}

    def entities(passage: Passage, language: str) -> Layer | None:
        if "ne" in passage.layers:
            return passage.layers["ne"]
        if language not in made:
            made[language] = analyser(language)
        (found,) = made[language].analyse([passage.text], ("ne",))
        return found.layers["ne"]

    return entities


def _level_of() -> LevelOf:
    from readmark.comprehension.levels.decision import levelled

    def level(question: Question, passage: Passage, language: str) -> int | None:
        return levelled(question, passage, language).level

    return level


# Verdicts on challenge questions in a terminal: a question with its reasons, then the counts.


def print_selection(done: Selection, *, find: bool, show: int) -> None:
    """The questions found, or those that fail, then a line a criterion."""
    console = make_console()
    listed = [one for one in done.verdicts if find or one.fails]
    for verdict in listed[:show]:
        console.print(_told(verdict, find=find), soft_wrap=True)  # Chinese has no spaces
    if len(listed) > show:
        console.print(f"… and {len(listed) - show:,} more; all of them with --json\n")
    met = sum(one.found for one in done.verdicts)
    share = f" ({met / done.questions:.1%})" if done.questions else ""
    of = f"{met:,} of {counted(done.questions, 'question')}{share}"
    console.print(f"{of}: no single sentence, not the only one of its class")
    table = plain_table("fails first by" if find else "fails by", "questions")
    for name, words in WORDS.items():
        if done.fails[name] or name in CRITERIA:
            of_found = " (of those found)" if find and name == "annotators" else ""
            table.add_row(f"{name}: {words}{of_found}", f"{done.fails[name]:,}")
    console.print(table)


def _told(verdict: Verdict, *, find: bool) -> Text:
    question = verdict.question
    said = Text.assemble((question.id, "bold"), f"  {question.text}\n")
    level = f" (level {verdict.level})" if verdict.level is not None else ""
    said.append(f"  answer: {verdict.answer or ABSENT}{level}\n")
    if not find:
        said.append(f"  fails: {', '.join(verdict.fails)}\n")
    for reason in verdict.why:
        said.append(f"  {reason}\n", "dim")
    for start, end in verdict.sentences:
        said.append(f"  | {verdict.passage.text[start:end]}\n", "dim")
    return said
