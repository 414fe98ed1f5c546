"""``readmark set challenge``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from readmark.cli import options
from readmark.cli.ticker import Ticker
from readmark.corpus.errors import UsageError
from readmark.corpus.outputs import require_apart

if TYPE_CHECKING:
    from readmark.corpus.values import Layer, Passage, Question
    from readmark.setting.challenge.judge import LevelOf
    from readmark.setting.challenge.reading import Entities


@click.command("challenge")
@click.argument("test")
@click.option("-o", "--output", metavar="OUT", help="The test of the questions found to write.")
@click.option(
    "--find/--check",
    default=True,
    show_default=True,
    help="Find questions that meet the criteria, or check them all.",
)
@click.option("--long", is_flag=True, help="Find: take longer answers as they are.")
@click.option(
    "--short",
    type=click.IntRange(1),
    metavar="N",
    help="The longest short answer: 10 characters of Chinese, 5 words of English.",
)
@click.option(
    "--annotators",
    type=click.IntRange(0),
    default=3,
    show_default=True,
    metavar="N",
    help="How many people must have answered.",
)
@click.option(
    "--show", type=click.IntRange(0), default=20, show_default=True, help="Questions to print."
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

    The criteria are CMRC 2018's: a word or a short phrase is not deduced from one sentence, an
    answer of some class is not the only one of it in the passage, and three people answered. OUT
    keeps each verdict under the question's key. A check exits 1 when a question fails.
    """
    from readmark.corpus.formats import format_for, open_test, save_test
    from readmark.corpus.language import primary
    from readmark.setting.challenge import Judge, Selection, selected
    from readmark.setting.question_rules.rule import LANGUAGES
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
        from readmark.reporting.challenge import print_selection
        from readmark.reporting.terminal import counted

        print_selection(done, find=find, show=show)
        options.say(lost)
        if output is not None:
            options.say([f"{output}: {counted(len(done.verdicts), 'question')} written"])
    ctx.exit(1 if failed else 0)


def _entities() -> Entities:
    """Entities by the passage's own layer, else by an analyser that is made when first needed."""
    from readmark.text.analysers import Analyser, analyser

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
    from readmark.setting.levels import levelled

    def level(question: Question, passage: Passage, language: str) -> int | None:
        return levelled(question, passage, language).level

    return level
