"""A challenge set as a split of its test, with nothing left in the other splits that gives it away.

A candidate that was trained on a challenge passage, or on another passage of its article, is not
challenged any more. So the passages move, and what would give them away is left out and counted.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain

import msgspec

from readmark.core.display import counted
from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.progress import WatchCount
from readmark.core.records import Passage
from readmark.core.test import Test
from readmark.making.splits.overlaps import ARTICLE, Alikes, PassagePlace
from readmark.making.splits.plan import CHALLENGE_FIELD
from readmark.text.shingles import THRESHOLD


@dataclass(frozen=True, slots=True)
class ChallengeLosses:
    """What is not in a test with a challenge split, because it would give that split away."""

    same_passage: int = 0
    """Other questions on challenge passages."""
    other_passages: int = 0
    """Passages of the same articles, or with nearly the same text."""
    their_questions: int = 0
    repeated_questions: int = 0
    """Questions elsewhere with the words and an answer of a challenge question."""

    @property
    def questions(self) -> int:
        """All questions that are left out."""
        return self.same_passage + self.their_questions + self.repeated_questions

    def as_json(self) -> dict[str, int]:
        """For machines."""
        return asdict(self)

    def __str__(self) -> str:
        parts = []
        if self.same_passage:
            parts.append(f"{counted(self.same_passage, 'other question')} on these passages")
        if self.other_passages:
            parts.append(
                f"{counted(self.other_passages, 'passage')} of the same articles or with the same "
                f"text ({counted(self.their_questions, 'question')})"
            )
        if self.repeated_questions:
            parts.append(counted(self.repeated_questions, "repeated question"))
        return ", ".join(parts)


def with_challenge_split(
    test: Test,
    selected: Sequence[Passage],
    name: str,
    *,
    article: Sequence[str] = ARTICLE,
    hidden: Sequence[str] = (),
    progress: WatchCount | None = None,
) -> tuple[Test, ChallengeLosses]:
    """The test with the selected questions as a split of their own, and what had to be left out.

    Passages with such questions move to the split. Their other questions are left out, and so is
    every passage of the same ``article`` or with nearly the same text. The split is hidden if
    ``hidden`` names it, or if a question comes from a hidden split.
    """
    if not selected:
        raise DataError("no question was found, so there is no split to make", file=test.file)
    if name in test.facts.splits:
        raise UsageError(f"{test.file} has a split {name!r} already; name another")
    passages = {passage.id for passage in selected}
    questions = {question.id: question for passage in selected for question in passage.questions}
    others, repeated = _giving_away(test, passages, questions, article, progress)

    def changed(record: Passage) -> Passage | None:
        if record.id in passages:
            # A passage may come in parts, as in flat files, and some parts have no such question.
            hard = tuple(
                questions[question.id] for question in record.questions if question.id in questions
            )
            return msgspec.structs.replace(record, questions=hard, split=name) if hard else None
        if record.id in others:
            return None
        if any(question.id in repeated for question in record.questions):
            left = tuple(question for question in record.questions if question.id not in repeated)
            return msgspec.structs.replace(record, questions=left) if left else None
        return record

    new = test.changed(changed)
    splits: set[str | None] = {record.split for record in new.records()}
    header = test.header
    names = [*header.hidden, *hidden]
    if {*header.hidden} & {passage.split for passage in selected}:
        names.append(name)
    for split in hidden:
        if split not in splits:
            similar = did_you_mean(split, {other for other in splits if other is not None})
            raise UsageError(f"`hidden` {split!r} is not one of the splits; {similar}")
    header = msgspec.structs.replace(
        header,
        hidden=tuple(split for split in dict.fromkeys(names) if split in splits),
        fields={**header.fields, CHALLENGE_FIELD: [*header.fields.get(CHALLENGE_FIELD, ()), name]},
    )
    left_out = _left_out(test, passages, questions, others, repeated)
    if left_out.questions and splits == {name}:
        raise DataError(
            f"all {counted(left_out.questions, 'other question')} would be left out beside the "
            f"split {name!r}, as they are on its passages, of its articles or repeat them; write "
            "the challenge set alone, or name what identifies an article with `article` (id: "
            "every passage is its own)",
            file=test.file,
        )
    return replace(new, header=header), left_out


def _giving_away(
    test: Test,
    passages: Collection[str],
    questions: Collection[str],
    article: Sequence[str],
    progress: WatchCount | None,
) -> tuple[set[str], set[str]]:
    """Other passages of the same articles or with nearly the same text; repeated questions."""
    others: set[str] = set()
    repeated: set[str] = set()
    with Alikes(fields=article, threshold=THRESHOLD) as alikes:
        for _ in alikes.read(test, splits=False):
            pass

        def note(left: Sequence[PassagePlace], right: Sequence[PassagePlace]) -> None:
            if any(place.passage in passages for place in left):
                others.update(place.passage for place in right)

        for places in chain(alikes.same_texts(), alikes.same_articles()):
            note(places, places)
        for left, right, _share in chain(alikes.near_texts(progress), alikes.parts_of_texts()):
            note(left, right)
            note(right, left)
        for places in alikes.same_questions():
            if any(place.question in questions for place in places):
                repeated.update(place.question for place in places if place.question is not None)
    return others - {*passages}, repeated - {*questions}


def _left_out(
    test: Test,
    passages: Collection[str],
    questions: Collection[str],
    others: Collection[str],
    repeated: Collection[str],
) -> ChallengeLosses:
    same_passage = their_questions = repeated_questions = 0
    for record in test.records():
        if record.id in passages:
            same_passage += sum(question.id not in questions for question in record.questions)
        elif record.id in others:
            their_questions += len(record.questions)
        else:
            repeated_questions += sum(question.id in repeated for question in record.questions)
    return ChallengeLosses(same_passage, len(others), their_questions, repeated_questions)
