"""Questions put to a model, and its replies as answers: spans, free words, options, rewrites."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from readmark.core.errors import DataError, UsageError
from readmark.core.records import Answer, Offsets, Unit
from readmark.core.sitting import CUT_OFF, REFUSED
from readmark.hooks import Kind
from readmark.llm.endpoint import Message, Request
from readmark.llm.forms import AskedByModels, LlmForm
from readmark.llm.prompts import Prompt, fence, load_prompt
from readmark.llm.replies import UNREADABLE, Reply
from readmark.text.answers.option_letters import LETTERS, is_denied, letters_and_rest
from readmark.text.answers.options import agrees, options_worded
from readmark.text.answers.places import answer_places, chosen_sentence, passage_sentences
from readmark.text.answers.refusals import is_refusal
from readmark.text.answers.replies import ReplyMembers, boxed, members_in_json, without_thoughts
from readmark.text.folding import folded
from readmark.text.words import cuts_word, is_whole

# Reading an answer out of what a model said: JSON where it kept to it, words where it did not.


_BLANKS = re.compile(r"[ \t]{2,}")
_NAMES = {
    "answer": r"(?:(?:the|my|final|short|correct|right)[ \t]+){0,3}answer|option|choice"
    r"|(?:最终|正确|参考|我的)?答案|回答|选项",
    "rewrite": r"(?:the[ \t]+)?(?:rewritten[ \t]+question|rewrite|question)"
    r"|改写(?:后的问题|为|结果)?|问题",
    "rating": r"(?:(?:the|my|final|readability)[ \t]+){0,3}(?:rating|score)|评分|分数|得分|等级",
    "verdict": r"(?:(?:the|my|final)[ \t]+){0,2}(?:verdict|answer)|结论|判断|评判|答案",
    "evidence": r"evidence|quote|证据|依据|原文",
}
_LABELLED = {
    member: re.compile(
        rf"[ \t>*#\-]*(?:{names})(?:[ \t]{{1,8}}is|是|为)?[ \t*]*[:：][ \t*]*(.*)", re.IGNORECASE
    )
    for member, names in _NAMES.items()
}
_SAID_TO_BE = re.compile(
    r"\b(?:the|my)[ \t]{1,8}(?:(?:final|short|correct|right|best)[ \t]{1,8}){0,2}"
    r"answer[ \t]{1,8}(?:is|would be|should be|must be)\b[ \t:：*]*"
    r"|(?:最终|正确)?(?:答案|回答)(?:应该|应)?[是为选][ \t:：*]*",
    re.IGNORECASE,
)
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "「": "」", "『": "』", "`": "`"}
_ABBREVIATED = re.compile(r"\.\w{1,3}\.$")


def read_members(content: str, member: str) -> ReplyMembers:
    """The members of a reply; ``member`` is the one that must be there.

    In words the answer is what follows a label such as ``Answer:``, else all that was said.
    Numbers in JSON are kept as they were written.
    """
    said = without_thoughts(content).strip()
    return members_in_json(said, member) or _in_words(said, member)


def unquoted(text: str) -> str:
    """A text without the quotation marks or stars around the whole of it."""
    said = text.strip().strip("*").strip()
    while len(said) >= 2 and _QUOTES.get(said[0]) == said[-1]:
        inner = said[1:-1]
        if said[0] in inner or said[-1] in inner:
            break
        said = inner.strip()
    return said


def _in_words(said: str, member: str) -> ReplyMembers:
    lines = said.splitlines()
    framed = boxed(said) if member == "answer" else []
    found = framed[-1] if framed else _labelled(lines, member)
    if found is None and member == "answer":
        found = _said_to_be(lines)
    if found is None:
        return ReplyMembers({member: unquoted(said)}, "words")
    members = {member: unquoted(found)}
    evidence = _labelled(lines, "evidence")
    if evidence is not None:
        members["evidence"] = unquoted(evidence)
    return ReplyMembers(members, "label")


def _labelled(lines: list[str], member: str) -> str | None:
    """What follows the last label of a member, on its line or the next that has words."""
    for index in range(len(lines) - 1, -1, -1):
        label = _LABELLED[member].match(lines[index])
        if label is not None:
            words = label[1] or next((line for line in lines[index + 1 :] if line.strip()), "")
            return _BLANKS.sub(" ", words).strip()
    return None


def _said_to_be(lines: list[str]) -> str | None:
    """What an answer is said to be: in a sentence, whose full stop is not the answer's."""
    for line in reversed(lines):
        *_, last = (None, *_SAID_TO_BE.finditer(line))
        if last is not None:
            words = _BLANKS.sub(" ", line[last.end() :]).strip()
            return words if _ABBREVIATED.search(words) else words.rstrip("。.")
    return None


