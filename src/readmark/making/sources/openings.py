"""Which lines may begin a passage: those that name what they are about."""

from __future__ import annotations

import re

_DATE = (
    "(?:[在于於自至从從到]|直[到至])?(?:公元|西元)?前?[0-9一二三四五六七八九〇零○十]{1,4}年代?"
    "(?:[0-9一二三四五六七八九十正]{1,3}月[份初中底末]?)?(?:[0-9一二三四五六七八九十]{1,3}[日号號])?"
    "(?:[春夏秋冬初末底]|年[初底中])?(?:起|开始|開始|[之以]?[后後]|[时時])?[，,]?"
)
_PRONOUN = (
    "[她它牠祂]|他(?!加禄|加祿)|其|[该該](?!隐|隱|亚|亞)|此(?!木)|[这這]|"
    "那(?=[时時个個些次年天种種样樣里裡是]|[座本部名位一])"
)
_CONNECTIVE = (
    "但(?!丁|泽|澤|以理)|而(?!立)|[并並](?!州|购|購|联|聯|行|列|排)|且(?!末)|也(?!门|門|斯|速|先)|"
    "[还還](?!珠|原)|又(?=[称稱名叫有在与與因以于於])|亦|然而|然[后後]|不[过過]|可是|只是|因此|因而|"
    "所以|于是|於是|故此|故而|由此|[从從自]此|[为為]此|[对對]此|另外|另一|除此|此外|"
    "同[时時]|同[样樣年月日期]|[当當](?:[时時年天日中晚]|[选選]|局)|[随隨](?:[后後即]|之)|"
    "[之以][后後]|[后後][来來者]|前者|[两兩二双雙][者人方]|[次翌隔]年|翌日|不久|接着|接著|接下[来來]|"
    "最[后後终終]|例如|比如|[总總]之|[结結]果|上述|前述|以上|至于|至於|[虽雖]然|[尽儘盡]管|[与與]此"
)
_PREDICATE = (
    "(?:是(?!否|非|日|年|次|夜|枝|乃)|位[于於]|坐落|[属屬][于於]|[毕畢][业業]|出生|生[于於]|[师師][从從承]|"
    "[考升][入取]|入[读讀]|就[读讀]|[担擔出升兼历歷现現调調曾]任|[荣榮]?[获獲](?!加)|[夺奪赢贏]得|入[选選]|曾|"
    "被|前往|[赴返](?=[^，。]{1,6}[，。])|回[到国國]|[来來]到|移居|[离離][开開任]|退[休役]|[辞辭卸][职職任去]|"
    "[发發][表行]|推出|出版|[创創][作办辦立]|[开開]始|成[为為]|首次|再次|正式|率[领領部军軍]|"
    "逝世|去世|病[逝故]|[结結]婚|[凭憑]|主演|[饰飾出]演|[执執]教|效力|[签簽][约約]|出道|完成|更名|改[名称稱为為编編])"
)
_DEPENDENT = {
    "zh": re.compile(
        rf"(?:{_PRONOUN}|{_CONNECTIVE}|{_PREDICATE}|{_DATE}(?:{_PRONOUN}|{_PREDICATE}|[并並又亦]))"
    ),
    "en": re.compile(
        r"(?:(?:In|On|By|From|Since|After|Until|During) (?:\w+ ){0,2}\d{4},? )?"
        r"(?:[Hh]e|[Ss]he|[Ii]t|[Tt]hey|[Hh]is|[Hh]er|[Ii]ts|[Tt]heir)\b"
        r"|(?:This|These|Those|Such|However|But|And|Also|Therefore|Thus|Moreover|Furthermore|Then"
        r"|Afterwards|Later|Nevertheless|Instead|Meanwhile|Additionally)\b"
    ),
}
_OPENING = re.compile(r"[\w《「“『〈‘（(【\[\"'$€£¥]")


def opens(text: str, language: str) -> bool:
    """Whether a text can begin a passage.

    It cannot with a pronoun, a connective, a predicate without its subject or punctuation: those
    need what comes before. Predicates are a short list; a subject dropped before another stays.
    """
    if text and not _OPENING.match(text):
        return False
    return _DEPENDENT["zh" if language == "zh" else "en"].match(text) is None
