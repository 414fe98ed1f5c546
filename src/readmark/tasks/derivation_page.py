"""Derivations as one HTML page: each tree next to the passage it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

from markupsafe import Markup, escape

from readmark.core.spans import Excerpt
from readmark.core.writing import writing
from readmark.tasks.reasoning.derivations import Derivation, leaves
from readmark.tasks.reasoning.engine.chance import chance_text
from readmark.tasks.reasoning.graphs import write_triple
from readmark.tasks.reasoning.rules.values import write_condition, write_denied


@dataclass(frozen=True, slots=True)
class _ShownGraph:
    """The derivations of one graph, its document, and others that they quote."""

    graph: str
    trees: Sequence[Markup]
    passages: Sequence[tuple[str, Markup]]


def write_page(
    derivations: Iterable[Derivation], documents: Mapping[str, str], output: str
) -> None:
    """Writes the page whole or not at all."""
    data = derivation_page(list(derivations), documents).encode("utf-8", "replace")
    with writing(output) as file:
        file.write(data)


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
) -> Iterator[_ShownGraph]:
    by_graph: dict[str, list[Derivation]] = {}
    for derivation in derivations:
        by_graph.setdefault(derivation.graph, []).append(derivation)
    for number, (graph, trees) in enumerate(by_graph.items(), 1):
        anchors = _anchors(number, trees)
        quoted = dict.fromkeys([graph, *(excerpt.document for excerpt in anchors)])
        passages = [
            (name, _passage(documents[name], name, anchors)) for name in quoted if name in documents
        ]
        yield _ShownGraph(graph, [_tree(tree, anchors) for tree in trees], passages)


def _anchors(number: int, trees: Sequence[Derivation]) -> dict[Excerpt, str]:
    """Every excerpt of a graph's derivations with its anchor on the page."""
    excerpts = {
        excerpt for leaf in leaves(trees, linked=True) for _, excerpt in leaf.support.excerpts()
    }
    in_order = sorted(
        excerpts, key=lambda excerpt: (excerpt.document, excerpt.start, excerpt.end, excerpt.quote)
    )
    return {excerpt: f"e{number}-{index}" for index, excerpt in enumerate(in_order, 1)}


class PassagePiece(NamedTuple):
    """A stretch of a text: whether an excerpt covers it, and the excerpts that begin with it."""

    text: str
    is_marked: bool
    begins: tuple[Excerpt, ...]


def passage_pieces(text: str, excerpts: Iterable[Excerpt]) -> Iterator[PassagePiece]:
    """The text cut where excerpts begin and end; where they overlap each keeps its place."""
    excerpts = list(excerpts)
    cuts = {0, len(text)}
    for excerpt in excerpts:
        cuts |= {excerpt.start, excerpt.end}
    for start, end in pairwise(sorted(cut for cut in cuts if 0 <= cut <= len(text))):
        begins = tuple(excerpt for excerpt in excerpts if excerpt.start == start)
        is_marked = any(excerpt.start <= start and end <= excerpt.end for excerpt in excerpts)
        yield PassagePiece(text[start:end], is_marked, begins)


def _passage(text: str, document: str, anchors: Mapping[Excerpt, str]) -> Markup:
    """The text with its excerpts marked."""
    html = Markup()
    for piece in passage_pieces(text, (each for each in anchors if each.document == document)):
        for excerpt in piece.begins:
            html += Markup('<a id="{}"></a>').format(anchors[excerpt])
        words = escape(piece.text)
        html += Markup("<mark>{}</mark>").format(words) if piece.is_marked else words
    return html


def _tree(root: Derivation, anchors: Mapping[Excerpt, str]) -> Markup:
    """Nested lists; what was explained above is only named again.

    Made with a stack of its own: a derivation can be deeper than Python's recursion.
    """
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
            pieces.append(_quotes(derivation, anchors))
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


def _line(derivation: Derivation, *, again: bool) -> Markup:
    """The statement, how certain it is, and who asserted it or which rule derived it."""
    html = Markup("<code>{}</code>").format(write_triple(derivation.statement))
    if derivation.probability != 1:
        chance = chance_text(derivation.probability, derivation.bound)
        html += Markup(' <span class="chance">{}</span>').format(chance)
    rule = derivation.rule
    if rule is None:
        source = f" in {', '.join(derivation.documents)}" if derivation.documents else ""
        source += f" by {', '.join(derivation.annotators)}" if derivation.annotators else ""
        return html + Markup(' <span class="how">asserted{}</span>').format(source)
    how = f"by {rule.name}" + (", a default" if rule.assumes else "")
    html += Markup(' <span class="how">{}</span>').format(how + (", as above" if again else ""))
    if rule.comment and not again:
        html += Markup("<br><q>{}</q>").format(rule.comment)
    return html


def _quotes(derivation: Derivation, anchors: Mapping[Excerpt, str]) -> Markup:
    rows = [
        Markup('<li class="quote"><a href="#{}">{}</a> <span class="how">{}</span></li>').format(
            anchors[excerpt], f"“{excerpt.quote}”", f"{part}, {excerpt.document}:{excerpt.start}"
        )
        for part, excerpt in derivation.support.excerpts()
    ]
    return Markup("<ul>") + Markup("").join(rows) + Markup("</ul>") if rows else Markup("")


def _conditions(derivation: Derivation) -> Markup:
    """What the rule computed, and what it required to be absent."""
    row = Markup('<li class="{}"><code>{}</code> <span class="how">{}</span></li>')
    rows = [row.format("held", write_condition(each), "holds") for each in derivation.computed]
    rows += [row.format("denied", write_denied(each), "nothing such") for each in derivation.denied]
    return Markup("").join(rows)