# Which option a model meant: by a letter, by the option's words, or by naming it.


_BARE = re.compile(r"[(\[{*]*([A-Z])[)\]}.。:、,*]*", re.ASCII | re.IGNORECASE)
_CLAUSE = re.compile(r"[,.;:!?，。；：！？\n][\W_]*")
_GAPS = re.compile(r"[^\w,]+|_+")


def letters_for(options: Sequence[str]) -> str:
    """The letters that options go by."""
    if len(options) > len(LETTERS):
        raise DataError(f"{len(options)} options are more than there are letters")
    return LETTERS[: len(options)]


def chosen_option(said: str, options: Sequence[str]) -> int | None:
    """Which option was meant; None where it is none of them, or more than one.

    A letter by itself is the letter that was asked for, even where options are letters.
    """
    text = unquoted(unicodedata.normalize("NFKC", said))
    if not text:
        return None
    letters = letters_for(options)
    bare = _BARE.fullmatch(text)
    if bare is not None and bare[1].upper() in letters:
        return letters.index(bare[1].upper())
    for spelt in (_plain, folded):
        same = [
            index
            for index, option in enumerate(options)
            if spelt(option) and spelt(option) == spelt(text)
        ]
        if len(same) == 1:
            return same[0]
    meant, rest = letters_and_rest(unquoted(said), options)  # it reads ①, which is 1 in ``text``
    if meant:
        return meant[0] if len(meant) == 1 and _agreed(meant[0], text, rest, options) else None
    named = _named(text, options)
    return named[0] if len(named) == 1 else None


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().casefold()


def _agreed(at: int, text: str, rest: str, options: Sequence[str]) -> bool:
    """Whether no other option's words follow a letter, on its line or as all that is below."""
    below = options_worded(text.partition("\n")[2], options)
    return agrees(at, rest, options) and (not below or at in below)


def _named(text: str, options: Sequence[str]) -> list[int]:
    """The options that are named and not denied, without those that are part of another's name."""
    within = _words(text)
    known = {index: words for index, option in enumerate(options) if (words := _words(option))}
    held = [at for at, words in known.items() if _stands(words, within)]
    return [
        at for at in held if not any(other != at and known[at] in known[other] for other in held)
    ]


