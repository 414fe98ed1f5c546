"""Where a rating comes from: the features that moved it, each in words and in points."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from readmark.core.numbers import decimal, percent
from readmark.readability.raters.feature import Feature
from readmark.readability.raters.model import MeasuredPassage, Rater, RatingParts, known_features
from readmark.readability.raters.parses import ParsedPassage

VOICES = {
    "words": (
        "syllables",
        "letters",
        "polysyllables",
        "long_words",
        "frequency",
        "frequency_all",
        "rarest",
        "rare_words",
        "uncommon_words",
        "unfamiliar",
        "band_1",
        "band_2",
        "band_3",
        "variety",
        "density",
        "abstract",
        "word_length",
        "strokes",
        "rare_characters",
        "literary",
    ),
    "sentences": (
        "sentence_length",
        "longest_sentence",
        "long_sentences",
        "commas",
        "heavy_signs",
        "depth",
        "distance",
        "before_verb",
        "clauses",
        "subordinate",
        "relative",
        "noun_weight",
        "compounds",
        "noun_phrases",
        "prepositions",
        "prepositional_chains",
        "passives",
        "coordination",
        "adjectives",
        "clause_length",
        "noun_runs",
        "linked",
    ),
    "levels": ("level_words",),
    "narrativity": (
        "spoken_signs",
        "figures",
        "story_words",
        "pronouns",
        "pronoun_share",
        "verbs",
        "nouns",
        "past",
        "temporal",
        "assertion_density",
        "particles",
        "proper_names",
    ),
    "cohesion": (
        "overlap",
        "content_overlap",
        "chained",
        "chain_length",
        "new_nouns",
        "names",
        "adversative",
        "additive",
    ),
}
"""What features speak of; those of no voice here speak for their family."""
_VOICE = {name: voice for voice, names in VOICES.items() for name in names}


def voice_of(feature: Feature) -> str:
    """What a feature speaks of."""
    return _VOICE.get(feature.name, feature.family)


SHOWN, IN_A_GROUP = 8, 2
GROUPS = {
    "words": "how common and how long its words are",
    "sentences": "how long and how nested its sentences are",
    "levels": "words that news for learners has or lacks",
    "narrativity": "how much it tells a story",
    "cohesion": "how its sentences hang together",
    "assertions": "what its sentences assert",
    "fluency": "signs of broken text",
}
"""What features speak of, in words; together they are all features."""
_FAMILIES = {
    "surface": "sentences",
    "syntactic": "sentences",
    "lexical": "words",
    "discourse": "cohesion",
}
LEAST = 0.005
_ODDS = "how much more"
_LOGARITHM = ", as a logarithm"


@dataclass(frozen=True, slots=True)
class FeaturePart:
    """One feature's part in a rating."""

    name: str
    group: str
    description: str
    value: str
    usual: str
    gain: float


def parts_of(rater: Rater, rated: RatingParts) -> list[FeaturePart]:
    """Every feature that moved the rating, the weightiest first."""
    known = known_features(rater.language)
    parts = [
        FeaturePart(
            feature.name,
            group_of(known[feature.name]),
            known[feature.name].description.removesuffix(_LOGARITHM),
            format_value(value, known[feature.name]),
            format_value(feature.centre, known[feature.name]),
            gain,
        )
        for feature, value, gain in zip(
            rater.features, rated.values.tolist(), rated.gains.tolist(), strict=True
        )
        if abs(gain) >= LEAST
    ]
    return sorted(parts, key=lambda part: (-abs(part.gain), part.name))


def group_of(feature: Feature) -> str:
    """The group in which a feature is explained."""
    voice = voice_of(feature)
    return _FAMILIES.get(voice, voice)


def groups_of(rater: Rater, rated: RatingParts, parts: list[FeaturePart]) -> list[dict[str, Any]]:
    """What each group of features adds, the weightiest first, with the features that did most."""
    known = known_features(rater.language)
    total: dict[str, float] = {}
    for weighed, gain in zip(rater.features, rated.gains.tolist(), strict=True):
        group = group_of(known[weighed.name])
        total[group] = total.get(group, 0.0) + gain
    return [
        {
            "group": group,
            "says": GROUPS[group],
            "points": round(points, 3),
            "parts": [_part_json(part) for part in parts if part.group == group][:IN_A_GROUP],
        }
        for group, points in sorted(total.items(), key=lambda item: (-abs(item[1]), item[0]))
    ]


def _part_json(part: FeaturePart) -> dict[str, Any]:
    return {
        "feature": part.name,
        "says": part.description,
        "value": part.value,
        "usual": part.usual,
        "points": round(part.gain, 3),
    }


def format_value(value: float, feature: Feature) -> str:
    """A value as a reader wants it: shares in per cent, logarithms undone, bounds marked."""
    is_share = feature.description.startswith("share")
    if feature.description.endswith(_LOGARITHM):
        text = decimal(math.exp(value), 1)
    elif is_share:
        text = percent(value, 0)
    else:
        text = f"{value:.{3 if feature.description.startswith(_ODDS) else 2}f}"
    if value >= feature.high and not (is_share and feature.high == 1):
        return f"{text} or more"
    if value <= feature.low and feature.low != 0:
        return f"{text} or less"
    return text


