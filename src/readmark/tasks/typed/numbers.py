"""Numbers as people type them: 2,900, "about two thousand nine hundred", 两千九百, 5%.

What may be one number or another is refused, so that nobody's answer is taken for what they did
not mean: "5 or 6", 3k, 十几, and 5% where the ontology does not say that it asks for per cent.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from readmark.tasks.categories.values import COUNTS
from readmark.tasks.reasoning.datatypes import INTEGERS, literal_fits
from readmark.tasks.reasoning.terms import Literal
from readmark.tasks.typed.words import UnreadValue, not_a, plain_words
from readmark.text.chinese_numbers import NUMERALS, number_of, with_percent_signs

_GROUPED = r"(?:\d{1,3}(?:[, '\u2019]\d{3})+|\d+)"
_DIGITS = re.compile(rf"(?P<sign>[+-]?)(?P<digits>{_GROUPED}(?:\.\d+)?|\.\d+)(?:st|nd|rd|th)?")
_BARE_NUMBER = re.compile(rf"{_GROUPED}(?:\.\d+)?")
_CHINESE_DIGITS = "零〇一二三四五六七八九"
_CHINESE = re.compile(rf"第?(?P<negative>负)?(?P<number>[{NUMERALS}.]+)")
_TWO_DIGITS = re.compile(
    rf"(?<![{_CHINESE_DIGITS}两])[一二两三四五六七八九]{{2}}(?![{_CHINESE_DIGITS}])"
)
"""Three or four: 三四个. A year has four digits."""
_SCALES = {
    "dozen": 12,
    "hundred": 100,
    "thousand": 1000,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
}
_SCALE = "|".join(_SCALES)
_ORDINALS = {
    word: number
    for number, word in enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
        ],
        1,
    )
}
_ABOUT = re.compile(
    r"(?:(?:about|approximately|around|roughly|approx\.?|circa|ca\.|exactly|only|just|after|the|[~≈])\s*"
    r"|大约|大概|约|整整|一共|总共|共有?|仅|只有)+"
)
"""Words before a number that leave it as it is; "over" and "nearly" do not."""
_MINUS = re.compile(r"(?:minus |negative |零下)(?=\S)")
_CURRENCY = re.compile(r"[$€£¥]\s*")
_UNIT = re.compile(r"[^\W\d_][^\d,;:?!()]*|[%°][^\d,;:?!()]*|-[a-z]+")
_A_WHOLE = ("a whole number such as 2900", "整数，如 2900")
_A_NUMBER = ("a number such as 2900 or 2.5", "数字，如 2900 或 2.5")
_PERCENT = frozenset({"%", "percent", "per cent"})
_CHANGES_NUMERAL = ("几", "多", "余", "来", "成", "打", "半")
"""What after a numeral makes it another number: 十几, 二十多人, 三成."""
_AMBIGUOUS_LETTERS = ("k", "m", "mn", "mio", "mil", "bn", "b", "tn")
"""What may be thousands or millions, or metres or minutes."""
_NOT_IN_UNITS = frozenset(
    [
        "odd",
        "something",
        "ish",
        "or",
        "and",
        "to",
        "than",
        "of",
        "at",
        "past",
        "per",
        "plus",
        "minus",
        "half",
        "halves",
        "thirds",
        "fourths",
        "fifths",
        "sixths",
        "eighths",
        "tenths",
        *COUNTS,
        *_ORDINALS,
        *_SCALES,
    ]
)
"""Words after a number that say more than a unit: "5 or 6", "two thirds", "5 thousand two"."""


def read_whole(text: str, words: str, type: str, units: Sequence[str]) -> int:
    """The whole number that somebody typed, within the bounds of its datatype."""
    value = read_number(text, words, units, is_whole=True)
    if not isinstance(value, int) or not literal_fits(Literal(value), type):
        least = INTEGERS[type][0]
        bound = f" of {least} or more" if least is not None and isinstance(value, int) else ""
        raise not_a(f"a whole number{bound}", _A_WHOLE[1], text)
    return value


def read_number(
    text: str, words: str, units: Sequence[str], *, is_whole: bool = False
) -> int | float:
    """The number that somebody typed, in the unit of the ontology where it has any.

    ``words`` are the text as `plain_words` has it; the text itself is for messages.
    """
    error = not_a(*(_A_WHOLE if is_whole else _A_NUMBER), text)
    words = _CURRENCY.sub("", without_about(words), count=1)
    unit_names = {_singular(plain_words(unit)) for unit in units}
    if unit_names & _PERCENT:
        words = with_percent_signs(words)
        unit_names |= _PERCENT
    is_negative = _MINUS.match(words) is not None
    words = _MINUS.sub("", words, count=1)

    # The unit goes before the number is read: 5千克 is five kilograms, not five thousand grams.
    endings = [name for name in unit_names if _singular(words).endswith(name)]
    known_unit = max(endings, key=len, default="")
    if known_unit:
        words = _singular(words).removesuffix(known_unit)
    number = leading_number(words)
    if number is None:
        raise error
    value, rest = number

    rest = rest.strip(" -")
    if known_unit:
        if rest.removesuffix("个"):
            raise error
    elif rest := rest.removeprefix("个"):
        if rest.startswith(_CHANGES_NUMERAL) or rest.endswith("半"):
            raise error
        if rest == "quarters" and not is_whole:
            raise error
        if units and _UNIT.fullmatch(rest):
            raise UnreadValue(
                f"“{text}” is in {rest}: give the number in {units[0]}",
                f"“{text}”的单位是“{rest}”：请用{units[-1]}表示",
            )
        if not _is_unit(rest) or _may_be_prefixed(words, rest):
            raise error
        if rest in _PERCENT and not is_whole:
            raise error  # 5% may be 5 or 0.05
    return as_number(-value if is_negative else value)


def number_by_form(words: str) -> int | float | None:
    """The number that words are, with nothing before or after it."""
    if _BARE_NUMBER.fullmatch(words):
        return as_number(Decimal(_ungrouped(words)))
    return None


def without_about(words: str) -> str:
    """Words without those that only say how exactly they are meant."""
    about = _ABOUT.match(words)
    return words if about is None else words[about.end() :]


def as_number(value: Decimal) -> int | float:
    """A whole number as ``int``, any other as ``float``."""
    return int(value) if value == value.to_integral_value() else float(value)


def _is_unit(words: str) -> bool:
    """Whether words after a number can be its unit, where the ontology does not say which."""
    if _NOT_IN_UNITS & set(re.split("[ -]", words)) or re.search(f"[{NUMERALS}]", words):
        return False
    return bool(_UNIT.fullmatch(words)) and words not in _AMBIGUOUS_LETTERS


def _may_be_prefixed(words: str, unit: str) -> bool:
    """Whether 千 before a unit may belong to it: 5千米 is 5 km and 5,000 m."""
    return words.removesuffix(unit)[-1:] in ("千", "百", "万") and unit[:1] in "克米瓦卡帕赫伏"


def _singular(unit: str) -> str:
    return unit if len(unit) < 3 else unit.removesuffix("s")


def _ungrouped(digits: str) -> str:
    return re.sub(r"[, '\u2019]", "", digits)


def leading_number(words: str) -> tuple[Decimal, str] | None:
    """The number that words begin with, and what comes after it."""
    if scale := re.match(rf"half an? ({_SCALE})\b", words):
        return Decimal(_SCALES[scale[1]]) / 2, words[scale.end() :]
    number = _number_in_digits(words) or _number_in_chinese(words) or _number_in_words(words)
    if number is None:
        return None
    value, rest = number
    if half := re.match(r" and a half\b|个?半", rest):
        value, rest = value + Decimal("0.5").copy_sign(value), rest[half.end() :]
    size = 1
    while scale := re.match(rf" ?({_SCALE})\b", rest):  # 5 hundred thousand
        if _SCALES[scale[1]] <= size:
            return None
        size = _SCALES[scale[1]]
        value, rest = value * size, rest[scale.end() :]
    return value, rest


def _number_in_digits(words: str) -> tuple[Decimal, str] | None:
    match = _DIGITS.match(words)
    if match is None or re.match(rf"[{NUMERALS}]|[.,'\u2019]\d", words[match.end() :]):
        return None  # 2万, 2,90 or 1.2.3
    return Decimal(match["sign"] + _ungrouped(match["digits"])), words[match.end() :]


def _number_in_chinese(words: str) -> tuple[Decimal, str] | None:
    match = _CHINESE.match(words)
    number = number_of(match["number"]) if match is not None else None
    if match is None or number is None or _TWO_DIGITS.search(match["number"]):
        return None
    value, rest = Decimal(repr(number)), words[match.end() :]
    point = re.match(f"点([{_CHINESE_DIGITS}]+)(?![分{NUMERALS}])", rest)  # not 三点五分, a time
    if point and value == int(value):
        decimals = "".join(str(int(number_of(digit) or 0)) for digit in point[1])
        value, rest = Decimal(f"{int(value)}.{decimals}"), rest[point.end() :]
    return -value if match["negative"] else value, rest


def _number_in_words(words: str) -> tuple[Decimal, str] | None:
    """A number that is spelt out; None for words of numbers that are none: "one two".

    ``total`` has what was multiplied by thousands and more, ``group`` what is below that.
    """
    total = group = end = before = 0
    last = ""
    for match in re.finditer(r"[a-z]+", words):
        word = match[0]
        if words[before : match.start()].strip(" -,"):
            break
        before = match.end()
        count = COUNTS.get(word, _ORDINALS.get(word))
        if count is not None:
            if last in ("", "hundred", "scale") or (last == "tens" and 0 < count < 10):
                group += count
            elif last in ("tens", "teens") and 10 <= group <= 20 and count >= 10:
                group = 100 * group + count  # nineteen eighty-seven
            else:
                return None
            last = "ones" if count < 10 else "teens" if count < 20 else "tens"
        elif word == "hundred":
            if last in ("hundred", "scale"):
                return None
            group, last = (group or 1) * 100, "hundred"
        elif word in _SCALES:
            if last == "scale" or (total and total % (1000 * _SCALES[word])):
                return None
            total, group, last = total + (group or 1) * _SCALES[word], 0, "scale"
        elif word == ("and" if last else "a"):
            continue  # "a hundred and five"; it ends here unless a number goes on
        else:
            break
        end = match.end()
        if word in _ORDINALS:
            break
    return (Decimal(total + group), words[end:]) if last else None
