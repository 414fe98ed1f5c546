"""What went wrong with a rewrite: the document's examples, and a case for every rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.records import Unit
from readmark.series.failures import FAILURES, PERFECT, failure_of, is_content
from readmark.series.records import Series, SeriesQuestion


def unit(target: str, question: str, *earlier: str, previous: tuple[str, ...] = ()) -> Unit:
    asked = [SeriesQuestion(id=f"q{at}", text=text) for at, text in enumerate(earlier)]
    item = SeriesQuestion(id="q", text=question, previous=previous)
    record = Series(id="s", target=target, questions=(*asked, item))
    return Unit("q", "s", record, item)


QUILL = unit("Marta Quill", "When was she born?", "Who set up her press?")
CRASH = unit(
    "Hindenburg disaster", "How many of them were killed", "How many people were on board?"
)
CRAFT = unit("Hindenburg disaster", "What type of craft was the Hindenburg")
LEANS = unit("Marta Quill", "Where did he die?", "Who was her father?", previous=("Ned Quill",))


@pytest.mark.parametrize(
    ("asked", "rewrite", "gold", "name", "missing", "extra"),
    [
        (QUILL, "When was Marta Quill born?", "when was marta quill born", PERFECT, "", ""),
        (QUILL, None, "When was Marta Quill born?", "no rewrite", "", ""),
        (QUILL, " ?", "When was Marta Quill born?", "no rewrite", "", ""),
        (
            QUILL,
            "When was she born?",
            "When was Marta Quill born?",
            "missing target",
            "marta quill",
            "",
        ),
        (
            QUILL,
            "When was Quill born?",
            "When was Marta Quill born?",
            "missing target",
            "marta",
            "",
        ),
        (QUILL, "When was she born? Marta Quill", "When was Marta Quill born?", "grammar", "", ""),
        (QUILL, "When was Marta Quill's born?", "When was Marta Quill born?", "grammar", "", ""),
        (
            QUILL,
            "When was Ned Quill born?",
            "When was Marta Quill born?",
            "wrong antecedent",
            "marta",
            "ned",
        ),
        (QUILL, "When was Marta Quill?", "When was Marta Quill born?", "other words", "born", ""),
        (
            CRASH,
            "How many of Hindenburg disaster were killed",
            "How many people were killed during the Hindenburg disaster",
            "wrong antecedent",
            "people",
            "",
        ),
        (
            CRAFT,
            "What type of craft was the Hindenburg disaster",
            "What type of craft was the Hindenburg",
            "over-expansion",
            "",
            "disaster",
        ),
        (
            LEANS,
            "Where did Marta Quill die?",
            "Where did PREVIOUS_ANSWER die?",
            "wrong antecedent",
            "previous_answer",
            "marta quill",
        ),
        (LEANS, "Where did Ned die?", "Where did Ned Quill die?", "missing target", "quill", ""),
    ],
)
def test_each_failure(
    asked: Unit, rewrite: str | None, gold: str, name: str, missing: str, extra: str
) -> None:
    failure = failure_of(asked, rewrite, gold, "en")
    assert failure.name == name
    assert (" ".join(failure.missing), " ".join(failure.extra)) == (missing, extra)


def test_chinese_rewrites_are_told_by_their_words() -> None:
    pytest.importorskip("rjieba", reason="rjieba is not installed")
    asked = unit("云集山", "它有多高？")
    assert failure_of(asked, "它有多高？", "云集山有多高？", "zh").name == "missing target"
    assert failure_of(asked, "云集山有多高？", "云集山有多高？", "zh").name == PERFECT


@pytest.mark.parametrize(
    ("word", "content"), [("the", False), ("what's", False), ("quill's", True), ("killed", True)]
)
def test_words_of_grammar_are_no_content(word: str, content: bool) -> None:
    assert is_content(word, "en") is content


SOME_WORDS = st.lists(
    st.sampled_from(["who", "was", "her", "the", "kite", "marta", "quill", "press", "father"]),
    max_size=6,
).map(" ".join)


@given(SOME_WORDS, SOME_WORDS)
def test_every_rewrite_falls_in_one_group(rewrite: str, gold: str) -> None:
    failure = failure_of(QUILL, rewrite, gold, "en")
    assert failure.name in (PERFECT, *FAILURES)
    assert (failure.name == PERFECT) == (rewrite == gold)
    assert not set(failure.missing) & set(failure.extra)
