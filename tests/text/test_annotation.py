"""Checks of annotation: each rule of the document, on layers of any origin."""

from pathlib import Path
from typing import Any

import pytest

from brcc_files import put, read
from readmark.comprehension.brcc.layers import key_layers, paper_layers
from readmark.core.records import Answer, Layer, Passage, Phrase, Question, QuestionKey, RecordKey
from readmark.formats.checks import check
from readmark.formats.registry import open_test
from readmark.text.annotation import annotation_findings


def annotated(notation: str, language: str = "en") -> dict[str, Any]:
    """A text and its layers, from the notation of BRCC files."""
    text, faults = read(notation, language=language)
    assert faults == ()
    return {
        "text": text.text,
        "layers": paper_layers(text, segmented=language == "zh"),
        "key": RecordKey(layers=key_layers(text)),
    }


def findings(
    notation: str, *, question: str = "", key: str = "", language: str = "en"
) -> list[tuple[str, str, str]]:
    """What is wrong in a passage with a question and an answer key, its sentence marked."""
    passage_parts = annotated(notation, language)
    question_parts = annotated(question or "Who?", language)
    key_parts = annotated(key or "Ada", language)
    published = Phrase(
        text=key_parts["text"], layers={**key_parts["layers"], **key_parts["key"].layers}
    )
    question_key = QuestionKey(
        published=(published,),
        sentences=((0, len(passage_parts["text"])),),
        layers=question_parts["key"].layers,
    )
    questions = (Question(**{"id": "q", **question_parts, "key": question_key}),)
    passage = Passage(id="p", questions=questions, **passage_parts)
    return list(annotation_findings(passage, language=language))


@pytest.mark.parametrize(
    "notation",
    [
        "<NP NE=PERSON REFID=1>Ada</NP> lost <NP REFID=2>a pen</NP>. <NP REF=1>She</NP> "
        "found <NP REF=2>it</NP>.",
        "<NP REFID=1>Ada</NP> saw <NP REF=1 REFID=2>her pen</NP>: <NP REF=2>it</NP> shone.",
        "no tags",
    ],
)
def test_sound_annotation(notation: str) -> None:
    assert findings(notation) == []


@pytest.mark.parametrize(
    ("notation", "code", "message"),
    [
        (
            "<NP>the <NP>cat</NP> door</NP>",
            "np_overlap",
            "the noun phrases 'the cat door' at 0–12 and 'cat' at 4–7 overlap",
        ),
        (
            "<NP NE=ANIMAL>the cat</NP>",
            "entity",
            "'the cat' has the entity type 'ANIMAL', known: PERSON, TIME, LOCATION, NUM, "
            "ORGANIZATION",
        ),
        ("<NP REF=1>He</NP>", "reference", "'He' has REF=1 and no REFID=1 comes before it"),
        (
            "<NP REF=1>He</NP> is <NP REFID=1>Bo</NP>",
            "reference",
            "'He' has REF=1 and no REFID=1 comes before it",
        ),
        (
            "<NP REF=1 REFID=1>He</NP>",
            "reference",
            "'He' has REF=1 and no REFID=1 comes before it",
        ),
        (
            "<NP REFID=1>Bo</NP> <NP REFID=1>Al</NP>",
            "reference",
            "REFID=1 occurs twice, at 'Bo' and 'Al'",
        ),
        (
            "<NP REFID=7>Bo</NP>",
            "reference",
            "'Bo' has REFID=7, expected 1: antecedents are counted from the start of the passage",
        ),
        (
            "<NP REFID=1>Bo</NP> <NP REFID=3>Al</NP>",
            "reference",
            "'Al' has REFID=3, expected 2: antecedents are counted in order",
        ),
        (
            "<NP REFID=1>Thomas Alva Edison</NP> rang. <NP>Thomas Edison</NP> spoke. "
            "<NP REF=1>He</NP> left.",
            "nearer_antecedent",
            "'He' refers to 'Thomas Alva Edison' at 0, and 'Thomas Edison' at 25 is nearer",
        ),
    ],
)
def test_fault_in_passage_question_and_key(notation: str, code: str, message: str) -> None:
    assert findings(notation) == [("p", code, message)]
    if "from the start" in message:
        return  # a question may count on from where its passage ended
    assert ("q", code, message) in findings("Ada.", question=notation)
    assert ("q", code, f"answer key: {message}") in findings("Ada.", key=notation)


def test_questions_may_refer_to_the_passage_and_keys_to_both() -> None:
    passage = "<NP REFID=1>Ada</NP> and <NP REFID=2>Bo</NP>"
    assert findings(passage, question="Did <NP REF=2>he</NP>?", key="<NP REF=1>She</NP>") == []
    question = "Did <NP REFID=3>Al</NP> and <NP REF=3>his cat</NP>?"
    assert findings(passage, question=question, key="<NP REF=3>He</NP> did") == []
    assert findings(passage, question=question.replace("3", "1")) == []
    [(_, code, _)] = findings(passage, question=question.replace("3", "2"))
    assert code == "reference"


