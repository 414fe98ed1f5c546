"""Layers that annotators laid over the same texts: spans, words, coreference."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from readmark.core.errors import DataError
from readmark.core.record_members import all_layers, questions_of, text_of
from readmark.core.records import Layers, Offsets
from readmark.making.agreement.values import AgreementComparison, Annotator, compare_work, for_pairs
from readmark.statistics.agreement.coreference import (
    METRICS,
    conll_mean,
    coreference_f1,
    without_singletons,
)
from readmark.statistics.agreement.spans import (
    ComparedSpan,
    SpansPair,
    boundary_f1,
    character_f1,
    exact_f1,
    overlap_f1,
    word_f1,
)
from readmark.statistics.agreement.unitizing import Continuum, unitizing_alpha
from readmark.statistics.agreement.value import Agreement, Resampling
from readmark.text.analysers.registry import ANALYSER_PREFIX

# The texts of a record with their layers: the passage, its questions, its published keys.


Owner = tuple[str, ...]
"""What distinguishes a text from the others of its record; a published key has its words."""


@dataclass(frozen=True, slots=True)
class AnnotatedPart:
    """A text with all its layers; those of the key count as well."""

    owner: Owner
    text: str
    layers: Layers


def texts_of(record: Any) -> Iterator[AnnotatedPart]:
    """The texts of a record that people annotate."""
    if text_of(record) is not None:
        yield AnnotatedPart(("passage",), record.text, all_layers(record))
    for question in questions_of(record):
        yield AnnotatedPart(("question", question.id), question.text, all_layers(question))
        for phrase in getattr(question.key, "published", ()):
            yield AnnotatedPart(("key", question.id, phrase.text), phrase.text, phrase.layers)


Texts = Mapping[Owner, AnnotatedPart]
Records = dict[str, dict[str, Texts]]
"""Records by id, and the texts of each by the name of everybody who annotated it."""


def shares(people: Sequence[Annotator], layer: str) -> Records:
    """Every record with the texts of those who annotated it; the shared ones come first.

    A record counts as annotated when it has a layer of any name: one without a single noun phrase
    was looked at, one without any layer was not.
    """
    found: Records = {}
    for id in dict.fromkeys(id for annotator in people for id in annotator.records):
        own = found.setdefault(id, {})
        for annotator in people:
            if id in annotator.records:
                texts = {text.owner: text for text in texts_of(annotator.records[id])}
                if any(text.layers for text in texts.values()):
                    _within(annotator, id, texts, layer)
                    own[annotator.name] = texts
    return dict(sorted(found.items(), key=lambda record: len(record[1]) < 2))


def _within(one: Annotator, id: str, texts: Mapping[Owner, AnnotatedPart], layer: str) -> None:
    for text in texts.values():
        for start, end in spans_of(text, layer):
            if not 0 <= start <= end <= len(text.text):
                raise DataError(
                    f"{layer} {start}–{end} lies outside its text of {len(text.text)} characters",
                    file=one.file,
                    where=id if len(text.owner) == 1 else f"{id}:{text.owner[1]}",
                )


def spans_of(text: AnnotatedPart | None, layer: str) -> tuple[Offsets, ...]:
    """The spans of a layer over a text; none where the text has no such layer."""
    found = text.layers.get(layer) if text is not None else None
    return found.spans if found is not None else ()


# Entities of a record: mentions that refer to one another, across a passage and its questions.


MENTION = "mention"
Node = tuple[Owner, int, int]


def chains_of(texts: Mapping[Owner, AnnotatedPart]) -> list[frozenset[Hashable]]:
    """The entities, each a set of mentions; a mention is its text and span.

    A number refers to the antecedent before it in its own text, else to the question's (from a
    published key), else to the passage's, else to one later in its own text. A reference to nothing
    leaves a mention by itself.
    """
    parents: dict[Node, Node] = {}

    def root(node: Node) -> Node:
        while parents[node] != node:
            parents[node] = parents[parents[node]]
            node = parents[node]
        return node

    numbered: dict[Owner, dict[Hashable, Node]] = {}
    for owner, text in texts.items():
        layer = text.layers.get(MENTION)
        if layer is None:
            continue
        # An id that is a list or an object, which no id should be, is known by its text.
        ids, refs = (
            [id if isinstance(id, Hashable) else str(id) for id in layer.column(name)]
            for name in ("id", "ref")
        )
        rows = sorted(zip(layer.spans, ids, refs, strict=True), key=lambda row: row[0])
        scopes = [numbered[one] for one in _before(owner) if one in numbered]
        all_own = {id: (owner, *span) for span, id, _ in reversed(rows) if id is not None}
        own: dict[Hashable, Node] = {}
        for span, id, ref in rows:
            node = (owner, *span)
            parents.setdefault(node, node)
            if ref is not None:
                found = next((one[ref] for one in (own, *scopes, all_own) if ref in one), None)
                if found is not None:
                    parents.setdefault(found, found)
                    parents[root(node)] = root(found)
            if id is not None:
                own.setdefault(id, node)
        numbered[owner] = own
    entities: dict[Node, set[Hashable]] = {}
    for node in parents:
        entities.setdefault(root(node), set()).add(node)
    return [frozenset(entity) for entity in entities.values()]


def _before(owner: Owner) -> list[Owner]:
    """The texts that a text may refer to, the nearest first."""
    if owner[0] == "key":
        return [("question", owner[1]), ("passage",)]
    return [("passage",)] if owner[0] == "question" else []


SEGMENTATIONS = ("token", "sentence")
TYPE = "type"


def layers_of(annotator: Annotator) -> list[str]:
    """The layers that an annotator's records have, on any text."""
    return list(
        dict.fromkeys(
            name
            for record in annotator.records.values()
            for text in texts_of(record)
            for name in text.layers
        )
    )


