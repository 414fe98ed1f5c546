"""Fingerprints: what changes them and what does not, for both kinds of test."""

import hashlib
import random
import sys
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.fingerprint import Fingerprint, text_id
from readmark.core.records import Answer, Layer, Passage, Phrase, Question, QuestionKey, RecordKey
from readmark.core.test import Header, in_memory
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey

change = msgspec.structs.replace
LAYERS = {"token": Layer(spans=((0, 3),), quotes=("The",), columns={"pos": ("DET",)})}

QUESTIONS = (
    Question(
        id="q1",
        text="Who sat?",
        options=("the cat", "the dog"),
        key=QuestionKey(
            answers=(Answer(text="The cat", start=0), Answer(text="cat", annotator="b")),
            level=1,
        ),
    ),
    Question(id="q2", text="Where?", key=QuestionKey(published=(Phrase(text="On the mat"),))),
    Question(id="q3", text="Why?", key=QuestionKey(unanswerable=True)),
    Question(id="q4", text="And then?"),
)
PASSAGES = (
    Passage(id="p1", text="The cat sat on the mat.", questions=QUESTIONS),
    Passage(id="p2", text="北京是一座城市。", questions=(Question(id="q5", text="哪里？"),)),
    Passage(id="p3", text="No question is asked of this."),
)
SERIES = (
    Series(
        id="s1",
        target="the kettle",
        questions=(
            SeriesQuestion(
                id="q1",
                text="Who made it?",
                turn=1,
                key=SeriesQuestionKey(rewrites=(Answer(text="Who made the kettle?"),)),
            ),
            SeriesQuestion(id="q2", text="When?", turn=2, previous=("a smith",)),
        ),
    ),
    Series(id="s2", target="the coat"),
)


def prints(*records: Any, kind: str = "comprehension", **header: Any) -> tuple[str, str]:
    facts = in_memory(Header(kind=kind, **header), records).facts
    return facts.paper, facts.key


def with_question(at: int, **changed: Any) -> list[Passage]:
    questions = [change(one, **changed) if n == at else one for n, one in enumerate(QUESTIONS)]
    return [change(PASSAGES[0], questions=tuple(questions)), *PASSAGES[1:]]


def with_key(at: int, **changed: Any) -> list[Passage]:
    key = QUESTIONS[at].key or QuestionKey()
    return with_question(at, key=change(key, **changed))


def with_passage(**changed: Any) -> list[Passage]:
    return [change(PASSAGES[0], **changed), *PASSAGES[1:]]


PAPER, KEY = prints(*PASSAGES)


@given(st.lists(st.text(), max_size=8), st.randoms(use_true_random=False))
def test_order_does_not_matter_and_number_does(parts: list[str], shuffler: random.Random) -> None:
    def of(some: list[str]) -> str:
        one = Fingerprint()
        for part in some:
            one.add(part)
        return one.hex()

    shuffled = list(parts)
    shuffler.shuffle(shuffled)
    assert of(shuffled) == of(parts)
    assert len(of(parts)) == 32
    assert of([*parts, "one more"]) != of(parts)
    assert of([*parts, "twice"]) != of([*parts, "twice", "twice"])


def test_the_definition_in_the_documentation() -> None:
    """Digests as numbers, added, written out after their count, and hashed."""
    one = Fingerprint()
    for part in ({"b": "船", "a": [1, None]}, "mill", "mill"):
        one.add(part)
    total = 0
    for text in ('{"a":[1,null],"b":"船"}', '"mill"', '"mill"'):
        digest = hashlib.new("sha256", text.encode()).digest()
        total += int(hashlib.new("shake_256", digest).hexdigest(256), 16)
    told = f"{3:016x}{total & (2**2048 - 1):0512x}"
    assert one.hex() == hashlib.new("sha256", bytes.fromhex(told)).hexdigest()[:32]
    assert one.hex() == "bf55321f2deed82cad33742003d7eca9"


def test_nothing_is_held_of_a_part() -> None:
    one = Fingerprint()
    sizes = set()
    for part in range(3000):
        one.add(part)
        if part >= 1000:
            sizes.add(sum(sys.getsizeof(value) for value in vars(one).values()))
    assert max(sizes) - min(sizes) <= 8


def test_members_of_an_object_may_stand_in_any_order() -> None:
    one, other = Fingerprint(), Fingerprint()
    one.add({"a": 1, "b": {"c": 2, "d": 3}})
    other.add({"b": {"d": 3, "c": 2}, "a": 1})
    assert one.hex() == other.hex()


@given(st.randoms(use_true_random=False))
def test_order_of_records_and_of_questions(shuffler: random.Random) -> None:
    records = []
    for passage in PASSAGES:
        questions = list(passage.questions)
        shuffler.shuffle(questions)
        records.append(change(passage, questions=tuple(questions)))
    shuffler.shuffle(records)
    assert prints(*records) == (PAPER, KEY)


