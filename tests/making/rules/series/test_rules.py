"""Pronouns, words from nowhere and half targets in golds, found and passed over."""

from collections.abc import Callable, Iterator

import pytest

from readmark.core.records import Answer
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey
from readmark.series.rules.foreign_words import foreign_words
from readmark.series.rules.page import SeriesPage
from readmark.series.rules.short_targets import short_targets
from readmark.series.rules.unresolved_pronouns import unresolved_pronouns

Rule = Callable[[SeriesPage, dict[str, object]], Iterator[tuple[str, str]]]


def found(
    rule: Rule,
    target: str,
    question: str,
    *golds: str,
    type: str | None = None,
    language: str = "en",
    previous: tuple[str, ...] = (),
) -> list[str]:
    key = SeriesQuestionKey(rewrites=tuple(Answer(text=gold) for gold in golds))
    asked = SeriesQuestion(id="q", text=question, previous=previous, key=key)
    series = Series(id="s", target=target, target_type=type, questions=(asked,))
    findings = list(rule(SeriesPage(series, language), {}))
    assert all(owner == "q" for owner, _ in findings)
    return [message for _, message in findings]


@pytest.mark.parametrize(
    ("gold", "pronouns"),
    [
        ("When was he born?", ["he"]),
        ("What year was his first book written?", ["his"]),
        ("Who was Orla Finch's mother?", []),
        ("For which paper did Orla Finch write her notes?", []),
        ("What is its mission?", ["its"]),
        ("Where did PREVIOUS_ANSWER keep his boat?", []),
        ("How long does it take to sail there?", ["there"]),
        ("How long does it take to sail to Ely?", []),
        ("In Orla Finch's house, where did she sleep?", []),
        ("How many of them were killed?", ["them"]),
        ("What reason did this person give?", ["this"]),
        ("What reason did this person who sold the boat give?", []),
        ("What company sold its shares?", []),
        ("What company did its owner sell?", ["its"]),
        ("Did Finch do this?", []),
        ("After her return, where did Orla Finch live?", []),
        ("After her return, where was the house?", ["her"]),
        ("When was HE born?", ["HE"]),
        ("In Paris, when was he seen?", ["he"]),
        ("In Paris, when was Orla Finch seen with her sister?", []),
        ("What did Orla Finch do there?", ["there"]),
        ("What did Orla Finch do in Paris, and who else was there?", []),
        ("After the move to Paris, what did Orla Finch do there?", []),
        ("How many boats are there in Orla Finch's yard?", []),
        ("Is there a yard of Orla Finch's?", []),
        ("Which one?", ["one"]),
        ("Which one of Orla Finch's boats sank?", []),
        ("What did she write, and when did Orla Finch die?", ["she"]),
        ("", []),
        ("???", []),
    ],
)
def test_pronouns(gold: str, pronouns: list[str]) -> None:
    messages = found(unresolved_pronouns, "Orla Finch", "When was she born?", gold)
    expected = ", ".join(map(repr, pronouns))
    assert [message.split(" may be")[0] for message in messages] == ([expected] if pronouns else [])


@pytest.mark.parametrize(
    ("gold", "count"),
    [
        ("他出生在哪里？", 1),
        ("顾兰亭出生在哪里？", 0),
        ("顾兰亭和他的妻子住在哪里？", 0),
        ("该公司何时成立？", 1),
    ],
)
def test_chinese_pronouns(gold: str, count: int) -> None:
    messages = found(unresolved_pronouns, "顾兰亭", "他出生在哪里？", gold, language="zh")
    assert len(messages) == count


@pytest.mark.parametrize(
    ("target", "question", "gold", "words"),
    [
        # The document's own example.
        (
            "Chunnel",
            "How long is the Chunnel?",
            "How long is the Channel Tunnel?",
            ["Channel", "Tunnel"],
        ),
        ("Chunnel", "How long is the Chunnel?", "How long is the Chunnel?", []),
        ("Orla Finch", "What is her job?", "What is Orla Finch's job?", []),
        ("Orla Finch", "What is her job?", "What is Orla Finch's profession?", ["profession"]),
        ("Orla Finch", "What did she write?", "What was written by Orla Finch?", []),
        ("quarks", "What is a quark?", "What is the quark?", []),
        ("Heron mill", "Who built it?", "Who built the Heron-mill?", []),
        ("Heron mill", "Who built it?", "Where did PREVIOUS_ANSWER build the Heron mill?", []),
        ("", "", "", []),
    ],
)
def test_foreign_words(target: str, question: str, gold: str, words: list[str]) -> None:
    messages = found(foreign_words, target, question, gold)
    expected = ", ".join(map(repr, words))
    assert [message.split(" stand")[0] for message in messages] == ([expected] if words else [])


def test_known_answers_are_no_foreign_words() -> None:
    asked = ("Heron mill", "Where did he live?", "Where did Joseph Ames live?")
    assert len(found(foreign_words, *asked)) == 1
    assert found(foreign_words, *asked, previous=("Joseph Ames",)) == []


@pytest.mark.parametrize(
    ("gold", "count"), [("顾兰亭的故居在哪里？", 0), ("顾兰亭的宅第在哪里？", 1)]
)
def test_chinese_foreign_words(gold: str, count: int) -> None:
    messages = found(foreign_words, "顾兰亭", "他的故居在哪里？", gold, language="zh")
    assert len(messages) == count


@pytest.mark.parametrize(
    ("target", "type", "golds", "count"),
    [
        # The document's own example.
        ("Nissan Corp", None, ["What was Nissan formerly known as?"], 1),
        ("Nissan Corp", None, ["What was Nissan Corp. formerly known as?"], 0),
        ("Nissan Corp", None, ["What was Nissan called?", "What was Nissan Corp called?"], 0),
        ("Hindenburg disaster", "event", ["What type of craft was the Hindenburg?"], 0),
        ("Hindenburg disaster", None, ["What type of craft was the Hindenburg?"], 1),
        ("Tidewater Club (TRC)", None, ["When was TRC founded?"], 0),
        ("Tidewater Club (TRC)", None, ["When was the Tidewater founded?"], 1),
        ("avocados", None, ["What is an avocado?"], 0),
        ("the band Kestrel", None, ["Which bands play there?"], 0),
        ("Orla Finch", None, ["Who sailed?"], 0),
        ("", None, ["Who sailed?"], 0),
    ],
)
def test_short_targets(target: str, type: str | None, golds: list[str], count: int) -> None:
    assert len(found(short_targets, target, "What?", *golds, type=type)) == count


def test_questions_without_golds_are_passed_over() -> None:
    asked = SeriesQuestion(id="q", text="Who was he?")
    page = SeriesPage(Series(id="s", target="Orla Finch", questions=(asked,)), "en")
    for rule in (unresolved_pronouns, foreign_words, short_targets):
        assert list(rule(page, {})) == []
