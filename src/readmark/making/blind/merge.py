"""``readmark set merge``: people's answers placed in the passages and taken into the key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console

from readmark import console as options
from readmark.console import OUTPUT_FILE
from readmark.core.display import Result, counted, headline, plain_table
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import DataError, UsageError
from readmark.core.numbers import and_more, first_ids
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.spans import clip
from readmark.core.test import Test
from readmark.formats.registry import format_for, open_test, save_test
from readmark.formats.returned_work import (
    NO_ANSWER_BY,
    answered_by,
    first_difference,
    folded_name,
    require_same_text,
    without_answer,
)
from readmark.making.blind.golds import merge_golds
from readmark.making.blind.plan import PAPER, SHEET, version_of
from readmark.making.blind.returns import (
    GatheredWork,
    OutstandingAnswers,
    PlacedAnswer,
    ReturnedAnswer,
    gathered,
    placed,
    returned,
)


@click.command("merge")
@click.argument("test")
@click.argument("answers", nargs=-1, required=True, metavar="ANSWERS...")
@click.option(
    "-o", "--output", required=True, metavar="OUT", help="Test to write.", type=OUTPUT_FILE
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    help="Annotator of an ANSWERS file, in the order of the files; overrides the name "
    "in it (repeatable).",
)
@click.option(
    "--drop-free",
    is_flag=True,
    help="Omit answers that do not occur in the passage. This makes people's scores "
    "look better than they are.",
)
@click.option(
    "--disagreements",
    metavar="FILE",
    help="For series, also write the questions on which two people differ, for adjudication.",
)
@click.option(
    "--decisions",
    metavar="FILE",
    help="For series, file of --disagreements with its decisions filled in.",
)
@click.option(
    "--keep-faults", is_flag=True, help="For series, merge golds that break the guidelines as well."
)
@options.split_option
@options.from_option
@options.to_option
@options.json_option
def merge_command(
    test: str,
    answers: tuple[str, ...],
    output: str,
    names: tuple[str, ...],
    drop_free: bool,
    split: str | None,
    from_format: str | None,
    to_format: str | None,
    as_json: bool,
    **of_series: Any,
) -> None:
    """Merge people's ANSWERS into the key of a TEST: completed sheets, sittings or answered tests.

    Each answer is located in its passage and spelt as it is there. An answer that does not
    occur in the passage is listed and stored without a position. The key records who gave no
    answer. If the plan of set blind is in the same folder as the sheets, annotators with
    outstanding answers are reported. The paper stays the same, so existing sittings can still
    be marked.

    Of a series test, ANSWERS are golds: sheets of set sheet, sittings or tests. Golds that break
    the guidelines are reported by row, and nothing is written. Sizes and the agreement of the
    people are printed. The key keeps everybody's golds by name; if it should have one version,
    write --disagreements, add "decision": "a", "b", "both" or "other" to its lines, and pass the
    file to --decisions.
    """
    source = open_test(test, format=from_format, split=split)
    inputs = [test, *answers, of_series["decisions"]]
    require_distinct_files([output, of_series["disagreements"]], inputs)
    if source.kind.name == "series":
        if drop_free:
            raise UsageError("--drop-free is for answers in passages, and this is a series test")
        golds = merge_golds(source, answers, output, names=names, format=to_format, **of_series)
        options.print_result(golds, as_json=as_json)
        options.notify(golds.messages)
        golds.require_written()
        return
    if any(of_series.values()):
        raise UsageError("--disagreements, --decisions and --keep-faults are for series tests")
    result = merge_answers(
        source, answers, output, names=names, drop_free=drop_free, format=to_format
    )
    options.print_result(result, as_json=as_json)
    options.notify(result.warnings if as_json else (*result.warnings, *result.closing))


# Whether an answer was given to the passage and the question that the test has now.


def require_same_question(returned: ReturnedAnswer, record: Passage, question: Question) -> None:
    """Refuse an answer to another version of the passage, or to other words of the question."""
    if returned.passage is not None:
        require_same_text(record.text, returned.passage, file=returned.file, id=record.id)
    here = version_of(record.text)
    # Sheets of earlier versions have the bare number.
    if returned.version is not None and f"v{returned.version.removeprefix('v')}" != here:
        read = _their_text(returned, question.id)
        if read is not None:
            require_same_text(record.text, read, file=returned.file, id=record.id)
        raise returned.fault(
            f"{returned.id!r} was answered on another version of the passage "
            f"({returned.version}, here it is {here})"
        )
    if returned.question is not None:
        # Spreadsheets may change the spaces and line breaks of a cell.
        theirs, ours = (" ".join(words.split()) for words in (returned.question, question.text))
        at = first_difference(ours, theirs)
        if at is not None:
            raise returned.fault(
                f"{returned.id!r} was asked in other words, from character {at}: "
                f"{clip(theirs[at:])!r}, here it is {clip(ours[at:])!r}"
            )


def _their_text(one: ReturnedAnswer, id: str) -> str | None:
    """The passage as the annotator read it, from the paper that is still next to the sheet."""
    sheet = Path(one.file)
    ending = SHEET.format("")
    if not sheet.name.endswith(ending):
        return None
    paper = sheet.with_name(PAPER.format(sheet.name.removesuffix(ending)))
    try:
        records = open_test(paper).records()
        return next(
            (each.text for each in records if any(q.id == id for q in each.questions)), None
        )
    except DataError:
        return None


# Taking people's answers into the key of a test: placed in the passage, one person one answer.


REFUSED = 20
"""How many answers to unanswerable questions are named."""


COLUMNS = {
    "given": "as placed",
    "exact": "found",
    "several": "one of several",
    "folded": "respelt",
    "absent": "not there",
    "empty": "empty",
}
LISTED = 10


@dataclass
class MergedAnswers(Result):
    """What came of each annotator's answers, by how their places were found."""

    output: str = ""
    format: str = ""
    lost: list[str] = field(default_factory=list)
    """What the format cannot hold."""
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    """By annotator: given, exact, several, folded, absent, empty."""
    absent: list[tuple[str, str, str]] = field(default_factory=list)
    """Answers that do not occur in the passage: question, annotator, text."""
    several: list[tuple[str, str, str]] = field(default_factory=list)
    """Answers that occur at several places, of which one was taken."""
    respelt: list[tuple[str, str, str, str]] = field(default_factory=list)
    """Answers that the passage spells otherwise: question, annotator, before, after."""
    empty: list[tuple[str, str]] = field(default_factory=list)
    """Questions with those who gave no answer."""
    owed: dict[str, list[str]] = field(default_factory=dict)
    """By annotator, the questions of the plan that have not come back."""
    handed_out: dict[str, int] = field(default_factory=dict)
    """By annotator, how many questions the plan gave them."""
    answers: int = 0
    """How many were taken into the key."""
    notes: list[str] = field(default_factory=list)

    dropped: bool = False
    """Whether answers that do not occur in the passage were left out."""

    def count(self, annotator: str, how: str) -> None:
        """Note one answer."""
        counts = self.counts.setdefault(annotator, {})
        counts[how] = counts.get(how, 0) + 1

    @property
    def warnings(self) -> tuple[str, ...]:
        """The notes, and what leaving answers out does to people's figure."""
        if not (self.dropped and self.absent):
            return tuple(self.notes)
        return (
            *self.notes,
            f"left out, since not in the passage: {counted(len(self.absent), 'answer')}; people's "
            "figure is then flattered",
        )

    @property
    def closing(self) -> tuple[str, ...]:
        """What was written, for people."""
        done = f"{self.output}: {counted(self.answers, 'answer')} merged; people's figure: "
        done += "readmark people"
        return (*(f"{self.format}: {line}" for line in self.lost), done)

    def as_json(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name != "dropped"}

    def show(self, console: Console) -> None:
        """One row per annotator; then the answers that need a look, and outstanding ones."""
        used = [how for how in COLUMNS if any(how in counts for counts in self.counts.values())]
        table = plain_table("annotator", *(COLUMNS[how] for how in used))
        for name, counts in self.counts.items():
            table.add_row(name, *(str(counts.get(how, 0)) for how in used))
        console.print(table)
        if self.respelt:  # all of them: each is another answer than was given
            console.print("respelt as in the passage:")
            for id, annotator, before, after in self.respelt:
                console.print(headline("", "  ", id, f" ({annotator}) {before} → {after}"))
        fate = "left out" if self.dropped else "kept without a place"
        listed = {
            f"not in the passage, {fate}": self.absent,
            "at several places, one taken": self.several,
        }
        for title, rows in listed.items():
            if rows:
                console.print(f"{title}:")
            for id, annotator, text in rows[:LISTED]:
                console.print(headline("", "  ", id, f" ({annotator}) {text}"))
            if len(rows) > LISTED:
                console.print(f"  {and_more(len(rows) - LISTED, '--json has them all')}")
        for name, ids in self.owed.items():
            count = f"{len(ids)} ({first_ids(ids)})"
            if len(ids) == self.handed_out[name]:
                count = f"all {counted(len(ids), 'question')}"
            console.print(headline("still owed", " by ", name, f": {count}"))