@pytest.mark.parametrize(
    "records",
    [
        with_passage(layers=LAYERS),
        with_passage(key=RecordKey(layers=LAYERS)),
        with_question(0, layers=LAYERS),
        with_key(0, layers=LAYERS),
        with_key(1, published=(Phrase(text="On the mat", layers=LAYERS),)),
        with_passage(genre="news", topic="cats", split="dev", parallel="zh1"),
    ],
    ids=["passage", "passage key", "question", "question key", "published phrase", "labels"],
)
def test_in_neither(records: list[Passage]) -> None:
    assert prints(*records) == (PAPER, KEY)


def test_the_header_is_in_neither() -> None:
    assert prints(*PASSAGES, name="other", language="zh", licence="CC0", profile="zh") == (
        PAPER,
        KEY,
    )


@pytest.mark.parametrize(
    "records",
    [
        with_key(0, level=2),
        with_key(0, level="1"),
        with_key(0, type="who"),
        with_key(0, difficulty="hard"),
        with_key(0, fields={"skill": "lookup"}),
        with_key(0, sentences=((0, 23),)),
        with_key(0, answers=(Answer(text="cat"),)),
        with_key(0, answers=(Answer(text="The cat", start=0), Answer(text="cat", annotator="c"))),
        with_key(0, plausible=(Answer(text="The mat"),)),
        with_key(0, answers=(), unanswerable=True),
        with_key(1, published=(Phrase(text="on the mat"),)),
        with_key(2, unanswerable=False),
        with_key(3, level=1),
        with_question(0, key=None),
    ],
    ids=range(14),
)
def test_in_the_key_alone(records: list[Passage]) -> None:
    paper, key = prints(*records)
    assert paper == PAPER
    assert key != KEY


@pytest.mark.parametrize(
    "records",
    [
        with_passage(text="The cat sat on the mat"),
        with_passage(text="The cat sat on the mat. "),
        with_question(0, text="Who sat ?"),
        with_question(0, options=("the dog", "the cat")),
        with_question(3, id="q44"),
        PASSAGES[:2],
    ],
    ids=["text", "space", "question", "options", "id without a key", "a passage less"],
)
def test_in_the_paper(records: list[Passage]) -> None:
    assert prints(*records)[0] != PAPER


@pytest.mark.parametrize("records", [with_passage(id="p9"), with_question(0, id="q9")])
def test_ids_are_in_both(records: list[Passage]) -> None:
    paper, key = prints(*records)
    assert paper != PAPER
    assert key != KEY


def test_order_of_answers_is_not_in_the_key() -> None:
    assert prints(*with_key(0, answers=QUESTIONS[0].key.answers[::-1])) == (PAPER, KEY)


def test_the_paper_has_the_fingerprint_of_its_test() -> None:
    test = in_memory(Header(), PASSAGES)
    assert test.paper().facts.paper == test.facts.paper
    assert test.paper().facts.key != test.facts.key


def test_moving_a_question_to_another_passage_is_another_paper() -> None:
    moved = [
        change(PASSAGES[0], questions=QUESTIONS[:3]),
        change(PASSAGES[1], questions=(*PASSAGES[1].questions, QUESTIONS[3])),
        PASSAGES[2],
    ]
    assert prints(*moved)[0] != PAPER


def test_series() -> None:
    paper, key = prints(*SERIES, kind="series")
    first, second = SERIES
    one, two = first.questions

    def of(question: SeriesQuestion) -> tuple[str, str]:
        return prints(change(first, questions=(question, two)), second, kind="series")

    assert prints(second, change(first, questions=(two, one)), kind="series") == (paper, key)
    assert of(change(one, layers=LAYERS)) == (paper, key)
    assert of(change(one, text="Who made this?"))[0] != paper
    assert prints(change(first, target="a kettle"), second, kind="series")[0] != paper
    rewritten = of(change(one, key=SeriesQuestionKey(rewrites=(Answer(text="Whose kettle?"),))))
    assert rewritten[0] == paper
    assert rewritten[1] != key


def test_order_of_one_persons_rewrites_is_in_the_key() -> None:
    """The first of a person's alternatives is the one that leave-one-out marks."""
    rewrites = (Answer(text="Who made the kettle?"), Answer(text="Who made that kettle?"))

    def of(some: tuple[Answer, ...]) -> str:
        question = SeriesQuestion(id="q", text="Who?", key=SeriesQuestionKey(rewrites=some))
        return prints(Series(id="s", target="t", questions=(question,)), kind="series")[1]

    assert of(rewrites) != of(rewrites[::-1])


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("", "e3b0c44298fc"),
        ("abc", "ba7816bf8f01"),
        ("北京", "68c77e155132"),
    ],
)
def test_text_id(text: str, id: str) -> None:
    assert text_id(text) == id
