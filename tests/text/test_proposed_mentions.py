"""Proposed references: the nearest person before a pronoun, on noun phrases only."""

import pytest

from readmark.core.problems import WarningCode
from readmark.core.records import Layer, Layers, Passage, RecordKey
from readmark.text.annotation import annotation_findings
from readmark.text.proposed_mentions import proposed_mentions

ENGLISH = "Ada met Bo. He lost his hat and they laughed. She left."
CHINESE = "何素云见到阿班。他的帽子丢了，他们笑了。她走了。"


def layers_of(text: str, phrases: dict[str, str | None]) -> Layers:
    """Layers of noun phrases in the order of the text, and a type or none each."""
    spans, end = [], 0
    for phrase in phrases:
        start = text.index(phrase, end)
        end = start + len(phrase)
        spans.append((start, end))
    typed = [(span, type) for span, type in zip(spans, phrases.values(), strict=True) if type]
    types = tuple(type for _, type in typed)
    return {
        "np": Layer(spans=tuple(spans)),
        "ne": Layer(spans=tuple(span for span, _ in typed), columns={"type": types}),
    }


@pytest.mark.parametrize(
    ("text", "language", "phrases", "links"),
    [
        (
            ENGLISH,
            "en",
            {
                "Ada": "PERSON",
                "Bo": "PERSON",
                "He": None,
                "his hat": None,
                "they": None,
                "She": None,
            },
            [("Bo", 1, None), ("He", None, 1), ("his hat", None, 1), ("She", None, 1)],
        ),
        (
            CHINESE,
            "zh",
            {"何素云": "PERSON", "阿班": "PERSON", "他的帽子": None, "他们": None, "她": None},
            [("阿班", 1, None), ("他的帽子", None, 1), ("她", None, 1)],
        ),
        ("He met Ada.", "en", {"He": None, "Ada": "PERSON"}, []),
        # things, several, definite descriptions; "it is said that" refers to nothing
        (
            "Ada bought a kite and two ropes. It flew, they broke. The kite was red. It is said "
            "that the rope held.",
            "en",
            {
                "Ada": "PERSON",
                "a kite": None,
                "two ropes": "NUM",
                "It": None,
                "they": None,
                "The kite": None,
                "It ": None,
                "the rope": None,
            },
            [
                ("a kite", 1, None),
                ("two ropes", 2, None),
                ("It", None, 1),
                ("they", None, 2),
                ("The kite", None, 1),
            ],
        ),
        (
            "张三买了一只风筝和两条绳子。它飞了，它们断了。这位骑手笑了。这只风筝是红的。",
            "zh",
            {
                "张三": "PERSON",
                "一只风筝": None,
                "两条绳子": "NUM",
                "它": None,
                "它们": None,
                "这位骑手": "PERSON",
                "这只风筝": None,
            },
            [
                ("张三", 1, None),
                ("一只风筝", 2, None),
                ("两条绳子", 3, None),
                ("它", None, 2),
                ("它们", None, 3),
                ("这位骑手", None, 1),
                ("这只风筝", None, 2),
            ],
        ),
    ],
)
def test_proposed_links(
    text: str,
    language: str,
    phrases: dict[str, str | None],
    links: list[tuple[str, int | None, int | None]],
) -> None:
    layers = layers_of(text, phrases)
    mentions = proposed_mentions(text, layers, language)
    assert mentions is not None
    spans = [(span.quote, span.labels["id"], span.labels["ref"]) for span in mentions.over(text)]
    assert spans == links
    key = RecordKey(layers={"mention": mentions})
    passage = Passage(id="p", text=text, layers=layers, key=key)
    codes = [code for _, code, _ in annotation_findings(passage, language=language)]
    assert all(isinstance(code, WarningCode) for code in codes)


def test_nothing_is_proposed_without_phrases_and_entities() -> None:
    assert proposed_mentions("Ada left.", {"np": Layer(spans=((0, 3),))}, "en") is None
