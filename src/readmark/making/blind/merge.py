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
from readmark.formats.key_annotators import NO_ANSWER_BY, answered_by, without_answer
from readmark.formats.people_names import folded_name
from readmark.formats.registry import format_for, open_test, save_test
from readmark.making.blind.golds_merge import merge_golds
from readmark.making.blind.outstanding import OutstandingAnswers
from readmark.making.blind.placing import PlacedAnswer, placed
from readmark.making.blind.returns import GatheredWork, ReturnedAnswer, gathered, returned
from readmark.making.blind.same_question import require_same_question

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
"""How an answer's place was found, and the heading of its column."""

LISTED = 10
"""How many answers are printed of each sort that needs a look."""


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
    **series_options: Any,
) -> None:
    """Merge people's ANSWERS into the key of a TEST: completed sheets, sittings or answered tests.

    Each answer is located in its passage and spelt as it is there. An answer that does not
    occur in the passage is listed and stored without a position. The key records who gave no
    answer. If the plan of set blind is in the same folder as the sheets, annotators with
    outstanding answers are reported. The paper stays the same, so existing sittings can still
    be marked.

    For a series test, ANSWERS are golds: sheets of set sheet, sittings or tests. Golds that break
    the guidelines are reported by row, and nothing is written. Sizes and the agreement of the
    people are printed. The key keeps everybody's golds by name; if it should have one version,
    write --disagreements, add "decision": "a", "b", "both" or "other" to its lines, and pass the
    file to --decisions.
    """
    source = open_test(test, format=from_format, split=split)
    inputs = [test, *answers, series_options["decisions"]]
    require_distinct_files([output, series_options["disagreements"]], inputs)
    if source.kind.name == "series":
        if drop_free:
            raise UsageError("--drop-free is for answers in passages, and this is a series test")
        golds = merge_golds(
            source, answers, output, names=names, format=to_format, **series_options
        )
        options.print_result(golds, as_json=as_json)
        options.notify(golds.messages)
        golds.require_written()
        return
    if any(series_options.values()):
        raise UsageError("--disagreements, --decisions and --keep-faults are for series tests")
    result = merge_answers(
        source, answers, output, names=names, drop_free=drop_free, format=to_format
    )
    options.print_result(result, as_json=as_json)
    options.notify(result.warnings if as_json else (*result.warnings, *result.closing))


@dataclass
class MergedAnswers(Result):
    """The answers that were merged, by annotator and by how their places were found."""

    output: str = ""
    format: str = ""
    lost: list[str] = field(default_factory=list)
    """What the format cannot hold."""
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    """By annotator: given, exact, several, folded, absent, empty."""
    absent: list[tuple[str, str, str]] = field(default_factory=list)
    """Answers that do not occur in the passage: question, annotator, text."""
    several: list[tuple[str, str, str]] = field(default_factory=list)
    """Answers that occur at several places, one of which was chosen."""
    respelt: list[tuple[str, str, str, str]] = field(default_factory=list)
    """Answers that the passage spells otherwise: question, annotator, before, after."""
    empty: list[tuple[str, str]] = field(default_factory=list)
    """Questions with those who gave no answer."""
    owed: dict[str, list[str]] = field(default_factory=dict)
    """By annotator, the questions of the plan that did not come back."""
    handed_out: dict[str, int] = field(default_factory=dict)
    """By annotator, how many questions the plan gave them."""
    answers: int = 0
    """How many were added to the key."""
    notes: list[str] = field(default_factory=list)
    dropped: bool = False
    """Whether answers that do not occur in the passage were left out."""

    def count(self, annotator: str, how: str) -> None:
        """Count an answer by how its place was found."""
        counts = self.counts.setdefault(annotator, {})
        counts[how] = counts.get(how, 0) + 1

    @property
    def warnings(self) -> tuple[str, ...]:
        """The notes, and that answers were left out, which makes people's score look better."""
        if not (self.dropped and self.absent):
            return tuple(self.notes)
        return (
            *self.notes,
            f"left out, since not in the passage: {counted(len(self.absent), 'answer')}; people's "
            "figure is then flattered",
        )

    @property
    def closing(self) -> tuple[str, ...]:
        """What the format lost, what was written and what to do next."""
        answers = counted(self.answers, "answer")
        next_step = f"{self.output}: {answers} merged; people's figure: readmark people"
        return (*(f"{self.format}: {line}" for line in self.lost), next_step)

    def as_json(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name != "dropped"}

    def show(self, console: Console) -> None:
        """Print one row per annotator; then the answers that need a look, and outstanding ones."""
        used = [how for how in COLUMNS if any(how in counts for counts in self.counts.values())]
        table = plain_table("annotator", *(COLUMNS[how] for how in used))
        for name, counts in self.counts.items():
            table.add_row(name, *(str(counts.get(how, 0)) for how in used))
        console.print(table)
        if self.respelt:  # all of them, since each is another answer than the annotator's
            console.print("respelt as in the passage:")
            for id, annotator, before, after in self.respelt:
                console.print(headline("", "  ", id, f" ({annotator}) {before} → {after}"))
        outcome = "left out" if self.dropped else "kept without a place"
        tables = {
            f"not in the passage, {outcome}": self.absent,
            "at several places, one taken": self.several,
        }
        for title, rows in tables.items():
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
class _NewAnswers:
    """What is added to the key of a question."""

    answers: list[Answer] = field(default_factory=list)
    without: list[str] = field(default_factory=list)
    """Annotators who gave no answer."""


