"""What a Chinese target is: its brackets, kind and gender, and its shorter names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from readmark.series.guided.chinese_questions import ChineseQuestion, asks_person, listed, pronouns
from readmark.series.guided.target_kinds import kind_named
from readmark.text.script import simplified
from readmark.text.segmenter import segmenter

_AND = re.compile("[和与及、]")
BRACKETS = re.compile(r"\s*[(（]([^()（）]*)[)）]\s*$")
_TITLES = {"夫人": "female", "女士": "female", "小姐": "female", "先生": "male"}
LEAST, LEAST_SHORTENED = 2, 4


@dataclass(frozen=True, slots=True)
class ChineseTarget:
    """A target; plain and alias are in simplified characters, for looking up."""

    text: str
    plain: str
    alias: str
    kind: str | None
    gender: str | None

    @property
    def each(self) -> tuple[str, ...]:
        """The names of a couple: 梁思成, 林徽因."""
        names = tuple(_AND.split(self.plain))
        return names if self.kind == "person" and len(names) > 1 else ()

    @property
    def plural(self) -> bool:
        """Whether it is several people."""
        several = self.plain.endswith(tuple(listed("groups", "ends")))
        return bool(self.each) or (self.kind == "person" and several)

    @property
    def place(self) -> str:
        """The place that an event is named after, as written: 唐山 of 唐山大地震."""
        if match := re.fullmatch(
            r"(?:\d+年)?(?P<place>\w{2,4}?)(?:特大|大)?"
            rf"(?:{'|'.join(sorted(listed('kinds', 'disasters')))})",
            self.plain,
        ):
            return self.text[slice(*match.span("place"))]
        for size in range(len(self.plain) - 1, LEAST - 1, -1):
            words = segmenter(hmm=False).tagged(self.plain[:size])
            if [(end, tag) for _, end, tag in words] == [(size, "ns")]:
                return self.text[:size]
        return ""


def read_target(
    target: str, type: str | None, questions: Sequence[ChineseQuestion]
) -> ChineseTarget:
    """Analyse a target; the pronouns of its series tell whether it is a person, and which."""
    text = target.strip()
    simple = simplified(text)
    match = BRACKETS.search(simple)
    plain, alias = (simple, "") if match is None else (simple[: match.start()], match[1])
    plain = plain or simple
    pronoun = _first_pronoun(plain, questions)
    kind = kind_named(type)
    if kind is None and plain.endswith(tuple(listed("kinds", "event"))):
        kind = "event"
    if kind is None and pronoun in ("male", "female"):
        kind = "person"
    gender = next((one for end, one in _TITLES.items() if plain.endswith(end)), None)
    if kind == "person" and gender is None and pronoun in ("male", "female"):
        gender = pronoun
    return ChineseTarget(text, plain, alias, kind, gender)


def _first_pronoun(plain: str, questions: Sequence[ChineseQuestion]) -> str | None:
    """The gender of the first 他 or 她 that can mean the target; nothing where 它 comes first."""
    for index, asked in enumerate(questions):
        for pronoun in pronouns(asked):
            if pronoun.kind == "thing":
                return "thing"
            if pronoun.kind == "person":
                before = [
                    question
                    for question in questions[:index]
                    if f"{plain}是谁" not in question.plain
                ]
                return None if any(map(asks_person, before)) else pronoun.gender
    return None


def short_name(target: ChineseTarget, asked: ChineseQuestion) -> str:
    """A part of the target's name: after the point of a person's, the start or end of others'."""
    if target.kind == "event":
        return ""
    if "·" in target.plain:
        last = target.plain.split("·")[-1]
        return last if last and last in asked.plain else ""
    if target.kind == "person" and (target.each or not target.plural):
        return ""
    start = prefix(target.plain, asked.plain)
    if target.kind != "place" and _is_place(start, asked):
        start = ""  # 北京, of 北京大学
    end = next(
        (
            target.plain[i:]
            for i in range(1, len(target.plain) - 1)
            if asked.plain.startswith(target.plain[i:])
        ),
        "",
    )
    return max(start, end, key=len) or _shortened(target, asked)


def prefix(plain: str, text: str) -> str:
    """The longest prefix of a name that occurs in a text."""
    return next((plain[:i] for i in range(len(plain) - 1, LEAST - 1, -1) if plain[:i] in text), "")


def _is_place(name: str, asked: ChineseQuestion) -> bool:
    return bool(name) and any(
        asked.plain[start:end] == name and tag == "ns" for start, end, tag in asked.words
    )


def _shortened(target: ChineseTarget, asked: ChineseQuestion) -> str:
    """北大: a name of its first and some later characters, in order."""
    if len(target.plain) < LEAST_SHORTENED:
        return ""
    for start, end, tag in asked.words:
        word = asked.plain[start:end]
        name = tag[:1] == "j" or tag in ("ns", "nt", "nz", "nr")
        if not name or not LEAST <= len(word) < len(target.plain) or word[0] != target.plain[0]:
            continue
        rest = iter(target.plain)
        if not target.plain.startswith(word) and all(one in rest for one in word):
            return word
    return ""