def _words(text: str) -> str:
    """The words of a text with one blank between them, and a comma where a clause ends."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'").replace("n't", " not")
    return _GAPS.sub(" ", _CLAUSE.sub(" , ", plain)).strip(" ,")


def _stands(words: str, within: str) -> bool:
    at = within.find(words)
    while at >= 0:
        end = at + len(words)
        if not (cuts_word(within, at) or cuts_word(within, end) or is_denied(within, at)):
            return True
        at = within.find(words, end)
    return False


_OPENING = 200
"""Characters of a reply that cannot be read which are kept to show what it was."""
_NONE = {
    "en": 'If the passage does not answer the question, the answer is "".\n',
    "zh": '如果篇章没有回答这个问题，答案写作 ""。\n',
}
TEXT: Mapping[str, Any] = {"type": "string"}
_LONE = re.compile(r"[\ud800-\udfff]")
_FENCE = re.compile(
    r"^[ \t]*([0-9a-f]{12})[ \t]*(?:\n|\Z)"
    r"|(?:^|[ \t]+)-{2,}[ \t]*(?:([0-9a-f]{12})\b[ \t]*\n?|([0-9a-f]{4,11})\Z)",
    re.I | re.M,
)
"""A mark on a line by itself, or after dashes; where a reply ends, a part of it will do."""


class Read(msgspec.Struct, frozen=True):
    """An answer as it was read out of a reply: where it is, and what is odd about it."""

    text: str | float
    start: int | None
    end: int | None
    evidence: dict[str, Any]


def form_of(kind: Kind) -> LlmForm:
    """How a kind of test is asked; a kind that has no form cannot be."""
    if not isinstance(kind, AskedByModels):
        raise UsageError(f"a language model cannot be asked about {kind.name} tests")
    return kind.llm_form()


def asking_prompt(own: str, name: str, language: str, form: LlmForm) -> Prompt:
    """The prompt that ships under a name, or one's own in its place, with all that it must hold.

    Options are asked of it only where a unit has some.
    """
    return load_prompt(own or name, language, form.places, form.needed)


def request_for(
    unit: Unit,
    prompt: Prompt,
    form: LlmForm,
    *,
    language: str,
    none: bool,
    shots: Sequence[Message],
    repeat: int,
) -> Request:
    """A unit's request: the system's words, the examples, and the unit between its fences."""
    prompt.need(form.needed, f"{unit.id} cannot be asked without it")
    if getattr(unit.item, "options", ()):
        prompt.need(frozenset({"options"}), f"{unit.id} has options")
    system, user = prompt.messages(form.fill(unit, language, none=none))
    first = (system,) if system.content else ()
    return Request(unit.id, (*first, *shots, user), _schema(form.members(unit)), repeat)


def shot(
    unit: Unit, reply: Mapping[str, Any], prompt: Prompt, form: LlmForm, language: str
) -> list[Message]:
    """An example as a question and its right reply, in the form that is asked for."""
    _, user = prompt.messages(form.fill(unit, language, none=False))
    return [user, Message("assistant", msgspec.json.encode(reply).decode())]


def read_answer(unit: Unit, reply: Reply, form: LlmForm, *, free: bool, none: bool = False) -> Read:
    """A reply as an answer; what the model did instead of answering is an empty one with why.

    ``none`` states whether it was allowed to reply that there is no answer.
    """
    evidence: dict[str, Any] = {}
    reason = _reason(reply)
    if reason is not None:
        evidence["reason"] = reason
        if reply.refusal:
            evidence["said"] = _repaired(reply.refusal, evidence)
        elif reason == UNREADABLE:
            evidence["said"] = _repaired(reply.content[:_OPENING], evidence)
    if reason not in (None, CUT_OFF):
        return Read("", None, None, evidence)
    reply_members = read_members(reply.content, form.member)
    if reply_members.form != "json":
        evidence["form"] = reply_members.form
    quote = _repaired(_reading_words(reply_members.members.get("evidence")) or "", evidence)
    if quote:
        evidence["quote"] = quote
    value = reply_members.members[form.member]
    text = "" if value is None and none else _reading_words(value)
    if text is None:
        evidence.setdefault("reason", UNREADABLE)
        raw = json.dumps(value, ensure_ascii=False)
        return Read("", None, None, {**evidence, "said": _repaired(raw, evidence)})
    text = _without_fences(_repaired(text, evidence), unit, form)
    if not text:
        if not none or not form.may_be_empty(unit):
            evidence.setdefault("reason", "empty")
        return Read("", None, None, evidence)
    if is_refusal(text) and not _is_given(unit, text, form):
        return Read("", None, None, {**evidence, "reason": REFUSED, "said": text})
    answer, span, evidence = form.read(unit, text, quote, evidence, free=free)
    start, end = span if span is not None else (None, None)
    return Read(answer, start, end, evidence)


def _without_fences(text: str, unit: Unit, form: LlmForm) -> str:
    """An answer without the lines around the texts of its prompt, which small models copy."""
    if not _FENCE.search(text):
        return text
    mark = form.fill(unit, "en", none=False).get("fence", "")

    def kept(found: re.Match[str]) -> str:
        alone, dashed, cut = (part.lower() for part in found.groups(""))
        is_own = mark.startswith(cut) if cut else mark in (alone, dashed)
        return "" if is_own else found[0]

    return _FENCE.sub(kept, text).strip()


def _is_given(unit: Unit, text: str, form: LlmForm) -> bool:
    """Whether words are the unit's own: of its text, or one of its options."""
    given = (form.text(unit), *getattr(unit.item, "options", ()))
    return any(folded(text).strip(" .。!！") in folded(each) for each in given)


LONGEST_PROMPT, LONGEST_REPLY = 12_000, 4_000
"""Characters of a prompt and of a reply that a row keeps."""


def prompt_text(messages: Sequence[Message]) -> str:
    """What was asked, message by message, for people to read."""
    return bounded(
        "\n\n".join(f"[{each.role}]\n{each.content}" for each in messages), LONGEST_PROMPT
    )


def reply_text(reply: Reply) -> str:
    """What came back, as it was; a refusal where there is nothing else."""
    return _LONE.sub("\ufffd", bounded(reply.content or reply.refusal, LONGEST_REPLY))


def bounded(text: str, most: int) -> str:
    """A text of so many characters at the most: of a longer one the middle is left out."""
    if len(text) <= most:
        return text
    first = most * 2 // 3
    last = most - first
    left = len(text) - most
    return f"{text[:first]}\n[… {left:,} characters left out …]\n{text[-last:]}"


def _reason(reply: Reply) -> str | None:
    """Why there is no answer, thoughts among the words taken into account."""
    reason = reply.reason
    if reason in (None, CUT_OFF) and not without_thoughts(reply.content).strip():
        return "cut off while reasoning" if reason else "reasoning only"
    return reason


