"""Chinese questions that are completed from the one before: 学生票呢, 受伤的呢, 第二次是哪一年.

The question before is taken as it was rewritten, so what is put in its place stands alone too.
"""

from __future__ import annotations

import re

from readmark.series.guided.chinese_questions import (
    MEASURES,
    ChineseQuestion,
    listed,
    pronouns,
    read,
)
from readmark.series.guided.chinese_targets import ChineseTarget
from readmark.series.guided.edits import Edit
from readmark.text.script import simplified

_ASKING = re.compile(r"哪一?年|哪一?天|什么时候|何时|在?哪里|在?哪儿|在什么地方|为什么|为何|怎么")
_ADVERB = re.compile(r"(?:在|于)?哪一?年|哪一?天|什么时候|何时|在哪里|在哪儿|在什么地方")
_WH = (
    rf"(?:谁|什么人|哪一?[{MEASURES}]\w{{1,4}}?(?=[^\w]|把|在|被|从|给|为|发|提|创|建|偷|写|带|派))"
)
_PREVIOUS = "Previous Questions and Answers"
_END = re.compile(r"[\s？?。！!]+$")
_WHAT_OF = re.compile(r"(?:那么?|而)?(?P<noun>[^，,？?]{1,10})呢[？?]?")
_OF_WHAT = re.compile(
    r"(?P<owner>.*的)(?P<noun>[^的是在]{1,8}?)(?P<rest>(?:是|在|叫|有|为|位于|多少|几|怎么|如何|什么).+)"
)
_TIME = re.compile(r"\d{1,4}(?:年|月|日|世纪)|[今去明前后]年")
_DEGREE = re.compile(r"多(?P<how>[长宽高深大重厚远快久粗])")
_TIMES = re.compile(r"第(?:[一二三四五六七八九十]+|\d+)次")
_ANSWERED = re.compile(
    r"(?:一共|总共|共|先后|曾)*(?P<verb>\w{1,3}?)[过了]?(?:几|多少)次(?P<object>\w*)"
)
_COUNTED = re.compile(
    rf"(?P<whose>.+?)了?(?:一共|总共|共|现|还)?(?:有)?(?:多少|几)[{MEASURES}名枚只]?(?P<noun>\w{{1,8}})"
)
_HAS_SEVERAL = re.compile(rf"(?P<what>.+的\w+?)(?:共|一共|总共)?有(?:多少|几)[{MEASURES}名枚只]?")


def completed(
    target: ChineseTarget, asked: ChineseQuestion, earlier: str, answer: str
) -> Edit | None:
    """A fragment as a whole question; nothing where the question before does not tell.

    ``answer`` stands for the answer of the question before.
    """
    text, before = asked.text, _END.sub("", earlier.strip())
    mark = text[len(_END.sub("", text)) :] or "？"
    now = ""
    if (new := _WHAT_OF.fullmatch(text.strip())) is not None:
        free = not any(pronouns(asked)) and not text.startswith(("这", "那", "该", "此", "本"))
        now = _asked_of(new["noun"], before) if before and free else ""
    elif before and _ASKING.fullmatch(_END.sub("", asked.plain)) is not None:
        now = _asked_with(target, _END.sub("", text), before, answer)
    elif (time := _TIMES.match(asked.plain)) is not None and earlier.startswith(target.text):
        now = _once(target, time[0], _END.sub("", text)[time.end() :], before)
    if not now:
        return None
    return Edit(0, len(text), text, f"{now}{mark}", "承前一问", _PREVIOUS)


def _asked_of(new: str, before: str) -> str:
    """The question before, asked of something else."""
    simple = simplified(before)
    size = new.removeprefix("多")
    degree = _DEGREE.search(simple)
    if degree is not None and len(size) <= 2 and size[:1] in tuple("长宽高深大重厚"):
        return before[: degree.start("how")] + size[0] + before[degree.end("how") :]
    if new.endswith("的"):
        return _done(new[:-1], before)
    owned = _OF_WHAT.fullmatch(before)
    if _TIME.fullmatch(new):
        if (time := _TIME.search(simple)) is not None and _TIME.fullmatch(time[0]):
            return before[: time.start()] + new + before[time.end() :]
        return f"{owned['owner'][:-1]}{new}的{owned['noun']}{owned['rest']}" if owned else ""
    alike = _alike(new, before)
    if alike is not None:
        return before[: alike[0]] + new + before[alike[1] :]
    return f"{owned['owner']}{new}{owned['rest']}" if owned else ""


def _asked_with(target: ChineseTarget, asking: str, before: str, answer: str) -> str:
    """哪一年: the question before with other words that ask."""
    simple = simplified(before)
    if match := re.search(rf"(?<=是)(?:在|由)?{_WH}(?=.+的$)", simple):  # 是谁发现的
        return before[: match.start()] + asking + before[match.end() :]
    if (match := _ADVERB.search(simple)) is not None:
        return before[: match.start()] + asking + before[match.end() :]
    if match := re.match(_WH, simple):  # 谁偷了它
        return answer + asking + before[match.end() :]
    if simple.endswith("吗") and before.startswith(target.text):
        return target.text + asking + before[len(target.text) : -1]
    return ""


def _done(verb: str, before: str) -> str:
    """受伤的: what else happened to those who were counted."""
    verbs = [(start, end) for start, end, tag in read(before).words if tag.startswith("v")]
    if not verbs or not read(verb).words or not read(verb).words[0][2].startswith("v"):
        return ""
    start, end = verbs[-1]
    return before[:start] + verb + before[end:] if before[start:end] != "有" else ""


def _alike(new: str, before: str) -> tuple[int, int] | None:
    """The last noun that ends like the new one: 门票, of 学生票; 用户, of 海外用户."""
    for start, end, tag in reversed(read(before).words):
        word = before[start:end]
        if tag[:1] in ("n", "j", "l") and len(word) > 1 and word[-1] == new[-1]:
            return start, end
    return None


def _once(target: ChineseTarget, time: str, rest: str, before: str) -> str:
    """第二次是哪一年: the second of what the question before counts."""
    match = _ANSWERED.fullmatch(before[len(target.text) :])
    if match is None or match["verb"] in ("有", "是") or not rest.startswith(("是", "在")):
        return ""
    return f"{target.text}{time}{match['verb']}{match['object']}{rest}"


def those_before(before: str) -> str:
    """What the question before counts, or says how many there are of: 莫高窟现存的洞窟."""
    text = _END.sub("", before.strip())
    if (match := _HAS_SEVERAL.fullmatch(text)) is not None:
        return match["what"]
    match = _COUNTED.fullmatch(text)
    if match is None:
        return ""
    words = read(match["noun"]).words
    verbs = (start for start, _, tag in words if start and tag.startswith("v"))
    size = next(verbs, len(match["noun"]))
    noun, did = match["noun"][:size], match["noun"][size:]
    if noun in MEASURES or noun in listed("again", "units"):
        return ""
    return f"{match['whose']}{did}的{noun}"  # 多少支球队参赛, 参赛的球队
