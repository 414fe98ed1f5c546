"""Files that are no raters are refused in one line that says what was expected."""

import msgspec
import pytest

from readmark.core.errors import DataError
from readmark.readability.raters.model import EmbeddingWeights, Rater, Weighed, WordBlock, from_json

DEPTH = Weighed(name="depth", centre=4.0, spread=2.0, limit=2.5, slopes=(-0.5,))
GOOD = Rater(base=3.0, knots=(), features=(DEPTH,))


def test_a_sound_one_is_read() -> None:
    assert from_json(msgspec.json.encode(GOOD)) == GOOD


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"readmark_rater": 0}, "format 0, expected 1"),
        ({"readmark_rater": 9}, "newer_schema: made for schema 9"),
        ({"language": "fr"}, "expected 'en' or 'zh'"),
        ({"language": "zh"}, "'depth', which is not a feature here"),
        ({"features": ()}, "no feature"),
        ({"features": (DEPTH, DEPTH)}, "'depth' twice"),
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
def test_what_is_wrong_is_told(change: dict[str, object], told: str) -> None:
    data = msgspec.json.encode(msgspec.structs.replace(GOOD, **change))
    with pytest.raises(DataError, match=told):
        from_json(data, "m.json")
