"""zh: what a careful reader of Chinese counts as the same answer.

Width, case and punctuation are folded away. Han characters and kana are single tokens, words of
other scripts and numbers are whole. A number keeps what makes it that number: decimal point, sign,
`/`, `:`, `%`, an exponent.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version

import regex

from readmark.core.errors import UsageError
from readmark.statistics.overlap import bag_overlap, f1
from readmark.statistics.runs import compact, contains_run, longest_run, longest_subsequence

# Planes 2 and 3 hold only ideographs, so extensions of later Unicode versions are included.
_SINGLE = r"\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\U00020000-\U0003fffd"
_LETTER = rf"[\p{{L}}\p{{Nl}}--[{_SINGLE}]]"
_INNER = rf"[\p{{L}}\p{{Nl}}\p{{M}}\p{{Nd}}--[{_SINGLE}]]"

# Directly after one of these, a hyphen is not a minus sign: 1990-2000, COVID-19, 10%-20%, 5°-9°,
# and ranges whose first end has a unit: 1990年-2000年, 276公里-285公里.
_UNIT = (
    "[年月日号號时時点點分秒元万萬亿億岁歲度级級页頁米人个個吨噸克斤尺寸里亩畝件次名位层層集章卷期]"
    "|公里|千米|厘米|毫米|公分|平方米|公斤|千克|公顷|公頃|分钟|分鐘|小时|小時|美元|英里|英尺|世纪|世紀"
    "|[十百千万萬亿億](?:人|元|米|吨|噸|年)"
)
_NO_SIGN = rf"{_INNER}|[%‰‱°]|\p{{Nd}}(?:{_UNIT})"

_COMPILE = functools.partial(regex.compile, flags=regex.VERSION1 | regex.VERBOSE)

# Most answers are plain enough for two simple patterns, which give the same tokens much faster.
_EASY = regex.compile(r"[\u4e00-\u9fffA-Za-z0-9 、。，；？！“”《》「」『』（）【】]*")
_EASY_TOKENS = regex.compile(r"[\u4e00-\u9fff]|[a-z][a-z0-9]*+|[0-9]++")

_TOKENS = _COMPILE(
    rf"""
      [{_SINGLE}]\p{{M}}*+
    | [cf]\#(?!{_INNER})                                 # the languages C# and F#
    | {_LETTER}{_INNER}*+(?:(?<=\p{{Nd}})\.\p{{Nd}}{_INNER}*+)*+(?:\+\+)?   # GPT3.5, C++
    | (?:(?<!{_NO_SIGN}|-)-|(?<!{_NO_SIGN}|\+)\+)?
      \p{{Nd}}++(?:[.:/]\p{{Nd}}++)*+(?:\^[+-]?\p{{Nd}}++(?:\.\p{{Nd}}++)?)?[%‰‱]?
    | (?<!{_NO_SIGN}|-)-(?=\p{{Sc}}\p{{Nd}})                # -$5 is not $5
    | [\p{{S}}\p{{No}}\p{{Co}}\p{{Cn}}\p{{Cs}}--[~`^]]
    """
)

# What NFKC would get wrong is handled before it.
_INVISIBLE = _COMPILE(r"[\p{Cf}\p{DI}]++")
_LIST_COMMA = regex.compile(r"[﹐︐]|(?<![０-９])，|，(?![０-９])")
_COMPATIBLE = _COMPILE(r"([⁺⁻]?[⁰¹²³⁴-⁹]++)|([₀-₉]++)|[\p{No}\p{So}]")
_LOOKALIKES_BEFORE = str.maketrans({"´": "'", "º": "°", "˚": "°"})
_LOOKALIKES_AFTER = str.maketrans(
    dict.fromkeys("−‐‑‒–", "-")
    | {"⁄": "/", "∕": "/", "∶": ":", "∼": "~", "∙": "·", "⋅": "·"}
    | dict.fromkeys("’‘ʼʻ", "'")
)

# Inside words and numbers, after folding.
_JOINER = _COMPILE(rf"(?<=[\p{{L}}\p{{M}}--[{_SINGLE}]])['.](?={_LETTER})")
_THOUSANDS = regex.compile(r"(?<!\d)(?<!\d[.,])[1-9]\d{0,2}(?:,\d{3})++(?!,?\d)")
_BARE_POINT = _COMPILE(r"(?<![^\s+\-~,:;、，；\p{Sc}\p{Sm}\p{Ps}\p{Pi}])\.(?=\p{Nd})")
_LOOSE_PERCENT = regex.compile(r"(?<=\p{Nd})\s+(?=[%‰‱])")
_WORD_POWER = _COMPILE(rf"(?<={_LETTER})\^(?=[+-]?\p{{Nd}})")


def tokens(text: str, *, simplify: bool = False) -> tuple[str, ...]:
    """The tokens of an answer; `simplify` reads traditional characters as simplified ones."""
    if simplify:
        return tuple(_TOKENS.findall(_tidy(_simplifier()(_fold(text)))))
    if _EASY.fullmatch(text):
        return tuple(_EASY_TOKENS.findall(text.lower()))
    return tuple(_TOKENS.findall(_tidy(_fold(text))))


def _fold(text: str) -> str:
    """One width and one case (NFKC, case folding), without NFKC's traps: 10² is not 102."""
    if text.isascii():
        return text.lower()
    text = _INVISIBLE.sub("", text.translate(_LOOKALIKES_BEFORE))
    text = _COMPATIBLE.sub(_expanded, _LIST_COMMA.sub("、", text))
    text = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", text).translate(_LOOKALIKES_AFTER)


def _tidy(text: str) -> str:
    """Join what is one word or one number: U.S., don't, 1,234, .5, 30 %, m^2."""
    if "." in text or "'" in text:
        text = _BARE_POINT.sub("0.", _JOINER.sub("", text))
    if "," in text:
        text = _THOUSANDS.sub(lambda number: number[0].replace(",", ""), text)
    if "%" in text or "‰" in text or "‱" in text:
        text = _LOOSE_PERCENT.sub("", text)
    return _WORD_POWER.sub("", text) if "^" in text else text


def _expanded(match: regex.Match[str]) -> str:
    """A compatibility character spelt out, without running into the digits next to it."""
    sign, superscript, subscript = match[0], match[1], match[2]
    spelt = unicodedata.normalize("NFKC", sign)
    if spelt == sign:
        return spelt
    text, start, end = match.string, match.start(), match.end()
    before = unicodedata.normalize("NFKC", text[start - 1 : start])[-1:]
    after = unicodedata.normalize("NFKC", text[end : end + 1])[:1]
    if superscript or subscript:
        if before.isdecimal():
            spelt = f"^{spelt}" if superscript else f" {spelt}"
        return f"{spelt} " if after.isdecimal() else spelt
    # ㎡ is part of k㎡, so a squared unit is set apart from digits only.
    is_square = unicodedata.decomposition(sign).startswith("<square>")
    would_join = str.isdecimal if is_square else _joins
    left = " " if would_join(before) and would_join(spelt[0]) else ""
    right = " " if would_join(spelt[-1]) and would_join(after) else ""
    return f"{left}{spelt}{right}"


def _joins(character: str) -> bool:
    """Whether a character would merge with a neighbour of its sort into one token."""
    return character.isalnum() or (character != "" and character in ".,:/^'")


@functools.cache
def _simplifier() -> Callable[[str], str]:
    try:
        from opencc import OpenCC
    except ImportError:
        raise UsageError(
            "simplify=true needs OpenCC, which is not installed: pip install opencc"
        ) from None
    convert: Callable[[str], str] = OpenCC("t2s").convert
    return convert


MATCHES: Mapping[str, Callable[[Sequence[str], Sequence[str]], int]] = {
    "substring": longest_run,
    "subsequence": longest_subsequence,
    "bag": bag_overlap,
}


@dataclass(frozen=True, slots=True)
class ZhProfile:
    """EM on the token sequences, F1 on what they share under `match`.

    A reference that is only punctuation has no tokens: then only the same characters are right.
    """

    match: str = "substring"
    simplify: bool = False
    name: str = "zh"

    def em(self, reference: str, answer: str) -> float:
        expected = _prepared(reference, self.simplify)
        if not expected:
            return float(_folded(reference) == _folded(answer))
        return float(expected == _prepared(answer, self.simplify))

    def f1(self, reference: str, answer: str) -> float:
        return _f1(reference, answer, self)

    def contains(self, reference: str, answer: str) -> float:
        run = _prepared(reference, self.simplify)
        return float(len(run) > 0 and contains_run(_prepared(answer, self.simplify), run))

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
def _f1(reference: str, answer: str, profile: ZhProfile) -> float:
    expected = _prepared(reference, profile.simplify)
    if not expected:
        return profile.em(reference, answer)
    answered = _prepared(answer, profile.simplify)
    return f1(MATCHES[profile.match](expected, answered), len(answered), len(expected))
