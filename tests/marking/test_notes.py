"""What is said beside people's figure of answers that it does not count."""

import readmark
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.test import Header, Test, in_memory
from readmark.marking.settings import MarkSettings

FEW = MarkSettings(draws=20)


def a_test(*silent: str) -> Test:
    answers = (Answer(text="1911", annotator="ann"), Answer(text="in 1911", annotator="bo"))
    fields = {"no_answer_by": list(silent)} if silent else {}
    none = QuestionKey(unanswerable=True, fields=fields)
    asked = (
        Question(id="q1", text="When?", key=QuestionKey(answers=answers, fields=fields)),
        Question(id="q2", text="Why?", key=none),  # there an empty answer is right
    )
    record = Passage(id="p", text="It burned in 1911.", questions=asked)
    return in_memory(Header(language="en"), [record])


def test_empty_answers_make_people_s_figure_an_upper_bound() -> None:
    told = "<memory>: 2 empty answers of people are not counted, so people's figure is an upper "
    marks = readmark.mark(a_test("cy", "di"), {"q1": "1911"}, settings=FEW)
    assert [note for note in marks.notes if "upper bound" in note] == [f"{told}bound: 1 (q1)"]
    people = readmark.people(a_test("cy", "di"), settings=FEW)
    assert list(people.notes) == [f"{told}bound: 1 (q1)"]
    assert list(readmark.people(a_test(), settings=FEW).notes) == []
    [note] = readmark.people(a_test("cy"), settings=FEW).notes
    assert "1 empty answer of a person is not counted" in note
