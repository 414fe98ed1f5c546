"""Cross-checking two annotators: every disagreement at its place, and counts by layer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from readmark.corpus.errors import UsageError
from readmark.corpus.test import Test
from readmark.corpus.values import Offsets, Passage
from readmark.setting.adjudication import AdjudicationHeader, Disagreement
from readmark.setting.blind.names import require_name
from readmark.setting.crosscheck.comparing import (
    Difference,
    LayerCount,
    count,
    differences,
    layer_pairs,
)
from readmark.setting.crosscheck.english import English
from readmark.setting.crosscheck.following import followed
from readmark.setting.crosscheck.pairing import Paired, notes, paired
from readmark.setting.crosscheck.rows import row
from readmark.setting.crosscheck.scope import Scope, layers_to_compare
from readmark.setting.crosscheck.texts import parts_of
from readmark.text.answer_sentences import passage_sentences

WORK = "annotation"
Watch = Callable[[int], None]
"""Told after each passage how many are done."""


@dataclass(slots=True)
class CrossCheck:
    """What two annotators' files differ in."""

    header: AdjudicationHeader
    scope: Scope
    passages: int = 0
    texts: int = 0
    counts: dict[str, LayerCount] = field(default_factory=dict)
    rows: list[Disagreement] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Compared:
    """One passage of two annotators and where they differ, with what follows from what."""

    a: Passage
    b: Passage
    found: list[Difference]
    follows: dict[str, str]


def names_of(a: str, b: str, said: Sequence[str] = ()) -> tuple[str, str]:
    """The annotators' names: as said, else their files' (with the folder where those are equal)."""
    if said:
        if len(said) != 2:
            raise UsageError(f"--names takes two names, found {len(said)}: {', '.join(said)}")
        one, other = (require_name(name, "annotator") for name in said)
    else:
        with_folder = (_stem(a), _stem(b))
        folders = (Path(a).resolve().parent.name, Path(b).resolve().parent.name)
        one, other = with_folder
        if one == other:
            one, other = f"{folders[0]}/{one}", f"{folders[1]}/{other}"
    if one == other:
        raise UsageError(f"both annotators are called {one!r}; tell them apart with --names A,B")
    return one, other


def cross_check(
    a: Test,
    b: Test,
    *,
    names: tuple[str, str],
    english: English | None = None,
    layers: Sequence[str] = (),
    common: bool = False,
    watch: Watch | None = None,
) -> CrossCheck:
    """Compare two annotators' files of the same passages."""
    pairs = paired(a, b, common=common)
    scope, lone = layers_to_compare(pairs.passages, layers)
    header = AdjudicationHeader(
        work=WORK,
        a=names[0],
        b=names[1],
        paper=a.facts.paper,
        fields={"layers": scope, **({"common": True} if common else {})},
    )
    made = CrossCheck(header, scope, notes=not_compared(pairs, names, lone))
    language = a.language
    for one, other in pairs.passages:
        done = _counted(one, other, scope, made)
        made.rows += _rows(done, language, english)
        made.passages += 1
        made.texts += sum(1 for _ in parts_of(one))
        if watch is not None:
            watch(made.passages)
    if english is not None:
        missing = [one.id for one, _ in pairs.passages if english.passage(one) is None]
        if missing:
            named = ", ".join(missing[:3]) + (", …" if len(missing) > 3 else "")
            made.notes.append(f"{english.file} has no parallel passage of {named}")
    return made


def not_compared(
    pairs: Paired, names: tuple[str, str], lone: Sequence[tuple[str, str, str]]
) -> list[str]:
    """What only one annotator has, a line each."""
    sorts: dict[tuple[str, str], list[str]] = {}
    for name, sort, who in lone:
        sorts.setdefault((name, who), []).append(f"{sort}s")
    alone = [
        f"only {names[0] if who == 'a' else names[1]} has {name} in {' and '.join(where)}: "
        "not compared (compare it all the same with --layers)"
        for (name, who), where in sorts.items()
    ]
    return [*notes(pairs, names), *alone]


def compare(a: Passage, b: Passage, scope: Scope) -> Compared:
    """The differences of one passage."""
    found = [one for pair in layer_pairs(a, b, scope) for one in differences(pair)]
    return Compared(a, b, found, followed(found))


def _counted(a: Passage, b: Passage, scope: Scope, made: CrossCheck) -> Compared:
    found: list[Difference] = []
    for pair in layer_pairs(a, b, scope):
        own = differences(pair)
        count(made.counts, pair, own)
        found += own
    return Compared(a, b, found, followed(found))


def _rows(done: Compared, language: str, english: English | None) -> Iterator[Disagreement]:
    """The differences in the order of the text, each with what is to be seen beside it."""
    sentences: dict[str, list[Offsets]] = {}
    passage = done.a.text
    for one in done.found:
        key = one.text
        if key not in sentences:
            whole = [(0, len(key))]
            sentences[key] = passage_sentences(done.a, language) if key == passage else whole
        beside = None
        if english is not None:
            part = one.part if key != passage else next(parts_of(done.a))
            beside = english.beside(done.a, part, one.place, language)
        yield row(
            one,
            context=_around(one.place, sentences[key]),
            english=beside,
            follows=done.follows.get(one.id),
        )


def _around(place: Offsets, sentences: Sequence[Offsets]) -> Offsets | None:
    """The sentences that a place touches, from the first to the last."""
    touched = [
        span
        for span in sentences
        if (span[0] < place[1] and place[0] < span[1]) or span[0] <= place[0] < span[1]
    ]
    return (touched[0][0], touched[-1][1]) if touched else None


def _stem(path: str) -> str:
    name = Path(path).resolve().name
    return name.split(".")[0] or name
