"""Breaking text: seeded, and what each sort does."""

import pytest

from rating_passages import DOG, MAN, by_hand
from training.rater import SORTS, dropped, shuffled, word_for_word


@pytest.mark.parametrize("sort", SORTS)
def test_the_same_seed_breaks_alike(sort: str) -> None:
    change, left = SORTS[sort]
    passage = by_hand(DOG, MAN)
    assert change(passage, 1) == change(passage, 1)
    assert 0 < left < 1


def test_shuffling_keeps_the_words_of_a_sentence() -> None:
    first, second = (part.strip() for part in shuffled(by_hand(DOG, MAN), 5).split(".")[:2])
    assert sorted(first.lower().split()) == ["bit", "dog", "man", "the", "the"]
    assert sorted(second.lower().split()) == ["and", "man", "ran", "shouted", "the", "then"]


def test_dropping_takes_function_words_only() -> None:
    kept = dropped(by_hand(DOG * 1), 3)
    assert all(word in kept for word in ("dog", "bit", "man"))


def test_word_for_word_has_base_forms() -> None:
    texts = {word_for_word(by_hand(DOG), seed) for seed in range(20)}
    assert any("bite" in text for text in texts)
