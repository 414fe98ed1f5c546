"""The topic that the words of a passage tell, in English and Chinese."""

import pytest

from readmark.readability.panels.topics import GENERAL, topic_of, topics


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("The striker scored twice before the referee ended the match.", "en", "sports"),
        ("Nurses gave the patients a vaccine against the virus.", "en", "health"),
        ("The council voted after the minister resigned.", "en", "current_events"),
        ("A minister and a vote, a nurse and her ward.", "en", GENERAL),
        ("A company.", "en", GENERAL),
        ("Nothing much happened.", "en", GENERAL),
        ("", "en", GENERAL),
        ("球队在决赛中靠点球获得冠军。", "zh", "sports"),
        ("医生给病人接种疫苗。", "zh", "health"),
        ("没有什么事。", "zh", GENERAL),
    ],
)
def test_topics_by_words(text: str, language: str, expected: str) -> None:
    assert topic_of(text, language) == expected
    assert expected in topics(language)
