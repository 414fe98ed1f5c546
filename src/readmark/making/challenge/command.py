"""``readmark set challenge``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.text import Text

from readmark import console as options
from readmark.console import Ticker
from readmark.core.display import ABSENT, Result, counted, plain_table
from readmark.core.errors import UsageError
from readmark.core.files import require_distinct_files
from readmark.core.language import primary

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from readmark.core.records import Layer, Passage, Question
    from readmark.core.test import Test
    from readmark.making.challenge.clues import Entities
    from readmark.making.challenge.criteria import ChallengeVerdict, LevelOf, Selection


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
@options.split_option
@options.from_option
@options.json_option
@click.pass_context
def challenge_command(
    ctx: click.Context,
    /,
    test: str,
    output: str | None,
    find: bool,
    show: int,
    split: str | None,
    from_format: str | None,
    as_json: bool,
    **criteria: Any,
) -> None:
    """Find the questions of a TEST that no single sentence answers, or check proposed ones.

    The criteria are those of CMRC 2018: a word or short phrase cannot be deduced from one
    sentence, an answer of some class is not the only one of its class in the passage, and three
    people answered. OUT stores each verdict in the question's key. A check exits with status 1
    if a question fails.
    """
    from readmark.formats.registry import open_test

    if output is None and find and not as_json:
        raise click.UsageError("name the file to write with -o, or ask for --json")
    source = open_test(test, format=from_format, split=split)
    with Ticker() as ticker:
        done = challenge(source, output, find=find, shown=show, progress=ticker.count, **criteria)
    options.print_result(done, as_json=as_json)
    if not as_json:
        options.notify(done.notes)
    ctx.exit(1 if done.failed else 0)


@dataclass(frozen=True, slots=True)
class ChallengeSet(Result):
    """The questions found, or the verdicts on all of them."""

    test: str
    find: bool
    selection: Selection
    output: str | None = None
    lost: tuple[str, ...] = ()
    """What the format cannot hold."""
    shown: int = 20
    """How many questions are printed."""

    @property
    def failed(self) -> bool:
        """Whether a question that was checked fails."""
        return not self.find and any(verdict.fails for verdict in self.selection.verdicts)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was lost and written."""
        if self.output is None:
            return self.lost
        questions = counted(len(self.selection.verdicts), "question")
        return (*self.lost, f"{self.output}: {questions} written")

    def as_json(self) -> dict[str, Any]:
        return {
            "test": self.test,
            "find": self.find,
            "lost": list(self.lost),
            **self.selection.summary(),
        }

    def show(self, console: Console) -> None:
        """The questions found, or those that fail, then one line per criterion."""
        from readmark.making.challenge.criteria import CRITERIA, WORDS

        find, done = self.find, self.selection
        listed = [verdict for verdict in done.verdicts if find or verdict.fails]
        for verdict in listed[: self.shown]:
            console.print(_verdict(verdict, find=find), soft_wrap=True)  # Chinese has no spaces
        if len(listed) > self.shown:
            more = len(listed) - self.shown
            console.print(f"… and {more:,} more; all of them with --json\n")
        met = sum(verdict.meets_criteria for verdict in done.verdicts)
        share = f" ({met / done.questions:.1%})" if done.questions else ""
        of = f"{met:,} of {counted(done.questions, 'question')}{share}"
        console.print(f"{of}: no single sentence, not the only one of its class")
        table = plain_table("fails first by" if find else "fails by", "questions")
        for name, words in WORDS.items():
            if done.fails[name] or name in CRITERIA:
                of_found = " (of those found)" if find and name == "annotators" else ""
                table.add_row(f"{name}: {words}{of_found}", f"{done.fails[name]:,}")
        console.print(table)


def _verdict(verdict: ChallengeVerdict, *, find: bool) -> Text:
    question = verdict.question
    text = Text.assemble((question.id, "bold"), f"  {question.text}\n")
    level = f" (level {verdict.level})" if verdict.level is not None else ""
    text.append(f"  answer: {verdict.answer or ABSENT}{level}\n")
    if not find:
        text.append(f"  fails: {', '.join(verdict.fails)}\n")
    for reason in verdict.why:
        text.append(f"  {reason}\n", "dim")
    for start, end in verdict.sentences:
        text.append(f"  | {verdict.passage.text[start:end]}\n", "dim")
    return text


def challenge(
    test: Test,
    output: str | Path | None = None,
    *,
    find: bool = True,
    long: bool = False,
    short: int | None = None,
    annotators: int = 3,
    shown: int = 20,
    progress: Callable[[int, int], None] | None = None,
) -> ChallengeSet:
    """Find the questions that meet the criteria, or check every question against them.

    ``long`` also accepts longer answers that one sentence gives; ``short`` is the length up to
    which an answer is short; ``annotators`` are the people who must have answered.
    """
    from readmark.core.question_rules import RULED_LANGUAGES as LANGUAGES
    from readmark.formats.registry import format_for, save_test
    from readmark.making.challenge.criteria import ChallengeJudge, selected

    if long and not find:
        raise UsageError("--long is for --find: a check takes longer answers as they are")
    language = primary(test.language)
    if language not in LANGUAGES:
        raise UsageError(
            f"{test.file}: questions are judged in en and zh, this is {test.language!r}"
        )
    require_distinct_files([output], [test.file])
    judge = ChallengeJudge(
        language,
        _entities(),
        short=short,
        least=annotators,
        long_pass=long or not find,
        every=not find,
        level_of=_level_of(),
    )

    def watch(done: Selection) -> None:
        if progress is not None:
            progress(done.questions, test.facts.units)

    made, done = selected(test, judge, find=find, watch=watch)
    if output is None:
        for _ in made.records():
            pass
        return ChallengeSet(test.file, find, done, shown=shown)
    lost = save_test(made, output, format=format_for(Path(output), test))
    return ChallengeSet(test.file, find, done, str(output), tuple(lost), shown)


def _entities() -> Entities:
    """Entities by the passage's own layer, else by an analyser that is made when first needed."""
    from readmark.hooks import Analyser
    from readmark.text.analysers.registry import analyser

    made: dict[str, Analyser] = {}

    def entities(passage: Passage, language: str) -> Layer | None:
        if "ne" in passage.layers:
            return passage.layers["ne"]
        if language not in made:
            made[language] = analyser(language)
        (analysis,) = made[language].analyse([passage.text], ("ne",))
        return analysis.layers["ne"]

    return entities


def _level_of() -> LevelOf:
    from readmark.comprehension.levels.decision import levelled

    def level(question: Question, passage: Passage, language: str) -> int | None:
        return levelled(question, passage, language).level

    return level
