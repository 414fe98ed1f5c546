"""What a language model is asked, and which of its questions are usable."""

from __future__ import annotations

import pytest

from training.span.language_model import COUNT, prompt, questions_in

TEXT = "By 1831 the ferry had reached Harwick. Anna Lowe, its owner, sold goats and salt there."
CHINESE = "渡船由木匠罗平在1904年建造，一直运送山羊和盐。"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("When did the ferry reach Harwick? | by 1831", "By 1831"),
        ("1. Who owned the ferry? | Anna Lowe.", "Anna Lowe"),
        ("Who owned the ferry? | Anna Low and others", None),  # not in the passage
        ("Who was Anna Lowe? | Anna Lowe", None),  # the answer is in the question
        ("Did Anna sell goats? | goats and salt", None),  # wants yes or no
        ("What did she sell, by the passage? | goats and salt", None),
        ("The owner sold | goats and salt", None),  # no question
        ("Where did the engineer of the Severin Canal go? | Harwick", None),
        ("What was sold?", None),
    ],
)
def test_a_usable_question_has_its_answer_in_the_passage(line: str, answer: str | None) -> None:
    found = list(questions_in(line, TEXT, "en"))
    assert [TEXT[start:end] for _, (start, end) in found] == ([answer] if answer else [])


def test_questions_are_told_once_and_in_chinese_too() -> None:
    line = "渡船运送什么？｜山羊和盐。"
    ((question, (start, end)),) = questions_in(f"{line}\n{line}\n渡船是否运盐？|盐", CHINESE, "zh")
    assert (question, CHINESE[start:end]) == ("渡船运送什么？", "山羊和盐")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_worked_example_does_what_is_asked(language: str) -> None:
    before, worked, asked, end = prompt("The ferry", TEXT, language).split("<|im_end|>\n")
    assert str(COUNT) in before
    lines = worked.splitlines()[1:]
    assert len(lines) == COUNT
    # The names of the example are not usable elsewhere, so each line is looked for by itself.
    assert all(line.split(" | ")[1] in before for line in lines)
    assert TEXT in asked
    assert end == "<|im_start|>assistant\n"
