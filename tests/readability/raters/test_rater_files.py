"""Files of raters: they come back as they were, and what cannot be used is refused in one line."""

import msgspec
import pytest

from readmark.core.errors import DataError, UsageError
from readmark.readability.raters.learned_words import WordBlock
from readmark.readability.raters.model import EmbeddingWeights, Rater, Weighed
from readmark.readability.raters.rater_files import fingerprint, from_json, load_rater, to_json

DEPTH = Weighed(name="depth", centre=4.0, spread=2.0, limit=2.5, slopes=(-0.5,))
GOOD = Rater(base=3.0, knots=(), features=(DEPTH,))


def test_a_file_comes_back_as_it_was() -> None:
    rater = msgspec.structs.replace(GOOD, note={"seed": 1})
    assert from_json(to_json(rater).encode()) == rater


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"readmark_rater": 0}, "format 0, expected 1"),
        ({"readmark_rater": 9}, "newer_schema: made for schema 9"),
        ({"language": "fr"}, "expected 'en' or 'zh'"),
        ({"language": "zh"}, "'depth', which is not a feature here"),
        ({"features": ()}, "no feature"),
        ({"features": (DEPTH, DEPTH)}, "'depth' twice"),
        ({"base": "three"}, "not a rater"),
        ({"base": 1e308}, "base"),
        ({"pardon": -1.0}, "pardon"),
        ({"features": (msgspec.structs.replace(DEPTH, limit=-1.0),)}, "over 0"),
        ({"features": (msgspec.structs.replace(DEPTH, spread=0.0),)}, "over 0"),
        ({"features": (msgspec.structs.replace(DEPTH, name="height"),)}, "not a feature here"),
        ({"features": (msgspec.structs.replace(DEPTH, slopes=()),)}, "0 slopes, expected 1"),
        ({"words": WordBlock({}, (0.0,) * 3, 0.0)}, "3 axes of words, expected"),
        ({"meaning": EmbeddingWeights((0.0,) * 3, 0.0)}, "3 weights of embeddings, expected"),
    ],
)
def test_an_unusable_file_is_refused_in_one_line(change: dict[str, object], message: str) -> None:
    data = msgspec.json.encode(msgspec.structs.replace(GOOD, **change))
    with pytest.raises(DataError, match=message) as error:
        from_json(data, "m.json")
    assert "\n" not in str(error.value)


def test_a_missing_file_names_the_command_that_makes_one() -> None:
    with pytest.raises(UsageError, match="readmark train rater"):
        load_rater("nowhere.json")


def test_the_rater_that_ships_has_a_card_and_a_fingerprint() -> None:
    assert load_rater().note["trained_on"].startswith("OneStopEnglish")
    assert len(fingerprint()) == 12
