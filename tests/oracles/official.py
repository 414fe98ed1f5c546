"""The official scoring rules, written out plainly from their description: slow and obvious.

The tests' oracle and the benchmarks' baseline, so it imports nothing from the package, caches
nothing and fills a whole dynamic-programming table for every pair of answers.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

Score = Callable[[str, str], float]

# The characters that CMRC 2018's scorer drops, in the order of its description.
CMRC_DROPPED = [
    *["-", ":", "_", "*", "^", "/", "\\", "~", "+", "=", "`"],
    *["，", "。", "：", "？", "！", "“", "”", "；", "’", "《", "》", "·", "、"],
    *["「", "」", "（", "）", "－", "～", "『", "』"],
]


@cache
def _word_tokenizer() -> Any:
    from nltk.tokenize.destructive import NLTKWordTokenizer

    return NLTKWordTokenizer()


def squad_normal(text: str) -> str:
    """Lower-case, drop ASCII punctuation, drop a/an/the, collapse white space, in that order."""
    text = text.lower()
    text = "".join(character for character in text if character not in string.punctuation)
    text = re.sub(r"\b(a|an|the)\b", " ", text)
    return " ".join(text.split())


def bag_f1(wanted: Sequence[str], answered: Sequence[str]) -> float:
    """F1 of two bags of tokens; 0 when they share none, so two empty bags score 0."""
    shared = sum((Counter(wanted) & Counter(answered)).values())
    if shared == 0:
        return 0.0
    precision = shared / len(answered)
    recall = shared / len(wanted)
    return 2 * precision * recall / (precision + recall)


def squad_em(reference: str, answer: str) -> float:
    return float(squad_normal(reference) == squad_normal(answer))


def squad_f1(reference: str, answer: str) -> float:
    return bag_f1(squad_normal(reference).split(), squad_normal(answer).split())


def squad2_references(texts: Sequence[str]) -> list[str]:
    """The answers that are something after normalising; an unanswerable question wants ""."""
    return [text for text in texts if squad_normal(text)] or [""]


def squad2_em(reference: str, answer: str) -> float:
    return squad_em(reference, answer)


def squad2_f1(reference: str, answer: str) -> float:
    wanted = squad_normal(reference).split()
    answered = squad_normal(answer).split()
    if not wanted or not answered:
        return float(wanted == answered)
    return bag_f1(wanted, answered)


def smart_em(reference: str, answer: str) -> float:
    return squad_em(reference, answer)


def smart_f1(reference: str, answer: str) -> float:
    wanted = [character for character in squad_normal(reference) if not character.isspace()]
    answered = [character for character in squad_normal(answer) if not character.isspace()]
    return bag_f1(wanted, answered)


def cmrc_bare(text: str) -> str:
    """Lower-case, strip, then drop the listed characters; inner spaces stay."""
    return "".join(character for character in text.lower().strip() if character not in CMRC_DROPPED)


def cmrc_tokens(text: str) -> list[str]:
    """Characters of U+4E00-U+9FA5 one by one, every other run split by NLTK's word tokenizer."""
    tokens: list[str] = []
    run = ""
    for character in cmrc_bare(text):
        if "\u4e00" <= character <= "\u9fa5":
            if run:
                tokens.extend(_word_tokenizer().tokenize(run))
                run = ""
            tokens.append(character)
        else:
            run += character
    if run:
        tokens.extend(_word_tokenizer().tokenize(run))
    return tokens


def longest_common_run(a: Sequence[str], b: Sequence[str]) -> int:
    """Length of the longest run of tokens that stands in both, by the full table."""
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    best = 0
    for i, left in enumerate(a):
        for j, right in enumerate(b):
            if left == right:
                table[i + 1][j + 1] = table[i][j] + 1
                best = max(best, table[i + 1][j + 1])
    return best


def longest_common_subsequence(a: Sequence[str], b: Sequence[str]) -> int:
    """Length of the longest common subsequence of tokens, by the full table."""
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, left in enumerate(a):
        for j, right in enumerate(b):
            table[i + 1][j + 1] = (
                table[i][j] + 1 if left == right else max(table[i][j + 1], table[i + 1][j])
            )
    return table[-1][-1]


def cmrc_em(reference: str, answer: str) -> float:
    if not answer.strip():
        return 0.0
    return float(cmrc_bare(reference) == cmrc_bare(answer))


def cmrc_f1(reference: str, answer: str) -> float:
    wanted = cmrc_tokens(reference)
    answered = cmrc_tokens(answer)
    shared = longest_common_run(wanted, answered)
    if shared == 0:
        return 0.0
    precision = shared / len(answered)
    recall = shared / len(wanted)
    return 2 * precision * recall / (precision + recall)


EM: dict[str, Score] = {
    "squad": squad_em,
    "squad2": squad2_em,
    "cmrc2018": cmrc_em,
    "smart": smart_em,
}
F1: dict[str, Score] = {
    "squad": squad_f1,
    "squad2": squad2_f1,
    "cmrc2018": cmrc_f1,
    "smart": smart_f1,
}


def best(profile: str, references: Sequence[str], answer: str) -> tuple[float, float]:
    """EM and F1 of an answer, each the best over the references."""
    if profile == "squad2":
        references = squad2_references(references)
    return (
        max(EM[profile](reference, answer) for reference in references),
        max(F1[profile](reference, answer) for reference in references),
    )
