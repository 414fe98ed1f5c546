"""Clozes in Chinese, where a question word replaces the answer and little else changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from training.span.clozes.articles import KEPT, Article, Blank, Cloze, chosen, context

# Clauses whose verb shows what they are about, and how people ask for that in Chinese.


YEAR = (
    r"(?:公元前?)?\d{3,4}年(?:\d{1,2}月(?:\d{1,2}日)?|[初末底春夏秋冬])?"
    r"|\d{1,2}世纪(?:[初末]|中叶|\d0年代)?"
)
_EVENT = (
    "成立|创立|创建|建成|建造|兴建|动工|落成|启用|通车|开业|开通|首播|播出|上映|公映|发行|发售|"
    "推出|出版|发表|逝世|去世|病逝|出生|入学|毕业|当选|结婚|退役|退休|出道|解散|关闭|停刊|停产|"
    "爆发|签署|举行|开幕|开始|发现|命名|改名|更名|合并|独立|灭亡|登基|即位|升格|竣工|投产|服役"
)
_MADE = (
    "执导|导演|主演|创作|编剧|编写|作曲|作词|填词|设计|建造|兴建|制作|开发|研发|发行|出版|主持|"
    "创办|创立|创建|发现|发明|提出|管理|营运|运营|经营|撰写|演唱|饰演|配音|生产|制造|主办|承办|"
    "命名|翻译|赞助|拥有|指挥|领导"
)
_MEASURE = (
    "面积|总面积|占地面积|人口|总人口|人口密度|全长|总长|长度|高度|海拔|平均海拔|身高|体长|翼展|"
    "重量|体重|票房|总票房|收视率|时速|最高时速|速度|直径|深度|宽度|容量|造价|总造价|半径|年龄|"
    "寿命|密度|沸点|熔点|排水量|射程|收入|产量|席位"
)


@dataclass(frozen=True, slots=True)
class Frame:
    """A clause's pattern, the questions it answers, and how often the answer runs on.

    In the pattern ``s`` is who or what it is about, ``a`` the answer; ``v`` and ``b`` are words
    that the question may take over.
    """

    pattern: re.Pattern[str]
    forms: tuple[str, ...]
    more: float = 0.0


def _frame(pattern: str, forms: str, more: float = 0.0) -> Frame:
    return Frame(re.compile("^(?P<s>.{0,14}?)" + pattern), tuple(forms.split()), more)


_REST = r"(?P<a>.{2,40})$"
_NAME = r"(?P<a>[^，]{2,30})$"

FRAMES = (
    _frame(
        rf"(?:是?位于|坐落于|座落于|坐落在|座落在|地处){_REST}",
        "{s}位于哪里 {s}在哪里 {s}位于什么地方 {s}的地理位置在哪里 {s}坐落于何处",
    ),
    _frame(
        "(?P<v>分布于|分布在|栖息于|栖息在|生活在|生长于|生长在|产于|原产于|见于|发源于|流经)"
        + _REST,
        "{s}{v}哪里 {s}{v}什么地方 {s}{v}哪些地方",
    ),
    _frame(r"出?生于(?P<a>[^\d]{2,20})$", "{s}出生于哪里 {s}在哪里出生 {s}的出生地是哪里"),
    _frame(
        rf"(?:于|在)?(?P<a>{YEAR})(?P<b>正式|首次|全线|重新|公开|再次|开始)?(?P<v>{_EVENT})"
        "(?![于在者了])",
        "{s}是什么时候{b}{v}的 {s}何时{b}{v} {s}于哪一年{b}{v} {s}{b}{v}的时间是什么时候",
    ),
    _frame(
        "(?P<v>成立|创立|创建|建|始建|建成|创办|设立|兴建|生|出生|卒|逝世|毕业|发表|出版)于"
        rf"(?P<a>{YEAR})",
        "{s}{v}于哪一年 {s}是什么时候{v}的 {s}{v}于什么时候 {s}何时{v}",
    ),
    _frame(
        r"是?由(?P<a>[^的在于]{2,20}?)(?:所|负责|共同|联合|担任|亲自)?"
        rf"(?P<v>{_MADE})(?=$|的|而成)",
        "{s}是由谁{v}的 {s}由谁{v} 谁{v}了{s} {s}是谁{v}的",
    ),
    _frame(
        r"由(?P<a>.{3,36}?)(?P<v>组成|构成)",
        "{s}由什么{v} {s}由哪些部分{v} {s}是由什么{v}的",
    ),
    _frame(
        "(?P<v>简称|俗称|别名|别称|原名|本名|旧称|旧名|古称|学名|英文名|全名|全称|艺名|笔名)"
        r"[为是作叫]?(?P<a>[^，]{2,20})$",
        "{s}的{v}是什么 {s}{v}什么 {s}的{v}叫什么",
    ),
    _frame(
        r"(?P<v>又称|又名|也称|亦称|也叫|又叫|亦作)[为是作叫]?(?P<a>[^，]{2,20})$",
        "{s}{v}什么 {s}还有什么名称 {s}又叫什么 {s}的别称是什么",
    ),
    _frame(
        rf"(?P<v>毕业于|就读于|肄业于|考入|任教于){_REST}",
        "{s}{v}哪所学校 {s}{v}哪里 {s}{v}什么学校",
    ),
    _frame(
        "(?P<v>获得|荣获|获颁|夺得|赢得|取得|获)了?"
        r"(?P<a>.{3,30}(?:奖|奖项|冠军|亚军|金牌|银牌|铜牌|勋章|称号|学位))$",
        "{s}{v}了什么 {s}{v}了什么奖项 {s}{v}过什么荣誉 {s}{v}了哪些荣誉",
    ),
    _frame(
        rf"(?P<v>担任|出任|就任|历任|升任|调任|接任|改任|转任|兼任)[了过]?{_NAME}",
        "{s}{v}什么职务 {s}{v}什么 {s}{v}了什么职位 {s}做过什么职务",
    ),
    _frame(
        "(?P<v>当选为?|受聘为|晋升为|被任命为|获委任为|获选为|被封为|被评为|被誉为|被称为|被视为|"
        rf"改名为|更名为|命名为|成为)了?{_NAME}",
        "{s}{v}什么",
    ),
    _frame(
        "(?P<v>包括|包含|分为|可分为|分成|设有|拥有|共有|主要有|收录|种植|出产|盛产|开设|提供)了?(?!在内)"
        + _REST,
        "{s}{v}哪些 {s}有哪些 {s}{v}什么 {s}都{v}哪些",
        0.25,
    ),
    _frame(
        "(?:主要|可|常|通常|一般)?被?"
        f"(?P<v>用于|用来|用作|适用于|应用于|旨在|目的是|负责|致力于|主管|专门){_REST}",
        "{s}有什么用途 {s}的用途是什么 {s}{v}什么 {s}的作用是什么 {s}主要{v}什么",
        0.25,
    ),
    _frame(
        f"(?P<v>属于|隶属于?|归属于?|下辖|管辖){_REST}",
        "{s}{v}什么 {s}{v}哪里 {s}{v}哪个",
    ),
    _frame(
        f"的?(?P<v>{_MEASURE})(?:约|为|达|是|大约|共|有|超过|约为|达到|仅|近){{0,3}}"
        r"(?P<a>[约近]?\d[^，]{1,16})$",
        "{s}的{v}是多少 {s}{v}有多少 {s}的{v}为多少 {s}的{v}达到多少",
    ),
    _frame(
        r"(?P<v>认为|指出|表示|主张|强调|声称|宣称|要求|建议|意味着)(?P<a>.{5,40})$",
        "{s}{v}什么 {s}{v}的是什么",
        0.6,
    ),
    _frame(
        "(?P<v>发现|证明|规定|决定|提出|宣布|承认|批评|反映|说明|显示)了?(?P<a>.{5,40})$",
        "{s}{v}什么 {s}{v}了什么",
        0.5,
    ),
    _frame(
        f"(?:特点|特征|特色|优点|缺点)(?:是|为|在于){_REST}",
        "{s}有什么特点 {s}的特点是什么 {s}有何特征",
        0.25,
    ),
    _frame(
        f"(?P<v>导致|造成|使得|引起|引发|产生(?!于)|带来|促使)了?{_REST}",
        "{s}{v}了什么 {s}{v}什么 {s}的结果是什么 {s}造成了什么影响",
        0.25,
    ),
    _frame(
        f"(?P<v>前往|移居|迁往|迁至|转往|搬到|搬至|加盟|转会至|加入|返回|逃往|定居于?)了?{_REST}",
        "{s}{v}了哪里 {s}{v}哪里 {s}{v}了什么地方",
    ),
    _frame(
        f"(?P<v>讲述|描述|描写|叙述|介绍|记载|记述|研究(?![者所院生员])|探讨)了?{_REST}",
        "{s}{v}了什么 {s}的内容是什么 {s}主要{v}什么 {s}{v}的是什么",
        0.25,
    ),
    _frame(
        "以(?P<a>.{2,20})(?P<b>闻名|著称|为主|为名|为特色)$",
        "{s}以什么{b} {s}因什么{b}",
    ),
    _frame(
        "因为?(?P<a>[^，而]{3,26})而(?P<b>[^，]{2,16})$",
        "{s}为什么{b} {s}{b}的原因是什么 {s}因何{b}",
    ),
    _frame(
        "(?<![或即还而不只于凡但便])(?:是指?|指(?![挥导出定数标示控责令派向南]))"
        "(?P<a>(?!否|因为|由|在|不|出|这).{3,40}[^的])$",
        "{s}是什么 什么是{s} {s}指的是什么 {s}是怎样的",
        0.25,
    ),
)
CAUSE = re.compile(
    r"(?:由于|因为|鉴于)(?P<a>[^。；]{4,44}?)，(?:所以|因此|因而|故|从而|使得|使)?"
    r"(?P<b>[^，。；]{4,22})(?=[，。；])"
)


# Questions on clauses in Chinese: what the passage is about, then what is asked of it.


_LONGEST = 56
_CLAUSE = re.compile(r"[^，；。！？：]+")
_PRONOUN = re.compile(
    r"^(?:他们|她们|它们|他|她|它|其(?![实中他余次后它])|该[一-鿿]{1,2}|此[一-鿿]|"
    r"本[片剧书曲站校市县区村镇路线种属科]|这[一-鿿]{1,3}|两[者人])的?"
)
_OPENING = re.compile(
    r"^(?:但是?|而且?|并且?|然而|不过|另外|此外|同时|其后|之后|后来?|后又|随后|当时|当年|同年|翌年|"
    r"次年|现时?|目前|现在|亦|也|又|则|都|还|曾经?|已|因此|所以|于是|因而|故|即|尤其|其中|主要|一般|"
    r"通常|最后|最终|最初|起初|直[到至]|至|从|自|与|和|及|以及|或|虽然|尽管|如果|例如|比如|当|"
    rf"[在于到至自]?(?:{YEAR})(?:起|时|间|后|前|以来)?)"
)
_ADVERB = re.compile(
    r"(?:通常|主要|一般|往往|大多|大都|多数|同样|正式|其实|本来|原本|首次|再次|竟然|仍然|依然|虽然|"
    r"历史上|基本|继续|分别|一直|全部|单独|[亦则都就竟也曾已便即才仍又均皆还再并共可仅更])+$"
)
_CHINESE_CLAUSES_NAME = re.compile(r"^[一-鿿A-Za-z0-9·《》“”「」 -]{2,14}$")
_NO_NAME = re.compile(
    r"[了着被把将是有在于为会可能不没使让令从由对向与和及以所至到来去出进入说认指称其此该这那他她它我你年月日]"
    r"|^[的之者们些个「“]|之[后前]|[时后前中]$"
)
_GOES_ON = "是，（(在由为曾又亦也位成属有于以、："
_NO_END = "后时前和与及而并之在为中的"
_BRACKETS = tuple(zip("“「《（(『‘", "”」》）)』’", strict=True))


def clause_questions(article: Article, index: int, draw: Random) -> Iterator[Cloze]:
    """Questions on the clauses of one sentence of a passage."""
    sentence = article.sentences[index]
    base = sum(map(len, article.sentences[:index]))
    text = "".join(article.sentences)
    topic = _topic(article.title)
    about = topic if _is_about(sentence, topic) else ""
    for start, end, question in [
        *_reasons(sentence, topic, about, draw),
        *_framed(sentence, topic, about, draw),
    ]:
        answer = sentence[start:end]
        broken = len(answer) < 2 or answer[-1] in _NO_END or answer in question
        if 4 <= len(question) <= 40 and not broken:
            ended = question + draw.choice(("？", "？", "？", "?", ""))
            yield Cloze(text, ended, answer, base + start)


def _framed(sentence: str, topic: str, about: str, draw: Random) -> Iterator[tuple[int, int, str]]:
    for clause in _CLAUSE.finditer(sentence):
        # Further on, a clause without a subject of its own has the sentence's.
        known = about if clause.start() else topic
        for frame in FRAMES:
            found = frame.pattern.search(clause[0])
            subject = _subject(found["s"], known) if found else None
            if found is None or subject is None:
                continue
            start, end = (clause.start() + place for place in found.span("a"))
            if frame.more:
                end = _running_on(sentence, start, end, frame.more, draw)
            yield start, _closed(sentence, start, end), _asked(frame, found, subject, topic, draw)
            break


def _asked(frame: Frame, match: re.Match[str], subject: str, topic: str, draw: Random) -> str:
    told = match.groupdict()
    # What something is, is asked of a name.
    forms = [form for form in frame.forms if subject == topic or not form.startswith("什么是")]
    return draw.choice(forms).format(s=subject, v=told.get("v") or "", b=told.get("b") or "")


def _reasons(sentence: str, topic: str, about: str, draw: Random) -> Iterator[tuple[int, int, str]]:
    for found in CAUSE.finditer(sentence):
        effect = re.sub(r"^[而也亦就便才则]", "", found["b"])
        pronoun = _PRONOUN.match(effect)
        if pronoun:
            if not topic:
                continue
            effect = topic + ("的" if pronoun[0][0] == "其" else "") + effect[pronoun.end() :]
        elif about and about not in effect and draw.random() < 0.6:
            effect = about + effect
        forms = ("为什么{0}", "{0}的原因是什么", "{0}是因为什么", "{0}是为什么")
        yield *found.span("a"), draw.choice(forms).format(effect)


def _topic(title: str) -> str:
    """What a passage is about; nothing where the title does not fit in a question."""
    name = re.sub(r"\s*[（(][^()（）]*[)）]", "", title).strip()
    return name if 2 <= len(name) <= 16 else ""


def _opened(text: str) -> str:
    """The text without the words that only join it to what came before."""
    while (found := _OPENING.match(text)) and found.end():
        text = text[found.end() :].lstrip("，")
    return text


def _is_about(sentence: str, topic: str) -> bool:
    """Whether a sentence's subject is what the passage is about."""
    bare = _opened(sentence)
    if not topic:
        return False
    if bare.startswith(topic):
        return bare[len(topic) : len(topic) + 1] in _GOES_ON
    pronoun = _PRONOUN.match(bare)
    return pronoun is not None and pronoun[0][0] != "其" and not pronoun[0].endswith("的")


