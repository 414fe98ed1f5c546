"""Checks of annotation: each rule of the document, on layers of any origin."""

from pathlib import Path
from typing import Any

import pytest

from brcc_files import put, read
from readmark.comprehension.brcc.layers import key_layers, paper_layers
from readmark.core.records import Answer, Layer, Passage, Phrase, Question, QuestionKey, RecordKey
from readmark.formats.checks import check
from readmark.formats.registry import open_test
from readmark.text.annotation import annotation_findings, ending_findings


def marked(written: str, language: str = "en") -> dict[str, Any]:
    """A text and its layers, from the notation."""
    found, faults = read(written, language=language)
    assert faults == ()
    return {
        "text": found.text,
        "layers": paper_layers(found, segmented=language == "zh"),
        "key": RecordKey(layers=key_layers(found)),
    }


def findings(
    written: str, *, question: str = "", key: str = "", language: str = "en"
) -> list[tuple[str, str, str]]:
    """What is wrong in a passage with a question and an answer key, its sentence marked."""
    own = marked(written, language)
    asked = marked(question or "Who?", language)
    phrase = marked(key or "Ada", language)
    published = Phrase(text=phrase["text"], layers={**phrase["layers"], **phrase["key"].layers})
    one = Question(
        id="q",
        text=asked["text"],
        layers=asked["layers"],
        key=QuestionKey(
            published=(published,),
            sentences=((0, len(own["text"])),),
            layers=asked["key"].layers,
        ),
    )
    passage = Passage(id="p", questions=(one,), **own)
    return list(annotation_findings(passage, language=language))


@pytest.mark.parametrize(
    "written",
    [
        "<NP NE=PERSON REFID=1>Ada</NP> lost <NP REFID=2>a pen</NP>. <NP REF=1>She</NP> "
        "found <NP REF=2>it</NP>.",
        "<NP REFID=1>Ada</NP> saw <NP REF=1 REFID=2>her pen</NP>: <NP REF=2>it</NP> shone.",
        "no tags",
    ],
)
def test_sound(written: str) -> None:
    assert findings(written) == []


