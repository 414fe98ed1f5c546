"""Writing BRCC files: brackets, two sides that do not align, losses, and whole files back."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brcc_files import CANONICAL, one, put, side
from readmark.core.errors import UsageError
from readmark.core.records import Answer, Layer, Passage, Phrase, Question, QuestionKey
from readmark.core.test import Header, Test, in_memory
from readmark.formats.registry import open_test, save_test, save_tests


def test_brackets_in_and_out(tmp_path: Path) -> None:
    path = put(
        tmp_path, CANONICAL.split("Chinese passage")[0].replace("Chinese title: 墨水瓶\n", "")
    )
    out = tmp_path / "brackets.brcc"
    lost = save_test(open_test(path), out, format="brcc(notation=brackets)")
    written = out.read_text("utf-8")
    assert "[ Ada Moss ] bought [ two pens ].</ANSQ1>" in written
    assert "Notation: brackets" in written
    assert [line.split(" (")[0] for line in lost] == [
        "entities of noun phrases in brackets cannot be stored",
        "references of noun phrases in brackets cannot be stored",
    ]
    again, before = one(out), one(path)
    assert again.layers == {"np": before.layers["np"]}
    assert again.text == before.text
    plain = put(tmp_path, "English passage\n\n[ The cat ] sat .\n")
    [bracketed] = open_test(plain, format="brcc(notation=brackets)").records()
    assert bracketed.text == "The cat sat ."  # the space before the stop stands by itself
    assert one(plain).text == "[ The cat ] sat ."


def test_two_tests_that_do_not_align(tmp_path: Path) -> None:
    def test(language: str, *passages: Passage) -> Test:
        return in_memory(Header(language=language), passages)

    def passage(id: str, *asked: str, **more: str) -> Passage:
        questions = tuple(Question(id=each, text=f"{each}?") for each in asked)
        return Passage(id=id, text=f"{id}.", questions=questions, **more)

    english = test("en", passage("a", "a-1", "a-2", "a-4"), passage("b"))
    chinese = test("zh", passage("c", "x"), passage("a", "a-2", "a-1", "own"))
    path = tmp_path / "both.brcc"
    assert save_tests([chinese, english], path, format="brcc") == [
        "questions without one on the Chinese side (1: a-4)",
        "questions without one on the English side (1: own)",
        "questions were put into the order of the other side (1: a)",
        "passages that the Chinese side lacks (1: b)",
        "passages that the English side lacks (1: c)",
    ]
    assert [each.id for each in side(path, "en").records()] == ["a", "b"]
    records = list(side(path, "zh").records())
    assert [(each.id, [q.id for q in each.questions]) for each in records] == [
        ("a", ["a-1", "a-2", "own"]),
        ("c", ["x"]),
    ]
    assert [each.parallel for each in records[0].questions] == ["a-1", "a-2", "a-5"]
    with pytest.raises(UsageError, match="both tests are English"):
        save_tests([english, english], path, format="brcc")
    with pytest.raises(UsageError, match="two tests cannot be written into one file as 'squad'"):
        save_tests([english, chinese], path, format="squad")
    with pytest.raises(UsageError, match="brcc is for English and Chinese, this test is fr"):
        save_test(test("fr", passage("a")), path, format="brcc")


def test_what_cannot_be_held_is_named(tmp_path: Path) -> None:
    key = QuestionKey(
        answers=(Answer(text="Ada", start=0, annotator="x"), Answer(text="Ada")),
        level=2,
        difficulty="Easy",
        fields={"why": 1},
    )
    question = Question(id="q", text="Who?", parallel="z9", options=("a",), key=key)
    passage = Passage(id="p", text="Ada.", article="n", fields={"own": 1}, questions=(question,))
    test = in_memory(Header(language="en", profile="squad"), [passage])
    path = tmp_path / "t.brcc"
    lost = [line.rsplit(" (", 1)[0] for line in save_test(test, path, format="brcc")]
    assert lost == [
        "the header's (profile) cannot be stored",
        "parallel ids of questions but for their number cannot be stored",
        "the passage's article cannot be stored",
        "fields (own, why) cannot be stored",
        "options cannot be stored",
        "answers' offsets cannot be stored",
        "annotators cannot be stored",
        "levels cannot be stored",
        "difficulties cannot be stored",
        "people's answers were written as answer keys",
    ]
    again = one(path)
    assert again.questions[0].id == "q"
    assert again.questions[0].key == QuestionKey(published=(Phrase(text="Ada"),))


SIGNS = (
    "a",
    "Ada",
    "他",
    "英国",
    "。",
    ".",
    ",",
    "，",
    " ",
    " ",
    "\n",
    "<",
    "&lt;",
    "|",
    "-",
    "1. ",
    "Passage: x",
    "English passage",
    "😀",
    "e\u0301",
    "\u3000",
    "\r",
    "[",
    "]",
    "NP>",
    "English",
)
texts = st.lists(st.sampled_from(SIGNS), min_size=1, max_size=8).map("".join)
labels = st.none() | texts


@st.composite
def layered(draw: st.DrawFn, text: str) -> dict[str, Layer]:
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
    spans = tuple(zip(cuts[::2], cuts[1::2], strict=False))
    return {"np": Layer(spans=spans, source="brcc")} if spans else {}


@st.composite
def passages(draw: st.DrawFn, number: int) -> Passage:
    text = draw(texts)
    questions = []
    for at in range(1, draw(st.integers(0, 3)) + 1):
        asked = draw(texts)
        cut = sorted(draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=2, unique=True)))
        published = tuple(
            Phrase(text=each, layers=draw(layered(each)))
            for each in draw(st.lists(texts, max_size=2))
        )
        key = QuestionKey(published=published, sentences=((cut[0], cut[1]),), type=draw(labels))
        questions.append(
            Question(
                id=draw(
                    st.sampled_from(
                        [f"p{number}-{at}", f"own, {number} {at} ", "-" * (3 * number + at)]
                    )
                ),
                text=asked,
                parallel=f"p{number}-{at}",
                layers=draw(layered(asked)),
                key=key,
            )
        )
    layers = draw(layered(text))
    sentences = [span for each in questions if each.key for span in each.key.sentences]
    if any(
        crosses(phrase_span, other)
        for phrase_span in (layers or {"np": Layer(spans=())})["np"].spans
        for other in sentences
    ):
        layers = {}
    return Passage(
        id=draw(st.sampled_from([f"p{number}", f" id {number}\n"])),
        text=text,
        title=draw(labels),
        topic=draw(labels),
        split=draw(labels),
        parallel=f"p{number}",
        layers=layers,
        questions=tuple(questions),
    )


def crosses(first: tuple[int, int], second: tuple[int, int]) -> bool:
    return (
        first[0] < second[0] < first[1] < second[1] or second[0] < first[0] < second[1] < first[1]
    )


@pytest.mark.parametrize("language", ["en", "zh"])
@given(data=st.data())
def test_whole_files_come_back(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, language: str
) -> None:
    drawn = [data.draw(passages(number)) for number in range(data.draw(st.integers(1, 3)))]
    test = in_memory(Header(language=language, licence=data.draw(labels)), drawn)
    path = tmp_path_factory.mktemp("brcc") / "t.brcc"
    assert save_test(test, path, format="brcc") == []
    again = open_test(path, format="brcc")
    assert again.header.licence == test.header.licence
    assert list(again.records()) == drawn
    first = path.read_bytes()
    assert save_test(again, path, format="brcc") == []
    assert path.read_bytes() == first
