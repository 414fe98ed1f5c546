"""Training a rater: what is learnt from a test, and what is refused."""

from pathlib import Path

import pytest

from readmark.core.errors import UsageError
from readmark.core.test import Header, in_memory
from readmark.formats.registry import open_test, save_test
from readmark.readability.kind import RatedPassage, Rating, RatingKey
from readmark.readability.raters.training import _rated_texts, train_rater


def saved(path: Path, *passages: RatedPassage, **header: str) -> Path:
    members = {"kind": "readability", "language": "en", "name": "own"} | header
    save_test(in_memory(Header(**members), list(passages)), path)
    return path


def rated(id: str, text: str, *stars: float, article: str | None = None) -> RatedPassage:
    ratings = tuple(Rating(star, f"e{number}") for number, star in enumerate(stars))
    return RatedPassage(id=id, text=text, article=article, key=RatingKey(ratings))


def test_ratings_are_means_and_equal_texts_one_group(tmp_path: Path) -> None:
    path = saved(
        tmp_path / "t.jsonl",
        rated("a", "One text.", 3, 4, 5),
        rated("b", "One  text.", 2),
        rated("c", "Another.", 1, article="x"),
        rated("d", "No rating."),
        rated("e", "...", 3),
    )
    texts, rated_test = _rated_texts(open_test(path))
    assert [text.rating for text in texts] == [4, 2, 1]
    assert texts[0].digest == texts[1].digest != texts[2].digest
    assert [text.article for text in texts] == [None, None, "x"]
    assert (rated_test.passages, rated_test.skipped, rated_test.name) == (3, 2, "own")


def test_what_is_no_readability_test_in_english_is_refused(tmp_path: Path) -> None:
    chinese = saved(tmp_path / "zh.jsonl", rated("a", "猫。", 3), language="zh")
    with pytest.raises(UsageError, match="English"):
        train_rater([chinese], tmp_path / "m.json")
    with pytest.raises(UsageError, match="folder"):
        train_rater([chinese], tmp_path / "nowhere" / "m.json")


def test_the_model_never_takes_the_place_of_a_test(tmp_path: Path) -> None:
    path = saved(tmp_path / "t.jsonl", rated("a", "One text.", 3))
    before = path.read_bytes()
    with pytest.raises(UsageError, match="being read"):
        train_rater([path], path)
    assert path.read_bytes() == before
