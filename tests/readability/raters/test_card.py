"""The rater's card lists every feature, and its weights say what they were made from."""

from pathlib import Path

from readmark.readability.raters.features.chinese import CHINESE
from readmark.readability.raters.features.families import features_of
from readmark.readability.raters.rater_files import load_rater

CARD = Path(__file__).resolve().parents[3] / "src" / "readmark/readability/raters/data/CARD.md"


def test_the_card_lists_every_feature() -> None:
    page = CARD.read_text(encoding="utf-8")
    for feature in features_of():
        assert f"| `{feature.name}` | {feature.description} |" in page
    assert f"{len(features_of())} named features" in page
    for feature in CHINESE:
        assert f"| {feature.family} | `{feature.name}` | {feature.description} |" in page
    assert f"one has {len(CHINESE)} features" in page


def test_the_shipped_rater_weighs_every_feature_and_says_what_it_is_made_of() -> None:
    rater = load_rater()
    assert rater.names == tuple(feature.name for feature in features_of())
    assert "CLEAR" not in str(rater.note)
    assert rater.note["licence"] == "CC BY-SA 4.0"
    assert rater.note["pairs_in_order"] > 0.85


def test_weights_keep_the_directions_that_research_expects() -> None:
    for weighed, feature in zip(load_rater().features, features_of(), strict=True):
        if weighed.breaks or feature.easier == 0:
            continue
        assert weighed.slopes[0] * feature.easier > 0, feature.name
