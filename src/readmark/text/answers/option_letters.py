"""Which letters of options a reply settles on: alone, before a reason, or named as the answer.

By the wording alone, in English and Chinese. A letter that is only mentioned, or denied, is not
meant.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
RULES = "letters-1"
"""The version of these rules, for signatures."""

_NUMERALS, _CIRCLED = "一二三四五六七八九十", "①②③④⑤⑥⑦⑧⑨⑩"
_AS_LETTERS = str.maketrans(_CIRCLED, LETTERS[: len(_CIRCLED)], "*`$")
_BOXED = re.compile(r"\\boxed[ ]?\{([^{}]{0,200})\}")
_STYLED = re.compile(r"\\(?:text|mathrm|textbf|mathbf)[ ]?\{([^{}]{0,200})\}")
_OPENING, _CLOSING = r"[\s(\[{<\"'“‘「『【_#>-]{0,8}", r"[)\]}>\"'”’」』】_.。,;:!?、…]"
_LABEL = (
    r"(?i:(?:(?:so|thus|therefore|hence|因此|所以|综上|故)[,:\s]{0,3})?"
    r"(?:(?:(?:the|my|final|correct|right|best)\s{1,4}){0,4}"
    r"(?:answer|option|choice)[\s\"']{0,4}(?:is\b|[:=(\[-]|(?=[\s\"']))"
    r"|(?:我认为|我|应该|应|正确|最终|本题|的|题目){0,4}"
    r"(?:答案|选项|选择|选)(?:应该|应)?[是为选]?(?:选项)?)[\s:=\"'-]{0,6})"
)
_ALONE = re.compile(
    rf"{_OPENING}(?:{_LABEL})?{_OPENING}([A-Za-z{_NUMERALS}])(?:\s?选?项)?(?:\s|{_CLOSING}){{0,12}}"
)
"""A line that is a letter, with its label and brackets: ``Answer: (B).``"""
_BEGINNING = re.compile(
    rf"{_OPENING}(?:{_LABEL})?{_OPENING}(?:([A-Z])(?!\.[A-Z]\b)(?={_CLOSING}|\s{{0,4}}[-–—/+&|(=→]"
    r"|\s{1,4}(?:is|because|as|since|and|or)\b|\s?(?:选项|项|因为|和|或|与|是)|\s*$)"
    rf"|([a-z])(?=[)\].:,]|\s*$)|([{_NUMERALS}])(?=[)\]】.。,:;、]|\s*$))"
)
"""A letter before its option's words or a reason: ``B) Monday``, ``B, because``. A small letter
needs a bracket or the like: a dog is no letter."""
_NEXT_OF_LIST = re.compile(
    r"(?:[\s,/、+&;|.)\]~-]{1,4}(?:(?:and|or|和|或者|或|与|及|还是)\s{0,4})?"
    r"|(?:和|或者|或|与|及|还是)\s{0,4})(?:(?:option|选项)\s?)?[(\[\"']{0,2}"
    rf"([A-Z]|[a-z](?=[^\w\s]|\s*$)|[{_NUMERALS}])(?![A-Za-z0-9'’])"
)
"""Another letter of a list: ``, B``, ``和B``."""
_LETTER_AFTER = (
    r"[\s:=\"'】>-]{0,6}(?:(?:option|choice|letter|选项)\s?)?[\s:(\[\"'“]{0,4}"
    r"([A-Z])(?![A-Za-z0-9'’]|\.[A-Za-z])"
)
_ANNOUNCED = re.compile(
    r"(?:\b(?:(?:[Aa]nswers?|ANSWER)\b[\"']?|[Aa]ns\b\.?)(?:\s(?:to|for)\s(?:the|this)\squestion)?"
    r"(?:\s(?:is|was|would be|should be|must be|has to be)\b(?:\s(?:therefore|thus|clearly)\b)?)?"
    r"|\b(?:[Cc]hoose|[Cc]hose|[Pp]ick|[Ss]elect|[Gg]o with|[Gg]oing with|[Oo]pt for)\b"
    r"|\b(?:[Cc]orrect|[Rr]ight|[Bb]est)\s(?:option|choice|letter|one)\sis\b"
    r"|\bI(?:['’]d| would)? (?:say|think|guess|believe)\b"
    r"|\b[Ii]t(?:['’]s| is| was| must be| would be| should be| has to be)\b"
    r"|(?<![问回对])答(?=:)|(?:应该|觉得|认为|所以|因此|那么)是"
    rf"|(?:答案|正解)(?:应该|应当|应|就|只能|可能)?[是为选]?|选(?:择?的是|择|了)?(?!项)){_LETTER_AFTER}"
    r"|(?<![A-Za-z0-9'’.])([A-Z])(?:[)\]\"'”]{0,2}\s(?:is|seems|must be|would be)\s"
    r"(?:(?:the|most|clearly|therefore|thus)\s){0,3}"
    r"(?:correct|right|best|true|answer|accurate|appropriate|likely)\b"
    r"|\s?选?项?(?:是|才是|最|才)?(?:正确|对的|符合|恰当|合适))"
)
"""A letter that words name as the answer: ``the answer is B``, ``B is correct``, ``选B``."""
_CONCLUDED = re.compile(
    r"(?:\b(?:[Ss]o|[Tt]hus|[Tt]herefore|[Hh]ence)(?:[,:]\s?|\s)|(?:所以|因此|因而|综上|故)[,:]?\s?)"
    r"[(\[\"'“]{0,2}([A-Z])"
    r"(?=[)\]\"'”.。!]{0,3}[ \t]{0,4}(?:$|\n|,?\s?(?:(?:because|since|as)\b|因为)))"
)
"""A letter alone after a word that concludes: ``So, B.`` Not ``So B says``."""
_NOT_BUT = re.compile(
    r"(?:\b(?:not|neither)|n['’]t)\s(?:option\s)?[(\"']?[A-Z][)\"']?"
    r"(?:,?\s(?:n?or\s)?(?:option\s)?[A-Z]){0,3},?\sbut\s(?:(?:rather|instead)\s)?"
    r"(?=(?:option\s)?[(\"']?[A-Z](?![A-Za-z0-9'’]))"
)
_NOT_BUT_CHINESE = re.compile(
    r"(?<!是)不是\s?(?:选项)?\s?[A-Z]\s?(?:选项|项)?[,;。]?\s?(?:而|应该|应)?是"
)
"""What is denied for the sake of what follows: ``not A but``, ``不是A,而是``."""
_ENUMERATED = re.compile(r"(?<![A-Za-z0-9'’.])([A-Z])(?=[.)、:](?![A-Za-z])|[.。!?\"')]{0,3}\s*$)")
"""A letter before an option further on in a line: ``A. Sunday and B. Monday``."""
_LETTER_OF_LINE = re.compile(r"[\s(\[#>-]{0,6}([A-Z])[).、:\]]")
_BEFORE_OPTION = re.compile(
    r"(?<![A-Za-z0-9])([A-Z])[\s)\].。:,、;–—-]{0,4}[)\].。:,、;\n–—-]\s{0,4}"
)
_WORD_CHARACTER = re.compile(r"[A-Za-z0-9]")
_OF_A_WORD = re.compile(
    r"\s(?!(?:is|as|because|since|and|or|based|according|given|due|for|which|from|in|by)\b)[a-z]"
)
_OF_A_TERM = re.compile(
    r"(?!选|项|因|是|对|正|符|不|而|才|更|最|这|和|或|与|都|也|吧|了)[\u3400-\u9fff]"
)
"""What follows a letter that is part of a word or term: ``A man``, ``A型``."""
_WRONG = re.compile(
    r"[)\]\"'”]{0,3}\s?选?项?(?:\s?(?:both|all|都|均|也|皆|则|是|并|就))?\s?"
    r"(?:(?:is|are|was|were|cannot|can't|does|do)(?:\s(?:both|all|also|clearly))?"
    r"(?:\snot|n't|\swrong|\sincorrect|\sfalse|\sout|\sruled|\sbe\b)"
    r"|不[是选](?!\s?[A-Z])|不对|不正确|不符|不能|不合|没有|错|排除|可排除|有误|无关)"
)
"""What follows a letter that is called wrong: ``A is not``, ``A、C都不对``."""
_DENIAL = re.compile(
    r"(?:\b(?:not|never|neither|nor|no|without|except|exclude|excluding|eliminate|eliminating"
    r"|rule out|ruling out|instead of|rather than)|n't"
    r"|不是|不会|不能|不应该|不应|不该|不可|并非|没有|而非|除了|排除|去掉|不|没|非)"
    r"[\s\"'“‘(]*(?:\w+\s){0,2}$",
    re.IGNORECASE,
)
_LOOK_BACK = 40
"""How far before a letter a word that denies it is sought."""
_LONGEST_LIST = 300
"""Characters of a line that may be a list of letters."""


def letters_meant(reply: str, options: Sequence[str]) -> tuple[int, ...]:
    """The places of the options whose letters are meant: one, several where it hedges, or none.

    A letter by itself is a letter even where the options are letters. The last that is named as
    the answer counts; it and a letter at the beginning or end must agree.
    """
    return letters_and_rest(reply, options)[0]


def letters_and_rest(reply: str, options: Sequence[str]) -> tuple[tuple[int, ...], str]:
    """The same, and the rest of the line after the letter."""
    text = _without_option_words(_plain(reply), options)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return (), ""
    letters = LETTERS[: len(options)]
    first, after_first = _at_beginning(lines[0], letters)
    last, after_last = _last_announced(text, letters)
    end = _alone(lines[-1], letters) if len(lines) > 1 else []
    others = _listed_options(lines, letters)
    if others and first:  # the options one after the other, and then perhaps a word on them all
        first, after_first = ([], "") if last or end else ([*first, *others], "")
    return tuple(sorted({*first, *last, *end})), after_first or after_last


def is_denied(text: str, index: int) -> bool:
    """Whether the text at a place is denied by the words before it."""
    return _DENIAL.search(text[max(0, index - _LOOK_BACK) : index]) is not None


def _plain(reply: str) -> str:
    """A text in half width, with letters for ①, without marks of emphasis and ``not A but``."""
    text = unicodedata.normalize("NFKC", reply.translate(_AS_LETTERS)).replace("__", "")
    if "\\" in text:
        text = _BOXED.sub("\nanswer: \\1\n", _STYLED.sub(r"\1", text))
    text = _NOT_BUT_CHINESE.sub("应该是", _NOT_BUT.sub(" ", text))
    return text.strip()


def _without_option_words(text: str, options: Sequence[str]) -> str:
    """A text without an option's words after its letter: ``not`` or ``A`` in them says nothing."""
    by_letter = dict(zip(LETTERS, map(_plain, options), strict=False))
    parts, start = [], 0
    for match in _BEFORE_OPTION.finditer(text):
        words = by_letter.get(match[1])
        end = match.end() + len(words or "")
        if words and text.startswith(words, match.end()) and not _WORD_CHARACTER.match(text, end):
            parts += [text[start : match.end()], " "]
            start = end
    return "".join([*parts, text[start:]])