def compare_spans(
    people: Sequence[Annotator], what: str, *, resampling: Resampling | None = None
) -> AgreementComparison:
    """Span F1 of each two, unitizing alpha of all; types count where the layer has any."""
    shared = shares(people, what)
    each = for_pairs(resampling, people)
    typed = any(
        TYPE in layer.columns
        for by_name in shared.values()
        for texts in by_name.values()
        for text in texts.values()
        if (layer := text.layers.get(what)) is not None
    )

    def figures(records: Records, a: str, b: str) -> Iterable[Agreement]:
        pairs, clusters = _pairs(records, a, b, what, typed=typed)
        yield exact_f1(pairs, clusters=clusters, resampling=each)
        if typed:
            bare, _ = _pairs(records, a, b, what, typed=False)
            untyped = exact_f1(bare, clusters=clusters, resampling=each)
            yield replace(untyped, measure="exact(untyped)")
        yield overlap_f1(pairs, clusters=clusters, resampling=each)
        yield character_f1(pairs, clusters=clusters, resampling=each)
        yield unitizing_alpha(_continua(records, [a, b], what, typed), resampling=each)

    def together(records: Records, names: list[str]) -> Agreement:
        return unitizing_alpha(_continua(records, names, what, typed), resampling=resampling)

    return _compare(people, what, "spans", shared, figures, together, layer=what)


def compare_segmentation(
    people: Sequence[Annotator], what: str, *, resampling: Resampling | None = None
) -> AgreementComparison:
    """Words and boundaries; a text that one did not segment is left out of the pair."""
    shared = shares(people, what)
    each = for_pairs(resampling, people)

    def figures(records: Records, a: str, b: str) -> Iterable[Agreement]:
        pairs, clusters = _pairs(records, a, b, what, typed=False, covered=True)
        yield word_f1(pairs, clusters=clusters, resampling=each)
        yield boundary_f1(pairs, clusters=clusters, resampling=each)

    return _compare(people, what, "segmentation", shared, figures, layer=what)


