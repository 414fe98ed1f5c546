"""``readmark set challenge``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.text import Text

from readmark import console as options
from readmark.comprehension.levels.decision import levelled
from readmark.console import Ticker
from readmark.core.display import ABSENT, Result, counted, plain_table
from readmark.core.errors import UsageError
from readmark.core.files import require_distinct_files
from readmark.core.language import primary
from readmark.core.problems import Report, fail
from readmark.core.question_rules import RULED_LANGUAGES
from readmark.core.records import Layer, Passage
from readmark.core.test import Placed, Test
from readmark.formats.registry import format_for, open_test, save_test
from readmark.hooks import Analyser
from readmark.making.challenge.clues import Entities
from readmark.making.challenge.criteria import (
    CRITERIA,
    WORDS,
    ChallengeJudge,
    ChallengeVerdict,
    Selection,
    selected,
)
from readmark.text.analysers.registry import analyser

CHALLENGE = "challenge"
"""The usual name of the split."""


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
@click.option(
    "--as-split",
    is_flag=False,
    flag_value=CHALLENGE,
    metavar="[NAME]",
    help="Write the whole test, with the selected questions as a split of their own, named NAME "
    "or challenge  [default: write the selected questions alone]",
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
    split: str | None,
    from_format: str | None,
    as_json: bool,
    **criteria: Any,
) -> None:
    """Find the questions of a TEST that no single sentence answers, or check proposed ones.

    The criteria are those of CMRC 2018: a word or short phrase cannot be deduced from one
    sentence, an answer of some class is not the only one of its class in the passage, and three
    people answered. OUT stores each verdict in the question's key. With --as-split, OUT is the
    whole test: a passage with questions of both sorts is in it twice, once with each sort. A
    check exits with status 1 if a question fails; one whose words are not in the passage is
    undecided, for a person to look at.
    """
    if output is None and find and not as_json:
        raise click.UsageError("name the file to write with -o, or ask for --json")
    source = open_test(test, format=from_format, split=split)
    with Ticker() as ticker:
        done = challenge(
            source,
            output,
            find=find,
            as_split=as_split,
            shown=show,
            progress=ticker.count,
            **criteria,
        )
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
    as_split: str | None = None
    """The split that the questions are in, where the whole test was written."""
    shared: int = 0
    """Passages that are in that split and in another, with other questions."""

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
        if self.as_split is None:
            return (*self.lost, f"{self.output}: {questions} written")
        shared = [f"in another split too: {counted(self.shared, 'passage')}"] * bool(self.shared)
        written = f"{self.output}: written, {questions} as split {self.as_split}"
        return (*self.lost, "; ".join([written, *shared]))

    def as_json(self) -> dict[str, Any]:
        return {
            "test": self.test,
            "find": self.find,
            "lost": list(self.lost),
            **({"split": self.as_split, "shared": self.shared} if self.as_split else {}),
            **self.selection.summary(),
        }

    def show(self, console: Console) -> None:
        """The questions found, or those that fail, then one line per criterion."""
        find, done = self.find, self.selection
        listed = [one for one in done.verdicts if find or one.fails or one.undecided]
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
    shown: int = 20,
    progress: Callable[[int, int], None] | None = None,
) -> ChallengeSet:
    """Find the questions that meet the criteria, or check every question against them.

    ``long`` also accepts longer answers that one sentence gives; ``short`` is the length up to
    which an answer is short; ``annotators`` are the people who must have answered. With
    ``as_split`` the whole test is written, with the questions found as a split of that name.
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
    judge = ChallengeJudge(
        language,
        _entities(),
        short=short,
        least=annotators,
        long_pass=long or not find,
        every=not find,
        level_of=lambda *asked: levelled(*asked).level,
    )

    def watch(done: Selection) -> None:
        if progress is not None:
            progress(done.questions, test.facts.units)

    made, done = selected(test, judge, find=find, watch=watch)
    result = ChallengeSet(test.file, find, done, shown=shown, as_split=as_split)
    if output is None:
        for _ in made.records():
            pass
        return result
    if as_split is not None:
        made, shared = with_challenge_split(test, list(made.records()), as_split)
        result = replace(result, shared=shared)
    lost = save_test(made, output, format=format_for(Path(output), test))
    return replace(result, output=str(output), lost=tuple(lost))


def with_challenge_split(test: Test, found: Sequence[Passage], name: str) -> tuple[Test, int]:
    """The test with the questions of some of its passages as a split, and how many share a passage.

    A passage that has other questions too stays where it is with those, and is in the split under
    an id of its own. The split is hidden where any question comes from a hidden one.
    """
    if name in test.facts.splits:
        raise UsageError(f"{test.file} has a split {name!r} already; name another")
    moved = {passage.id: passage for passage in found}
    splits = {passage.split for passage in found}
    ids = {question.id for passage in found for question in passage.questions}
    whole = {record.id: len(record.questions) for record in test.records() if record.id in moved}
    shared = {id for id, passage in moved.items() if len(passage.questions) < whole[id]}

    def stream(report: Report) -> Iterator[Placed]:
        for place, passage in test.stream(report):
            if passage.id not in moved:
                yield place, passage
                continue
            if passage.id in shared:
                rest = tuple(one for one in passage.questions if one.id not in ids)
                yield place, msgspec.structs.replace(passage, questions=rest)
            id = f"{passage.id}-{name}" if passage.id in shared else passage.id
            yield place, msgspec.structs.replace(moved[passage.id], id=id, split=name)

    header = test.header
    if splits & {*header.hidden}:
        header = msgspec.structs.replace(header, hidden=(*header.hidden, name))
    left = {record.split for _, record in stream(fail)}
    hidden = tuple(split for split in header.hidden if split in left)
    header = msgspec.structs.replace(header, hidden=hidden)
    return replace(test, header=header, stream=stream), len(shared)


def _entities() -> Entities:
    """Entities by the passage's own layer, else by an analyser that is made when first needed."""
    made: dict[str, Analyser] = {}

    def entities(passage: Passage, language: str) -> Layer | None:
        if "ne" in passage.layers:
            return passage.layers["ne"]
        if language not in made:
            made[language] = analyser(language)
        (analysis,) = made[language].analyse([passage.text], ("ne",))
        return analysis.layers["ne"]

    return entities
