"""Names that may be the same, against the rule itself on every pair."""

from hypothesis import given
from hypothesis import strategies as st

from readmark.text.names import NameIndex, name_of

WORDS = st.lists(st.sampled_from(["Tom", "the", "Alva", "Edison", "he", "x"]), max_size=4)
PHRASES = WORDS.map(" ".join) | st.text("爱迪生他", max_size=5)


def may_be_the_same(first: str, second: str) -> bool:
    """The rule, spelt out."""
    name, other_name = name_of(first), name_of(second)
    if name is None or other_name is None:
        return False
    if isinstance(name, str) or isinstance(other_name, str):
        return first.endswith(second) or second.endswith(first)
    fewer, more = sorted((name[1], other_name[1]), key=len)
    return name[0] == other_name[0] and fewer <= more


@given(st.lists(PHRASES, max_size=8), PHRASES)
def test_index_finds_every_phrase_that_may_be_the_same(phrases: list[str], name: str) -> None:
    text, spans = "", []
    for phrase in phrases:
        spans.append((len(text), len(text) + len(phrase)))
        text += f"{phrase}。"
    pairs = zip(spans, phrases, strict=True)
    expected = [span for span, phrase in pairs if may_be_the_same(name, phrase)]
    assert NameIndex(text, spans).like(name) == expected


def test_name_of() -> None:
    assert name_of("the old Tom") == ("tom", frozenset({"old", "tom"}))
    assert name_of("他") is None
    assert name_of("she") is None
    assert name_of("") is None