def merged(
    test: Test,
    files: Sequence[str | Path],
    *,
    names: Sequence[str] = (),
    drop_free: bool = False,
) -> tuple[Test, MergedAnswers]:
    """The test with the answers of all files in its key; all of them are checked first.

    What does not occur in the passage is kept without a place, or left out if ``drop_free``.
    The paper stays as it is, so existing sittings can still be marked.
    """
    test.require_kind("comprehension")
    work = gathered(files, names, "answers", lambda file, name: returned(file, test, name))
    outstanding = OutstandingAnswers(files, test.facts.paper)
    new, result = merge_gathered(test, work, outstanding=outstanding, drop_free=drop_free)
    _require_filled(test, work)
    result.owed, result.handed_out = outstanding.owed, outstanding.all
    return new, result


def merge_gathered(
    test: Test,
    work: GatheredWork[ReturnedAnswer],
    *,
    outstanding: OutstandingAnswers | None = None,
    drop_free: bool = False,
) -> tuple[Test, MergedAnswers]:
    """The test with people's answers in its key; ``outstanding`` notes which came back."""
    notes = [*work.notes, *(outstanding.notes if outstanding is not None else ())]
    result = MergedAnswers(notes=notes)
    new: dict[str, _NewAnswers] = {}
    refused: list[ReturnedAnswer] = []
    for record in test.records():
        if outstanding is not None:
            ids = (question.id for question in record.questions)
            outstanding.look(record, ((id, work.by_id.get(id, [])) for id in ids))
        language = record.language or test.language
        for question in record.questions:
            answers = work.by_id.get(question.id, [])
            _require_other_people(test, question, work)
            unanswerable = question.key is not None and question.key.unanswerable
            for answer in answers:
                require_same_question(answer, record, question)
                if unanswerable and answer.text.strip():
                    refused.append(answer)
            if answers:
                new[question.id] = _place(record, question, answers, language, result, drop_free)
    _require_known(test, work, new)
    _require_answerable(test, refused)
    for name, counts in result.counts.items():
        if counts.get("absent", 0) > 1 and not set(counts) - {"absent", "empty"}:
            result.notes.append(
                f"no answer of {name!r} occurs in its passage: was another test read?"
            )
    result.answers = sum(len(additions.answers) for additions in new.values())

    def with_answers(record: Passage) -> Passage:
        questions = (_with(question, new.get(question.id)) for question in record.questions)
        return msgspec.structs.replace(record, questions=tuple(questions))

    return test.changed(with_answers), result


