"""Two characters with two simplified forms each, which the words around them decide: 著 and 乾.

Texts of Taiwan write 著 for what authors do and for the particle 着; OpenCC's ``t2s`` leaves both.
It converts 乾 (dry), and also does so in many names that are read *qián* and keep it.

A pattern is matched at the 著 or 乾 and looks behind it. Classes hold the characters of both
scripts, since lines of Wikipedia are mixed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from readmark.core.records import Offsets

PHRASES = "phrases-2"
"""The rules' name in records; its number changes when a text is converted otherwise."""

_NOUN = re.compile(
    "(?<=[顯显昭彰卓土專专鉅巨拙遺遗名])著|(?<=[論论])(?<![討讨議议談谈爭争辯辩評评理推].)著"
)
"""显著, 土著, 名著, 论著; not 讨论着."""

_PARTICLE_WORDS = frozenset("隨随沿跟伴執执沉膠胶衣附穿味繞绕粘黏固睡")
"""随着, 沿着, 穿着, 执着, 意味着: here even 名 or 作 begins the next word, as in 随着名单."""

_AUTHOR_WORD = re.compile(
    "著(?:名(?![字單单冊册額额])|作(?![業业品戰战])|[者述錄录]|稱(?![讚呼])|称(?![赞呼])|[書书]立)"
)
"""著名, 著作, 著称, 著书立说; not 写着名字, 有着作战经验."""

_TOUCH = frozenset("手眼陸陆火重力想急落涼凉色床魔迷地墨實实裝装筆笔慌意")
"""着手, 着眼, 着陆, 着火, 着重: words that 着 begins."""

_WRITTEN = frozenset("有書书《〈成於于文寫写")
"""著有, 著书, 著《: something was written, unless a verb stands before, as in 带着书."""

_WROTE = re.compile(
    "(?<=[所原撰])著"
    "|(?<=[新舊旧])(?<![更刷翻嶄崭革創创重].)著"
    "|(?<=[譯译])(?<!翻.)著"
    "|(?<=[編编])著(?![辮辫花草籃篮竹])"
    "|(?<=合)(?<![配結结迎混符整聯联].)著(?![眼雙双手嘴十掌])"
    "|(?<=[續续])著(?=[書书])"
)
"""所著, 原著, 新著, 译著, 合著, 继续著书; not 更新着, 翻译着, 编着花环, 配合着, 合着眼."""

_VERBS = frozenset(
    "有起存在表演持領领帶带臨临活靠拿抱背戴朝對对面望看聽听盯瞧瞪讀读唱說说講讲談谈笑哭喊叫走跑坐站躺臥卧立蹲"
    "跪掛挂放擺摆裝装載载貼贴刻寫写畫画印標标誌志徵征圍围環环包蓋盖罩遮擋挡藏隱隐含懷怀夾夹雜杂混充斥瀰弥漫"
    "散布佈居住棲栖流浮漂飄飘飛飞閃闪照映響响迴回燃燒烧點点冒吹刮下忙急等候守護护保留過过享受試试憑凭藉借"
    "依順顺趁仗本按因當当隔握捧提扛抬推拉拖牽牵拽撐撑頂顶踩踏騎骑駕驾駛驶開开關关閉闭睜睁張张低仰側侧斜彎"
    "弯垂搖摇揮挥舞跳動动轉转變变生養养種种吃喝嚼咬舔吻愛爱恨想念盼求渴期幫帮陪追趕赶逃躲避防指教引誘诱吸"
    "迫逼催促影制控操管治統统承擔担負负肩扮發发展示續续連连接緊紧靜静默鬧闹亮黑紅红熱热冷醒瞞瞒騙骗欺學学"
    "抄記记數数算用套披綁绑繫系拴捆纏缠鑲镶嵌插埋鋪铺墊垫堆疊叠積积聚集匯汇收搭配進进行經经歷历運运做幹干"
    "打敲拍捏摸抓扶攙搀挽捂叼顧顾論论拄攥揣挎拎端托摟搂蒙盛泡煮燉炖曬晒擠挤排繃绷皺皱瞇眯瞅瞄伸縮缩喘"
    "嘆叹哼嚷罵骂吵閒闲餓饿空賠赔熬怕愁惦盤盘算敞虛虚掩塗涂抹挖掘築筑修補补縫缝繡绣織织"
)
"""The last characters of verbs and adjectives that take the particle."""
_REACHED = frozenset("不得")
"""睡不着, 找得着; not 不著书."""
_CLAUSE_END = re.compile(r"著(?:[，。；、：:,;）)》」』”\]\s]|\Z)")
_AUTHOR = re.compile(r"(?:\A|[，。；、：:,;（(《》「」『』“”\[\]\s由是])[^\W\d_]{2,4}\Z")
"""Two to four characters by themselves, as the name of an author: （王小明著）."""


def is_particle(text: str, place: int, *, traditional: bool) -> bool:
    """Whether the 著 at a place of a text is 着; ``traditional`` says how its line is written.

    What no rule decides is 着 in a traditional line and stays 著 in a simplified one.
    """
    last, following = text[place - 1 : place], text[place + 1 : place + 2]
    is_verb = last in _VERBS
    # The surest rules come first.
    if _NOUN.match(text, place):
        return False
    if last in _PARTICLE_WORDS:
        return True
    if _AUTHOR_WORD.match(text, place):
        # 起着作用, 有着作用, but 这些著作用拉丁文写成
        return text.startswith("著作用", place) and last in frozenset("起有發发揮挥")
    if following in _TOUCH:
        return True
    if last in _REACHED and text[place - 2 : place - 1].isalpha() and following not in _WRITTEN:
        return True
    if _WROTE.match(text, place) or (following in _WRITTEN and not is_verb):
        return False
    if (
        _CLAUSE_END.match(text, place)
        and not is_verb
        and _AUTHOR.search(text[max(0, place - 6) : place])
    ):
        return False
    return traditional or is_verb


_DRY = re.compile(
    "乾(?=[燥淨净涸旱枯脆杯癟瘪糧粮草菜貨货冰洗電电笑媽妈爹裂咳嘔呕季巴]|了(?!解))"
    "|(?<=[餅饼曬晒烘風风擰拧晾吹肉])乾|(?<=葡萄)乾|(?<=豆腐)乾"
)
"""干燥, 干净, 饼干: no simplified text writes these with 乾."""

_NAMES = re.compile(
    "乾(?=[寧宁興兴祐佑]|[封符統统亨貞贞德化和明定][元一二三四五六七八九十初中末年間间]+"
    "|[為为]天[，。、（卦]|[務务][鎮镇]|潭[鎮镇]|[東东西]五所)"
    "|(?<=乞伏)乾(?=[歸归])|(?<=李)乾(?=[順顺])|(?<=皇)乾(?=殿)"
)
"""乾兴元年, 李乾顺: reigns, places and people besides those that OpenCC has (乾隆, 乾陵, 萧乾)."""


def dry_places(text: str) -> Iterator[int]:
    """Where 乾 means dry for certain."""
    if "乾" in text:
        yield from (match.start() for match in _DRY.finditer(text))


def staying_names(text: str) -> Iterator[Offsets]:
    """Where 乾 is part of a name that simplified texts write so too."""
    if "乾" in text:
        yield from (match.span() for match in _NAMES.finditer(text))
