"""Noun phrases of both sides aligned, and how well: against pairs labelled by hand."""

from collections import defaultdict
from importlib.resources import files
from pathlib import Path

import pytest

from readmark.formats.registry import open_test
from readmark.making.crosscheck.consistency import Consistency, compare_phrases
from readmark.making.crosscheck.phrase_alignment import SidePhrase, align
from readmark.making.crosscheck.translations import cooccurring_words

LABELS = Path(__file__).with_name("np_alignment.tsv")
TUNED, SEEN, FRESH = ("bookboat", "can"), ("popcorn", "letter"), ("swift", "mending")
"""Weights were set on the first two, totals of the next seen, the last counted once after that."""


@pytest.fixture(scope="module")
def consistency() -> Consistency:
    bundle = files("readmark.bundle")
    english, chinese = (
        open_test(str(bundle / f"reading.{language}.jsonl")) for language in ("en", "zh")
    )
    return compare_phrases(chinese, english)


def labelled() -> dict[str, set[tuple[int, int]]]:
    pairs = defaultdict(set)
    for line in LABELS.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            passage, english, _, chinese, _ = line.split("\t")
            pairs[passage].add((int(english), int(chinese)))
    return pairs


@pytest.mark.parametrize(
    ("passages", "precision", "recall"),
    [(TUNED, 0.97, 0.8), (SEEN, 0.92, 0.78), (FRESH, 0.97, 0.75)],
)
def test_precision_and_recall(
    consistency: Consistency, passages: tuple[str, ...], precision: float, recall: float
) -> None:
    gold = labelled()
    right = proposed = labelled_count = reached = 0
    for text in consistency.texts:
        if text.record in passages and text.unit is None:
            pairs = {(english[0], other[0]) for english, other, _ in text.pairs}
            proposed += len(pairs)
            right += len(pairs & gold[text.record])
            labelled_count += len({chinese for _, chinese in gold[text.record]})
            reached += len({chinese for _, chinese in pairs & gold[text.record]})
    assert right / proposed >= precision
    assert reached / labelled_count >= recall


def test_labels_are_of_the_bundle(consistency: Consistency) -> None:
    texts = {text.record: text for text in consistency.texts if text.unit is None}
    for line in LABELS.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            passage, start, english, place, chinese = line.split("\t")
            text = texts[passage]
            assert text.english_text.startswith(english, int(start))
            assert text.chinese_text.startswith(chinese, int(place))


def test_every_phrase_is_aligned_or_listed(consistency: Consistency) -> None:
    for text in consistency.texts:
        assert len(text.pairs) + len(text.english_alone) == len(text.english)
        assert len(text.pairs) + len(text.chinese_alone) == len(text.chinese)
    assert [text.record for text in consistency.texts if text.far] == ["wok"]
    assert sum(len(text.english) for text in consistency.texts if text.unit is None) == 710


def phrases(*texts: str | tuple[str, str]) -> list[SidePhrase]:
    typed = [text if isinstance(text, tuple) else (text, None) for text in texts]
    return [SidePhrase(text, type, index / len(typed)) for index, (text, type) in enumerate(typed)]


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
def test_phrases_that_say_the_same_are_paired(
    english: list[str], chinese: list[str], pairs: list[tuple[int, int]]
) -> None:
    aligned = align(phrases(*english), phrases(*chinese))
    assert [(pair.english, pair.chinese) for pair in aligned] == pairs


def test_words_that_keep_coming_together_are_translations() -> None:
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