def compare_coreference(
    people: Sequence[Annotator],
    what: str,
    *,
    singletons: bool = True,
    resampling: Resampling | None = None,
) -> AgreementComparison:
    """MUC, B³, CEAF-e, LEA and the CoNLL mean; a cluster is a passage with its questions."""
    shared = shares(people, MENTION)
    each = for_pairs(resampling, people)

    def chains(texts: Texts, both: Collection[Owner]) -> list[frozenset[Hashable]]:
        own = chains_of({owner: text for owner, text in texts.items() if owner in both})
        return own if singletons else without_singletons(own)

    def figures(records: Records, a: str, b: str) -> Iterable[Agreement]:
        pairs = []
        for texts in records.values():
            both = texts[a].keys() & texts[b].keys()
            pairs.append((chains(texts[a], both), chains(texts[b], both)))
        for metric in METRICS:
            yield coreference_f1(pairs, metric, resampling=each)
        yield conll_mean(pairs, resampling=each)

    note = f"entities of a single mention are {'kept' if singletons else 'left out'}"
    return _compare(people, what, "coreference", shared, figures, layer=MENTION, note=note)


def _compare(
    people: Sequence[Annotator],
    what: str,
    sort: str,
    shared: Records,
    figures: Callable[[Records, str, str], Iterable[Agreement]],
    together: Callable[[Records, list[str]], Agreement] | None = None,
    *,
    layer: str,
    note: str = "",
) -> AgreementComparison:
    """Compare each two; ``figures`` are of two annotators, from the records that both annotated."""
    names = [annotator.name for annotator in people]

    def by_all(*some: str) -> Records:
        return {id: texts for id, texts in shared.items() if texts.keys() >= {*some}}

    def pair(a: int, b: int) -> tuple[Agreement, ...]:
        return tuple(figures(by_all(names[a], names[b]), names[a], names[b]))

    return compare_work(
        people,
        what,
        [by_all(name) for name in names],
        pair,
        did="annotated no passage in common",
        ids=list(shared),
        sort=sort,
        noun="passage",
        figures=(together(by_all(*names), names),) if together is not None else (),
        notes=(*([note] if note else []), *_sources(people, layer)),
    )


def _pairs(
    records: Records,
    a: str,
    b: str,
    layer: str,
    *,
    typed: bool,
    covered: bool = False,
) -> tuple[list[SpansPair], list[str]]:
    """Both annotators' spans, text by text, and the record of each text.

    With ``covered``, only texts that have the layer on both sides.
    """
    pairs: list[SpansPair] = []
    clusters: list[str] = []
    for id, texts in records.items():
        one, other = texts[a], texts[b]
        for owner in [owner for owner in one if owner in other]:
            has = [layer in own[owner].layers for own in (one, other)]
            if all(has) or (any(has) and not covered):
                pairs.append((_spans(one[owner], layer, typed), _spans(other[owner], layer, typed)))
                clusters.append(id)
    return pairs, clusters


def _continua(records: Records, names: Sequence[str], layer: str, typed: bool) -> list[Continuum]:
    """The texts that all of these have, with each one's spans; questions only where annotated."""
    made = []
    for id, by_name in records.items():
        first, *others = (by_name[name] for name in names)
        for owner, text in first.items():
            if not all(owner in texts for texts in others):
                continue
            own = [texts[owner] for texts in (first, *others)]
            if owner == ("passage",) or any(layer in part.layers for part in own):
                units = [_labelled(part, layer, typed) for part in own]
                made.append(Continuum(len(text.text), units, id))
    return made


def _spans(text: AnnotatedPart, layer: str, typed: bool) -> list[ComparedSpan]:
    if not typed:
        return list(spans_of(text, layer))
    return list(_labelled(text, layer, True))


def _labelled(text: AnnotatedPart, layer: str, typed: bool) -> list[tuple[int, int, Hashable]]:
    found = text.layers.get(layer)
    if found is None:
        return []
    types: list[Any] = found.column(TYPE) if typed else [None] * len(found.spans)
    return [
        (start, end, None if type is None else str(type))
        for (start, end), type in zip(found.spans, types, strict=True)
    ]


def _sources(people: Sequence[Annotator], layer: str) -> tuple[str, ...]:
    """A note where every annotator's layer says that an analyser of ours made it."""
    made = {
        found.source
        for annotator in people
        for record in annotator.records.values()
        for text in texts_of(record)
        if (found := text.layers.get(layer)) is not None
    }
    if made and all(source.startswith(ANALYSER_PREFIX) for source in made):
        return (f"every file says that {' and '.join(sorted(made))} made this layer, not people",)
    return ()