@pytest.mark.parametrize(
    ("first", "between", "nearer"),
    [
        ("Thomas Edison", "Edison", True),
        ("Edison", "the old Edison", True),
        ("a lantern", "The lantern", True),
        ("a lighted lantern", "a new lantern", False),
        ("Edison", "Edison Street", False),
        ("this one", "another one", False),
    ],
)
def test_nearer_phrase_of_the_same_name(first: str, between: str, nearer: bool) -> None:
    faults = findings(f"<NP REFID=1>{first}</NP> and <NP>{between}</NP>. <NP REF=1>It</NP>.")
    assert [code for _, code, _ in faults] == ["nearer_antecedent"] * nearer
    after = findings(f"<NP REFID=1>{first}</NP> and <NP REF=1>it</NP>. <NP>{between}</NP>.")
    assert after == []


@pytest.mark.parametrize(
    ("first", "between", "nearer"),
    [("托马斯‧爱迪生", "爱迪生", True), ("英国 英语", "美国 英语", False), ("爱迪生", "他", False)],
)
def test_nearer_phrase_of_the_same_chinese_name(first: str, between: str, nearer: bool) -> None:
    notation = f"<NP REFID=1>{first}</NP> 和 <NP>{between}</NP>，<NP REF=1>他</NP>。"
    faults = findings(notation, language="zh")
    assert [code for _, code, _ in faults] == ["nearer_antecedent"] * nearer


def keyed(id: str, **key: Any) -> Question:
    return Question(id=id, text="Who?", key=QuestionKey(**key) if key else None)


GOOD = keyed("good", sentences=((0, 4),))
BAD = keyed("bad", published=(Phrase(text="x"),))
NO_SENTENCE = "no sentence of the passage is marked as its answer"


def passage(*questions: Question, **members: Any) -> Passage:
    return Passage(id="p", text="Ada.", questions=questions, **members)


def test_questions_without_an_answer_sentence() -> None:
    record = passage(GOOD, BAD, keyed("none", unanswerable=True), keyed("bare"))
    assert list(annotation_findings(record, language="en")) == [
        ("bad", "no_sentence", NO_SENTENCE),
        ("bare", "no_sentence", NO_SENTENCE),
    ]
    assert list(annotation_findings(record, language="en", hidden=True)) == []


@pytest.mark.parametrize(
    ("record", "count"),
    [
        (passage(BAD), 0),  # a test that marks no sentences and no phrases is of another sort
        (passage(BAD, layers={"np": Layer(spans=((0, 3),))}), 1),
        # Phrases that an analyser found say nothing of what somebody meant to mark.
        (passage(BAD, layers={"np": Layer(spans=((0, 3),), source="readmark-en-2(…)")}), 0),
        # An answer with offsets shows its sentence.
        (passage(GOOD, keyed("placed", answers=(Answer(text="Ada", start=0),))), 0),
    ],
)
def test_answer_sentences_are_missed_only_where_people_mark_them(
    record: Passage, count: int
) -> None:
    assert len(list(annotation_findings(record, language="en"))) == count


def test_unsound_layers_raise_no_error() -> None:
    layers = {
        "np": Layer(spans=((5, 99), (3, 1), (0, 0))),
        "ne": Layer(spans=((0, 1), (2, 3)), columns={"type": (None,)}),
        "token": Layer(spans=((0, 1),), columns={"pos": ()}),
    }
    mention = Layer(spans=((0, 1), (9, 99)), columns={"id": ("x", True), "ref": (4,)})
    key = RecordKey(layers={"mention": mention})
    faults = annotation_findings(passage(layers=layers, key=key), language="en")
    assert [code for _, code, _ in faults] == ["entity", "reference"]


@pytest.mark.parametrize(
    ("notation", "is_part"),
    [
        ("<ANSQ1>Ada lit the lamp.</ANSQ1> It burned.", False),
        ("<ANSQ1>Ada lit the lamp</ANSQ1>. It burned.", False),
        ("<ANSQ1>Ada lit the lamp. It burned.</ANSQ1>", False),
        ("<ANSQ1>Ada lit</ANSQ1> the lamp. It burned.", True),
        ("Ada <ANSQ1>lit the lamp.</ANSQ1> It burned.", True),
        ("<ANSQ1>Ada lit the lamp. It</ANSQ1> burned.", True),
    ],
)
def test_answer_sentence_that_is_a_part_of_one_is_a_warning(
    tmp_path: Path, notation: str, is_part: bool
) -> None:
    text = f"Passage: p\n\nEnglish passage\n\n{notation}\n\nEnglish questions\n\n1. Who lit it?\n"
    problems = check(open_test(put(tmp_path, text, "part.brcc")))
    parts = [problem for problem in problems if problem.code == "part_of_sentence"]
    assert [problem.severity for problem in parts] == ["warning"] * is_part