def evidence(
    rater: Rater, parsed: MeasuredPassage, rated: RatingParts, most: int = SHOWN
) -> dict[str, Any]:
    """What a row says of its rating: groups of features, and the weightiest features by name.

    Base, groups, words, embedding and the ends of the scale add up to the rating; so they do with
    ``parts`` and ``rest``, what all other features make, in the place of the groups.
    """
    parts = parts_of(rater, rated)
    shown = sum(part.gain for part in parts[:most])
    document: dict[str, Any] = {
        "base": round(rater.base, 3),
        "groups": groups_of(rater, rated, parts),
        "parts": [_part_json(part) for part in parts[:most]],
        "rest": round(float(rated.gains.sum()) - shown, 3),
        "ends": round(rated.ends, 3),
    }
    if rater.words is not None and isinstance(parsed, ParsedPassage):
        easier, harder = rater.words.extremes(parsed)
        document["words"] = {"points": round(rated.words, 3), "easier": easier, "harder": harder}
    if rater.meaning is not None:
        document["embedding"] = round(rated.meaning, 3)
    return document


def _gain(points: float) -> str:
    return decimal(points, signed=True)


def in_words(rating: float, details: dict[str, Any]) -> list[str]:
    """A rating explained, one sentence per line, from a row's evidence."""
    if "formula" in details:
        value = decimal(details["value"], 1)
        line = f"{details['formula']} is {value}, which stands for {decimal(rating)}"
        return [f"{line} ({details['note']})" if "note" in details else line]
    if "groups" not in details:
        return []
    lines = [
        f"a passage that is usual in everything has {decimal(details['base'])}; "
        f"this one {decimal(rating)}"
    ]
    for group in details["groups"]:
        if abs(group["points"]) < LEAST:
            continue
        most = "; ".join(
            f"{part['says']} {part['value']}, usual {part['usual']} ({_gain(part['points'])})"
            for part in group["parts"]
        )
        lines.append(f"{_gain(group['points'])} by {group['says']}; most by: {most}")
    if "words" in details:
        words = details["words"]
        easy, hard = ", ".join(words["easier"]), ", ".join(words["harder"])
        lines.append(f"{_gain(words['points'])} by learned words: easier {easy}; harder {hard}")
    if "embedding" in details:
        lines.append(f"{_gain(details['embedding'])} by its embedding, which says not why")
    if abs(details["ends"]) >= LEAST:
        lines.append(f"{_gain(details['ends'])} by the ends of the scale")
    return lines


# A rating explained as a picture, and a page of pictures.


def explanation_page(rater: str, passages: Mapping[str, Any]) -> str:
    """One page: every passage, rated or with the reason why not, with its picture and its words."""
    parts = []
    for name, passage in passages.items():
        parts.append(f"<h2>{escape(name)}</h2>")
        if passage.rating is None:
            parts.append(f"<p>No rating: {escape(passage.reason or '')}</p>")
            continue
        details = passage.evidence or {}
        parts.append(explanation_svg(name, passage.rating, details))
        lines = "".join(f"<li>{escape(line)}</li>" for line in in_words(passage.rating, details))
        parts.append(f"<ul>{lines}</ul>")
    return _PAGE.format(title=escape(f"Ratings by {rater}"), body="\n".join(parts))


def explanation_svg(name: str, rating: float, details: Mapping[str, Any]) -> str:
    """The parts of a rating as bars: what makes it easier to the right, harder to the left."""
    bars = _bars(details)
    reach = max([abs(points) for _, points in bars], default=0.0) or 1.0
    height = _TOP + _ROW * len(bars) + 14
    drawn = [
        f'<text x="{_LEFT}" y="18" class="head">'
        f"{escape(_short(name, 60))}: {decimal(rating)}</text>",
        f'<text x="{_AXIS - 8}" y="36" class="side" text-anchor="end">harder</text>',
        f'<text x="{_AXIS + 8}" y="36" class="side">easier</text>',
        f'<line x1="{_AXIS}" y1="40" x2="{_AXIS}" y2="{height - 6}" class="axis"/>',
    ]
    for index, (label, points) in enumerate(bars):
        y = _TOP + index * _ROW
        wide = abs(points) / reach * _REACH
        x = _AXIS if points >= 0 else _AXIS - wide
        sort = "easier" if points >= 0 else "harder"
        beyond, anchor = (x + wide + 4, "start") if points >= 0 else (x - 4, "end")
        drawn += [
            f'<text x="{_LEFT}" y="{y + 12}">{escape(_short(label, 62))}'
            f"<title>{escape(label)}</title></text>",
            f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{_ROW - 6}" class="{sort}"/>',
            f'<text x="{beyond:.1f}" y="{y + 12}" text-anchor="{anchor}">{_gain(points)}</text>',
        ]
    about = escape(f"What moved the rating {decimal(rating)} of {name}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
        f'viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{about}">'
        f"<style>{_STYLE}</style>{''.join(drawn)}</svg>"
    )


_WIDTH, _LEFT, _AXIS, _REACH, _TOP, _ROW = 860, 10, 610, 150, 48, 22
_STYLE = (
    "text{font:12px sans-serif;fill:#222}.head{font:bold 14px sans-serif}.side{fill:#666}"
    ".axis{stroke:#888}.easier{fill:#2a7f62}.harder{fill:#b3472f}"
)
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<style>body{{font:15px/1.5 sans-serif;max-width:900px;margin:2em auto;padding:0 1em}}
svg{{max-width:100%;height:auto}}</style></head>
<body><h1>{title}</h1><p>1 is hardest and 5 easiest to read.</p>
{body}
</body></html>
"""


def _bars(details: Mapping[str, Any]) -> list[tuple[str, float]]:
    if "groups" not in details:
        return []
    bars = [(group["says"], group["points"]) for group in details["groups"]]
    if "words" in details:
        bars.append(("learned words", details["words"]["points"]))
    if "embedding" in details:
        bars.append(("its embedding", details["embedding"]))
    if abs(details["ends"]) >= 0.01:
        bars.append(("the ends of the scale", details["ends"]))
    return bars


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
