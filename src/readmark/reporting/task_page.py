"""Derivations as one HTML page: each tree with the passage it rests on beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise

from markupsafe import Markup, escape

from readmark.reasoning.contradictions import leaves
from readmark.reasoning.explanations import Derivation
from readmark.reasoning.graphs import Excerpt, write_triple
from readmark.reasoning.rules.formatting import write_condition, write_denied

PARTS = ("statement", "subject", "predicate", "object")


@dataclass(frozen=True, slots=True)
class Shown:
    """The derivations of one graph, its document, and others that they quote."""

    graph: str
    trees: Sequence[Markup]
    passages: Sequence[tuple[str, Markup]]


def derivation_page(derivations: Sequence[Derivation], documents: Mapping[str, str]) -> str:
    """A page that needs nothing else: no script, no other file."""
    from jinja2 import Environment

    assets = files("readmark.reporting.html").joinpath("assets")
    template = assets.joinpath("derivations.html").read_text("utf-8")
    style = assets.joinpath("derivations.css").read_text("utf-8")
    page = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(template)
    return page.render(style=Markup(style), graphs=list(_graphs(derivations, documents)))


def _graphs(derivations: Sequence[Derivation], documents: Mapping[str, str]) -> Iterator[Shown]:
    by_graph: dict[str, list[Derivation]] = {}
    for one in derivations:
        by_graph.setdefault(one.graph, []).append(one)
    for number, (graph, trees) in enumerate(by_graph.items(), 1):
        places = _places(number, trees)
        quoted = dict.fromkeys([graph, *(excerpt.document for excerpt in places)])
        passages = [
            (name, _passage(documents[name], name, places)) for name in quoted if name in documents
        ]
        yield Shown(graph, [_tree(tree, places) for tree in trees], passages)


def _places(number: int, trees: Sequence[Derivation]) -> dict[Excerpt, str]:
    """Every excerpt with the name of its place on the page."""
    found = dict.fromkeys(excerpt for leaf in leaves(trees) for _, excerpt in _excerpts(leaf))
    ordered = sorted(found, key=lambda one: (one.document, one.start, one.end, one.quote))
    return {excerpt: f"e{number}-{at}" for at, excerpt in enumerate(ordered, 1)}


def _excerpts(one: Derivation) -> Iterator[tuple[str, Excerpt]]:
    for part in PARTS:
        yield from ((part, excerpt) for excerpt in getattr(one.support, part))


def _passage(text: str, name: str, places: Mapping[Excerpt, str]) -> Markup:
    """The text with its excerpts marked; where they overlap each keeps a place of its own."""
    own = {one: place for one, place in places.items() if one.document == name}
    cuts = sorted({0, len(text), *(at for one in own for at in (one.start, one.end))})
    cuts = [at for at in cuts if 0 <= at <= len(text)]
    made = Markup()
    for start, end in pairwise(cuts):
        for one, place in own.items():
            if one.start == start:
                made += Markup('<a id="{}"></a>').format(place)
        piece = escape(text[start:end])
        covered = any(one.start <= start and end <= one.end for one in own)
        made += Markup("<mark>{}</mark>").format(piece) if covered else piece
    return made


def _tree(root: Derivation, places: Mapping[Excerpt, str]) -> Markup:
    """Nested lists, made without recursion; what was explained above is only named again."""
    pieces: list[Markup] = []
    seen: set[int] = set()
    stack: list[Derivation | Markup] = [root]
    while stack:
        one = stack.pop()
        if isinstance(one, Markup):
            pieces.append(one)
            continue
        again = id(one) in seen
        seen.add(id(one))
        pieces.append(Markup("<li>") + _line(one, again=again))
        if one.rule is None:
            pieces.append(_quotes(one, places) + Markup("</li>"))
        elif again:
            pieces.append(Markup("</li>"))
        else:
            pieces.append(Markup("<ul>"))
            stack.append(_conditions(one) + Markup("</ul></li>"))
            stack.extend(reversed(one.antecedents))
    return Markup("<ul>") + Markup("").join(pieces) + Markup("</ul>")


def _line(one: Derivation, *, again: bool) -> Markup:
    made = Markup("<code>{}</code>").format(write_triple(one.statement))
    if one.probability != 1:
        made += Markup(' <span class="chance">{}</span>').format(f"{one.probability:.4g}")
    if one.rule is None:
        by = f" by {', '.join(one.annotators)}" if one.annotators else ""
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
        for part, excerpt in _excerpts(one)
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
    from readmark.corpus.files import writing

    data = derivation_page(list(derivations), documents).encode("utf-8", "replace")
    with writing(output) as file:
        file.write(data)
