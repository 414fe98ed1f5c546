"""zh: what a careful reader of Chinese counts as the same answer."""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version

from readmark.measures.overlap import bag_overlap, f1
from readmark.measures.runs import compact, contains_run, longest_run, longest_subsequence
from readmark.text.normal.zh import tokens

MATCHES: Mapping[str, Callable[[Sequence[str], Sequence[str]], int]] = {
    "substring": longest_run,
    "subsequence": longest_subsequence,
    "bag": bag_overlap,
}


@dataclass(frozen=True, slots=True)
class Zh:
    """EM on the token sequences, F1 on what they share under `match`.

    A reference of punctuation alone has no token: then only the same characters are right.
    """

    match: str = "substring"
    simplify: bool = False
    name: str = "zh"

    def em(self, reference: str, answer: str) -> float:
        wanted = _prepared(reference, self.simplify)
        if not wanted:
            return float(_folded(reference) == _folded(answer))
        return float(wanted == _prepared(answer, self.simplify))

    def f1(self, reference: str, answer: str) -> float:
        return _f1(reference, answer, self)

    def contains(self, reference: str, answer: str) -> float:
        wanted = _prepared(reference, self.simplify)
        return float(len(wanted) > 0 and contains_run(_prepared(answer, self.simplify), wanted))

    def references(self, texts: Sequence[str]) -> Sequence[str]:
        return texts

    def signature(self) -> dict[str, str]:
        return {
            "profile": self.name,
            "normal": f"nfkc-{unicodedata.unidata_version},casefold,-punctuation",
            "script": f"simplified(opencc-{version('opencc')})" if self.simplify else "as given",
            "tokens": f"han+words+numbers(regex-{version('regex')})",
            "match": self.match,
        }


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip()


@functools.lru_cache(maxsize=2**16)
def _prepared(text: str, simplify: bool) -> Sequence[str]:
    return compact(tokens(text, simplify=simplify))


@functools.lru_cache(maxsize=2**15)
def _f1(reference: str, answer: str, profile: Zh) -> float:
    wanted = _prepared(reference, profile.simplify)
    if not wanted:
        return profile.em(reference, answer)
    answered = _prepared(answer, profile.simplify)
    return f1(MATCHES[profile.match](wanted, answered), len(answered), len(wanted))
