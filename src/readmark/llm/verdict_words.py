"""A verdict in words, by a closed list of sentences: what is not clear is no verdict."""

from __future__ import annotations

import re

_RIGHT_ALONE = frozenset({"yes", "true", "1", "对", "是"})
_WRONG_ALONE = frozenset({"no", "false", "0", "否", "错"})
"""What is a verdict as the only word, and may be anything else in a sentence."""
_ANSWER = (
    r"(?:(?:the|this|that|candidate's|candidate’s|student's|student’s|model's|model’s|given"
    r"|submitted) ){0,3}(?:answer|response|reply|candidate|student|verdict|judge?ment|it|this|that)"
)
_KEY = (
    r"(?:(?:the|correct|right|reference|expected|standard|gold|given) ){0,3}(?:key|answer|answers)"
)
_GOOD = r"(?:right|correct|accurate|true)"
_BAD = r"(?:wrong|incorrect|inaccurate|false)"
_SO = r"(?:(?:so|thus|hence|therefore|overall|in conclusion|in short),? )?"
_FIRMLY = r"(?:(?:therefore|thus|clearly|indeed|completely|entirely|fully|absolutely) )?"
_RIGHT_SAID = re.compile(
    rf"{_SO}(?:yes,? )?(?:{_ANSWER} (?:is|was) {_FIRMLY})?{_GOOD}"
    rf"|{_SO}(?:yes,? )?{_ANSWER} (?:matches|agrees with|is the same as|is equivalent to) {_KEY}"
    r"|(?:因此|所以|综上|总之)?[，,]?(?:(?:该|这个|此|系统的?|考生的?|给出的|学生的?|候选){0,2}"
    r"(?:答案|回答|作答|结论|判断))?(?:是|为)?(?:完全)?(?:正确|对)(?:的|了)?"
    r"|(?:因此|所以)?[，,]?(?:该|这个|此)?(?:答案|回答)?[与和](?:标准|参考|正确)答案(?:一致|相符)"
    r"|(?:系统|考生|学生|回答|答案)?(?:答对|回答对)了",
    re.IGNORECASE,
)
_WRONG_SAID = re.compile(
    rf"{_SO}(?:no,? )?(?:{_ANSWER} (?:is|was) {_FIRMLY})?{_BAD}"
    rf"|{_SO}(?:no,? )?{_ANSWER} (?:is|was) not {_GOOD}"
    rf"|{_SO}(?:no,? )?{_ANSWER} (?:isn't|isn’t|wasn't|wasn’t) {_GOOD}"
    rf"|{_SO}not {_GOOD}"
    rf"|{_SO}(?:no,? )?{_ANSWER} (?:does not|doesn't|doesn’t) (?:match|agree with) {_KEY}"
    rf"|{_SO}(?:no,? )?{_ANSWER} (?:contradicts|differs from) {_KEY}"
    r"|(?:因此|所以|综上|总之)?[，,]?(?:(?:该|这个|此|系统的?|考生的?|给出的|学生的?|候选){0,2}"
    r"(?:答案|回答|作答|结论|判断))?(?:是|为)?(?:完全)?(?:错误|错|不正确|不对)(?:的|了)?"
    r"|(?:因此|所以)?[，,]?(?:该|这个|此)?(?:答案|回答)?[与和](?:标准|参考|正确)答案"
    r"(?:不一致|不符|不相符)"
    r"|(?:系统|考生|学生|回答|答案)?(?:答错|回答错)了",
    re.IGNORECASE,
)
_TURNED = re.compile(
    r"\b(?:wait|actually|maybe|perhaps|partial|partially|partly|mostly|almost|nearly|unsure"
    r"|unclear|sorry|correction|not (?:wrong|incorrect|inaccurate|false))\b"
    r"|[?？]|部分|可能|也许|等等|其实|不确定|没有错|不错|更正",
    re.IGNORECASE,
)
"""What takes back, or bounds, what was said before it."""
_DENIED = re.compile(
    r"\b(?:not|no|never|none|cannot|without|nor|neither|wrong|incorrect|inaccurate|false|far from"
    r"|instead|fails?|lacks?|contradicts?|differs?|but|however|although|though|yet|except|unless"
    r"|if|might|may|otherwise)\b|n['’]t\b|不|没|非|无|未|错|而是|但|然而|如果",
    re.IGNORECASE,
)
"""What does not go with "right"."""
_GRANTED = re.compile(
    rf"\b{_GOOD}\b(?! (?:answers?|one|key|response|date|name|number|place)\b)|正确(?!的?答案)|对的",
    re.IGNORECASE,
)
"""What does not go with "wrong"."""
_FAULTED = re.compile(
    r"\b(?:wrong|incorrect|inaccurate|false)\b|错误|不正确|不对|答错", re.IGNORECASE
)
_LABEL = re.compile(
    r"(?:.*[.!?。！？])?[ \t>*#_-]*(?:(?:the|my|final)[ \t]+){0,2}"
    r"(?:verdict|judge?ment|结论|判断|评判|判定)(?:[ \t]+is|是|为)?"
    r"[ \t*_]*[:：][ \t*_]*(?P<words>.*)",
    re.IGNORECASE,
)
_ANSWERED = re.compile(
    r"[ \t>*#_-]*(?:(?:the|my|final)[ \t]+){0,2}(?:answer|最终答案|答案)(?:[ \t]+is|是|为)?"
    r"[ \t*_]*[:：][ \t*_]*(?P<words>.*)",
    re.IGNORECASE,
)
_POINTING = re.compile(rf"[\s*_]*{_SO}(?:yes,? |no,? )?(?:it|this|that) ", re.IGNORECASE)
"""What it speaks of may be the answer, the key or the passage: whatever came before."""
_SENTENCES = re.compile(r"(?<=[.!?。！？；;])[\"'”’*_]*\s*|\n+")
_EDGES = " \t\r\n.。!！；;*_#>\"'`“”‘’「」"
_LONGEST = 200  # characters of a sentence: what is longer argues, and states no verdict