def _alone(line: str, letters: str) -> list[int]:
    """The letter that is all of a line, or the letters of a list that is."""
    if len(line) > _LONGEST_LIST:
        return []
    match = _ALONE.fullmatch(line)
    if match is not None:
        return _option_index(match[1], letters)
    first = _BEGINNING.match(line)
    if first is None:
        return []
    options, end = _list_of_options(line, first, letters)
    return options if not line[end:].strip(" .。)]!?;,、\"'") else []


def _at_beginning(line: str, letters: str) -> tuple[list[int], str]:
    """The letters that the first line begins with, or is; those it then lists with them."""
    alone = _alone(line, letters)
    if alone:
        return alone, ""
    first = _BEGINNING.match(line)
    if first is None:
        return [], ""
    options, end = _list_of_options(line, first, letters)
    if not options or _WRONG.match(line, end):
        return [], ""
    rest = line[end:]
    later = (option for found, _ in _cued_letters(_ENUMERATED, rest, letters) for option in found)
    return [*options, *later], rest


def _listed_options(lines: Sequence[str], letters: str) -> list[int]:
    """The options that lines after the first begin with, unless the first is a letter alone."""
    if len(lines) == 1 or _alone(lines[0], letters):
        return []
    matches = (_LETTER_OF_LINE.match(line) for line in lines[1:])
    return [
        option
        for match in matches
        if match is not None
        for option in _option_index(match[1], letters)
    ]


