"""Reading the notation: every spelling of tags, white space by its rule, and what is no tag."""

import pytest

from brcc_files import read
from readmark.comprehension.brcc.annotated_text import AnswerSentence, TaggedPhrase


def told(written: str, language: str = "en", **more: bool) -> tuple[str, list[str], list[str]]:
    """The text, the quotes of its noun phrases, and the codes of what is wrong."""
    read_text, faults = read(written, language=language, **more)
    return (
        read_text.text,
        [read_text.text[item.start : item.end] for item in read_text.phrases],
        [item.code for item in faults],
    )


@pytest.mark.parametrize(
    "written",
    [
        "<NP NE=PERSON REFID=7>Ada</NP>",
        "<NP REFID=7 NE=PERSON>Ada</NP>",
        '< NP  refid = 7\nne="person" > Ada < /NP >',
        "<np NE='Person' REFID='7'> Ada\n</ np>",
        "<\nNP\nNE=PERSON\nREFID=7\n>\nAda\n<\n/\nNP\n>",
    ],
)
def test_every_spelling_of_a_tag(written: str) -> None:
    read_text, faults = read(written, language="en")
    assert faults == ()
    assert read_text.text == "Ada"
    assert read_text.phrases == (TaggedPhrase(0, 3, "PERSON", 7, None),)


def test_a_phrase_may_be_antecedent_and_anaphor() -> None:
    read_text, _ = read("<NP REF=1 REFID=2>her pen</NP>", language="en")
    assert read_text.phrases == (TaggedPhrase(0, 7, None, 2, 1),)


def test_answer_sentences_nest_and_cross() -> None:
    written = "<ANSQ1>One. <ansq 2><ANSQ3>Two.</ANSQ3> Three.</ANSQ1> Four.</ANSQ2>"
    read_text, faults = read(written, language="en", passage=True)
    assert faults == ()
    assert read_text.text == "One. Two. Three. Four."
    assert read_text.answers == (
        AnswerSentence(1, 0, 16),
        AnswerSentence(3, 5, 9),
        AnswerSentence(2, 5, 22),
    )


# The sentences of the document's sections 4.3 and 4.4, before and after annotation.
@pytest.mark.parametrize(
    ("written", "text", "phrases"),
    [
        (
            "< NP >  Some < /NP >  say < NP >  it < /NP >  came from < NP >  the French \n"
            "< /NP>  , “ho” and “la” – “Ho, there!”  ",
            "Some say it came from the French, “ho” and “la” – “Ho, there!”",
            ["Some", "it", "the French"],
        ),
        (
            "This greeting may have arrived in <NP NE=LOCATION> England </NP> during the \n"
            "Norman Conquest in <NP NE=TIME> the year 1066 </NP>.",
            "This greeting may have arrived in England during the Norman Conquest in "
            "the year 1066.",
            ["England", "the year 1066"],
        ),
        ("( <NP> a cat </NP> )", "(a cat)", ["a cat"]),
        ("<NP>Ada</NP><NP>Bo</NP>", "AdaBo", ["Ada", "Bo"]),
        ("a , b", "a , b", []),  # no tag in the gap: the space is the sentence's own
        ("<NP>a</NP> – <NP>b</NP>", "a – b", ["a", "b"]),
        ("  \n a\n\n\tb  \n", "a b", []),
    ],
)
def test_english_white_space(written: str, text: str, phrases: list[str]) -> None:
    assert told(written) == (text, phrases, [])


@pytest.mark.parametrize(
    ("written", "text", "phrases"),
    [
        (
            "这个 打招呼 的 用语 也许 是 在 <NP NE=TIME> 1066 年</NP> 诺曼第人 征服 \n"
            "<NP NE=LOCATION> 英国 </NP> 时 带去 的。",
            "这个打招呼的用语也许是在1066年诺曼第人征服英国时带去的。",
            ["1066年", "英国"],
        ),
        (
            "曾经<NP>有人< /NP>预言<NP>英国 英语< /NP>和<NP>  \n美国 英语< /NP>的<NP>区别< /NP>"
            "会 越来越大 直至 成为<NP>两种 不同 \n\n的 语言< /NP>。",
            "曾经有人预言英国英语和美国英语的区别会越来越大直至成为两种不同的语言。",
            ["有人", "英国英语", "美国英语", "区别", "两种不同的语言"],
        ),
        ("用 Windows XP 系统", "用Windows XP系统", []),
        ("<NP>Windows XP</NP> , 2001 年", "Windows XP, 2001年", ["Windows XP"]),
    ],
)
def test_chinese_white_space(written: str, text: str, phrases: list[str]) -> None:
    assert told(written, "zh") == (text, phrases, [])


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("他 从 不 浪费 时间。", "他|从|不|浪费|时间|。"),
        ("<NP>托马斯‧爱迪生</NP>是 个 人", "托马斯‧爱迪生|是|个|人"),
        ("意思 是：「喂，那边的！」", "意思|是|：|「|喂|，|那边的|！|」"),
        ("增长 了 3.3%，很 快……", "增长|了|3.3%|，|很|快|……"),
        ("用 Windows XP 和 four-week 的 课", "用|Windows|XP|和|four-week|的|课"),
        ("赛后，轩芝丝\n感到 灰心", "赛后|，|轩芝丝|感到|灰心"),
    ],
)
def test_chinese_words(written: str, words: str) -> None:
    read_text, _ = read(written, language="zh")
    assert [read_text.text[start:end] for start, end in read_text.words] == words.split("|")