@dataclass(slots=True)
class _Taken:
    """What goes into the key of a question."""

    answers: list[Answer] = field(default_factory=list)
    without: list[str] = field(default_factory=list)


def merged(
    test: Test,
    files: Sequence[str | Path],
    *,
    names: Sequence[str] = (),
    drop_free: bool = False,
) -> tuple[Test, MergedAnswers]:
    """The test with the answers of all files in its key; everything is checked before.

    What does not occur in the passage is kept without a place, or left out when ``drop_free``.
    The paper stays as it is, so every sitting stays markable.
    """
    test.require_kind("comprehension")
    came = gathered(files, names, "answers", lambda file, name: returned(file, test, name))
    outstanding = OutstandingAnswers(files, test.facts.paper)
    made, done = merge_gathered(test, came, outstanding=outstanding, drop_free=drop_free)
    _require_filled(test, came)
    done.owed, done.handed_out = outstanding.owed, outstanding.all
    return made, done


def merge_gathered(
    test: Test,
    came: GatheredWork[ReturnedAnswer],
    *,
    outstanding: OutstandingAnswers | None = None,
    drop_free: bool = False,
) -> tuple[Test, MergedAnswers]:
    """The test with people's answers in its key; ``outstanding`` takes note of what came."""
    notes = [*came.notes, *(outstanding.notes if outstanding is not None else ())]
    done = MergedAnswers(notes=notes)
    taken: dict[str, _Taken] = {}
    refused: list[ReturnedAnswer] = []
    for record in test.records():
        asked = [(question, came.by_id.get(question.id, [])) for question in record.questions]
        if outstanding is not None:
            outstanding.look(record, ((question.id, ones) for question, ones in asked))
        language = record.language or test.language
        for question, ones in asked:
            _require_other_people(test, question, came)
            none = question.key is not None and question.key.unanswerable
            for answer in ones:
                require_same_question(answer, record, question)
                if none and answer.text.strip():
                    refused.append(answer)
            if ones:
                taken[question.id] = _take(record, question, ones, language, done, drop_free)
    _require_known(test, came, taken)
    _require_answerable(test, refused)
    for name, counts in done.counts.items():
        if counts.get("absent", 0) > 1 and not set(counts) - {"absent", "empty"}:
            done.notes.append(
                f"no answer of {name!r} occurs in its passage: was another test read?"
            )
    done.answers = sum(len(one.answers) for one in taken.values())

    def grown(record: Passage) -> Passage:
        questions = (_with(question, taken.get(question.id)) for question in record.questions)
        return msgspec.structs.replace(record, questions=tuple(questions))

    return test.changed(grown), done


