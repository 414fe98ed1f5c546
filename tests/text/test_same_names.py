"""Names that may be the same, against the rule itself on every pair."""

from hypothesis import given
from hypothesis import strategies as st

from readmark.text.coreference import Names, name_of

WORDS = st.lists(st.sampled_from(["Tom", "the", "Alva", "Edison", "he", "x"]), max_size=4)
PHRASES = WORDS.map(" ".join) | st.text("爱迪生他", max_size=5)


def same(one: str, other: str) -> bool:
    """The rule, spelt out."""
    first, second = name_of(one), name_of(other)
    if first is None or second is None:
        return False
    if isinstance(first, str) or isinstance(second, str):
        return one.endswith(other) or other.endswith(one)
    few, many = sorted((first[1], second[1]), key=len)
    return first[0] == second[0] and few <= many


@given(st.lists(PHRASES, max_size=8), PHRASES)
def test_all_that_may_be_the_same_are_found(phrases: list[str], asked: str) -> None:
    text, spans = "", []
    for phrase in phrases:
        spans.append((len(text), len(text) + len(phrase)))
        text += f"{phrase}。"
    expected = [span for span, phrase in zip(spans, phrases, strict=True) if same(asked, phrase)]
    assert Names(text, spans).like(asked) == expected


def test_what_names_somebody() -> None:
    assert name_of("the old Tom") == ("tom", frozenset({"old", "tom"}))
    assert name_of("他") is None
    assert name_of("she") is None
    assert name_of("") is None
