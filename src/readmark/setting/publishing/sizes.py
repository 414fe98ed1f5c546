"""The card's tables: CMRC 2018's Table 1 by split, then SMART's Table 1, levels and types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from readmark.corpus.kinds import kind_named
from readmark.corpus.labels import ABSENT
from readmark.setting.publishing.markdown import table
from readmark.setting.publishing.parts import UNSPLIT, Part
from readmark.setting.tables.corpus import WHOLE, CorpusTable


def sizes(counted: CorpusTable, parts: Sequence[Part]) -> Iterator[str]:
    """Sizes, lengths, levels and types of what is published, in Markdown."""
    hidden = [part.name for part in parts if part.hidden]
    records, units = plural(counted.record_noun), plural(counted.unit_noun)
    rated = kind_named(counted.kind).answer == "rating"
    each = "ratings each" if rated else "answers each"
    rows = list(_rows(counted, hidden))
    if records == units:
        rows = [[split, count, *others] for split, count, _, *others in rows]
    names = dict.fromkeys((records, units))
    yield from table(["split", *names, each, "key"], rows, numbers=range(1, len(names) + 2))
    yield from table(
        [f"length in {counted.unit}", "longest", "mean"],
        [[what, f"{one.longest:,}", f"{one.mean:.1f}"] for what, one in counted.lengths.items()],
        numbers=(1, 2),
    )
    absent = "withheld or none" if hidden else "none"
    for field in ("level", "type"):
        counts = counted.distributions.get(field) or (counted.types if field == "type" else {})
        crossed = counted.crossed.get(field)
        if crossed:
            yield from _by_split(field, crossed, [part.name for part in parts], absent)
        elif counts:
            by_split = {value: {ABSENT: count} for value, count in counts.items()}
            yield from _by_split(field, by_split, [], absent)
    if hidden:
        splits = ", ".join(f"`{name}`" for name in hidden)
        said = f"no {'rating' if rated else 'answer'} and no label of its {units}"
        yield f"The key of {splits} is withheld: {said} is in the"
        yield "data, and the tables are made without them."
        yield ""
    if counted.types and not counted.distributions.get("type"):
        yield "Types are told by rules from the words of the questions."
        yield ""


def _rows(counted: CorpusTable, hidden: Sequence[str]) -> Iterator[list[str]]:
    if not counted.splits:
        each = f"{counted.answers_per_unit:.2f}"
        yield [UNSPLIT, f"{counted.records:,}", f"{counted.units:,}", each, "published"]
    for one in counted.splits:
        each = "" if one.answers_each is None else f"{one.answers_each:.2f}"
        name = UNSPLIT if one.name == ABSENT else one.name
        key = "" if name == WHOLE else "withheld" if name in hidden else "published"
        yield [name, f"{one.records:,}", f"{one.units:,}", each, key]


def _by_split(
    field: str, counts: Mapping[str, Mapping[str, int]], splits: Sequence[str], absent: str
) -> Iterator[str]:
    """A row a value and one of sums, a column a split, then all of them and their share."""
    keys = [ABSENT if name == UNSPLIT and ABSENT in _splits(counts) else name for name in splits]
    total = sum(sum(row.values()) for row in counts.values()) or 1
    rows = []
    for value, row in counts.items():
        every = sum(row.values())
        cells = [*(row.get(key, 0) for key in keys), every]
        name = absent if value == ABSENT else value
        rows.append([name, *(f"{one:,}" for one in cells), f"{100 * every / total:.1f}%"])
    sums = [sum(row.get(key, 0) for row in counts.values()) for key in keys]
    rows.append([WHOLE, *(f"{one:,}" for one in (*sums, total)), "100.0%"])
    numbers = range(1, len(keys) + 3)
    yield from table([field, *splits, WHOLE, "share"], rows, numbers=numbers)


def _splits(counts: Mapping[str, Mapping[str, int]]) -> set[str]:
    return {split for row in counts.values() for split in row}


def plural(noun: str) -> str:
    """A noun in the plural; series are the same in both."""
    if noun.endswith("y"):
        return f"{noun[:-1]}ies"
    return noun if noun.endswith("s") else f"{noun}s"