def _require_filled(test: Test, work: GatheredWork[ReturnedAnswer]) -> None:
    """Refuse a file without any answer, unless all of its questions are unanswerable."""
    blank: dict[str, bool] = {}
    for record in test.records():
        for question in record.questions:
            unanswerable = question.key is not None and question.key.unanswerable
            for answer in work.by_id.get(question.id, ()):
                is_empty = not answer.text.strip()
                if not (is_empty and unanswerable):
                    blank[answer.file] = blank.get(answer.file, True) and is_empty
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
    new, result = merged(test, files, names=names, drop_free=drop_free)
    result.output, result.dropped = output, drop_free
    result.format = format or format_for(Path(output), test)
    result.lost = save_test(new, output, format=result.format)
    return result


def _place(
    record: Passage,
    question: Question,
    answers: Sequence[ReturnedAnswer],
    language: str,
    result: MergedAnswers,
    drop_free: bool,
) -> _NewAnswers:
    """Place the answers to a question: first those with one place, then the others near them."""
    new = _NewAnswers()
    key_answers = question.key.answers if question.key is not None else ()
    near = [answer.offsets for answer in key_answers if answer.offsets is not None]
    places = {
        answer.annotator: placed(
            record.text, answer.text, answer.start, answer.annotator, language=language
        )
        for answer in answers
        if answer.text.strip()
    }
    certain = [place.answer.offsets for place in places.values() if not place.several]
    near += [offsets for offsets in certain if offsets is not None]
    for answer in answers:
        name = answer.annotator
        place = places.get(name)
        if place is None:
            result.count(name, "empty")
            result.empty.append((answer.id, name))
            new.without.append(name)
            continue
        if place.several:
            place = placed(record.text, answer.text, None, name, language=language, near=near)
        _note(answer, place, result)
        if place.how != "absent" or not drop_free:
            new.answers.append(place.answer)
    return new


def _note(answer: ReturnedAnswer, place: PlacedAnswer, result: MergedAnswers) -> None:
    name = answer.annotator
    result.count(name, "several" if place.several and place.how == "exact" else place.how)
    if place.several:
        result.several.append((answer.id, name, place.answer.text))
    if place.how == "absent":
        result.absent.append((answer.id, name, answer.text))
    if place.how == "folded":
        result.respelt.append((answer.id, name, answer.text.strip(), place.answer.text))


def _with(question: Question, new: _NewAnswers | None) -> Question:
    # A key of nothing but names would be a key without an answer, and so a fault of the test.
    if new is None or not (new.answers or (question.key is not None and new.without)):
        return question
    key = question.key or QuestionKey()
    fields = key.fields
    if new.without:
        fields = {**fields, NO_ANSWER_BY: [*without_answer(key), *new.without]}
    key = msgspec.structs.replace(key, answers=(*key.answers, *new.answers), fields=fields)
    return msgspec.structs.replace(question, key=key)


def _require_other_people(
    test: Test, question: Question, work: GatheredWork[ReturnedAnswer]
) -> None:
    """Refuse a person's second answer to a question, and a name that the key has in other case."""
    for name in answered_by(question.key):
        answers = work.people.get(folded_name(name))
        if answers is None:
            continue
        first = answers[0]
        if first.annotator != name:
            raise first.fault(
                f"the key has answers of {name!r} ({test.file}, {question.id!r}), these are of "
                f"{first.annotator!r}: if they are two people, distinguish them with --name"
            )
        for answer in answers:
            if answer.id == question.id:
                raise answer.fault(f"the key has an answer of {name!r} to {answer.id!r} already")


def _require_known(
    test: Test, work: GatheredWork[ReturnedAnswer], new: dict[str, _NewAnswers]
) -> None:
    unknown = [id for id in work.by_id if id not in new]
    if unknown:
        first = work.by_id[unknown[0]][0]
        ids = first_ids(unknown, quoted=True)
        raise first.fault(f"{test.file} has no question {ids} ({len(unknown):,} unknown)")


def _require_answerable(test: Test, refused: Sequence[ReturnedAnswer]) -> None:
    if refused:
        answers = [
            f"{answer.id!r} ({answer.annotator}: {clip(answer.text.strip())})" for answer in refused
        ]
        raise refused[0].fault(
            f"answers to questions that {test.file} marks as unanswerable: "
            f"{first_ids(answers, REFUSED)}; take the mark away, or empty the answers"
        )
