"""Clozes in Chinese, where a question word stands in the answer's place and little else changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random

from readmark.models.span.clozes.chinese_clauses import clause_questions
from readmark.models.span.clozes.values import KEPT, Article, Blank, Cloze, chosen, context

_TIME = re.compile(
    r"(?:公元前?)?\d{2,4}年(?:\d{1,2}月(?:\d{1,2}日)?)?|\d{1,2}月\d{1,2}日|\d{1,2}世纪(?:[初末]|中叶)?"
)
_MEASURED = re.compile(
    r"(?:约|大约|超过|至少|近)?(\d[\d,.]*(?:余)?[百千万亿]*多?)"
    r"(平方公里|平方米|公里|公尺|公分|公斤|公顷|英里|英尺|海里|毫米|厘米|千米|人口|美元|欧元|英镑|日元|年代|"
    r"人|名|位|个|座|所|家|间|种|部|集|张|首|次|场|届|岁|米|吨|元|天|周|小时|分钟|秒|%|％|艘|架|辆|枚|支|队|站|层|村|县|镇|户|万)"
)
_TITLED = re.compile(r"《([^《》]{1,20})》")
_QUOTED = re.compile(r"[“「]([^“”「」]{2,16})[”」]")
_FOREIGN = re.compile(r"[一-鿿]{1,6}(?:[·•‧][一-鿿]{1,8})+")
_LATIN = re.compile(r"[A-Z][A-Za-z0-9.&'-]+(?: [A-Z0-9][A-Za-z0-9.&'-]*){0,4}")
_SUBJECTLESS = re.compile(r"^(?:他|她|它|其|该[一-鿿]|此)(?!们)的?")
_CLAUSE = re.compile(r"[^，；]+[，；]?")

_PLACES = (
    ("国", ("哪个国家", "哪国")),
    ("省", ("哪个省", "哪里")),
    ("市", ("哪个城市", "哪里", "哪座城市")),
    ("县", ("哪个县", "哪里")),
    ("区", ("哪个区", "哪里")),
    ("岛", ("哪个岛", "哪里")),
    ("州", ("哪个州", "哪里")),
)
_BODIES = (
    ("大学", ("哪所大学", "哪里")),
    ("学院", ("哪所学院", "哪里")),
    ("公司", ("哪家公司", "什么公司")),
    ("党", ("哪个政党", "什么党")),
    ("队", ("哪支球队", "哪支队伍")),
    ("奖", ("什么奖", "哪个奖项")),
    ("语", ("什么语言", "哪种语言")),
    ("科", ("什么科", "哪一科")),
)
_NAMES = {
    "nr": ("谁", "哪位", "什么人", "谁"),
    "nrt": ("谁", "哪位", "谁"),
    "ns": ("哪里", "什么地方", "哪里", "哪个地方", "哪儿"),
    "nt": ("哪个机构", "什么组织", "哪个组织"),
    "nz": ("什么", "哪个"),
    "n": ("什么",),
    "vn": ("什么",),
    "l": ("什么",),
    "eng": ("什么", "哪个"),
    "j": ("哪个", "什么"),
}
_INSIDE = {
    "n",
    "nr",
    "nrt",
    "ns",
    "nt",
    "nz",
    "vn",
    "b",
    "a",
    "eng",
    "j",
    "l",
    "m",
    "f",
    "an",
    "i",
    "k",
    "ng",
}

Word = tuple[int, int, str]
Free = Callable[[int, int], bool]
Forms = tuple[str, ...]


def clozes(article: Article, draw: Random, many: int) -> Iterator[Cloze]:
    """Up to ``many`` questions on a passage."""
    places = list(range(len(article.sentences)))
    draw.shuffle(places)
    asked = [one for at in places for one in clause_questions(article, at, draw)]
    draw.shuffle(asked)
    # Half of them, as far as there are, ask as people do.
    asked = asked[: (many + 1) // 2]
    yield from asked
    given = len(asked)
    for at in places:
        for one in _replaced(article, at, article.sentences[at], draw):
            if given >= many:
                return
            yield one
            given += 1


def _replaced(article: Article, at: int, sentence: str, draw: Random) -> Iterator[Cloze]:
    for blank in chosen(draw, list(_blanks(sentence, draw)), 5):
        found = context(article, at, blank, keep=False, joint="") if draw.random() < 0.85 else None
        keep = found is None
        if found is None and draw.random() < KEPT:
            found = context(article, at, blank, keep=True, joint="")
        if found is None:
            continue
        question = _asked(article, sentence, blank, draw, rough=keep)
        if 5 <= len(question) <= 60:
            answer = sentence[blank.start : blank.end]
            yield Cloze(found[0], question, answer, found[1])


def _asked(article: Article, sentence: str, blank: Blank, draw: Random, *, rough: bool) -> str:
    """The clause around the blank, with its neighbours now and then, as a question."""
    bounds = [one.span() for one in _CLAUSE.finditer(sentence)]
    own = next(at for at, (_, end) in enumerate(bounds) if blank.start < end)
    last = next(at for at, (_, end) in enumerate(bounds) if blank.end <= end)
    first = own
    if own and (blank.start - bounds[own][0] < 4 or draw.random() < 0.4):
        first = own - 1
    if last + 1 < len(bounds) and (bounds[last][1] - bounds[first][0] < 10 or draw.random() < 0.2):
        last += 1
    before = sentence[bounds[first][0] : blank.start]
    after = sentence[blank.end : bounds[last][1]]
    if rough:
        before, after = _worn(before, draw), _worn(after, draw)
    question = f"{before}{blank.asked}{after}".strip("，；。！？、：“”「」 ")
    told = _SUBJECTLESS.sub("", question)
    if article.title and article.title not in question and len(article.title) <= 14:
        if told != question and blank.asked not in question[: len(question) - len(told)]:
            link = (
                "的" if question[0] == "其" or "的" in question[: len(question) - len(told)] else ""
            )
            question = article.title + link + told
        elif draw.random() < 0.3 and not question.startswith(blank.asked):
            question = f"{article.title}{draw.choice(('，', '', '中，', '的'))}{question}"
    return question + draw.choice(("？", "？", "？", "?", ""))


def _worn(text: str, draw: Random) -> str:
    """The text without a word here and there, so that copying alone does not find the place."""
    import rjieba

    words = rjieba.tag(text)
    kept = [
        word
        for word, tag in words
        if draw.random() >= (0.3 if tag in ("d", "uj", "u", "ad", "b", "a", "m") else 0.07)
    ]
    return "".join(kept)


def _blanks(sentence: str, draw: Random) -> Iterator[Blank]:
    import rjieba

    taken: list[tuple[int, int]] = []

    def free(start: int, end: int) -> bool:
        if any(start < last and first < end for first, last in taken):
            return False
        taken.append((start, end))
        return True

    for found in _TIME.finditer(sentence):
        if free(*found.span()):
            year = found[0].endswith("年")
            asked: Forms = (
                ("哪一年", "哪年", "什么时候") if year else ("什么时候", "何时", "哪一天")
            )
            if found[0][-1] in "纪初末叶":
                asked = ("什么时候", "哪个时期", "什么年代")
            yield Blank(*found.span(), draw.choice(asked), "time")
    for found in _MEASURED.finditer(sentence):
        if free(*found.span()):
            asked = (f"多少{found[2]}", f"多少{found[2]}", f"几{found[2]}")
            bare = draw.random() < 0.3
            yield Blank(
                found.start(1) if bare else found.start(),
                found.end(1) if bare else found.end(),
                draw.choice(asked[: 2 if found[2] in "%％万" else 3])[: 2 if bare else 9],
                "number",
            )
    for pattern, kind, asked in (
        (_TITLED, "work", ("什么", "哪部作品", "哪本书", "什么作品")),
        (_FOREIGN, "person", ("谁", "哪位", "谁")),
        (_QUOTED, "quoted", ("什么",)),
        (_LATIN, "latin", ("什么", "哪个")),
    ):
        for found in pattern.finditer(sentence):
            if free(*found.span()):
                inner = kind == "quoted" or (kind == "work" and draw.random() < 0.4)
                yield Blank(*found.span(1 if inner else 0), draw.choice(asked), kind)
    offset, run = 0, list[Word]()
    for word, tag in [*rjieba.tag(sentence), ("", "x")]:
        if tag in _INSIDE:
            run.append((offset, offset + len(word), tag))
        else:
            yield from _named(sentence, run, draw, free)
            run = []
        offset += len(word)


def _named(sentence: str, run: Sequence[Word], draw: Random, free: Free) -> Iterator[Blank]:
    """A name or noun of a run of nouns: the whole run or its tail."""
    while run and run[0][2] in ("f", "k"):
        run = run[1:]
    while run and run[-1][2] in ("b", "a", "m", "f", "i"):
        run = run[:-1]
    if not run:
        return
    names = [one for one in run if one[2] in ("nr", "nrt", "ns", "nt", "nz")]
    if names and draw.random() < 0.5:
        start, end, tag = draw.choice(names)
    else:
        start, end, tag = run[0][0], run[-1][1], run[-1][2]
        if tag == "n" and len(run) == 1 and draw.random() < 0.5:
            return
    if not 2 <= end - start <= 14 or not free(start, end):
        return
    text = sentence[start:end]
    asked = _NAMES.get(tag, ("什么",))
    for ending, others in _BODIES if tag not in ("ns", "nr") else _PLACES:
        if text.endswith(ending):
            asked = others
            break
    yield Blank(start, end, draw.choice(asked), tag)
