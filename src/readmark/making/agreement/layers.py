"""Agreement on layers that annotators laid over the same texts: spans, words, coreference."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from readmark.making.agreement.annotated_texts import (
    AnnotatedPart,
    Owner,
    Records,
    Texts,
    records_of,
    spans_of,
    texts_of,
)
from readmark.making.agreement.annotator import Annotator
from readmark.making.agreement.comparison import AgreementComparison, compare_work, for_pairs
from readmark.making.agreement.entities import MENTION, entities_of
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

SEGMENTATIONS = ("token", "sentence")
TYPE = "type"


def compare_spans(
    people: Sequence[Annotator], what: str, *, resampling: Resampling | None = None
) -> AgreementComparison:
    """Span F1 of each two, unitizing alpha of all; types count where the layer has any."""
    all_records = records_of(people, what)
    pair_resampling = for_pairs(resampling, people)
    typed = any(
        TYPE in layer.columns
        for by_name in all_records.values()
        for texts in by_name.values()
        for text in texts.values()
        if (layer := text.layers.get(what)) is not None
    )

    def figures(records: Records, a: str, b: str) -> Iterable[Agreement]:
        pairs, clusters = _span_pairs(records, a, b, what, typed=typed)
        how: dict[str, Any] = {"clusters": clusters, "resampling": pair_resampling}
        yield exact_f1(pairs, **how)
        if typed:
            without_types, _ = _span_pairs(records, a, b, what, typed=False)
            yield replace(exact_f1(without_types, **how), measure="exact(untyped)")
        yield overlap_f1(pairs, **how)
        yield character_f1(pairs, **how)
        continua = _continua(records, [a, b], what, typed)
        yield unitizing_alpha(continua, resampling=pair_resampling)

    def together(records: Records, names: list[str]) -> Agreement:
        return unitizing_alpha(_continua(records, names, what, typed), resampling=resampling)

    return _compare(people, what, "spans", all_records, figures, together, layer=what)


def compare_segmentation(
    people: Sequence[Annotator], what: str, *, resampling: Resampling | None = None
) -> AgreementComparison:
    """Words and boundaries; a text that one did not segment is left out of the pair."""
    pair_resampling = for_pairs(resampling, people)

    def figures(records: Records, a: str, b: str) -> Iterable[Agreement]:
        pairs, clusters = _span_pairs(records, a, b, what, typed=False, both_have_layer=True)
        yield word_f1(pairs, clusters=clusters, resampling=pair_resampling)
        yield boundary_f1(pairs, clusters=clusters, resampling=pair_resampling)

    return _compare(people, what, "segmentation", records_of(people, what), figures, layer=what)


def compare_coreference(
    people: Sequence[Annotator],
    what: str,
    *,
    singletons: bool = True,
    resampling: Resampling | None = None,
) -> AgreementComparison:
    """MUC, B³, CEAF-e, LEA and the CoNLL mean; a cluster is a passage with its questions."""
    pair_resampling = for_pairs(resampling, people)

    def entities(texts: Texts, shared: Collection[Owner]) -> list[frozenset[Hashable]]:
        in_shared = entities_of({owner: text for owner, text in texts.items() if owner in shared})
        return in_shared if singletons else without_singletons(in_shared)

    def figures(records: Records, a: str, b: str) -> Iterable[Agreement]:
        pairs = []
        for texts in records.values():
            shared = texts[a].keys() & texts[b].keys()
            pairs.append((entities(texts[a], shared), entities(texts[b], shared)))
        for metric in METRICS:
            yield coreference_f1(pairs, metric, resampling=pair_resampling)
        yield conll_mean(pairs, resampling=pair_resampling)

    note = f"entities of a single mention are {'kept' if singletons else 'left out'}"
    records = records_of(people, MENTION)
    return _compare(people, what, "coreference", records, figures, layer=MENTION, note=note)


def _compare(
    people: Sequence[Annotator],
    what: str,
    sort: str,
    records: Records,
    figures: Callable[[Records, str, str], Iterable[Agreement]],
    together: Callable[[Records, list[str]], Agreement] | None = None,
    *,
    layer: str,
    note: str = "",
) -> AgreementComparison:
    """Compare each two; ``figures`` are of two annotators, from the records that both annotated."""
    names = [annotator.name for annotator in people]

    def annotated_by(*annotators: str) -> Records:
        return {id: texts for id, texts in records.items() if texts.keys() >= {*annotators}}

    def pair(a: int, b: int) -> tuple[Agreement, ...]:
        return tuple(figures(annotated_by(names[a], names[b]), names[a], names[b]))

    return compare_work(
        people,
        what,
        [annotated_by(name) for name in names],
        pair,
        nothing_shared="annotated no passage in common",
        ids=list(records),
        sort=sort,
        noun="passage",
        figures=(together(annotated_by(*names), names),) if together is not None else (),
        notes=(*([note] if note else []), *_analyser_notes(people, layer)),
    )


def _span_pairs(
    records: Records,
    a: str,
    b: str,
    layer: str,
    *,
    typed: bool,
    both_have_layer: bool = False,
) -> tuple[list[SpansPair], list[str]]:
    """Both annotators' spans, text by text, and the record of each text.

    With ``both_have_layer``, only texts that have the layer on both sides.
    """
    pairs: list[SpansPair] = []
    clusters: list[str] = []
    for id, texts in records.items():
        for owner, text_a in texts[a].items():
            text_b = texts[b].get(owner)
            if text_b is None:
                continue
            has_layer = [layer in text.layers for text in (text_a, text_b)]
            if all(has_layer) or (any(has_layer) and not both_have_layer):
                pairs.append((_spans(text_a, layer, typed), _spans(text_b, layer, typed)))
                clusters.append(id)
    return pairs, clusters


def _continua(records: Records, names: Sequence[str], layer: str, typed: bool) -> list[Continuum]:
    """The texts that all of these have, with each one's spans; questions only where annotated."""
    continua = []
    for id, by_name in records.items():
        first, *others = (by_name[name] for name in names)
        for owner, text in first.items():
            if not all(owner in texts for texts in others):
                continue
            versions = [texts[owner] for texts in (first, *others)]
            if owner == ("passage",) or any(layer in version.layers for version in versions):
                units = [_labelled_spans(version, layer, typed) for version in versions]
                continua.append(Continuum(len(text.text), units, id))
    return continua


def _spans(text: AnnotatedPart, layer: str, typed: bool) -> list[ComparedSpan]:
    if not typed:
        return list(spans_of(text, layer))
    return list(_labelled_spans(text, layer, True))


def _labelled_spans(text: AnnotatedPart, name: str, typed: bool) -> list[tuple[int, int, Hashable]]:
    layer = text.layers.get(name)
    if layer is None:
        return []
    types: list[Any] = layer.column(TYPE) if typed else [None] * len(layer.spans)
    return [
        (start, end, None if type is None else str(type))
        for (start, end), type in zip(layer.spans, types, strict=True)
    ]


def _analyser_notes(people: Sequence[Annotator], name: str) -> tuple[str, ...]:
    """A note where every annotator's layer says that an analyser of ours made it.

    Their agreement is then one program's with itself.
    """
    sources = {
        layer.source
        for annotator in people
        for record in annotator.records.values()
        for text in texts_of(record)
        if (layer := text.layers.get(name)) is not None
    }
    if sources and all(source.startswith(ANALYSER_PREFIX) for source in sources):
        return (
            f"every file says that {' and '.join(sorted(sources))} made this layer, not people",
        )
    return ()
