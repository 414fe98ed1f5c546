"""The card's tables: sizes by split, lengths, levels and types of what is published.

They follow table 1 of CMRC 2018 (splits) and table 1 of SMART (lengths).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from readmark.core import numbers
from readmark.core.display import plural
from readmark.core.kinds import kind_named
from readmark.core.labels import ABSENT
from readmark.making.corpus import ALL_SPLITS, CorpusTable
from readmark.making.export.markdown import table
from readmark.making.export.published_parts import UNSPLIT, PublishedPart


def sizes(corpus: CorpusTable, parts: Sequence[PublishedPart]) -> Iterator[str]:
    """Sizes, lengths, levels and types of what is published, in Markdown."""
    hidden = [part.name for part in parts if part.hidden]
    records, units = plural(corpus.record_noun), plural(corpus.unit_noun)
    is_rated = kind_named(corpus.kind).answer == "rating"
    each = "ratings each" if is_rated else "answers each"
    rows = list(_size_rows(corpus, hidden))
    if records == units:
        rows = [[split, count, *others] for split, count, _, *others in rows]
    names = dict.fromkeys((records, units))
    yield from table(["split", *names, each, "key"], rows, numbers=range(1, len(names) + 2))
    yield from table(
        [f"length in {corpus.unit}", "longest", "mean"],
        [
            [what, f"{lengths.longest:,}", numbers.decimal(lengths.mean, 1)]
            for what, lengths in corpus.lengths.items()
        ],
        numbers=(1, 2),
    )
    absent = "withheld or none" if hidden else "none"
    for field in ("level", "type"):
        counts = corpus.distributions.get(field) or (corpus.types if field == "type" else {})
        crossed = corpus.crossed.get(field)
        if crossed:
            yield from _by_split(field, crossed, [part.name for part in parts], absent)
        elif counts:
            by_split = {value: {ABSENT: count} for value, count in counts.items()}
            yield from _by_split(field, by_split, [], absent)
    if hidden:
        splits = ", ".join(f"`{name}`" for name in hidden)
        missing = f"no {'rating' if is_rated else 'answer'} and no label of its {units}"
        yield f"The key of {splits} is withheld: {missing} is in the"
        yield from ("data, and the tables are made without them.", "")
    if corpus.types and not corpus.distributions.get("type"):
        yield from ("Rules detect the types from the words of the questions.", "")


def _size_rows(corpus: CorpusTable, hidden: Sequence[str]) -> Iterator[list[str]]:
    if not corpus.splits:
        each = numbers.decimal(corpus.answers_per_unit)
        yield [UNSPLIT, f"{corpus.records:,}", f"{corpus.units:,}", each, "published"]
    for split in corpus.splits:
        each = "" if split.answers_each is None else numbers.decimal(split.answers_each)
        name = UNSPLIT if split.name == ABSENT else split.name
        key = "" if name == ALL_SPLITS else "withheld" if name in hidden else "published"
        yield [name, f"{split.records:,}", f"{split.units:,}", each, key]


def _by_split(
    field: str, counts: Mapping[str, Mapping[str, int]], splits: Sequence[str], absent: str
) -> Iterator[str]:
    """One row per value and one of sums, one column per split, then all of them and their share."""
    unsplit = any(ABSENT in row for row in counts.values())
    keys = [ABSENT if name == UNSPLIT and unsplit else name for name in splits]
    total = sum(sum(row.values()) for row in counts.values()) or 1
    rows = []
    for value, row in counts.items():
        of_value = sum(row.values())
        cells = [*(row.get(key, 0) for key in keys), of_value]
        name = absent if value == ABSENT else value
        rows.append([name, *(f"{cell:,}" for cell in cells), numbers.percent(of_value / total)])
    sums = [sum(row.get(key, 0) for row in counts.values()) for key in keys]
    rows.append([ALL_SPLITS, *(f"{count:,}" for count in (*sums, total)), "100.0%"])
    columns = range(1, len(keys) + 3)
    yield from table([field, *splits, ALL_SPLITS, "share"], rows, numbers=columns)
