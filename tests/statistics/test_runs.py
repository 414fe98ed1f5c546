from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from oracles.official import longest_common_run, longest_common_subsequence
from readmark.statistics import runs
from readmark.statistics.runs import compact, contains_run, longest_run, longest_subsequence

# The last few are code points that the encoding of longer tokens uses itself.
TOKENS = ["a", "b", "中", "ab", "ba", "nova", "", "\U000f0000", "\U000f0001", "\U0010ffff"]
token_lists = st.lists(st.sampled_from(TOKENS), max_size=14)
sequences = st.one_of(token_lists, token_lists.map(tuple), st.text("abc中\U000f0000", max_size=14))


@pytest.mark.parametrize(
    ("a", "b", "run", "subsequence"),
    [
        ("", "", 0, 0),
        ("abc", "", 0, 0),
        ("abc", "abc", 3, 3),
        ("主编李大同", "李大同", 3, 3),
        ("红绿蓝", "蓝绿红", 1, 1),
        ("abxcd", "abcd", 2, 4),
        ("aXbXc", "abc", 1, 3),
        ("xyab", "abxy", 2, 2),
        (["ab"], "ab", 0, 0),
        (["nova", "3", "x"], ["y", "nova", "3"], 2, 2),
        (["ab", "\U000f0000"], ["\U000f0000", "\U000f0001"], 1, 1),
        (["ab", "cd"], ["\U000f0000", "\U000f0001"], 0, 0),
        (["ab", "cd"], ["\U0010ffff", "\U0010ffff"], 0, 0),
        (["", "ab"], ["ab"], 1, 1),
    ],
)
def test_table(a: Sequence[str], b: Sequence[str], run: int, subsequence: int) -> None:
    assert longest_run(a, b) == longest_run(b, a) == run
    assert longest_subsequence(a, b) == longest_subsequence(b, a) == subsequence


@given(sequences, sequences)
@example("aab", "aaab")
def test_lengths_are_those_of_the_full_tables(a: Sequence[str], b: Sequence[str]) -> None:
    assert longest_run(a, b) == longest_run(b, a) == longest_common_run(a, b)
    assert longest_subsequence(a, b) == longest_common_subsequence(a, b)
    assert longest_run(compact(a), compact(b)) == longest_common_run(a, b)


@given(sequences, sequences)
def test_more_tokens_than_codes(a: Sequence[str], b: Sequence[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "_CODES", 2)
        assert longest_run(a, b) == longest_common_run(a, b)


def test_more_distinct_tokens_than_there_are_codes() -> None:
    words = [f"w{at}" for at in range(0x20000)]
    assert longest_run(words, ["x", *words[5:9], "y", *words]) == len(words)


@given(sequences)
def test_compact_keeps_the_sequence(tokens: Sequence[str]) -> None:
    small = compact(tokens)
    assert list(small) == list(tokens)
    assert isinstance(small, str) == all(len(token) == 1 for token in tokens)


@pytest.mark.parametrize(
    ("haystack", "needle", "expected"),
    [
        ("主编李大同", "李大同", True),
        ("主编李大同", "李同", False),
        ("", "", True),
        (["a", "b"], [], True),
        ([], ["a"], False),
        (["new", "york"], ["york"], True),
        (["new", "york"], ["new york"], False),
        (["ab", "c"], "abc", False),
        ("abc", ("b", "c"), True),
        (("a", "ab", "a", "ab", "c"), ["a", "ab", "c"], True),
    ],
)
def test_contains_run(haystack: Sequence[str], needle: Sequence[str], expected: bool) -> None:
    assert contains_run(haystack, needle) is expected


@given(sequences, sequences)
def test_contained_means_a_run_of_full_length(a: Sequence[str], b: Sequence[str]) -> None:
    assert contains_run(a, b) == (longest_common_run(a, b) == len(b))