def _subject(before: str, topic: str) -> str | None:
    """Who or what a clause is about, by its words before the verb; None where they do not tell."""
    bare = _ADVERB.sub("", _opened(before.strip()))
    if not bare:
        return topic or None
    pronoun = _PRONOUN.match(bare)
    if pronoun is None:
        return (
            bare
            if bare == topic or (_CHINESE_CLAUSES_NAME.match(bare) and not _NO_NAME.search(bare))
            else None
        )
    rest = bare[pronoun.end() :]
    if not topic or not rest:
        return topic or None
    own = pronoun[0][0] == "其" or pronoun[0].endswith("的")
    return f"{topic}的{rest}" if own and not _NO_NAME.search(rest) else None


def _running_on(sentence: str, start: int, end: int, share: float, draw: Random) -> int:
    """The end of the clauses that go on with the answer, now and then."""
    while end < len(sentence) and sentence[end] in "，；：" and draw.random() < share:
        found = _CLAUSE.match(sentence, end + 1)
        if found is None or found.end() - start > _LONGEST:
            break
        end = found.end()
    return end


def _closed(sentence: str, start: int, end: int) -> int:
    """The end moved so that no bracket stays open; the start itself where that cannot be."""
    for left, right in _BRACKETS:
        piece = sentence[start:end]
        if piece.count(left) < piece.count(right):
            return start
        if piece.count(left) > piece.count(right):
            closing = sentence.find(right, end)
            if not 0 <= closing < start + _LONGEST:
                return start
            end = closing + 1
    return end


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
_CHINESE_CLAUSE = re.compile(r"[^，；]+[，；]?")

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


