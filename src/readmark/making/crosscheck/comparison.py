"""Differences as lines of an adjudication file, and decisions kept from an earlier one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import UsageError
from readmark.core.records import Offsets, Passage
from readmark.core.test import Test
from readmark.formats.returned_work import require_name
from readmark.making.adjudication import AdjudicationHeader, Disagreement
from readmark.making.crosscheck.differences import (
    Difference,
    LayerCount,
    count,
    differences,
    followed,
    layer_pairs,
)
from readmark.making.crosscheck.english import English
from readmark.making.crosscheck.items import (
    KEY,
    PASSAGE,
    QUESTION,
    Item,
    Scope,
    layers_to_compare,
    parts_of,
)
from readmark.making.crosscheck.pairs import Paired, notes, paired
from readmark.text.answers.places import passage_sentences

FOLLOWS = "follows"
"""In ``beside``: the id of the disagreement whose decision settles this one too."""
CONTEXT, CONTEXT_START, ENGLISH = "context", "context_start", "english"

_WRITTEN = ("decision", "other", "decided_cause", "by")
"""What people write into a line."""

_encode = msgspec.json.Encoder(order="deterministic").encode


def row(
    one: Difference,
    *,
    context: Offsets | None = None,
    english: str | None = None,
    follows: str | None = None,
) -> Disagreement:
    """A line of the file: both versions, the sentence around, the parallel English."""
    beside: dict[str, Any] = {}
    if context is not None:
        beside[CONTEXT] = one.text[slice(*context)]
        beside[CONTEXT_START] = context[0]
    if english is not None:
        beside[ENGLISH] = english
    if follows is not None:
        beside[FOLLOWS] = follows
    return Disagreement(
        id=one.id,
        what=one.what,
        record=one.part.record,
        unit=one.part.unit,
        place=one.place,
        a=told(one.a, one.text),
        b=told(one.b, one.text),
        beside=beside,
        cause=one.sort,
    )


def told(items: Iterable[Item], text: str) -> list[dict[str, Any]]:
    """Items as they stand in the file: span, quote and what is said of it."""
    return [
        {
            "span": list(item.span),
            "quote": text[slice(*item.span)],
            **{name: said for name, said in item.labels.items() if said is not None},
        }
        for item in items
    ]


def same_versions(one: Disagreement, other: Disagreement) -> bool:
    """Whether two lines are about the same two versions."""
    return _encode((one.a, one.b)) == _encode((other.a, other.b))


def settled_by(one: Disagreement, decided: Mapping[str, Disagreement]) -> str | None:
    """The id of the line that settles this one too; one that was decided otherwise settles none."""
    base = one.beside.get(FOLLOWS)
    if base is None or (base in decided and decided[base].decision == "other"):
        return None
    return str(base)


def to_decide(rows: Sequence[Disagreement]) -> list[str]:
    """The ids that need a decision of their own and have none."""
    known = {one.id: one for one in rows}
    return [one.id for one in rows if one.decision is None and settled_by(one, known) is None]


def with_decisions(
    rows: Iterable[Disagreement], earlier: Iterable[Disagreement]
) -> tuple[list[Disagreement], list[Disagreement]]:
    """The lines with what was decided before, and worked lines whose versions are there no more."""
    worked: Mapping[str, Disagreement] = {one.id: one for one in earlier if is_worked(one)}
    kept: set[str] = set()
    made = []
    for one in rows:
        before = worked.get(one.id)
        if before is not None and same_versions(one, before):
            kept.add(one.id)
            said = {name: getattr(before, name) for name in _WRITTEN}
            one = msgspec.structs.replace(one, **said)
        made.append(one)
    return made, [one for id, one in worked.items() if id not in kept]


def is_worked(one: Disagreement) -> bool:
    """Whether somebody wrote anything into a line."""
    return any(getattr(one, name) is not None for name in _WRITTEN)


def outside(earlier: Iterable[Disagreement], before: Scope, now: Scope) -> list[str]:
    """Layers, some with their sort of text, that have decisions and are not compared any more.

    ``before`` tells what the earlier lines were compared in, ``now`` what is compared this time.
    """
    gone = {
        (name, sort)
        for name, sorts in before.items()
        for sort in sorts
        if sort not in now.get(name, ())
    }
    found: dict[str, None] = {}
    for one in earlier:
        if is_worked(one) and (one.what, _sort_of_text(one)) in gone:
            whole = not now.get(one.what)
            found[one.what if whole else f"{one.what} in {_sort_of_text(one)}s"] = None
    return list(found)


def _sort_of_text(one: Disagreement) -> str:
    """Whether a line is about the passage, a question, or a published key of it."""
    if one.unit is None:
        return PASSAGE
    return KEY if one.id.startswith(f"{one.record}:{one.unit}:key") else QUESTION


# Cross-checking two annotators: every disagreement at its place, and counts by layer.


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
        raise UsageError(f"both annotators are called {one!r}; distinguish them with --names A,B")
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