def _require_filled(test: Test, came: GatheredWork[ReturnedAnswer]) -> None:
    """Refuse a file without any answer, unless all of its questions have none."""
    blank: dict[str, bool] = {}
    for record in test.records():
        for question in record.questions:
            none = question.key is not None and question.key.unanswerable
            for answer in came.by_id.get(question.id, ()):
                given = bool(answer.text.strip())
                if given or not none:
                    blank[answer.file] = blank.get(answer.file, True) and not given
    for file, is_blank in blank.items():
        if is_blank:
            raise DataError("every answer is empty: was it filled in?", file=file)


def merge_answers(
    test: Test,
    files: Sequence[str | Path],
    output: str,
    *,
    names: Sequence[str] = (),
    drop_free: bool = False,
    format: str | None = None,
) -> MergedAnswers:
    """Write the test with the answers of all files in its key; options as in `merged`."""
    made, done = merged(test, files, names=names, drop_free=drop_free)
    done.output, done.dropped = output, drop_free
    done.format = format or format_for(Path(output), test)
    done.lost = save_test(made, output, format=done.format)
    return done


def _take(
    record: Passage,
    question: Question,
    ones: Sequence[ReturnedAnswer],
    language: str,
    done: MergedAnswers,
    drop_free: bool,
) -> _Taken:
    """Place the answers to a question: those first of which the place is plain."""
    taken = _Taken()
    known = question.key.answers if question.key is not None else ()
    near = [answer.offsets for answer in known if answer.offsets is not None]
    stood = {
        one.annotator: placed(record.text, one.text, one.start, one.annotator, language=language)
        for one in ones
        if one.text.strip()
    }
    plain = [one.answer.offsets for one in stood.values() if not one.several]
    near += [offsets for offsets in plain if offsets is not None]
    for one in ones:
        its = stood.get(one.annotator)
        if its is None:
            done.count(one.annotator, "empty")
            done.empty.append((one.id, one.annotator))
            taken.without.append(one.annotator)
            continue
        if its.several:
            its = placed(record.text, one.text, None, one.annotator, language=language, near=near)
        _note(one, its, done)
        if its.how != "absent" or not drop_free:
            taken.answers.append(its.answer)
    return taken