def verdict_in_words(text: str) -> bool | None:
    """Right, wrong, or None where it is not said for certain.

    What is labelled as the verdict is it, unless what comes after it says the opposite.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    labelled: set[bool | None] = set()
    after = 0
    for index, line in enumerate(lines):
        label = _LABEL.fullmatch(line)
        if label is not None:
            words = label["words"]
            after = index + 1
            if not words.strip(_EDGES):  # the verdict stands on the next line
                words = "".join(lines[index + 1 : index + 2])
                after = index + 2
            labelled.add(_verdict(words))
    if labelled:
        verdict = labelled.pop() if len(labelled) == 1 else None
        opposite = (_FAULTED if verdict else _GRANTED).search("\n".join(lines[after:]))
        return None if verdict is None or opposite else verdict
    last = _ANSWERED.fullmatch(lines[-1]) if lines else None
    # An answer that is only repeated comes before what is said of it.
    return _verdict(last["words"] if last is not None else text)


def _verdict(text: str) -> bool | None:
    """The verdict of the last sentence, else of the first where nothing after it turns it."""
    plain = text.strip(_EDGES).lower()
    if plain in _RIGHT_ALONE or plain in _WRONG_ALONE:
        return plain in _RIGHT_ALONE
    sentences = [sentence for sentence in _SENTENCES.split(text) if sentence.strip(_EDGES)]
    verdicts = [_of_sentence(sentence) for sentence in sentences]
    known = {verdict for verdict in verdicts if verdict is not None}
    if len(known) != 1 or any("?" in sentence or "？" in sentence for sentence in sentences):
        return None
    (verdict,) = known
    if verdicts[-1] is not None and (len(sentences) == 1 or not _POINTING.match(sentences[-1])):
        return verdict
    rest = " ".join(sentences[1:])
    opposite = _DENIED if verdict else _GRANTED
    if verdicts[0] is None or _TURNED.search(rest) or opposite.search(rest):
        return None
    return verdict


def _of_sentence(sentence: str) -> bool | None:
    """What one sentence says; one that says both, or neither, decides nothing."""
    plain = " ".join(sentence.strip(_EDGES).split())
    if len(plain) > _LONGEST:
        return None
    right = _RIGHT_SAID.fullmatch(plain) is not None
    wrong = _WRONG_SAID.fullmatch(plain) is not None
    return None if right == wrong else right
