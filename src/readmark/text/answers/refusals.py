"""Whether a reply declines to answer, by closed lists of wordings in English and Chinese.

A refusal is the whole reply: it speaks in the first person from its first words and names what it
will not do. A reply that finds no answer in the passage is not a refusal, nor is an answer that
quotes somebody who is sorry.
"""

from __future__ import annotations

import re
import unicodedata

_LONGEST = 2_000
"""Characters that are looked at: a refusal begins with the refusing."""

_POLITE = (
    r"(?:(?:hello|hi|thank you[^.!,]{0,80}|thanks[^.!,]{0,80})[.!,]? ?)?"
    r"(?:(?:(?:i am|i'm|we are|we're) )?(?:so |very |really |truly |deeply )?(?:sorry|afraid)"
    r"|(?:my |our )?(?:sincere )?apologies|i (?:do )?apologi[sz]e[^.,;!]{0,60}|unfortunately"
    r"|i understand[^.;!]{0,120}|i appreciate[^.;!]{0,120})?"
    r"(?: about that| for that)?[,.;:!—–-]* ?(?:but|however|that)?,? ?"
)
_AS_MACHINE = (
    r"(?:as an? (?:responsible |helpful |large )?"
    r"(?:ai|artificial intelligence|language model|llm|assistant|chatbot)[^,.;]{0,60},? ?)"
)
_UNABLE = (
    r"(?:i|we) ?(?:(?:simply |really |just |must |will |have to |would |am |are |'m |'re |do |can )"
    r"{0,3}(?:cannot|can't|can not|could not|couldn't|won't|will not|not able to|unable to"
    r"|not comfortable|not feel comfortable|don't feel comfortable|decline|refuse|not going to"
    r"|not willing to|not allowed to|not permitted to))"
)
_ACTION = (
    r"(?: to)?(?: (?:help|assist|comply|fulfil+|answer|respond|reply|provide|discuss|engage"
    r"|continue|proceed|create|generate|produce|write|share|support|participate"
    r"|do (?:that|this|so)|talk|offer|give|process|complete|take part|carry out|satisfy"
    r"|answering|discussing|helping|providing|assisting|with)\b|[.!]|$)"
)
_ENGLISH = re.compile(
    rf"{_POLITE}{_AS_MACHINE}?{_UNABLE}{_ACTION}"
    rf"|{_POLITE}(?:i|we) (?:must|have to|need to) (?:decline|refuse)\b"
    rf"|{_POLITE}(?:this|that|your|the) (?:request|question|content|prompt|passage) "
    r"(?:violates|goes against|is against|conflicts with)\b"
    rf"|{_POLITE}it (?:is|would be) (?:not appropriate|inappropriate|against (?:my|our))\b"
)
_CHINESE_POLITE = (
    r"(?:(?:你|您)好[,，。!！ ]*)?"
    r"(?:(?:非常|十分|很|真的|实在|深感)?(?:抱歉|对不起|不好意思|遗憾)[,，。!！:：… ]*)?"
    r"(?:但是?[,，]?)?"
)
_CHINESE_AS_MACHINE = (
    r"(?:作为(?:一个|一名|一款|一位)?(?:负责任的)?"
    r"(?:ai|人工智能|语言模型|大语言模型|大模型|智能助手|助手)[^,，。]{0,30}[,，]?)?"
)
_CHINESE_UNABLE = (
    r"我们?(?:目前|暂时|现在|还|实在|确实)?"
    r"(?:无法|不能|没法|没办法|没有办法|不便|不会|不可以|拒绝|不予)"
)
_CHINESE_ACTION = (
    r"(?:继续|直接|再)?(?:[为给对向就](?:您|你|此|这个问题|该问题|这个话题|该话题)"
    r"(?:进行)?)?(?:继续|直接)?"
    r"(?:提供|回答|作答|回复|回应|协助|帮助|帮|满足|处理|完成|继续|讨论|生成|给到|给出|响应|参与"
    r"|执行|支持|解答|评论|涉及|写|创作|透露)"
)
_CHINESE = re.compile(
    rf"{_CHINESE_POLITE}{_CHINESE_AS_MACHINE}{_CHINESE_UNABLE}{_CHINESE_ACTION}"
    rf"|{_CHINESE_POLITE}(?:关于|对于)?(?:这个|该|此|您的|你的)(?:问题|请求|话题|内容)[,，]?"
    rf"(?:{_CHINESE_UNABLE}{_CHINESE_ACTION}|(?:涉及|包含|含有)(?:敏感|违规|违法|不当|不适当))"
    rf"|{_CHINESE_POLITE}(?:您的|你的)(?:输入|提问|问题|请求)(?:可能)?(?:涉及|包含|含有)"
    r"(?:敏感|违规|违法|不当|不适当)"
    rf"|{_CHINESE_POLITE}(?:让我们|我们)换(?:一?个)话题"
)
_NOT_IN_PASSAGE = re.compile(
    r"\b(?:passage|article|document|text|context|excerpt|paragraph|story)\b[^.]{0,40}"
    r"(?:does not|doesn't|did not|didn't|never|no|not|lacks|without)\b"
    r"|\b(?:not|isn't|no information|nothing)\b[^.]{0,40}\b(?:in|from|by|within) (?:the|this) "
    r"(?:passage|article|document|text|context|excerpt|paragraph|story)\b"
    r"|\b(?:based|relying) (?:only |solely )?(?:on|upon) the\b"
    r"|\bfrom the (?:given |provided )?(?:passage|article|document|text|context|excerpt)\b"
    r"|(?:文章|篇章|短文|原文|文中|文本|材料|上文|段落|题目|资料|篇幅)[^。]{0,20}"
    r"(?:没有|没|未|无|不)|(?:根据|从)(?:所给|给定|提供|以上|上述|这篇|该)?的?"
    r"(?:文章|篇章|短文|原文|文本|材料|上文|段落|信息|内容|资料)"
)
_SPACES = re.compile(r"\s+")


def is_refusal(reply: str) -> bool:
    """Whether a whole reply declines to answer; one that finds no answer in a passage does not."""
    words = unicodedata.normalize("NFKC", reply[:_LONGEST]).replace("’", "'")
    words = _SPACES.sub(" ", words).strip(" *_#>`").lower()
    if not (_ENGLISH.match(words) or _CHINESE.match(words)):
        return False
    return _NOT_IN_PASSAGE.search(words) is None
