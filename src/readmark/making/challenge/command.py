"""``readmark set challenge``: find or check questions that no single sentence answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from readmark import console as options
from readmark.comprehension import levelled
from readmark.console import OUTPUT_FILE, Ticker
from readmark.core import numbers
from readmark.core.display import ABSENT, Result, counted, plain_table
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import DataError, UsageError
from readmark.core.language import primary
from readmark.core.numbers import and_more
from readmark.core.question_rules import RULED_LANGUAGES
from readmark.core.records import Layer, Passage
from readmark.core.test import Test
from readmark.formats.registry import format_for, open_test, save_test
from readmark.hooks import Analyser
from readmark.making.challenge.criteria import CRITERIA, WORDS, ChallengeJudge, ChallengeVerdict
from readmark.making.challenge.questioned_passage import Entities
from readmark.making.challenge.selection import Selection, selected
from readmark.making.challenge.split import ChallengeLosses, with_challenge_split
from readmark.making.splits.overlaps import ARTICLE
from readmark.making.splits.plan import CHALLENGE
from readmark.text.analysers.registry import analyser


@click.command("challenge")
@click.argument("test")
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    help="Test to write, with the selected questions.",
    type=OUTPUT_FILE,
)
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
@click.option(
    "--as-split",
    is_flag=False,
    flag_value=CHALLENGE,
    metavar="[NAME]",
    help="Write the whole test, with the selected questions as a split of their own, named NAME "
    "or challenge; what would give them away in other splits is left out  [default: write the "
    "selected questions alone]",
)
@options.list_option(
    "--article",
    default="article,title",
    metavar="FIELD,...",
    help="With --as-split, fields that identify a passage's article; id keeps the other passages "
    "of an article",
)
@options.list_option(
    "--hidden",
    metavar="SPLIT,...",
    help="With --as-split, splits whose keys must not be published.",
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
    as_split: str | None,
    article: str,
    hidden: str | None,
    split: str | None,
    from_format: str | None,
    as_json: bool,
    **criteria: Any,
) -> None:
    """Find the questions of a TEST that no single sentence answers, or check proposed ones.

    The criteria are those of CMRC 2018: a word or short phrase cannot be deduced from one
    sentence, an answer of some class is not the only one of its class in the passage, and three
    people answered. OUT stores each verdict in the question's key. With --as-split, OUT is the
    whole test, in which passages with selected questions leave the splits that they were in. Their
    other questions are left out, as are passages of the same articles or with nearly the same
    text; all of them are counted. A check exits with status 1 if a question fails; one whose words
    are not in the passage is undecided, for a person to look at.
    """
    if as_split is None and (options.is_given("article") or options.is_given("hidden")):
        raise click.UsageError("--article and --hidden go with --as-split")
    if output is None and find and not as_json:
        raise click.UsageError("name the file to write with -o, or ask for --json")
    source = open_test(test, format=from_format, split=split)
    with Ticker() as ticker:
        result = challenge(
            source,
            output,
            find=find,
            as_split=as_split,
            article=options.fields(article),
            hidden=options.fields(hidden),
            shown=show,
            progress=ticker.count,
            **criteria,
        )
    options.print_result(result, as_json=as_json)
    if not as_json:
        options.notify(result.notes)
    ctx.exit(1 if result.failed else 0)


@dataclass(frozen=True, slots=True)
class ChallengeSet(Result):
    """The questions that meet the criteria, or the verdicts on all of them."""

    test: str
    find: bool
    selection: Selection
    output: str | None = None
    lost: tuple[str, ...] = ()
    """What the format cannot hold."""
    shown: int = 20
    """How many questions are printed."""
    as_split: str | None = None
    """The split that the questions are in, where the whole test was written."""
    left_out: ChallengeLosses = field(default_factory=ChallengeLosses)
    """What is not in that test, because it would give the split away."""

    @property
    def failed(self) -> bool:
        """Whether a question that was checked fails."""
        return not self.find and any(verdict.fails for verdict in self.selection.verdicts)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the format could not hold, then what was written."""
        if self.output is None:
            return self.lost
        questions = counted(len(self.selection.verdicts), "question")
        if self.as_split is None:
            return (*self.lost, f"{self.output}: {questions} written")
        written = f"{self.output}: written, {questions} as split {self.as_split}"
        missing = [f"left out: {self.left_out}"] if self.left_out != ChallengeLosses() else []
        return (*self.lost, "; ".join([written, *missing]))

    def as_json(self) -> dict[str, Any]:
        split: dict[str, Any] = {}
        if self.as_split:
            # "shared" counted passages that were in another split too; no test has such any more.
            split = {"split": self.as_split, "shared": 0, "left_out": self.left_out.as_json()}
        return {
            "test": self.test,
            "find": self.find,
            "lost": list(self.lost),
            **split,
            **self.selection.summary(),
        }

    def show(self, console: Console) -> None:
        """Print the questions that were selected, or those that fail; then a line per criterion."""
        find, selection = self.find, self.selection
        listed = [
            verdict for verdict in selection.verdicts if find or verdict.fails or verdict.undecided
        ]
        for verdict in listed[: self.shown]:
            # Chinese has no spaces, so that hard wrapping would break anywhere.
            console.print(_verdict(verdict, find=find), soft_wrap=True)
        if len(listed) > self.shown:
            more = len(listed) - self.shown
            console.print(f"{and_more(more, '--json has them all')}\n")
        met = sum(verdict.meets_criteria for verdict in selection.verdicts)
        questions = selection.questions
        share = f" ({numbers.percent(met / questions)})" if questions else ""
        console.print(
            f"{met:,} of {counted(questions, 'question')}{share}: no single sentence, "
            "not the only one of its class"
        )
        table = plain_table("fails first by" if find else "fails by", "questions")
        for name, words in WORDS.items():
            if selection.fails[name] or name in CRITERIA:
                of_found = " (of those found)" if find and name == "annotators" else ""
                table.add_row(f"{name}: {words}{of_found}", f"{selection.fails[name]:,}")
        console.print(table)