def _note(one: ReturnedAnswer, stood: PlacedAnswer, done: MergedAnswers) -> None:
    done.count(one.annotator, "several" if stood.several and stood.how == "exact" else stood.how)
    if stood.several:
        done.several.append((one.id, one.annotator, stood.answer.text))
    if stood.how == "absent":
        done.absent.append((one.id, one.annotator, one.text))
    if stood.how == "folded":
        done.respelt.append((one.id, one.annotator, one.text.strip(), stood.answer.text))


def _with(question: Question, taken: _Taken | None) -> Question:
    # A key of nothing but names would be a key without an answer, and so a fault of the test.
    if taken is None or not (taken.answers or (question.key is not None and taken.without)):
        return question
    key = question.key or QuestionKey()
    fields = key.fields
    if taken.without:
        fields = {**fields, NO_ANSWER_BY: [*without_answer(key), *taken.without]}
    grown = msgspec.structs.replace(key, answers=(*key.answers, *taken.answers), fields=fields)
    return msgspec.structs.replace(question, key=grown)


def _require_other_people(
    test: Test, question: Question, came: GatheredWork[ReturnedAnswer]
) -> None:
    """Nobody answers a question again, nor goes by a name that the key has in other letters."""
    for name in answered_by(question.key):
        own = came.people.get(folded_name(name))
        if own is None:
            continue
        first = own[0]
        if first.annotator != name:
            raise first.fault(
                f"the key has answers of {name!r} ({test.file}, {question.id!r}), these are of "
                f"{first.annotator!r}: if they are two people, distinguish them with --name"
            )
        for again in own:
            if again.id == question.id:
                raise again.fault(f"the key has an answer of {name!r} to {again.id!r} already")


def _require_known(
    test: Test, came: GatheredWork[ReturnedAnswer], taken: dict[str, _Taken]
) -> None:
    unknown = [id for id in came.by_id if id not in taken]
    if unknown:
        first = came.by_id[unknown[0]][0]
        shown = first_ids(unknown, quoted=True)
        raise first.fault(f"{test.file} has no question {shown} ({len(unknown):,} unknown)")


def _require_answerable(test: Test, refused: Sequence[ReturnedAnswer]) -> None:
    if refused:
        shown = [
            f"{answer.id!r} ({answer.annotator}: {clip(answer.text.strip())})" for answer in refused
        ]
        raise refused[0].fault(
            f"answers to questions that {test.file} marks as unanswerable: "
            f"{first_ids(shown, REFUSED)}; take the mark away, or empty the answers"
        )
