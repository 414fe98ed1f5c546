"""Answers of a sitting as entries of the form that a person fills in."""

from readmark.core.records import Passage, Question
from readmark.core.sitting import Row
from readmark.making.hall.asked_units import AskedUnit
from readmark.making.hall.typed_answers import fields_of_row


def test_an_answer_across_two_chinese_sentences_is_in_words_of_its_own() -> None:
    question = Question(id="q1", text="他去过哪里？")
    passage = Passage(id="p1", text="他去过北京……上海很大。", language="zh", questions=(question,))
    unit = AskedUnit(
        "q1", question.text, passage, question, "passage", fields=("answer", "unanswerable")
    )
    row = Row(id="q1", answer="北京，上海")
    assert list(fields_of_row(unit, row, "zh")) == [{"written": "北京，上海"}]
    # English does not end a sentence at these dots, so that the answer is a part of the text.
    [fields] = fields_of_row(unit, row, "en")
    assert "answer" in fields