class PassageForm:
    """A question on a passage: answered by its words, an option, or freely."""

    places = frozenset({"passage", "question", "options", "fence", "none"})
    needed = frozenset({"passage", "question"})
    member = "answer"

    def prompts(self, answer_in: str) -> Sequence[str]:
        """For questions as the user wants them answered, and for those with options."""
        return answer_in, "choice"

    def prompt_name(self, unit: Unit, *, free: bool) -> str:
        """By whether there are options."""
        if unit.item.options:
            return "choice"
        return "free" if free else "span"

    def fill(self, unit: Unit, language: str, *, none: bool) -> dict[str, str]:
        """Passage, question and lettered options."""
        record, item = unit.record, unit.item
        options = "\n".join(
            f"{letter}. {one_line(option)}"
            for letter, option in zip(letters_for(item.options), item.options, strict=True)
        )
        return {
            "passage": record.text,
            "question": item.text,
            "options": options,
            "fence": fence(record.text, item.text, options),
            "none": _NONE["zh" if language == "zh" else "en"] if none else "",
        }

    def members(self, unit: Unit) -> dict[str, Any]:
        """The answer, one of the letters where there are options, and its evidence."""
        if unit.item.options:
            letters = list(letters_for(unit.item.options))
            return {"answer": {"type": "string", "enum": letters}, "evidence": TEXT}
        return {"answer": TEXT, "evidence": TEXT}

    def example(self, unit: Unit, answer: Answer, language: str, *, blank: bool) -> dict[str, Any]:
        """The answer, or its letter, and the sentence that it is in."""
        options = unit.item.options
        said = letters_for(options)[options.index(answer.text)] if options else answer.text
        return {"answer": said, "evidence": "" if blank else _sentence(unit, answer, language)}

    def text(self, unit: Unit) -> str:
        """The passage."""
        text: str = unit.record.text
        return text

    def may_be_empty(self, unit: Unit) -> bool:
        """A question may have no answer, a choice always has one."""
        return not unit.item.options

    def read(
        self, unit: Unit, text: str, quote: str, evidence: dict[str, Any], *, free: bool
    ) -> tuple[str, Offsets | None, dict[str, Any]]:
        """The option that is meant, or the place of the words in the passage."""
        if unit.item.options:
            return _option(unit, text, evidence)
        return (text, None, evidence) if free else _placed(unit.record.text, text, quote, evidence)


PASSAGES = PassageForm()


def _sentence(unit: Unit, answer: Answer, language: str) -> str:
    among = passage_sentences(unit.record, language)
    at = chosen_sentence(answer, unit.record.text, among)
    return unit.record.text[slice(*among[at])] if at is not None else ""


def _option(
    unit: Unit, said: str, evidence: dict[str, Any]
) -> tuple[str, Offsets | None, dict[str, Any]]:
    at = chosen_option(said, unit.item.options)
    if at is None:
        return said, None, {**evidence, "in_options": False}
    chosen = unit.item.options[at]
    return chosen, None, evidence if said == chosen else {**evidence, "said": said}


def _placed(
    text: str, said: str, quote: str, evidence: dict[str, Any]
) -> tuple[str, Offsets | None, dict[str, Any]]:
    """Where the answer is: inside the quoted evidence if it can, else at its first place.

    One that is not in the passage stays as it was said, and that is noted.
    """
    for words in dict.fromkeys((said, unquoted(said), said.rstrip(".。").strip())):
        place = _place(text, words, quote)
        if place is not None:
            placed = text[slice(*place)]
            return placed, place, evidence if placed == said else {**evidence, "said": said}
    return said, None, {**evidence, "in_passage": False}


def _place(text: str, words: str, quote: str) -> Offsets | None:
    place = _as_quoted(text, words, quote)
    if place is not None:
        return place
    places = answer_places(text, Answer(text=words))
    if len(places) > 1 and quote:
        quotes = answer_places(text, Answer(text=quote))
        for start, end in places:
            if any(first <= start and end <= last for first, last in quotes):
                return start, end
    return places[0] if places else None


def _as_quoted(text: str, words: str, quote: str) -> Offsets | None:
    """An answer's first place inside the quote, where the passage has both as they were said.

    What all places would tell, too, but most answers are of this kind, and this takes no time.
    """
    first = text.find(quote) if words and quote else -1
    while first >= 0:
        last = first + len(quote)
        start = text.find(words, first, last) if is_whole(text, (first, last)) else -1
        while start >= 0:
            if is_whole(text, (start, start + len(words))):
                return start, start + len(words)
            start = text.find(words, start + 1, last)
        first = text.find(quote, first + 1)
    return None


def one_line(text: str) -> str:
    """A text that cannot begin a line of its own among others."""
    return " ".join(text.splitlines())


def _schema(members: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }


def _reading_words(value: Any) -> str | None:
    """A member as text, or None where it is none: models give lists of one, and of more."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.strip() if isinstance(value, str) else None


def _repaired(text: str, evidence: dict[str, Any]) -> str:
    """A text that can be written to a file: half of a pair of surrogates has no meaning."""
    repaired = _LONE.sub("\ufffd", text)
    if repaired != text:
        evidence["mended"] = True
    return repaired
