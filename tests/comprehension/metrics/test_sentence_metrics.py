"""HumSent, AutSent, precision and recall against tables worked by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

import readmark
from made import asked, comprehension, passage
from readmark.core.records import Answer, Unit
from readmark.core.test import Test
from readmark.marking.metrics import METRICS
from readmark.sitting.runner import sit

EDISON = "Thomas Edison was a man of few words. He wasted no time. The lamp was sold in 1880."
FIRST, SECOND, THIRD = (0, 37), (38, 56), (57, 83)
SENTENCES = (FIRST, SECOND, THIRD)


def the_test() -> Test:
    """Sentences marked, sentences by key, spans, a key without a content word."""
    return comprehension(
        passage(
            "p",
            asked("marked", published=["He didn't."], sentences=(FIRST,)),
            asked("two", "x", sentences=(FIRST, THIRD)),
            asked("words", published=["no time was wasted", "he hurried"]),
            asked("none", published=["He didn't."]),
            asked("afar", published=["a violin concerto"]),
            text=EDISON,
        ),
        language="en",
    )


def vector(metric: str, id: str, answer: Answer | None) -> tuple[float, ...]:
    test = the_test()
    _, built = METRICS.build(metric)
    unit: Unit = next(candidate for candidate in test.units() if candidate.id == id)
    resolved = built.resolve(test)
    return tuple(resolved.statistics(unit, test.kind.references(unit), answer))


def sentence(number: int) -> Answer:
    start, end = SENTENCES[number]
    return Answer(text=EDISON[start:end], start=start, end=end, sentence=(start, end))


@pytest.mark.parametrize(
    ("metric", "id", "right"),
    [
        ("humsent", "marked", {0}),
        ("humsent", "two", {0, 2}),
        ("humsent", "words", set()),  # nothing marked and the key stands nowhere
        ("autsent", "marked", set()),  # its key has no content word
        ("autsent", "words", {1}),  # no, time, waste: all three
        ("autsent", "none", set()),
        ("autsent", "afar", set()),  # no sentence shares a word
    ],
)
def test_which_sentences_are_right(metric: str, id: str, right: set[int]) -> None:
    vectors = [vector(metric, id, sentence(number)) for number in range(3)]
    if not right:
        assert vectors == [(0.0, 0.0)] * 3  # it does not count
    else:
        assert vectors == [(float(number in right), 1.0) for number in range(3)]
        assert vector(metric, id, None) == (0.0, 1.0)
        whole = Answer(text=EDISON, start=0, end=len(EDISON))
        assert vector(metric, id, whole) == (0.0, 1.0)


def test_equals_are_decided_by_order() -> None:
    test = comprehension(
        passage("p", asked("q", published=["owl"]), text="An owl slept. The owl woke."),
        language="en",
    )
    unit = next(test.units())
    _, built = METRICS.build("autsent")
    metric = built.resolve(test)
    first, second = Answer(text="An owl slept."), Answer(text="The owl woke.")
    assert metric.statistics(unit, test.kind.references(unit), first) == (1.0, 1.0)
    assert metric.statistics(unit, test.kind.references(unit), second) == (0.0, 1.0)
    _, lenient = METRICS.build("autsent(ties=any)")
    either = lenient.resolve(test)
    for answer in (first, second):
        assert either.statistics(unit, test.kind.references(unit), answer) == (1.0, 1.0)


def test_a_span_test_takes_the_sentence_that_holds_the_span() -> None:
    test = comprehension(
        passage("p", asked("q", "猫"), text="狗在睡觉。猫跑了。"), language="zh", name="zh"
    )
    unit = next(test.units())
    _, built = METRICS.build("humsent")
    metric = built.resolve(test)
    references = test.kind.references(unit)
    assert metric.statistics(unit, references, Answer(text="猫跑了。", start=5, end=9))[0] == 1.0
    assert metric.statistics(unit, references, Answer(text="狗", start=0, end=1))[0] == 0.0


@pytest.mark.parametrize(
    ("metric", "id", "words", "expected"),
    [
        # {waste, no, time} against {no, time, waste} and {hurry}
        ("precision", "words", "He wasted no time.", (3.0, 3.0)),
        ("recall", "words", "He wasted no time.", (3.0, 3.0)),
        # {edison, man, few, word, waste, no, time, thomas}: 3 of 8, and all of the key
        ("precision", "words", "Thomas Edison, man of few words, wasted no time", (3.0, 8.0)),
        ("recall", "words", "Thomas Edison, man of few words, wasted no time", (3.0, 3.0)),
        # one word of three, or the only word of the other alternative
        ("recall", "words", "time to hurry", (1.0, 1.0)),
        ("precision", "words", "time to hurry", (1.0, 2.0)),
        ("precision", "words", None, (0.0, 3.0)),
        ("recall", "words", None, (0.0, 3.0)),
        ("recall", "none", "He wasted no time.", (0.0, 0.0)),
        ("precision(average=macro)", "words", "time to hurry", (0.5, 1.0)),
        ("precision(average=macro)", "words", None, (0.0, 1.0)),
    ],
)
def test_shared_words(metric: str, id: str, words: str | None, expected: tuple[float, ...]) -> None:
    assert vector(metric, id, None if words is None else Answer(text=words)) == expected


def test_marked_sentences_alone_are_enough_for_humsent(tmp_path: Path) -> None:
    test = comprehension(
        passage("p", asked("only", sentences=(FIRST,)), asked("nothing"), text=EDISON),
        language="en",
    )
    assert (test.facts.keyed, test.facts.referenced, test.facts.count("marked")) == (1, 0, 1)
    sitting = tmp_path / "sitting.jsonl"
    sit(test, "lead", sitting)
    marks = readmark.mark(test, sitting)
    assert list(marks.marks) == ["humsent"]  # there is nothing in words to match
    assert (marks["humsent"].score, marks.units, marks.coverage.unkeyed) == (100.0, 1, 1)


def test_where_only_some_have_words_the_others_do_not_count_for_f1(tmp_path: Path) -> None:
    test = comprehension(
        passage("p", asked("only", sentences=(FIRST,)), asked("words", "Edison"), text=EDISON),
        language="en",
    )
    sitting = tmp_path / "sitting.jsonl"
    sit(test, "lead", sitting)
    marks = readmark.mark(test, sitting)
    assert marks.per_unit()["only"] == {"em": None, "f1": None, "humsent": 1.0}
    assert any("f1 does not count 1 (only)" in note for note in marks.notes)


def test_a_publishers_key_is_no_span() -> None:
    test = comprehension(
        passage("p", asked("q", published=["six"]), text="The sixth owl. Then six owls."),
        language="en",
    )
    unit = next(test.units())
    _, built = METRICS.build("humsent")
    metric = built.resolve(test)
    answer = Answer(text="Then six owls.")
    assert metric.statistics(unit, test.kind.references(unit), answer) == (0.0, 0.0)
