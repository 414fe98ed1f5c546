"""A series rewritten question by question: each edit by a guideline, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from readmark.series.guided.answers import expected
from readmark.series.guided.bare_nouns import compound_edit, modifier_edit
from readmark.series.guided.conversations import rewrite_untargeted
from readmark.series.guided.edits import (
    AskedQuestion,
    Edit,
    Referent,
    Rewrite,
    Situation,
    apply_edits,
)
from readmark.series.guided.ellipsis import elliptic_edit, independent, year_edit
from readmark.series.guided.fragments import completed
from readmark.series.guided.known_answers import KnownAnswers
from readmark.series.guided.nominal_edits import nominal_edits
from readmark.series.guided.other_phrases import other_edit
from readmark.series.guided.parses import LONGEST, ParsedText, parse_all
from readmark.series.guided.pronouns import pronoun_edits
from readmark.series.guided.surface import fitted, possessive_form, with_agreeing_verb
from readmark.series.guided.target_parts import TargetPart, parts
from readmark.series.guided.targets import read_target

SUBSTRING = "Target matches a sub-string of the question"
BRACKETS = "Targets that contain brackets"
FALLBACK = "fallback: the target is appended"
SEARCH = "Reformulate questions so as to maximise search results"


def rewrite_series(
    target: str, questions: Sequence[str], *, type: str | None = None, **how: Any
) -> list[Rewrite]:
    """Every question of a series so that it stands alone; ``how`` is as in ``rewrite_parsed``."""
    parsed_target, *parsed = parse_all([target, *questions])
    rewrites = rewrite_parsed(target, parsed_target, parsed, type=type, **how)
    # What the analyser does not read of a very long question stays as it is.
    return [
        replace(rewrite, text=rewrite.text + question[LONGEST:])
        if len(question) > LONGEST
        else rewrite
        for rewrite, question in zip(rewrites, questions, strict=True)
    ]


def rewrite_parsed(
    target: str,
    parsed: ParsedText,
    questions: Sequence[ParsedText],
    *,
    type: str | None = None,
    known: KnownAnswers | None = None,
    previous: str = "variable",
    persons: str = "topic",
) -> list[Rewrite]:
    """The same for what the analyser has read.

    ``known`` are answers that the series tells, ``previous`` what stands for an earlier answer and
    ``persons`` whom he and she mean, as in ``Situation``.
    """
    known = known or KnownAnswers()
    if not target.strip():
        return rewrite_untargeted(questions, known, previous)
    series_target = read_target(target[:LONGEST], parsed, questions, type)
    asked = [
        AskedQuestion(question, expected(question), parts(series_target, question))
        for question in questions
    ]
    rewrites: list[Rewrite] = []
    for index, question in enumerate(asked):
        rewrite = _rewritten(Situation(series_target, asked, index, previous, persons, known))
        question.rewritten = rewrite.text
        rewrites.append(rewrite)
    return rewrites


def _rewritten(situation: Situation) -> Rewrite:
    """A question whose parts, then pronouns and nominals, then gaps are made explicit."""
    current, target = situation.current, situation.target
    asked = current.parsed
    if not asked.text.strip() or not asked.words:
        return Rewrite(asked.text, why="the question is empty")
    if not target.tokens:
        return Rewrite(asked.text, why="the series has no target")
    if target.prose:
        return _appended(situation, "the target is a text of its own")
    if (whole := completed(situation)) is not None:
        return whole
    edits: list[Edit] = []
    for part in current.parts:
        if part.how in ("whole", "alias", "part", "spread"):
            current.about_target = True
        elif part.how == "inner" and current.inner is None:
            current.inner = part.inner
        edit = _part_edit(situation, part)
        if edit is not None:
            edits.append(edit)
    meant: list[Referent] = []
    other = other_edit(situation)
    candidates = [] if other is None else [other]
    candidates += _leftmost([*pronoun_edits(situation), *nominal_edits(situation)])
    for edit, referent in candidates:
        if any(edit.start < earlier.end and earlier.start < edit.end for earlier in edits):
            continue
        edits.append(edit)
        meant.append(referent)
        _note(situation, referent)
    if (
        not current.about_target
        and (bare := modifier_edit(situation) or compound_edit(situation)) is not None
    ):
        edits.append(bare)
        current.about_target = True
    elsewhere = any(referent.what in ("answer", "named") for referent in meant)
    if not current.about_target and not elsewhere:
        why = independent(situation)
        if why and not edits:
            return Rewrite(asked.text, why=why)
        if not why and not edits and not _has_verb(asked):
            return _appended(situation, "the question has no verb")
        if not why:
            left_out = elliptic_edit(situation)
            if left_out is None and not edits:
                return _appended(situation, "what a word in it points at is not known")
            edits += [] if left_out is None else [left_out]
            current.about_target = True
        elif situation.target.kind == "event" and (year := year_edit(situation, meant)) is not None:
            edits.append(year)
    if not edits:
        return Rewrite(asked.text, why="it says the target itself")
    agreeing = tuple(
        sorted((with_agreeing_verb(situation, edit) for edit in edits), key=lambda edit: edit.start)
    )
    return Rewrite(apply_edits(asked.text, agreeing), agreeing)


def _appended(situation: Situation, why: str) -> Rewrite:
    """The fallback of the document's system: the unchanged question followed by the target."""
    text = situation.current.parsed.text
    situation.current.about_target = True
    edit = Edit(len(text), len(text), "", f" {situation.target.text}", why, FALLBACK)
    return Rewrite(text + edit.now, (edit,))


