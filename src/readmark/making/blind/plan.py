"""Who answers what: every question by as many people as asked for, nobody's own, loads even."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from readmark.core.counts import counted
from readmark.core.errors import DataError, UsageError
from readmark.core.records import Passage
from readmark.core.test import Test
from readmark.formats.key_annotators import answered_by
from readmark.formats.people_names import folded_name, repeated_name, require_name

PROPOSER = "proposer"
"""The field of a question, key or passage that names who wrote the question."""


@dataclass(frozen=True, slots=True)
class BlindPlan:
    """The passages that each annotator answers; a passage's questions stay together."""

    passages: dict[str, tuple[str, ...]]
    questions: dict[str, int]
    """How many questions each annotator has."""
    each: int
    seed: int
    paper: str


def planned(test: Test, annotators: Sequence[str], *, each: int = 2, seed: int = 1) -> BlindPlan:
    """Deal the passages out; the order of the file does not matter.

    Nobody gets a passage if they proposed or answered a question on it: they know its key.
    """
    names = _distinct(annotators)
    if each < 1:
        raise UsageError(f"a question is answered by one person or more, not {each}")
    if len(names) < each:
        raise UsageError(
            f"{counted(each, 'person is', 'people are')} to answer every question and "
            f"{counted(len(names), 'is', 'are')} named: "
            "--annotator NAME once a person, or a smaller --each"
        )
    if test.kind.name == "readability":
        raise UsageError(f"{test.file}: is a readability test; `readmark panel plan` hands it out")
    paper = (test.whole or test).facts.paper
    draw = random.Random(seed)
    passages = {
        record.id: (len(record.questions), set(map(folded_name, people_knowing(record))))
        for record in test.records()
        if record.questions
    }
    if not passages:
        raise DataError("the test has no questions", file=test.file)
    order = sorted(passages)
    draw.shuffle(order)
    order.sort(key=lambda id: -passages[id][0])  # large passages first, so that small ones even out
    load = dict.fromkeys(names, 0)
    dealt: dict[str, set[str]] = {name: set() for name in names}
    for id in order:
        count, knowing = passages[id]
        free = [name for name in names if folded_name(name) not in knowing]
        if len(free) < each:
            others = [name for name in names if name not in free]
            raise DataError(
                f"wanted: {counted(each, 'person', 'people')} who do not know its key, and "
                f"{len(free)} of {len(names)} {'is' if len(free) == 1 else 'are'} left: "
                f"{' and '.join(others)} proposed or answered a question of it",
                file=test.file,
                where=id,
            )
        draw.shuffle(free)
        for name in sorted(free, key=lambda person: load[person])[:each]:
            load[name] += count
            dealt[name].add(id)
    return BlindPlan(
        passages={name: tuple(sorted(ids)) for name, ids in dealt.items()},
        questions=load,
        each=each,
        seed=seed,
        paper=paper,
    )


def _distinct(annotators: Sequence[str]) -> list[str]:
    if not annotators:
        raise UsageError("no annotator is named: --annotator NAME, once per person")
    names = [require_name(name.strip(), "annotator", is_file=True) for name in annotators]
    if (pair := repeated_name(names)) is not None:
        raise UsageError(
            f"two annotators are called {pair[0]!r}"
            if pair[0] == pair[1]
            else f"{pair[0]!r} and {pair[1]!r} differ in case alone, and files are called by them"
        )
    return names


def people_knowing(passage: Passage) -> list[str]:
    """Who knows the key of a question on a passage: those who wrote or answered one."""
    answered = (name for question in passage.questions for name in answered_by(question.key))
    return sorted({*proposers(passage), *answered})


def proposers(passage: Passage) -> list[str]:
    """Who wrote the questions of a passage, as its fields or those of questions and keys say."""
    holders = [passage.fields, *(question.fields for question in passage.questions)]
    holders += [question.key.fields for question in passage.questions if question.key is not None]
    names = (fields.get(PROPOSER) for fields in holders)
    return sorted({name for name in names if isinstance(name, str)})
