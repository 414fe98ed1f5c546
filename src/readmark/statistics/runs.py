"""Runs and subsequences that two token sequences have in common."""

from __future__ import annotations

from collections.abc import Sequence

# Codes for tokens that are no single character. One-character tokens at or above the first code
# get a code as well, so that no code can be mistaken for a token; the last stands for "other".
_FIRST_CODE = 0xF0000
_OTHER = "\U0010ffff"
_CODES = 0x10FFFF - _FIRST_CODE


def compact(tokens: Sequence[str]) -> Sequence[str]:
    """The same sequence as one string if every token is a single character, else as a tuple."""
    if isinstance(tokens, str):
        return tokens
    joined = "".join(tokens)
    if len(joined) == len(tokens) and "" not in tokens:
        return joined
    return tuple(tokens)


def longest_run(a: Sequence[str], b: Sequence[str]) -> int:
    """Length of the longest contiguous run of tokens that both contain."""
    if len(a) > len(b):
        a, b = b, a
    if isinstance(a, str) and isinstance(b, str):
        return _longest_substring(a, b)
    coded = _coded(a, b)
    return _longest_substring(*coded) if coded else _longest_by_places(a, b)


def longest_subsequence(a: Sequence[str], b: Sequence[str]) -> int:
    """Length of the longest common subsequence, with a bit for each token of the shorter side.

    The bit-vector recurrence of Hyyrö, "Bit-Parallel LCS-length Computation Revisited" (2004).
    """
    if len(a) > len(b):
        a, b = b, a
    places: dict[str, int] = {}
    for index, token in enumerate(a):
        places[token] = places.get(token, 0) | 1 << index
    full = (1 << len(a)) - 1
    unmatched = full
    for token in b:
        matches = unmatched & places.get(token, 0)
        if matches:
            unmatched = ((unmatched + matches) | (unmatched - matches)) & full
    return len(a) - unmatched.bit_count()


def contains_run(haystack: Sequence[str], needle: Sequence[str]) -> bool:
    """Whether the haystack contains the needle as a contiguous run; an empty one always."""
    if isinstance(haystack, str) and isinstance(needle, str):
        return needle in haystack
    size = len(needle)
    run = tuple(needle)
    return any(
        tuple(haystack[index : index + size]) == run
        for index in range(len(haystack) - size + 1)
        if not size or haystack[index] == run[0]
    )


def _longest_substring(a: str, b: str) -> int:
    """Scan the shorter `a`: only a run longer than the best so far is looked for, at C speed."""
    size = len(a)
    if a in b:
        return size
    best = 0
    for index in range(size):
        while index + best < size and a[index : index + best + 1] in b:
            best += 1
        if index + best >= size:
            break
    return best


def _coded(a: Sequence[str], b: Sequence[str]) -> tuple[str, str] | None:
    """Both sequences with one character a token; None when `a` has more tokens than codes."""
    codes: dict[str, str] = {}
    for token in a:
        if token not in codes:
            plain = len(token) == 1 and ord(token) < _FIRST_CODE
            codes[token] = token if plain else chr(_FIRST_CODE + min(len(codes), _CODES))
    if len(codes) > _CODES:
        return None
    return "".join([codes[token] for token in a]), "".join([codes.get(t, _OTHER) for t in b])


def _longest_by_places(a: Sequence[str], b: Sequence[str]) -> int:
    """The same length from the places of each token: for vocabularies too large to code."""
    places: dict[str, list[int]] = {}
    for index, token in enumerate(b):
        places.setdefault(token, []).append(index)
    best = 0
    ending: dict[int, int] = {}
    for token in a:
        ending = {index: ending.get(index - 1, 0) + 1 for index in places.get(token, ())}
        best = max(best, max(ending.values(), default=0))
    return best
