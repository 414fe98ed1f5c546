"""Chinese: features counted by hand, one rating for both scripts, easy before hard, bad files."""

import math

import msgspec
import numpy as np
import pytest

from readmark.core.errors import DataError
from readmark.readability.raters.explanation import evidence
from readmark.readability.raters.features.chinese import CHINESE, measure_chinese, parse_chinese
from readmark.readability.raters.model import EmbeddingWeights
from readmark.readability.raters.rater_files import from_json, load_rater, to_json
from readmark.text.script import simplified
from training.rater import fit_chinese, rate_rows, unsquashed

EASY = "小明很高兴。他对妈妈说：“我们去公园玩吧！”妈妈笑了。他们坐车去了公园，看见很多花。"
HARD = (
    "鉴于上述规章所规定之追溯责任条款在司法实践中引发之诠释争议日趋激烈且久悬未决，"
    "最高司法机关遂就该条款之适用范围与溯及效力颁布统一解释，以期消弭各级法院裁判标准之歧异。"
)
TRADITIONAL = "這個學生喜歡讀書。他們說這本書寫得很好。"


def rating(text: str) -> float:
    return load_rater(None, "zh").rate(parse_chinese(text)).rating


def test_features_by_hand() -> None:
    # Sentences of 4 and 7 characters, clauses of 4, 4 and 3; only 饭 and 吧 are not among the 500
    # commonest; no figure.
    values = measure_chinese(parse_chinese("我们吃饭。他不来了，你走吧。"))
    assert values["sentence_length"] == pytest.approx(math.log(11 / 2))
    assert values["clause_length"] == pytest.approx(math.log(11 / 3))
    assert values["long_sentences"] == 0
    assert values["figures"] == 0
    assert values["band_1"] == pytest.approx(9 / 11)
    # 我们, 他 and 你 among 我们 吃饭 他 不来 了 你 走 吧, as jieba cuts it
    words = parse_chinese("我们吃饭。他不来了，你走吧。").words
    assert values["pronouns"] == pytest.approx(min(0.2, 3 / len(words)))
    assert values["particles"] == pytest.approx(min(0.15, 2 / len(words)))


def test_every_feature_is_within_its_bounds() -> None:
    for text in (EASY, HARD, "好。", "2026年3月1日，A公司"):
        values = measure_chinese(parse_chinese(text))
        assert all(each.low <= values[each.name] <= each.high for each in CHINESE)


def test_easy_text_is_rated_easier() -> None:
    assert rating(EASY) > 3.5
    assert rating(HARD) < 2


def test_both_scripts_have_one_rating() -> None:
    assert rating(TRADITIONAL) == rating(simplified(TRADITIONAL))


def test_the_parts_of_a_rating_add_up() -> None:
    model = load_rater(None, "zh")
    parsed = parse_chinese(EASY)
    rated = model.rate(parsed)
    details = evidence(model, parsed, rated)
    total = details["base"] + sum(group["points"] for group in details["groups"]) + details["ends"]
    assert total == pytest.approx(rated.rating, abs=0.01)
    assert {group["group"] for group in details["groups"]} == {"words", "sentences", "narrativity"}


def test_the_scale_takes_mean_and_spread_from_the_english_ratings() -> None:
    chance = np.random.default_rng(1)
    usual = chance.normal(0.5, 0.2, (200, len(CHINESE)))
    values = chance.normal(0.5, 0.2, (60, len(CHINESE)))
    english = np.clip(2.6 - values[:, 0] + chance.normal(0, 0.2, 60), 1.2, 4.8)
    rater = fit_chinese(values, english, usual, penalty=1.0, note={})
    raw = np.array([unsquashed(rating) for rating in rate_rows(rater, values).tolist()])
    unbounded = np.array([unsquashed(rating) for rating in english.tolist()])
    assert raw.mean() == pytest.approx(unbounded.mean())
    assert raw.std() == pytest.approx(unbounded.std())
    assert np.corrcoef(raw, unbounded)[0, 1] > 0.3


def test_what_ships_names_its_data_and_its_limits() -> None:
    note = load_rater(None, "zh").note
    assert "XQuAD" in note["trained_on"]
    assert note["licence"] == "CC BY-SA 4.0"


def test_english_weights_in_a_chinese_file_are_one_line() -> None:
    bad = msgspec.structs.replace(load_rater(None, "zh"), meaning=EmbeddingWeights((0.0,), 0.0))
    with pytest.raises(DataError, match="English words for Chinese"):
        from_json(to_json(bad).encode(), "m.json")
