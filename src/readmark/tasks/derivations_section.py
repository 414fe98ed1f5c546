"""Report section: how the answers of a reading task are derived, with the words that they rest on.

Everything it shows is in the marksheets: the gold's derivations, and a candidate's own where its
sitting has them. Which answers are right is decided as marking decides it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import msgspec
from markupsafe import Markup, escape

from readmark.core.errors import ReadmarkError
from readmark.core.marksheet import MarkedUnit
from readmark.core.spans import Excerpt, excerpt_fault
from readmark.reporting import Part, SectionData
from readmark.reporting.sections import (
    Bilingual,
    MarkedCandidate,
    Section,
    SideBySide,
    Text,
    isolated,
    phrase,
    phrase_html,
)
from readmark.tasks.alignment import align
from readmark.tasks.judgement import is_inference
from readmark.tasks.metrics.answers import Answers
from readmark.tasks.records import Solution, Solutions, asked_of

SHOWN_OF_A_SORT = 20
"""How many answers of each sort the page shows: each has a tree and a passage."""
AROUND = 160
"""Code points of the text that are shown on either side of an excerpt."""
SORTS = ("extra", "missed", "inferred", "stated")
"""What is wrong comes first, since that is what people look for."""


@dataclass
class _ShownAnswer:
    """An answer to a query, and the candidates, by their places, that gave or missed it."""

    sort: str
    unit: MarkedUnit
    solution: Solution
    gold: Sequence[Solution]
    candidates: list[int] = field(default_factory=list)


def derivations_section(data: SectionData) -> Part | None:
    """Answers with their derivations and excerpts; None where no answers are marked."""
    section = data.section
    metrics = (
        rules.metric
        for candidate in section.candidates
        for rules in candidate.sheet.metrics.values()
    )
    if not any(isinstance(metric, Answers) for metric in metrics):
        return None
    answers = _answers(section)
    if not any(answer.solution.derivation or answer.solution.excerpts for answer in answers):
        return None
    shown: list[_ShownAnswer] = []
    notes = []
    for sort in SORTS:
        of_sort = [answer for answer in answers if answer.sort == sort]
        shown += of_sort[:SHOWN_OF_A_SORT]
        if len(of_sort) > SHOWN_OF_A_SORT:
            label = phrase(f"derivations.{sort}")
            notes.append(
                phrase("derivations.shown", label=label, shown=SHOWN_OF_A_SORT, all=len(of_sort))
            )
    texts = {id: records[0].text for id, records in section.records().items() if records}
    return Part(
        "derivations",
        phrase("part.derivations"),
        lead=[phrase("derivations.lead", most=SHOWN_OF_A_SORT), phrase("derivations.how")],
        side_by_side=[
            _side_by_side(section, answer, texts.get(answer.unit.group, "")) for answer in shown
        ],
        notes=notes,
    )


def _answers(section: Section) -> list[_ShownAnswer]:
    """Every answer of the candidates and of the gold, once for all candidates with the same."""
    answers: dict[tuple[object, ...], _ShownAnswer] = {}
    for place, candidate in enumerate(section.candidates):
        for unit in candidate.sheet.units:
            for answer in _answers_to_unit(section, candidate, unit):
                # The gold's grounds are the same for all; of an extra answer each candidate has
                # its own, so it is shown once for each.
                grounds = (
                    (answer.solution.derivation, answer.solution.excerpts)
                    if answer.sort == "extra"
                    else ()
                )
                key = (answer.sort, unit.id, answer.solution.bound, grounds)
                answers.setdefault(key, answer).candidates.append(place)
    return list(answers.values())


def _answers_to_unit(
    section: Section, candidate: MarkedCandidate, unit: MarkedUnit
) -> Iterator[_ShownAnswer]:
    variables = asked_of(unit.fields)
    gold = _distinct(_gold(unit), variables)
    solutions = _distinct(_given(section, unit), variables)
    rules = candidate.sheet.metrics.get(section.main)
    marked_by = rules.metric if rules is not None else None
    credit = marked_by.mentions if isinstance(marked_by, Answers) else "partial"
    pairs = align(solutions, gold, credit=credit)
    right = {pair.answer for pair in pairs}
    hit = {pair.gold for pair in pairs}
    for place, solution in enumerate(solutions):
        if place not in right:
            yield _ShownAnswer("extra", unit, solution, gold)
    for place, solution in enumerate(gold):
        if place not in hit:
            yield _ShownAnswer("missed", unit, solution, gold)
        else:
            sort = "inferred" if is_inference(solution) else "stated"
            yield _ShownAnswer(sort, unit, solution, gold)


def _gold(unit: MarkedUnit) -> Iterator[Solution]:
    for person in unit.gold:
        for reference in person:
            try:
                yield from msgspec.convert(reference, Solutions).solutions
            except msgspec.ValidationError:
                continue  # a gold of another kind of test; other parts of the page show it


def _given(section: Section, unit: MarkedUnit) -> Iterator[Solution]:
    for row in unit.answers:
        if row.error is None:
            try:
                solutions = section.kind.read_answer(row)
            except ReadmarkError:
                continue
            if isinstance(solutions, Solutions):
                yield from solutions.solutions


def _distinct(solutions: Iterator[Solution], variables: Sequence[str] | None) -> list[Solution]:
    """The answers by the variables asked for, each once."""
    distinct: dict[object, Solution] = {}
    for solution in solutions:
        asked = solution.of(variables)
        distinct.setdefault(asked.bound, asked)
    return list(distinct.values())


def _side_by_side(section: Section, answer: _ShownAnswer, text: str) -> SideBySide:
    """The derivation on the left, the passage with its excerpts on the right."""
    solution, unit = answer.solution, answer.unit
    about: list[Text] = [isolated(shown.text) for shown in unit.shown[:1]]
    if answer.sort == "extra":
        gold = "; ".join(solution.text for solution in answer.gold)
        about.append(
            phrase("derivations.gold_has", answers=isolated(gold))
            if answer.gold
            else phrase("derivations.gold_none")
        )
        if solution.derivation:
            about.append(phrase("derivations.own"))
    return SideBySide(
        head=isolated(f"{unit.id}  {solution.text}"),
        signs=[section.legend[place] for place in answer.candidates],
        label=phrase(f"derivations.{answer.sort}"),
        about=about,
        left=_tree(solution.derivation),
        right=passage_with_excerpts(solution.excerpts, unit.group, text),
    )


def _tree(derivation: str | None) -> Markup:
    """The lines of a derivation, each as deep as it is indented."""
    if not derivation:
        return _note(phrase("derivations.none"))
    rows = []
    for line in derivation.splitlines():
        words = line.lstrip(" ")
        depth = (len(line) - len(words)) // 2
        rows.append(Markup('<li style="--depth:{}">{}</li>').format(depth, words))
    return Markup('<ul class="tree" dir="auto">') + Markup("").join(rows) + Markup("</ul>")


def passage_with_excerpts(excerpts: Sequence[Excerpt], document: str, text: str) -> Markup:
    """The stretches of the text around the excerpts, which are marked in it.

    Excerpts of other documents, and those whose quote is not at their place, are quoted below.
    """
    in_text = [
        excerpt
        for excerpt in excerpts
        if excerpt.document == document and not excerpt_fault(excerpt, text)
    ]
    html = Markup("")
    if in_text:
        html += Markup('<p class="passage" dir="auto">{}</p>').format(marked_text(in_text, text))
    for excerpt in excerpts:
        if excerpt not in in_text:
            quote = isolated(excerpt.quote)
            html += _note(
                phrase_html("derivations.elsewhere", document=excerpt.document, quote=quote)
            )
    return html or _note(phrase("derivations.no_words"))


def marked_text(excerpts: Sequence[Excerpt], text: str) -> Markup:
    """The excerpts with the text around them; what is left out between them is an ellipsis."""
    gap = Markup('<span class="gap">…</span>')
    windows = merged_spans(
        (max(excerpt.start - AROUND, 0), excerpt.end + AROUND) for excerpt in excerpts
    )
    spans = merged_spans((excerpt.start, excerpt.end) for excerpt in excerpts)
    html, offset = Markup(""), 0
    for start, end in windows:
        html += gap if start > 0 else Markup("")
        offset = start
        for first, last in spans:
            if start <= first < end:
                html += escape(text[offset:first])
                html += Markup("<mark>{}</mark>").format(text[first:last])
                offset = last
        html += escape(text[offset:end])
        offset = end
    return html + (gap if offset < len(text) else Markup(""))


def merged_spans(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Stretches that overlap or touch as one, in their order."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def _note(text: Bilingual) -> Markup:
    return Markup('<p class="note">{}</p>').format(escape(text))
