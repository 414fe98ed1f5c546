"""The words that carry no content, and the words that hint at a time, a cause, a place."""

from __future__ import annotations

import re
from collections.abc import Mapping

FUNCTION: Mapping[str, frozenset[str]] = {
    "en": frozenset(
        """a an the this that these those of in on at to for from by with as into onto over under
        about after before between during through against among within without upon and or but nor
        so if than then because while although though be is are was were been being am have has had
        having do does did doing done will would shall should can could may might must i you he she
        it we they me him her us them my your his its our their mine yours hers ours theirs who whom
        whose which what when where why how not no there here s t also""".split()
    ),
    "zh": frozenset(
        """的 了 和 或 与 及 以及 在 到 中 这 那 这个 那个 之 其 他 她 它 他们 她们 它们 我 你 您
        我们 你们 是 有 被 把 对 于 由 从 向 为 以 而 并 并且 也 都 就 还 又 很 最 更 等 地 得 着 过 个
        吗 呢 吧 啊 什么 谁 哪 哪个 哪些 哪里 哪儿 几 多少 如何 怎么 怎样 怎么样 为什么 为何 何 何时
        何处 何人 请问 请 问 是否 有没有 上 下 里 后 前 时 年 月 日 一 一个 所 则 但 但是 因为 所以 因
        可以 能 会 将 使 让 给 即 称 叫 做 如 若 来 去 当 该 此 各 每 种 位 名 些 之一 哪位 哪年 哪种
        哪一 哪一个 分别""".split()
    ),
}

_NUMERALS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
    "sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|"
    "hundreds?|thousands?|millions?|billions?|half|third|quarter|dozens?|percent|twice|once"
)
_CALENDAR = (
    "january|february|march|april|june|july|august|september|october|november|december|"
    "(?:mon|tues|wednes|thurs|fri|satur|sun)day|years?|century|centuries|decades?|months?|weeks?|"
    "days?|hours?|minutes?|today|yesterday|tomorrow|spring|summer|autumn|winter|morning|evening|"
    "night|ago|bc|ad"
)
CUES: Mapping[str, re.Pattern[str]] = {
    "quantity": re.compile(
        rf"^(?!(?:1\d|20)\d\d$)\d|^(?:{_NUMERALS})$|^[零〇一二三四五六七八九十百千万亿两]+"
    ),
    "time": re.compile(
        rf"^(?:1\d|20)\d\d$|^(?:{_CALENDAR})$|[年月日]$|世纪|时期|时代|朝$|[早晚夜]|[春夏秋冬]"
    ),
    "cause": re.compile(
        "^(?:because|since|due|caus(?:e[sd]?|ing)|results?|resulted|reasons?|therefore|thus|led|"
        "leads?|order)$|^(?:因为|由于|因此|所以|为了|原因|导致|因|使得|以致|故|因而)$"
    ),
    "place": re.compile(".[市省县区国州岛洲镇村路街山河湖海港站部院宫寺]$"),
}
"""What the spelling of a word alone hints at, in either language."""