def _verdict(verdict: ChallengeVerdict, *, find: bool) -> Text:
    question = verdict.question
    text = Text.assemble((question.id, "bold"), f"  {question.text}\n")
    level = f" (level {verdict.level})" if verdict.level is not None else ""
    text.append(f"  answer: {verdict.answer or ABSENT}{level}\n")
    if verdict.fails and not find:
        text.append(f"  fails: {', '.join(verdict.fails)}\n")
    elif verdict.undecided:
        text.append("  undecided\n")
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
    as_split: str | None = None,
    article: Sequence[str] = ARTICLE,
    hidden: Sequence[str] = (),
    shown: int = 20,
    progress: Callable[[int, int], None] | None = None,
) -> ChallengeSet:
    """Find the questions that meet the criteria, or check every question against them.

    ``long`` also accepts longer answers that one sentence gives; ``short`` is the length up to
    which an answer is short; ``annotators`` is how many people must have answered. With
    ``as_split`` the whole test is written, with the selected questions as a split of that name and
    without what would give them away (see `with_challenge_split`).
    """
    if long and not find:
        raise UsageError("--long is for --find: a check takes longer answers as they are")
    if as_split is not None and (not find or output is None):
        raise UsageError("`as_split` is for a search whose result is written with -o")
    language = primary(test.language)
    if language not in RULED_LANGUAGES:
        raise UsageError(
            f"{test.file}: questions are judged in en and zh, this is {test.language!r}"
        )
    require_distinct_files([output], [test.file])
    if not test.facts.units:
        raise DataError("has no questions to choose from", file=test.file)
    judge = ChallengeJudge(
        language,
        _entities(),
        short=short,
        least=annotators,
        long_pass=long or not find,
        every=not find,
        level_of=lambda *question: levelled(*question).level,
    )

    def watch(selection: Selection) -> None:
        if progress is not None:
            progress(selection.questions, test.facts.units)

    new, selection = selected(test, judge, find=find, watch=watch)
    result = ChallengeSet(test.file, find, selection, shown=shown, as_split=as_split)
    if output is None:
        for _ in new.records():  # questions are judged while they are read
            pass
        return result
    if as_split is not None:
        new, left_out = with_challenge_split(
            test, list(new.records()), as_split, article=article, hidden=hidden, progress=progress
        )
        result = replace(result, left_out=left_out)
    lost = save_test(new, output, format=format_for(Path(output), test))
    return replace(result, output=str(output), lost=tuple(lost))


def _entities() -> Entities:
    """The entities of the passage's own layer, else of an analyser, built when first needed."""
    analysers: dict[str, Analyser] = {}

    def entities(passage: Passage, language: str) -> Layer | None:
        if "ne" in passage.layers:
            return passage.layers["ne"]
        if language not in analysers:
            analysers[language] = analyser(language)
        (analysis,) = analysers[language].analyse([passage.text], ("ne",))
        return analysis.layers["ne"]

    return entities