def _last_announced(text: str, letters: str) -> tuple[list[int], str]:
    """The letters that are last named as the answer, and the rest of their line."""
    announced = [
        place for cue in (_ANNOUNCED, _CONCLUDED) for place in _cued_letters(cue, text, letters)
    ]
    options, end = max(announced, key=lambda place: place[1], default=([], len(text)))
    return options, text[end:].partition("\n")[0]


def _cued_letters(cue: re.Pattern[str], text: str, letters: str) -> Iterator[tuple[list[int], int]]:
    """The options whose letters go with a cue, with those listed after them, unless denied."""
    for match in cue.finditer(text):
        start, end = match.span(match.lastindex or 1)
        if _is_of_a_word(text, text[start], end):
            continue
        if is_denied(text, match.start()) or is_denied(text, start):
            continue
        options, end = _list_of_options(text, match, letters)
        if options and not _WRONG.match(text, end):
            yield options, end


def _list_of_options(text: str, first: re.Match[str], letters: str) -> tuple[list[int], int]:
    """The options of a letter and of those that are listed after it, and where the list ends."""
    group = first.lastindex or 1
    letter, end = first[group], first.end(group)
    options: list[int] = []
    while option := _option_index(letter, letters):
        options += option
        following = _NEXT_OF_LIST.match(text, end)
        if following is None or _is_of_a_word(text, following[1], following.end(1)):
            break
        letter, end = following[1], following.end(1)
    return options, end


def _option_index(letter: str, letters: str) -> list[int]:
    """The option of a letter or Chinese numeral, or nothing where there is no such option."""
    if letter in _NUMERALS:
        index = _NUMERALS.index(letter)
        return [index] if index < len(letters) else []
    index = letters.find(letter.upper())
    return [index] if index >= 0 else []


def _is_of_a_word(text: str, letter: str, end: int) -> bool:
    """Whether it is an article, a pronoun or part of a term, as in ``A型``."""
    if _OF_A_TERM.match(text, end):
        return True
    return letter in "AI" and _OF_A_WORD.match(text, end) is not None