@pytest.mark.parametrize(
    ("written", "spaced"),
    [
        ("从 不", True),
        ("从不", False),
        ("从\n不", False),  # typesetting
        ("为期 30 周的课程", False),  # a space beside a number is typography
        ("<NP> 英国 </NP> 时", False),
        ("从 \n不", True),
    ],
)
def test_a_space_between_han_says_that_words_are_marked(written: str, spaced: bool) -> None:
    assert read(written, language="zh")[0].spaced is spaced


def test_a_blank_line_ends_a_paragraph_after_the_end_of_a_sentence() -> None:
    written = "One.\n \n<ANSQ1>Two\n\nthree.</ANSQ1>\n\nFour <NP>Mr.\n\nX</NP>.\nFive"
    text, _, faults = told(written, passage=True)
    assert text == "One.\nTwo three.\nFour Mr. X. Five"
    assert faults == []
    assert told("One.\n\nTwo")[0] == "One. Two"  # a question is one line


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("a < b and c > d", "a < b and c > d"),
        ("a <b", "a <b"),
        ("1 <2> 3 <- <3 <>", "1 <2> 3 <- <3 <>"),
        ("&lt;NP&gt; &amp;lt; AT&T; &#60;&#x3C;", "<NP> &lt; AT&T; <<"),
        ("&#0; &#55296; &#9999999; &nbsp;", "&#0; &#55296; &#9999999; &nbsp;"),
        ("a&#32;&#10;b", "a \nb"),
        ("mail <joe@x.org> [sic]", "mail <joe@x.org> [sic]"),
        ("👩‍👩‍👧 e\u0301 \u0301x", "👩‍👩‍👧 e\u0301 \u0301x"),
    ],
)
def test_signs_that_are_no_tags(written: str, text: str) -> None:
    assert told(written) == (text, [], [])


@pytest.mark.parametrize(
    ("written", "faults"),
    [
        ("a <NP>b", [(2, "unclosed_tag", "<NP> is never closed")]),
        ("a</NP>", [(1, "unopened_tag", "</NP> closes nothing")]),
        ("<NP>a</ANSQ1></NP>", [(5, "unopened_tag", "</ANSQ1> closes nothing")]),
        ("<ANSQ1>a <NP>b</ANSQ1> c</NP>", [(9, "crossed_tag", "<NP> crosses <ANSQ1>")]),
        ("<NP>a <ANSQ1>b</NP> c</ANSQ1>", [(0, "crossed_tag", "<NP> crosses <ANSQ1>")]),
        (
            "<ANSQ1>a <ANSQ1>b</ANSQ1></ANSQ1>",
            [(9, "crossed_tag", "<ANSQ1> begins inside itself")],
        ),
        ("<NP> </NP>", [(0, "empty_tag", "<NP> holds nothing")]),
        ("<NP/>", [(0, "empty_tag", "<NP/> holds nothing")]),
        (
            "a <b>c</b>",
            [
                (
                    at,
                    "unknown_tag",
                    f"{tag} is unknown, expected NP or ANSQ with the number of a question; "
                    "write &lt; for the sign",
                )
                for at, tag in ((2, "<b>"), (6, "</b>"))
            ],
        ),
        (
            "<NP NE=PERSON a",
            [
                (
                    0,
                    "malformed_tag",
                    "'<NP NE=PERSON a' is no whole tag; write &lt; for the sign",
                )
            ],
        ),
        (
            "<NP XX=1>a</NP>",
            [(0, "malformed_tag", "<NP XX=1> has XX, expected NE, REFID or REF")],
        ),
        ("<NP REF=1 REF=2>a</NP>", [(0, "malformed_tag", "<NP REF=1 REF=2> has REF twice")]),
        (
            "<NP REF=one>a</NP>",
            [(0, "malformed_tag", "<NP REF=one> has REF=one, expected a whole number")],
        ),
        ("<NP>a</NP REF=1>", [(5, "malformed_tag", "</NP REF=1> closes and has attributes")]),
    ],
)
def test_what_cannot_be_read(written: str, faults: list[tuple[int, str, str]]) -> None:
    _, problems = read(written, language="en", passage=True)
    assert [(problem.offset, problem.code, problem.message) for problem in problems] == faults


def test_answer_sentences_stand_in_passages_only() -> None:
    assert told("<ANSQ1>a</ANSQ1>")[2] == ["misplaced_tag"]


def test_nested_phrases_are_read_and_left_to_the_check() -> None:
    assert told("<NP>the <NP>cat</NP> door</NP>") == ("the cat door", ["the cat door", "cat"], [])


def test_brackets() -> None:
    written = (
        "[ The government ]  has [ other agencies and instruments ]  for pursuing  \n"
        "[ these other objectives ]  ."
    )
    text = "The government has other agencies and instruments for pursuing these other objectives."
    phrases = ["The government", "other agencies and instruments", "these other objectives"]
    assert told(written, brackets=True) == (text, phrases, [])
    assert told("&#91;sic&#93; [ it ]", brackets=True) == ("[sic] it", ["it"], [])
    assert told("[ a", brackets=True)[2] == ["unclosed_tag"]
    assert told("a ]", brackets=True)[2] == ["unopened_tag"]


@pytest.mark.parametrize(
    "written",
    [
        "x" * 100_000,
        "<" * 100_000,
        "< " * 50_000,
        "<NP>" * 25_000,
        "<NP>a" * 20_000 + "</NP>" * 20_000,
        "<NP " + " " * 100_000,
        "<NP " + "NE=A " * 20_000,
        "&" * 100_000,
        "&#" * 50_000,
        " \n" * 50_000,
        "英国 " * 30_000,
        "".join(f"<ANSQ{number}>a" for number in range(10_000)),
    ],
)
def test_a_very_long_line(written: str) -> None:
    for language in ("en", "zh"):
        read(written, language=language, passage=True)
