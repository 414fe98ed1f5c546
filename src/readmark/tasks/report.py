"""How the answers of a reading task are derived, with the words that they rest on.

All of it is what the marksheets hold: the gold's derivations, and a candidate's own where its
sitting has them. Which answers are the gold's is found as marking finds it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

import msgspec
from markupsafe import Markup, escape

from readmark.core.errors import ReadmarkError
from readmark.core.marksheet import MarkedUnit
from readmark.core.spans import Excerpt, excerpt_fault
from readmark.core.writing import writing
from readmark.reporting import Part, SectionData
from readmark.reporting.sections import (
    Both,
    MarkedCandidate,
    Section,
    SideBySide,
    Text,
    isolated,
    phrase,
    phrase_html,
)
from readmark.tasks.alignment import align
from readmark.tasks.metrics import Bindings, is_inference
from readmark.tasks.reasoning.contradictions import leaves
from readmark.tasks.reasoning.derivations import Derivation
from readmark.tasks.reasoning.engine.lineage import chance_text
from readmark.tasks.reasoning.graphs import write_triple
from readmark.tasks.reasoning.rules.values import write_condition, write_denied
from readmark.tasks.records import Solution, Solutions, asked_of

MOST = 20
"""So many answers of each sort are shown."""
AROUND = 160
"""Code points of the text that are shown on either side of an excerpt."""
SORTS = ("extra", "missed", "inferred", "stated")


@dataclass
class _Shown:
    """An answer to a query, and the places of the candidates whose it is."""

    sort: str
    unit: MarkedUnit
    solution: Solution
    gold: Sequence[Solution]
    who: list[int] = field(default_factory=list)


def derivations_section(shown: SectionData) -> Part | None:
    """Answers with their derivations and excerpts; None where no answers are marked."""
    metrics = [
        rules.metric for one in shown.section.candidates for rules in one.sheet.metrics.values()
    ]
    if not any(isinstance(metric, Bindings) for metric in metrics):
        return None
    return derivations(shown.section)


def derivations(section: Section) -> Part | None:
    """The part; None where no marksheet holds a derivation or an excerpt."""
    showns = list(_found(section))
    if not any(shown.solution.derivation or shown.solution.excerpts for shown in showns):
        return None
    shown: list[_Shown] = []
    counted = []
    for sort in SORTS:
        several = [shown for shown in showns if shown.sort == sort]
        shown += several[:MOST]
        if len(several) > MOST:
            label = phrase(f"derivations.{sort}")
            counted.append(phrase("derivations.shown", label=label, shown=MOST, all=len(several)))
    texts = {id: labelleds[0].text for id, labelleds in section.records().items() if labelleds}
    return Part(
        "derivations",
        phrase("part.derivations"),
        lead=[phrase("derivations.lead", most=MOST), phrase("derivations.how")],
        side_by_side=[_beside(section, one, texts.get(one.unit.group, "")) for one in shown],
        notes=counted,
    )


def _found(section: Section) -> Iterator[_Shown]:
    """Every answer of the candidates and of the gold, once for all of whom the same is true."""
    found: dict[tuple[object, ...], _Shown] = {}
    for index, candidate in enumerate(section.candidates):
        for unit in candidate.sheet.units:
            for shown in _of_unit(section, candidate, unit):
                said = (shown.solution.derivation, shown.solution.excerpts)
                own = said if shown.sort == "extra" else ()  # Each candidate has its own grounds.
                key = (shown.sort, unit.id, shown.solution.bound, own)
                found.setdefault(key, shown).who.append(index)
    yield from found.values()


def _of_unit(section: Section, candidate: MarkedCandidate, unit: MarkedUnit) -> Iterator[_Shown]:
    asked = asked_of(unit.fields)
    gold = _distinct(_gold(unit), asked)
    solutions = _distinct(_said(section, unit), asked)
    rules = candidate.sheet.metrics.get(section.main)
    credit = getattr(rules.metric, "mentions", "partial") if rules is not None else "partial"
    pairs = align(solutions, gold, credit=credit)
    matched = {pair.said for pair in pairs}
    hit = {pair.wanted: pair.said for pair in pairs}
    for index, solution in enumerate(solutions):
        if index not in matched:
            yield _Shown("extra", unit, solution, gold)
    for index, solution in enumerate(gold):
        if index not in hit:
            yield _Shown("missed", unit, solution, gold)
        else:
            sort = "inferred" if is_inference(solution) else "stated"
            yield _Shown(sort, unit, solution, gold)


def _gold(unit: MarkedUnit) -> Iterator[Solution]:
    for person in unit.gold:
        for reference in person:
            try:
                yield from msgspec.convert(reference, Solutions).solutions
            except msgspec.ValidationError:
                continue  # Of another make: other parts of the page show it.


def _said(section: Section, unit: MarkedUnit) -> Iterator[Solution]:
    for row in unit.answers:
        if row.error is None:
            try:
                solutions = section.kind.read_answer(row)
            except ReadmarkError:
                continue
            if isinstance(solutions, Solutions):
                yield from solutions.solutions


def _distinct(solutions: Iterator[Solution], asked: Sequence[str] | None) -> list[Solution]:
    found: dict[object, Solution] = {}
    for solution in solutions:
        found.setdefault(solution.of(asked).bound, solution.of(asked))
    return list(found.values())


def _beside(section: Section, one: _Shown, text: str) -> SideBySide:
    own = one.sort == "extra"
    about: list[Text] = [isolated(shown.text) for shown in one.unit.shown[:1]]
    if own:
        answers = "; ".join(solution.text for solution in one.gold)
        gold = phrase("derivations.gold_has", answers=isolated(answers))
        about.append(gold if one.gold else phrase("derivations.gold_none"))
    if own and one.solution.derivation:
        about.append(phrase("derivations.own"))
    return SideBySide(
        head=isolated(f"{one.unit.id}  {one.solution.text}"),
        signs=[section.legend[at] for at in one.who],
        label=phrase(f"derivations.{one.sort}"),
        about=about,
        left=_tree(one.solution.derivation),
        right=_passage(one.solution.excerpts, one.unit.group, text),
    )


def _tree(derivation: str | None) -> Markup:
    """The lines of a derivation, each as deep as it is indented."""
    if not derivation:
        return _note(phrase("derivations.none"))
    rows = []
    for line in derivation.splitlines():
        bare = line.lstrip(" ")
        depth = (len(line) - len(bare)) // 2
        rows.append(Markup('<li style="--depth:{}">{}</li>').format(depth, bare))
    return Markup('<ul class="tree" dir="auto">') + Markup("").join(rows) + Markup("</ul>")


def _passage(excerpts: Sequence[Excerpt], document: str, text: str) -> Markup:
    """The stretches of the text around the excerpts, which are marked in it."""
    own = [
        excerpt
        for excerpt in excerpts
        if excerpt.document == document and not excerpt_fault(excerpt, text)
    ]
    others = [excerpt for excerpt in excerpts if excerpt not in own]
    made = Markup("")
    if own:
        made += Markup('<p class="passage" dir="auto">{}</p>').format(_marked(own, text))
    for other in others:
        made += _note(
            phrase_html(
                "derivations.elsewhere", document=other.document, quote=isolated(other.quote)
            )
        )
    return made or _note(phrase("derivations.no_words"))


def _marked(excerpts: Sequence[Excerpt], text: str) -> Markup:
    made, at = Markup(""), 0
    gap = Markup('<span class="gap">…</span>')
    windows = _merged(
        [(max(excerpt.start - AROUND, 0), excerpt.end + AROUND) for excerpt in excerpts]
    )
    spans = _merged([(excerpt.start, excerpt.end) for excerpt in excerpts])
    for start, end in windows:
        made += gap if start > 0 else Markup("")
        at = start
        for first, last in spans:
            if start <= first < end:
                made += escape(text[at:first]) + Markup("<mark>{}</mark>").format(text[first:last])
                at = last
        made += escape(text[at:end])
        at = end
    return made + (gap if at < len(text) else Markup(""))


def _merged(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Stretches that overlap or touch as one, in their order."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def _note(text: Both) -> Markup:
    return Markup('<p class="note">{}</p>').format(escape(text))


# Derivations as one HTML page: each tree next to the passage it rests on.


@dataclass(frozen=True, slots=True)
class _GraphShown:
    """The derivations of one graph, its document, and others that they quote."""

    graph: str
    trees: Sequence[Markup]
    passages: Sequence[tuple[str, Markup]]


def derivation_page(derivations: Sequence[Derivation], documents: Mapping[str, str]) -> str:
    """A page that needs nothing else: no script, no other file."""
    from jinja2 import Environment

    assets = files("readmark.tasks").joinpath("data")
    template = assets.joinpath("derivations.html").read_text("utf-8")
    style = assets.joinpath("derivations.css").read_text("utf-8")
    page = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(template)
    return page.render(style=Markup(style), graphs=list(_graphs(derivations, documents)))


def _graphs(
    derivations: Sequence[Derivation], documents: Mapping[str, str]
) -> Iterator[_GraphShown]:
    by_graph: dict[str, list[Derivation]] = {}
    for derivation in derivations:
        by_graph.setdefault(derivation.graph, []).append(derivation)
    for number, (graph, trees) in enumerate(by_graph.items(), 1):
        places = _places(number, trees)
        quoted = dict.fromkeys([graph, *(excerpt.document for excerpt in places)])
        passages = [
            (name, _task_page_passage(documents[name], name, places))
            for name in quoted
            if name in documents
        ]
        yield _GraphShown(graph, [_task_page_tree(tree, places) for tree in trees], passages)


def _places(number: int, trees: Sequence[Derivation]) -> dict[Excerpt, str]:
    """Every excerpt with the name of its place on the page."""
    found = dict.fromkeys(
        excerpt for leaf in leaves(trees, linked=True) for _, excerpt in leaf.support.excerpts()
    )
    ordered = sorted(
        found, key=lambda excerpt: (excerpt.document, excerpt.start, excerpt.end, excerpt.quote)
    )
    return {excerpt: f"e{number}-{index}" for index, excerpt in enumerate(ordered, 1)}


class PassagePiece(NamedTuple):
    """A stretch of a text: whether an excerpt covers it, and the excerpts that begin with it."""

    text: str
    is_marked: bool
    begins: tuple[Excerpt, ...]


def passage_pieces(text: str, excerpts: Iterable[Excerpt]) -> Iterator[PassagePiece]:
    """The text cut where excerpts begin and end; where they overlap each keeps its place."""
    own = list(excerpts)
    cuts = sorted({0, len(text), *(at for excerpt in own for at in (excerpt.start, excerpt.end))})
    cuts = [cut for cut in cuts if 0 <= cut <= len(text)]
    for start, end in pairwise(cuts):
        begins = tuple(excerpt for excerpt in own if excerpt.start == start)
        is_marked = any(excerpt.start <= start and end <= excerpt.end for excerpt in own)
        yield PassagePiece(text[start:end], is_marked, begins)


def _task_page_passage(text: str, name: str, places: Mapping[Excerpt, str]) -> Markup:
    """The text with its excerpts marked."""
    made = Markup()
    for piece in passage_pieces(text, (one for one in places if one.document == name)):
        for excerpt in piece.begins:
            made += Markup('<a id="{}"></a>').format(places[excerpt])
        shown = escape(piece.text)
        made += Markup("<mark>{}</mark>").format(shown) if piece.is_marked else shown
    return made


def _task_page_tree(root: Derivation, places: Mapping[Excerpt, str]) -> Markup:
    """Nested lists, made without recursion; what was explained above is only named again."""
    pieces: list[Markup] = []
    seen: set[int] = set()
    stack: list[Derivation | Markup] = [root]
    while stack:
        derivation = stack.pop()
        if isinstance(derivation, Markup):
            pieces.append(derivation)
            continue
        again = id(derivation) in seen
        seen.add(id(derivation))
        pieces.append(Markup("<li>") + _line(derivation, again=again))
        if derivation.rule is None:
            pieces.append(_quotes(derivation, places))
            if derivation.links:
                pieces.append(Markup("<ul>"))
                stack.append(Markup("</ul></li>"))
                stack.extend(reversed(derivation.links))
            else:
                pieces.append(Markup("</li>"))
        elif again:
            pieces.append(Markup("</li>"))
        else:
            pieces.append(Markup("<ul>"))
            stack.append(_conditions(derivation) + Markup("</ul></li>"))
            stack.extend(reversed(derivation.antecedents))
    return Markup("<ul>") + Markup("").join(pieces) + Markup("</ul>")


def _line(one: Derivation, *, again: bool) -> Markup:
    made = Markup("<code>{}</code>").format(write_triple(one.statement))
    if one.probability != 1:
        made += Markup(' <span class="chance">{}</span>').format(
            chance_text(one.probability, one.bound)
        )
    if one.rule is None:
        by = f" in {', '.join(one.documents)}" if one.documents else ""
        by += f" by {', '.join(one.annotators)}" if one.annotators else ""
        return made + Markup(' <span class="how">asserted{}</span>').format(by)
    how = f"by {one.rule.name}" + (", a default" if one.rule.assumes else "")
    made += Markup(' <span class="how">{}</span>').format(how + (", as above" if again else ""))
    if one.rule.comment and not again:
        made += Markup("<br><q>{}</q>").format(one.rule.comment)
    return made


def _quotes(one: Derivation, places: Mapping[Excerpt, str]) -> Markup:
    rows = [
        Markup('<li class="quote"><a href="#{}">{}</a> <span class="how">{}</span></li>').format(
            places[excerpt], f"“{excerpt.quote}”", f"{part}, {excerpt.document}:{excerpt.start}"
        )
        for part, excerpt in one.support.excerpts()
    ]
    return Markup("<ul>") + Markup("").join(rows) + Markup("</ul>") if rows else Markup("")


def _conditions(one: Derivation) -> Markup:
    rows = [_condition(write_condition(builtin), "holds") for builtin in one.computed]
    for group in one.denied:
        rows.append(_condition(write_denied(group), "nothing such"))
    return Markup("").join(rows)


def _condition(text: str, how: str) -> Markup:
    return Markup('<li class="{}"><code>{}</code> <span class="how">{}</span></li>').format(
        "held" if how == "holds" else "denied", text, how
    )


def write_page(
    derivations: Iterable[Derivation], documents: Mapping[str, str], output: str
) -> None:
    """Writes the page whole or not at all."""
    data = derivation_page(list(derivations), documents).encode("utf-8", "replace")
    with writing(output) as file:
        file.write(data)