@pytest.mark.parametrize(
    ("written", "code", "message"),
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
def test_what_is_wrong(written: str, code: str, message: str) -> None:
    assert findings(written) == [("p", code, message)]
    if "from the start" in message:
        return  # a question may count on from where its passage ended
    assert ("q", code, message) in findings("Ada.", question=written)
    assert ("q", code, f"answer key: {message}") in findings("Ada.", key=written)


def test_questions_may_refer_to_the_passage_and_keys_to_both() -> None:
    passage = "<NP REFID=1>Ada</NP> and <NP REFID=2>Bo</NP>"
    assert findings(passage, question="Did <NP REF=2>he</NP>?", key="<NP REF=1>She</NP>") == []
    own = "Did <NP REFID=3>Al</NP> and <NP REF=3>his cat</NP>?"
    assert findings(passage, question=own, key="<NP REF=3>He</NP> did") == []
    assert findings(passage, question=own.replace("3", "1")) == []
    [(_, code, _)] = findings(passage, question=own.replace("3", "2"))
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
def test_the_same_name(first: str, between: str, nearer: bool) -> None:
    found = findings(f"<NP REFID=1>{first}</NP> and <NP>{between}</NP>. <NP REF=1>It</NP>.")
    assert [code for _, code, _ in found] == ["nearer_antecedent"] * nearer
    after = findings(f"<NP REFID=1>{first}</NP> and <NP REF=1>it</NP>. <NP>{between}</NP>.")
    assert after == []


@pytest.mark.parametrize(
    ("first", "between", "nearer"),
    [("托马斯‧爱迪生", "爱迪生", True), ("英国 英语", "美国 英语", False), ("爱迪生", "他", False)],
)
def test_the_same_chinese_name(first: str, between: str, nearer: bool) -> None:
    written = f"<NP REFID=1>{first}</NP> 和 <NP>{between}</NP>，<NP REF=1>他</NP>。"
    found = findings(written, language="zh")
    assert [code for _, code, _ in found] == ["nearer_antecedent"] * nearer


@pytest.mark.parametrize(
    ("tags", "phrase", "ending"),
    [
        ("PRON VERB", (0, 8), "VERB"),
        ("PRON VERB", (0, 4), None),
        ("DET NOUN", (0, 8), None),
        ("DET NOUN", (0, 4), None),  # alone it is a pronoun
        ("NUM DET", (0, 8), "DET"),
        ("NOUN NUM", (0, 8), None),
        ("VERB VERB", (0, 3), None),  # ends within a word: nothing is known
    ],
)
def test_endings(tags: str, phrase: tuple[int, int], ending: str | None) -> None:
    text = "Some say"
    token = Layer(spans=((0, 4), (5, 8)), columns={"pos": tuple(tags.split())})
    layers = {"token": token, "np": Layer(spans=(phrase,))}
    found = list(annotation_findings(Passage(id="p", text=text, layers=layers), language="en"))
    said = f"ends in {ending}, expected a noun, pronoun or adjective"
    assert [(one[1], one[2].endswith(said)) for one in found] == [("np_ending", True)] * bool(
        ending
    )


def test_endings_by_an_analyser() -> None:
    layers = {"np": Layer(spans=((0, 8),))}
    assert list(ending_findings("p", "Some say", layers)) == []
    found = ending_findings("p", "Some say", layers, part_of_speech=lambda _: "VERB")
    assert [code for _, code, _ in found] == ["np_ending"]


def test_questions_without_an_answer_sentence() -> None:
    def asked(id: str, **key: Any) -> Question:
        return Question(id=id, text="Who?", key=QuestionKey(**key) if key else None)

    good = asked("good", sentences=((0, 4),))
    bad = asked("bad", published=(Phrase(text="x"),))
    questions = (good, bad, asked("none", unanswerable=True), asked("bare"))
    passage = Passage(id="p", text="Ada.", questions=questions)
    said = "no sentence of the passage is marked as its answer"
    expected = [("bad", "no_sentence", said), ("bare", "no_sentence", said)]
    assert list(annotation_findings(passage, language="en")) == expected
    assert list(annotation_findings(passage, language="en", hidden=True)) == []
    # A test that marks no sentences and no noun phrases is of another sort.
    assert (
        list(annotation_findings(Passage(id="p", text="Ada.", questions=(bad,)), language="en"))
        == []
    )
    np = {"np": Layer(spans=((0, 3),))}
    found = annotation_findings(
        Passage(id="p", text="Ada.", layers=np, questions=(bad,)), language="en"
    )
    assert list(found) == expected[:1]
    # Phrases that an analyser found tell nothing of what somebody meant to mark.
    np = {"np": Layer(spans=((0, 3),), source="readmark-en-2(…)")}
    found = annotation_findings(
        Passage(id="p", text="Ada.", layers=np, questions=(bad,)), language="en"
    )
    assert list(found) == []
    # An answer with offsets tells its sentence.
    placed = asked("placed", answers=(Answer(text="Ada", start=0),))
    found = annotation_findings(
        Passage(id="p", text="Ada.", questions=(good, placed)), language="en"
    )
    assert list(found) == []


def test_unsound_layers_are_no_crash() -> None:
    layers = {
        "np": Layer(spans=((5, 99), (3, 1), (0, 0))),
        "ne": Layer(spans=((0, 1), (2, 3)), columns={"type": (None,)}),
        "token": Layer(spans=((0, 1),), columns={"pos": ()}),
    }
    mention = Layer(spans=((0, 1), (9, 99)), columns={"id": ("x", True), "ref": (4,)})
    key = RecordKey(layers={"mention": mention})
    found = list(
        annotation_findings(Passage(id="p", text="Ada.", layers=layers, key=key), language="en")
    )
    assert [code for _, code, _ in found] == ["entity", "reference"]


def test_an_empty_layer_of_words_has_no_tags() -> None:
    layers = {"np": Layer(spans=((0, 3),)), "token": Layer(spans=())}
    assert list(ending_findings("p", "ran off", layers)) == []


@pytest.mark.parametrize(
    ("written", "ending"),
    [
        ("<NP>Some say</NP> it came from the French.", "VERB"),  # the document's own example
        ("<NP>Some</NP> say it came from <NP>the French</NP>.", None),
        ("He carried <NP>the lamp quickly</NP> home.", "ADV"),
        ("She likes <NP>swimming</NP> and <NP>nothing else</NP>.", None),
        ("He said <NP>“hello”</NP> to <NP>all of 1066</NP>.", None),
    ],
)
def test_endings_in_english_files_that_have_no_parts_of_speech(
    tmp_path: Path, written: str, ending: str | None
) -> None:
    path = put(tmp_path, f"Passage: p\n\nEnglish passage\n\n{written}\n", "np.brcc")
    found = [problem for problem in check(open_test(path)) if problem.code == "np_ending"]
    assert [problem.severity for problem in found] == ["warning"] * (ending is not None)
    assert all(f"ends in {ending}," in problem.message for problem in found)


def test_endings_in_chinese_files_are_found_by_words(tmp_path: Path) -> None:
    written = "<NP>有人 的</NP> 认为 <NP>别的</NP> 灯 来自 <NP>地</NP> 上。"
    path = put(tmp_path, f"Passage: p\n\nChinese passage\n\n{written}\n", "np.brcc")
    found = [problem.message for problem in check(open_test(path)) if problem.code == "np_ending"]
    assert len(found) == 1
    assert "'有人的' ends in PART" in found[0]


@pytest.mark.parametrize(
    ("passage", "is_part"),
    [
        ("<ANSQ1>Ada lit the lamp.</ANSQ1> It burned.", False),
        ("<ANSQ1>Ada lit the lamp</ANSQ1>. It burned.", False),
        ("<ANSQ1>Ada lit the lamp. It burned.</ANSQ1>", False),
        ("<ANSQ1>Ada lit</ANSQ1> the lamp. It burned.", True),
        ("Ada <ANSQ1>lit the lamp.</ANSQ1> It burned.", True),
        ("<ANSQ1>Ada lit the lamp. It</ANSQ1> burned.", True),
    ],
)
def test_an_answer_sentence_that_is_a_part_of_one_is_a_warning(
    tmp_path: Path, passage: str, is_part: bool
) -> None:
    text = f"Passage: p\n\nEnglish passage\n\n{passage}\n\nEnglish questions\n\n1. Who lit it?\n"
    problems = check(open_test(put(tmp_path, text, "part.brcc")))
    found = [problem for problem in problems if problem.code == "part_of_sentence"]
    assert [problem.severity for problem in found] == ["warning"] * is_part