def clozes(article: Article, draw: Random, count: int) -> Iterator[Cloze]:
    """Up to ``many`` questions on a passage."""
    places = list(range(len(article.sentences)))
    draw.shuffle(places)
    asked = [question for at in places for question in clause_questions(article, at, draw)]
    draw.shuffle(asked)
    # Half of them, as far as there are, ask as people do.
    asked = asked[: (count + 1) // 2]
    yield from asked
    given = len(asked)
    for at in places:
        for one in _replaced(article, at, article.sentences[at], draw):
            if given >= count:
                return
            yield one
            given += 1


def _replaced(article: Article, index: int, sentence: str, draw: Random) -> Iterator[Cloze]:
    for blank in chosen(draw, list(_blanks(sentence, draw)), 5):
        found = (
            context(article, index, blank, keep=False, joint="") if draw.random() < 0.85 else None
        )
        keep = found is None
        if found is None and draw.random() < KEPT:
            found = context(article, index, blank, keep=True, joint="")
        if found is None:
            continue
        question = _chinese_asked(article, sentence, blank, draw, rough=keep)
        if 5 <= len(question) <= 60:
            answer = sentence[blank.start : blank.end]
            yield Cloze(found[0], question, answer, found[1])


def _chinese_asked(
    article: Article, sentence: str, blank: Blank, draw: Random, *, rough: bool
) -> str:
    """The clause around the blank, with its neighbours now and then, as a question."""
    bounds = [one.span() for one in _CHINESE_CLAUSE.finditer(sentence)]
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
