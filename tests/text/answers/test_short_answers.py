"""Short answers in wordy ones: a table by hand, and what holds for any text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.text.answers.short_answers import short_answer
from readmark.text.answers.thoughts import without_thoughts


@pytest.mark.parametrize(
    ("text", "short"),
    [
        # as they stand
        ("Tom", "Tom"),
        ("at nine o'clock", "at nine o'clock"),
        ("Tom.", "Tom"),
        ("U.S.", "U.S."),
        ("", ""),
        ("  ", ""),
        ("周日。", "周日"),
        ('"Tom"', "Tom"),
        ("「周日」", "周日"),
        ("**Tom**", "Tom"),
        ("Tom flew the kite on Sunday.", "Tom flew the kite on Sunday"),
        # the answer is
        ("The answer is Tom.", "Tom"),
        ("The correct answer is: at nine.", "at nine"),
        ("So the answer to the question is Tom. He flew it on Sunday.", "Tom"),
        ("The answer is Dr. Ames. She ran the clinic.", "Dr. Ames"),
        ("The answer is J. B. Ames.", "J. B. Ames"),
        ("The answer is 3.5 million.", "3.5 million"),
        ('The answer is "Tom".', "Tom"),
        ("At first the answer is Ann. No: the answer is Tom.", "Tom"),
        ("The answer would be **the yard**.", "the yard"),
        ("答案是周日。", "周日"),
        ("根据文章，答案应该是“旧码头”。因为船从那里开。", "旧码头"),
        ("答案为1840年", "1840年"),
        # labels
        ("Answer: Tom", "Tom"),
        ("**Answer:** Tom", "Tom"),
        ("Final answer: at nine.\n", "at nine"),
        ("Let me see. Tom flew it.\n\nAnswer: Tom\nEvidence: Tom flew it.", "Tom"),
        ("Answer: Ann\nWait.\nAnswer: Tom", "Tom"),
        ("答案：周日", "周日"),
        ("最终答案：\n周日", "周日"),
        # other forms
        ('{"answer": "Tom", "evidence": "x"}', "Tom"),
        ('{"answer": 1840}', "1840"),
        ('{"answer": null}', '{"answer": null}'),
        (r"Thus \boxed{42} it is.", "42"),
        ("<think>Ann? no. The answer is Ann.</think>Tom", "Tom"),
        ('The passage says: "the old pier".', "the old pier"),
        ("文章写道：「旧码头」。", "旧码头"),
        ("The kite was flown by **Tom** on Sunday.", "Tom"),
        ("Both **Tom** and **Ann** flew it.", "Both **Tom** and **Ann** flew it"),
        ("First I look at the passage.\nIt names one person.\nTom", "Tom"),
        ("先看文章。\n文章只提到一天。\n周日", "周日"),
        # JSON as models write it, and numbers as they were written
        ('```json\n{"answer": "Tom"}\n```', "Tom"),
        ('Here it is:\n{"answer": "Tom",}', "Tom"),
        ('{"answer": 1.10}', "1.10"),
        ('{"answer": 007}', "007"),
        ('{"answer": true}', '{"answer": true}'),
        # a backslash that a model did not double begins a command of LaTeX
        (r'{"answer": "\boxed{42}"}', "42"),
        (r'Here: {"answer": "\frac{1}{2}",}', r"\frac{1}{2}"),
        (r'{"answer": "\text{Tom}"}', r"\text{Tom}"),
        (r'{"answer": "\\frac{1}{2}"}', r"\frac{1}{2}"),
        (r'{"answer": "Tom\nAnn"}', "Tom\nAnn"),
        (r'{"answer": "\pi",}', r"\pi"),
        ('{答案："\\boxed{Tom"', "\\boxed{Tom"),
        ("```\nTom\n```", "Tom"),
        (r"\boxed{\text{Tom}}", "Tom"),
        ("Ann? no. The answer is Ann.</think>Tom", "Tom"),
        # what comes after an answer is not the answer
        ("Tom\n\nI hope this helps!", "Tom"),
        ("Nine o'clock.\nLet me know if you need more.", "Nine o'clock"),
        ("北京\n希望对你有帮助！", "北京"),
        ("The answer is Tom.\nI hope this helps!", "Tom"),
        ("First I look.\nIt names one person.\nTom\n\nFeel free to ask more!", "Tom"),
        ("Tom\n(Source: paragraph 2)", "Tom\n(Source: paragraph 2)"),
        ("Tom.\nThe passage says so", "Tom.\nThe passage says so"),
        ("Tom\nhe flew the kite", "Tom\nhe flew the kite"),
        ("At nine.\nIt was still dark then.", "At nine.\nIt was still dark then"),
        ("Who kept it? The text names one keeper.\nHe Suyun", "He Suyun"),
        ("Yes.\nNo", "Yes.\nNo"),
        ("Tom\nAnn\nLee", "Tom\nAnn\nLee"),
        ("Dear Tom,\nI hope to see you.", "Dear Tom,\nI hope to see you"),
        # a sentence after "the answer is"
        ("The answer is: yes. Because he did.", "yes"),
        ("The final answer is:\nTom", "Tom"),
        ("答案是：周日。因为船那天开。", "周日"),
        # a quotation in the middle is not the answer
        ('He called it "the rock" in 1990.', 'He called it "the rock" in 1990'),
    ],
)
def test_short_answer(text: str, short: str) -> None:
    assert short_answer(text) == short


ENGLISH = ["The answer is ", "Answer: ", "Tom", "Dr.", "1840", "<think>", "</think>", "\\boxed{"]
CHINESE = ["答案是", "答案：", "周日", "。", "“", "”"]
MARKS = [" ", "\n", ".", '"', "**", "{", "}", '{"answer": "x"}']
WORDY = st.lists(st.sampled_from(ENGLISH + CHINESE + MARKS), max_size=12).map("".join)


@given(st.one_of(WORDY, st.text()))
def test_short_answer_is_a_part_of_the_reply_and_never_empty(text: str) -> None:
    answer = short_answer(text)
    assert answer in text or answer in without_thoughts(text)
    assert bool(answer) == bool(text.strip())
