"""Where an answer stands: the passage's own spelling, and how the place was found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.making.blind.placing import placed

TEXT = "李冰修建了都江堰。后来，李冰的儿子（二郎）也参加了。The Dam is old."


@pytest.mark.parametrize(
    ("words", "start", "at", "text", "how"),
    [
        ("都江堰", None, 5, "都江堰", "exact"),
        (" 都江堰 ", None, 5, "都江堰", "exact"),
        ("李冰", None, 0, "李冰", "exact"),
        ("李冰", 12, 12, "李冰", "given"),
        ("李冰", 11, 12, "李冰", "exact"),  # the nearest to where they said
        ("儿子二郎", None, 15, "儿子（二郎）", "folded"),
        ("THE DAM", None, 26, "The Dam", "folded"),
        ("Ｔｈｅ dam", None, 26, "The Dam", "folded"),
        ("長江", None, None, "長江", "absent"),
        ("。。", None, None, "。。", "absent"),
    ],
)
def test_worked_examples(
    words: str, start: int | None, at: int | None, text: str, how: str
) -> None:
    place = placed(TEXT, words, start, "ann", language="zh")
    assert (place.answer.start, place.answer.text, place.how) == (at, text, how)
    assert place.answer.annotator == "ann"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("About 2.5 million came.", "25 million"),
        ("About 2.5 million came.", "5 million"),
        ("They won 3-2.", "32"),
        ("It is 1.5 m long.", "1,5"),
        ("It was -5 degrees.", "5 degrees"),
        ("It was 5 degrees.", "-5 degrees"),
        ("It grew by 5.", "5%"),
        ("It was written in C.", "C++"),
        ("These are the data). We are late.", "data we are"),
        ("He was late for the party.", "art"),
        ("In 1911 it burned.", "19"),
    ],
)
def test_another_answer_is_not_taken_for_it(text: str, words: str) -> None:
    place = placed(text, words, None, "ann")
    assert (place.how, place.answer.start, place.answer.text) == ("absent", None, words)


@pytest.mark.parametrize(
    ("text", "words", "spelt"),
    [
        ("他说「你好」。", "说“你好”", "说「你好」"),
        ("他说「你好！」然后走了。", "说“你好”", "说「你好！」"),
        ("「你好」他说。", "“你好”他说", "「你好」他说"),
        ('Ann "Nan" Moss', "Ann Nan", 'Ann "Nan"'),
        ("Then Dr. Smith came.", "dr smith", "Dr. Smith"),
        ("The party met at the Art Hall.", "art", "Art"),
        ("In COVID-19 times", "covid 19", "COVID-19"),
        ("It fell by 5 %.", "5%", "5 %"),
    ],
)
def test_the_passage_s_spelling(text: str, words: str, spelt: str) -> None:
    place = placed(text, words, None, "ann", language="zh" if text[0] > "z" else "en")
    assert (place.how, place.answer.text, place.several) == ("folded", spelt, False)


TWICE = "The Dam broke in 1911. The DAM broke in 1911."


@pytest.mark.parametrize(
    ("words", "start", "beside", "at", "several"),
    [
        ("1911", None, [], 17, True),
        ("1911", None, [(41, 44)], 40, True),
        ("1911", 38, [(17, 21)], 40, False),
        ("the dam", None, [], 0, False),  # two letters differ, in the other place four
        ("the dam", None, [(35, 44)], 0, False),
        ("The DAm", None, [(35, 44)], 23, True),  # one differs in either
        ("the dam", 20, [], 23, False),
    ],
)
def test_several_places(
    words: str, start: int | None, beside: list[tuple[int, int]], at: int, several: bool
) -> None:
    place = placed(TWICE, words, start, "ann", near=beside)
    assert (place.answer.start, place.several) == (at, several)


@given(st.text(min_size=1), st.text(), st.none() | st.integers(0, 50))
def test_a_place_holds_what_it_says(text: str, words: str, start: int | None) -> None:
    answer = placed(text, words, start, "ann").answer
    if answer.start is not None:
        assert text[answer.start : answer.start + len(answer.text)] == answer.text
