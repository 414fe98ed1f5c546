"""Noun phrases of both sides aligned, and how well: against pairs labelled by hand."""

from collections import defaultdict
from importlib.resources import files
from pathlib import Path

import pytest

from readmark.formats.registry import open_test
from readmark.making.crosscheck.consistency import (
    Consistency,
    SidePhrase,
    align,
    compare_phrases,
    cooccurring_words,
)

LABELS = Path(__file__).with_name("np_alignment.tsv")
TUNED, SEEN, FRESH = ("bookboat", "can"), ("popcorn", "letter"), ("swift", "mending")
"""Weights were set on the first two, totals of the next seen, the last counted once after that."""


@pytest.fixture(scope="module")
def made() -> Consistency:
    bundle = files("readmark.bundle")
    english, chinese = (
        open_test(str(bundle / f"reading.{language}.jsonl")) for language in ("en", "zh")
    )
    return compare_phrases(chinese, english)


def labelled() -> dict[str, set[tuple[int, int]]]:
    found = defaultdict(set)
    for line in LABELS.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            passage, english, _, chinese, _ = line.split("\t")
            found[passage].add((int(english), int(chinese)))
    return found


@pytest.mark.parametrize(
    ("passages", "precision", "recall"),
    [(TUNED, 0.97, 0.8), (SEEN, 0.92, 0.78), (FRESH, 0.97, 0.75)],
)
def test_precision_and_recall(
    made: Consistency, passages: tuple[str, ...], precision: float, recall: float
) -> None:
    gold = labelled()
    right = found = wanted = reached = 0
    for text in made.texts:
        if text.record in passages and text.unit is None:
            pairs = {(one[0], other[0]) for one, other, _ in text.pairs}
            found += len(pairs)
            right += len(pairs & gold[text.record])
            wanted += len({chinese for _, chinese in gold[text.record]})
            reached += len({chinese for _, chinese in pairs & gold[text.record]})
    assert right / found >= precision
    assert reached / wanted >= recall


def test_labels_are_of_the_bundle(made: Consistency) -> None:
    texts = {one.record: one for one in made.texts if one.unit is None}
    for line in LABELS.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            passage, start, english, place, chinese = line.split("\t")
            one = texts[passage]
            assert one.english_text.startswith(english, int(start))
            assert one.chinese_text.startswith(chinese, int(place))


def test_every_phrase_is_aligned_or_listed(made: Consistency) -> None:
    for one in made.texts:
        assert len(one.pairs) + len(one.english_alone) == len(one.english)
        assert len(one.pairs) + len(one.chinese_alone) == len(one.chinese)
    assert [one.record for one in made.texts if one.far] == ["wok"]
    assert sum(len(one.english) for one in made.texts if one.unit is None) == 710


def phrases(*texts: str | tuple[str, str]) -> list[SidePhrase]:
    said = [one if isinstance(one, tuple) else (one, None) for one in texts]
    return [SidePhrase(text, type, at / len(said)) for at, (text, type) in enumerate(said)]


@pytest.mark.parametrize(
    ("english", "chinese", "pairs"),
    [
        # The document's: 有人 and 区别 have no English noun phrase and stay.
        (
            ["It", "British", "American English", "they", "separate languages"],
            ["有人", "英国英语", "美国英语", "区别", "两种不同的语言"],
            [(1, 1), (2, 2), (4, 4)],
        ),
        (["Some", "it", "the French"], ["有人", "他", "法语"], [(0, 0), (1, 1), (2, 2)]),
        (
            [("Lin Bo", "PERSON"), ("1066", "TIME")],
            [("1066年", "TIME"), ("林波", "PERSON")],
            [(1, 0), (0, 1)],
        ),
        ([("1066", "TIME")], [("1067年", "TIME")], []),
        ([], ["书"], []),
        (["the kettle of"], ["铜壶"], [(0, 0)]),  # one left on each side
        (["he"], ["铜壶"], []),
    ],
)
def test_align(english: list[str], chinese: list[str], pairs: list[tuple[int, int]]) -> None:
    found = align(phrases(*english), phrases(*chinese))
    assert [(one.english, one.chinese) for one in found] == pairs


def test_words_together() -> None:
    pairs = [
        ({"kernel", "water"}, {"玉米粒", "锅"}),
        ({"kernel"}, {"玉米粒"}),
        ({"water", "pan"}, {"锅"}),
        ({"oil"}, {"油"}),
    ]
    # oil and 油 come together once: that may be chance.
    assert cooccurring_words(pairs) == {
        "kernel": frozenset({"玉米粒"}),
        "water": frozenset({"锅"}),
    }
