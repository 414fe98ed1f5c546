"""Where a rating comes from: the features that moved it, each in words and in points."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from readmark.core.numbers import decimal, percent
from readmark.readability.raters.features.feature import Feature
from readmark.readability.raters.features.voices import voice_of
from readmark.readability.raters.model import MeasuredPassage, Rater, RatingParts, known_features
from readmark.readability.raters.parses import ParsedPassage

PARTS_SHOWN, PARTS_OF_A_GROUP = 8, 2
GROUPS = {
    "words": "how common and how long its words are",
    "sentences": "how long and how nested its sentences are",
    "levels": "words that news for learners has or lacks",
    "narrativity": "how much it tells a story",
    "cohesion": "how its sentences hang together",
    "assertions": "what its sentences assert",
    "fluency": "signs of broken text",
}
"""What groups of features measure, in words; together they are all features."""
_GROUP_OF_FAMILY = {
    "surface": "sentences",
    "syntactic": "sentences",
    "lexical": "words",
    "discourse": "cohesion",
}
LEAST_POINTS = 0.005
"""Fewer points are not explained: they print as 0.00."""


@dataclass(frozen=True, slots=True)
class FeaturePart:
    """What one feature adds to a rating, with its value and the usual one."""

    feature: Feature
    value: float
    usual: float
    points: float

    def as_json(self) -> dict[str, Any]:
        """The part as a reader wants it."""
        return {
            "feature": self.feature.name,
            "says": self.feature.label,
            "value": format_value(self.value, self.feature),
            "usual": format_value(self.usual, self.feature),
            "points": round(self.points, 3),
        }


def evidence(
    rater: Rater, parsed: MeasuredPassage, rated: RatingParts, most: int = PARTS_SHOWN
) -> dict[str, Any]:
    """What a row says of its rating: groups of features, and the weightiest features by name.

    Base, groups, words, embedding and the ends of the scale add up to the rating; so they do with
    ``parts`` and ``rest``, what all other features make, in the place of the groups.
    """
    known = known_features(rater.language)
    parts = [
        FeaturePart(known[weighed.name], value, weighed.centre, points)
        for weighed, value, points in zip(
            rater.features, rated.values.tolist(), rated.gains.tolist(), strict=True
        )
    ]
    points_of: dict[str, float] = {}
    for part in parts:
        group = group_of(part.feature)
        points_of[group] = points_of.get(group, 0.0) + part.points
    weighty = sorted(
        (part for part in parts if abs(part.points) >= LEAST_POINTS),
        key=lambda part: (-abs(part.points), part.feature.name),
    )
    groups = []
    for group, points in sorted(points_of.items(), key=lambda item: (-abs(item[1]), item[0])):
        of_group = [part for part in weighty if group_of(part.feature) == group]
        groups.append(
            {
                "group": group,
                "says": GROUPS[group],
                "points": round(points, 3),
                "parts": [part.as_json() for part in of_group[:PARTS_OF_A_GROUP]],
            }
        )
    shown = weighty[:most]
    document: dict[str, Any] = {
        "base": round(rater.base, 3),
        "groups": groups,
        "parts": [part.as_json() for part in shown],
        "rest": round(float(rated.gains.sum()) - sum(part.points for part in shown), 3),
        "ends": round(rated.ends, 3),
    }
    if rater.words is not None and isinstance(parsed, ParsedPassage):
        easier, harder = rater.words.extremes(parsed)
        document["words"] = {"points": round(rated.words, 3), "easier": easier, "harder": harder}
    if rater.meaning is not None:
        document["embedding"] = round(rated.meaning, 3)
    return document


def group_of(feature: Feature) -> str:
    """The group in which a feature is explained."""
    voice = voice_of(feature)
    return _GROUP_OF_FAMILY.get(voice, voice)


def format_value(value: float, feature: Feature) -> str:
    """A value as a reader wants it: shares in per cent, logarithms undone, bounds marked."""
    if feature.is_logarithm:
        text = decimal(math.exp(value), 1)
    elif feature.is_share:
        text = percent(value, 0)
    else:
        text = decimal(value, 3 if feature.is_odds else 2)
    # At a bound the value may be beyond it, unless nothing can be: 100% of something, or 0.
    if value >= feature.high and not (feature.is_share and feature.high == 1):
        return f"{text} or more"
    if value <= feature.low and feature.low != 0:
        return f"{text} or less"
    return text


def in_words(rating: float, details: dict[str, Any]) -> list[str]:
    """A rating explained, one sentence per line, from a row's evidence."""
    if "formula" in details:
        value = decimal(details["value"], 1)
        line = f"{details['formula']} is {value}, which corresponds to {decimal(rating)}"
        return [f"{line} ({details['note']})" if "note" in details else line]
    if "groups" not in details:
        return []
    lines = [
        f"a passage with all the usual values has {decimal(details['base'])}; "
        f"this one has {decimal(rating)}"
    ]
    for group in details["groups"]:
        if abs(group["points"]) < LEAST_POINTS:
            continue
        main_parts = "; ".join(
            f"{part['says']} {part['value']}, usual {part['usual']} "
            f"({decimal(part['points'], signed=True)})"
            for part in group["parts"]
        )
        points = decimal(group["points"], signed=True)
        lines.append(f"{points} from {group['says']}; mainly {main_parts}")
    if "words" in details:
        words = details["words"]
        points = decimal(words["points"], signed=True)
        easy, hard = ", ".join(words["easier"]), ", ".join(words["harder"])
        lines.append(f"{points} from learned words: easier {easy}; harder {hard}")
    if "embedding" in details:
        points = decimal(details["embedding"], signed=True)
        lines.append(f"{points} from its embedding, which gives no reasons")
    if abs(details["ends"]) >= LEAST_POINTS:
        points = decimal(details["ends"], signed=True)
        lines.append(f"{points} from the ends of the scale")
    return lines
