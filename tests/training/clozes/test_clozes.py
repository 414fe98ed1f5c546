"""Clozes: the answer stands where it is said to, and is not told by the question's own place."""

from random import Random

import pytest

from training.span.clozes import chinese, english
from training.span.clozes.articles import (
    Article,
    Blank,
    articles,
    context,
    passages,
    sentences,
)

ENGLISH = Article(
    "Ada Marlow",
    (
        "Ada Marlow was born in Redbridge on 4 May 1871.",
        'In 1890, she joined the Harbour Company and wrote "The Tide Book".',
        "She moved to Redbridge again after the Harbour Company failed in 1902.",
        "About 300 people visited the museum of Ada Marlow in 1950.",
    ),
)
CHINESE = Article(
    "梅溪桥",
    (
        "梅溪桥位于浙江省，建于1871年，全长120米。",
        "由于河水每年上涨，梅溪桥在1902年重建。",
        "重建的工程由李大山主持，他是浙江省的工程师。",
        "李大山在1871年出生，著有《桥与水》。",
    ),
)


@pytest.mark.parametrize(("module", "article"), [(english, ENGLISH), (chinese, CHINESE)])
def test_answers_stand_where_they_are_said_to(module: object, article: Article) -> None:
    found = [
        one
        for seed in range(30)
        for one in module.clozes(article, Random(seed), 20)  # type: ignore[attr-defined]
    ]
    assert len(found) > 100
    for one in found:
        assert one.answer
        assert one.text[one.start : one.start + len(one.answer)] == one.answer
        assert one.question.strip()


def test_the_same_draw_gives_the_same_clozes() -> None:
    first, second = (list(chinese.clozes(CHINESE, Random(5), 8)) for _ in range(2))
    assert first == second
    assert len(first) <= 8


def test_the_context_loses_the_sentence_or_keeps_it() -> None:
    article = Article("T", ("A lamp. ", "B lamp. ", "C."))
    blank = Blank(2, 6, "what", "phrase")
    assert context(article, 0, blank, keep=False, joint="") == ("B lamp. C.", 2)
    assert context(article, 1, blank, keep=True, joint="") == ("A lamp. B lamp. C.", 10)
    alone = Article("T", ("A lamp. ", "C."))
    assert context(alone, 0, blank, keep=False, joint="") is None


@pytest.mark.parametrize(
    ("sentence", "answer", "asked", "question"),
    [
        ("The ferry was built in 1890.", "1890", "when", "When was the ferry built?"),
        ("Ada Marlow wrote the book.", "Ada Marlow", "who", "Who wrote the book?"),
        ("Mr Bell painted the mill.", "the mill", "what", "What did Mr Bell paint?"),
    ],
)
def test_english_questions(sentence: str, answer: str, asked: str, question: str) -> None:
    start = sentence.index(answer)
    kind = "time" if asked == "when" else "name"
    blank = Blank(start, start + len(answer), asked, kind)
    said = {english.asked(sentence, blank, "Ferry", Random(seed)) for seed in range(12)}
    assert question in said


def test_a_pronoun_gives_way_to_the_title() -> None:
    blank = Blank(15, 19, "when", "time")
    said = {english.asked("He was born in 1890.", blank, "Ada (b)", Random(at)) for at in range(9)}
    assert "When was Ada born?" in said


def test_articles_and_passages() -> None:
    lines = ['<doc id="1" url="u" title="梅溪">\n', "梅溪\n", "\n", "一（，）二。\n", "</doc>\n"]
    assert list(articles(lines)) == [("梅溪", ["梅溪", "一二。"])]
    assert sentences("Dr. Bell came. He left.", "en") == ["Dr. Bell came.", "He left."]
    long = ["桥在水上，水在桥下，人在桥上走。" * 3] * 20
    found = list(passages(long, "zh"))
    assert found
    assert all(160 <= sum(map(len, run)) <= 460 for run in found)