def _has_verb(asked: ParsedText) -> bool:
    listing = asked.words[0].lower in ("name", "list", "give", "identify")
    return listing or any(word.tag.startswith(("VB", "MD")) for word in asked.words)


def _leftmost(edits: list[tuple[Edit, Referent]]) -> list[tuple[Edit, Referent]]:
    """Of several words for the target the first is said in full; the others then follow it."""
    leftmost: list[tuple[Edit, Referent]] = []
    names_target = False
    for edit, referent in sorted(edits, key=lambda pair: pair[0].start):
        is_target = referent.what in ("target", "phrase")
        if is_target and names_target:
            continue
        names_target = names_target or is_target
        leftmost.append((edit, referent))
    return leftmost


def _note(situation: Situation, meant: Referent) -> None:
    """Note what the question is about, for those after it that refer to it."""
    if meant.what in ("target", "phrase", "kin"):
        situation.current.about_target = True
    elif meant.what == "inner" and situation.current.inner is None:
        situation.current.inner = meant.inner
    elif meant.what == "answer" and situation.current.answer_of is None:
        situation.current.answer_of = meant.earlier
    elif meant.what == "named" and not meant.several and not situation.current.named:
        situation.current.named = meant.noun


def _part_edit(situation: Situation, part: TargetPart) -> Edit | None:
    """A part of the target said in full, with the article that its place wants."""
    asked, target = situation.current.parsed, situation.target
    was = asked.text[part.start : part.end]
    if part.how == "inner" and part.inner is not None:
        if len(part.matched) >= len(part.inner.tokens):
            return None
        start, end, name = _owning(part, part.inner.text, plural=False)
        if part.inner.person and asked.text[:start].endswith("the "):
            start -= 4
        why = "a name inside the target, in full"
        return Edit(start, end, asked.text[start:end], name, why, SEARCH)
    if part.how == "whole":
        if not target.alias or was.endswith(")"):
            return None
        return Edit(part.start, part.end, was, target.text, "with its brackets", BRACKETS)
    if part.how not in ("part", "alias") or _as_a_word(asked, part):
        return None
    guideline = BRACKETS if part.how == "alias" else SUBSTRING
    start, end, name = _owning(part, _with_article(situation, part), plural=target.plural)
    why = "the name in brackets" if part.how == "alias" else "a part of the target, in full"
    after = asked.word_at(end + 1) if asked.text[end : end + 1] == " " else None
    alone = after is None or not asked.words[after].is_noun
    if part.how == "alias" and not target.article and alone:
        start -= 4 if asked.text[:start].endswith(" the ") else 0  # of the SPE
    was = asked.text[start:end]
    return Edit(start, end, was, fitted(asked, start, name), why, guideline)


def _as_a_word(asked: ParsedText, part: TargetPart) -> bool:
    """Whether the part is spoken of as a word: the acronym ETA."""
    before = asked.text[: part.start].rstrip("\"'“‘ ").split()[-1:]
    return bool(before) and before[0].lower() in ("acronym", "abbreviation", "term", "word")


def _owning(part: TargetPart, name: str, *, plural: bool) -> tuple[int, int, str]:
    """The place and words of a name; its possessive is made anew."""
    if not part.possessive:
        return part.start, part.end, name
    return part.start, part.end + len(part.possessive), possessive_form(name, plural=plural)


def _with_article(situation: Situation, part: TargetPart) -> str:
    asked, target = situation.current.parsed, situation.target
    before = asked.text[: part.start].split()[-1:] or [""]
    after = asked.word_at(part.end + 1) if asked.text[part.end : part.end + 1] == " " else None
    modifies = after is not None and asked.words[after].is_noun
    previous = asked.word_at(part.start - 2) if part.start > 1 else None
    is_determined = previous is not None and asked.words[previous].tag in (
        "DT",
        "JJ",
        "PRP$",
        "POS",
        "CD",
    )
    if target.article != "the" or modifies or is_determined or before[0].lower() == "the":
        return target.text
    return target.named()
