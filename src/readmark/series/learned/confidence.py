"""How likely a rewrite of ``guided`` is right: a logistic regression on signs that can be read.

The signs are of the question, of what was done to it and by which rule, and of what it may lean
on. They are the same in English and Chinese, so one model serves both.
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from readmark.core.errors import DataError
from readmark.core.files import read_bytes
from readmark.series.guided.edits import Rewrite
from readmark.series.notation import PREVIOUS_ANSWER

# What speaks for or against a rewrite.


_GUIDELINES = {
    "Pronouns (1)": "a pronoun",
    "Pronouns (2)": "a possessive",
    "It": "it",
    "Previous Questions and Answers": "an earlier question or answer",
    "Context independence and readability": "a nominal or a gap",
    "Target matches a sub-string of the question": "a part of the target",
    "Targets that contain brackets": "a name in brackets",
    "Reformulate questions so as to maximise search results": "a name in full",
    "fallback: the target is appended": "the fallback",
}
_HE = re.compile(r"\b(?:he|she|him|her|his)\b|[他她](?!们)", re.IGNORECASE)
_IT = re.compile(r"\b(?:it|its)\b|它(?!们)", re.IGNORECASE)
_THEY = re.compile(r"\b(?:they|them|their)\b|[他她它]们|其中", re.IGNORECASE)
_THIS = re.compile(r"\b(?:this|that|these|those|there)\b|[这那该此]", re.IGNORECASE)
_WHO = re.compile(r"\b(?:who|whom)\b|谁|哪位", re.IGNORECASE)
_WHAT = re.compile(r"\b(?:what|which)\b|什么|哪", re.IGNORECASE)
_THE = re.compile(r"\bthe [a-z]+\b", re.IGNORECASE)
_NAME = re.compile(r"(?<=\s)[A-Z][\w'’-]+|《[^》]+》")
_TWICE = re.compile(r"\b(\w+) \1\b", re.IGNORECASE)
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
_KINDS = ("person", "organisation", "event", "place", "thing")
_LONG, _FAR = 12, 3


@dataclass(frozen=True, slots=True)
class Setting:
    """What a series is about, as far as confidence depends on it."""

    target: str
    type: str | None = None
    conversation: bool = False
    """Without a target, or with most answers known."""


def signs_of(
    setting: Setting, questions: Sequence[str], made: Sequence[Rewrite], index: int
) -> dict[str, float]:
    """The signs of one rewrite by name."""
    text, rewrite = questions[index], made[index]
    edits = rewrite.edits
    size = len(_WORD.findall(text))
    back = [index - edit.earlier for edit in edits if edit.earlier is not None]
    earlier = " ".join(one.text for one in made[max(0, index - _FAR) : index])
    names = len(set(_NAME.findall(earlier)) - set(_NAME.findall(setting.target)))
    gaps = [edit for edit in edits if not edit.was.strip()]
    left = rewrite.text
    before = questions[index - 1] if index else ""
    name = setting.target.strip()
    said = bool(name) and any(name in edit.now for edit in edits)
    bare = bool(name) and any(edit.now.strip().startswith(name) for edit in edits)
    he, it = bool(_HE.search(text)), bool(_IT.search(text))
    signs = {
        "conversation": float(setting.conversation),
        "no target": float(not setting.target.strip()),
        "sure by the rules": -math.log(max(rewrite.sure, 0.05)),
        "nothing was changed": float(not edits),
        "several edits": float(len(edits) > 1),
        "first question": float(index == 0),
        "later in the series": min(index, 8) / 8,
        "a short question": float(size <= 4),
        "a long question": float(size > _LONG),
        "he or she": float(he),
        "the target for he, after who": float(he and said and bool(_WHO.search(before))),
        "it": float(it),
        "the target for it, after what": float(it and said and bool(_WHAT.search(before))),
        "they": float(bool(_THEY.search(text))),
        "this or there": float(bool(_THIS.search(text))),
        "a pronoun is left": float(bool(_HE.search(left) or _IT.search(left))),
        "they is left": float(bool(_THEY.search(left))),
        "this is left": float(bool(_THIS.search(left))),
        "definite nouns": min(len(_THE.findall(text)), 3) / 3,
        "an earlier answer": float(PREVIOUS_ANSWER in left),
        "an answer twice": float(left.count(PREVIOUS_ANSWER) > 1),
        "far back": float(any(distance > 1 for distance in back)),
        "something put in": float(bool(gaps)),
        "put in at the end": float(any(edit.end >= len(text.rstrip("?？。. ")) for edit in gaps)),
        "made anew": float(any(edit.start == 0 and edit.end == len(text) for edit in edits)),
        "a word twice": float(bool(_TWICE.search(left))),
        "other names before": min(names, 4) / 4,
        "names in the question": float(bool(_NAME.search(text))),
        "a long target": float(len(_WORD.findall(setting.target)) > 3),
        "no article put in": float(bare and setting.type != "person"),
        "a common noun as target": float(setting.target[:1].islower()),
    }
    rules = {_GUIDELINES.get(edit.guideline, "another rule") for edit in edits}
    signs |= {f"rule: {name}": float(name in rules) for name in (*_GUIDELINES.values(),)}
    signs |= {f"target: {kind}": float(setting.type == kind) for kind in _KINDS}
    return signs


SIGNS = tuple(signs_of(Setting(""), ["?"], [Rewrite("?")], 0))
"""The names of the signs, in the order of the weights."""


# The model: a mean, a spread and a weight for every sign.


SCHEMA = 1
MOST_REASONS = 3
LEAST_PULL = 0.2


STYLES = ("series", "conversation")


@dataclass(frozen=True, slots=True)
class SignRegression:
    """A logistic regression over the signs."""

    bias: float
    weights: Mapping[str, tuple[float, float, float]]
    """Mean, spread and weight of each sign."""

    def pulls(self, signs: Mapping[str, float]) -> dict[str, float]:
        """How far each sign moves the odds, from where they are on average."""
        return {
            name: weight * (signs[name] - mean) / spread
            for name, (mean, spread, weight) in self.weights.items()
        }

    def probability(self, signs: Mapping[str, float]) -> float:
        """How likely the rewrite is equal to a gold one."""
        score = self.bias + sum(self.pulls(signs).values())
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))

    def reasons(self, signs: Mapping[str, float]) -> dict[str, list[str]]:
        """The signs that speak most for and against the rewrite, of those that it has."""
        pulls = {name: pull for name, pull in self.pulls(signs).items() if signs[name]}
        ranked = sorted(pulls.items(), key=lambda item: -abs(item[1]))
        told = [(name, pull) for name, pull in ranked if abs(pull) >= LEAST_PULL]
        sides = {
            "for": [name for name, pull in told if pull > 0][:MOST_REASONS],
            "against": [name for name, pull in told if pull < 0][:MOST_REASONS],
        }
        return {side: names for side, names in sides.items() if names}


@dataclass(frozen=True, slots=True)
class Confidence:
    """A regression for series by the guidelines, and one for conversations, whose golds differ."""

    styles: Mapping[str, SignRegression]
    note: Mapping[str, Any] = field(default_factory=dict)

    def of(self, setting: Setting) -> SignRegression:
        """The regression for a series; the other where nothing was learnt from its like."""
        style = STYLES[setting.conversation]
        return self.styles.get(style) or next(iter(self.styles.values()))


def to_json(model: Confidence) -> str:
    """The file of a model: a line for every sign."""
    styles = []
    for style, regression in model.styles.items():
        rows = ",\n".join(
            f"{json.dumps(name)}: {json.dumps([_short(number) for number in numbers])}"
            for name, numbers in regression.weights.items()
        )
        bias = _short(regression.bias)
        styles.append(f'{json.dumps(style)}: {{"bias": {bias}, "signs": {{\n{rows}}}}}')
    note = json.dumps(dict(model.note), ensure_ascii=False)
    return (
        f'{{"readmark": {SCHEMA}, "model": "rewriter",\n"note": {note},\n'
        f'"styles": {{\n{",".join(styles)}}}}}\n'
    )


def _short(number: float) -> float:
    return float(f"{number:.4g}")


def from_json(text: str, *, file: str) -> Confidence:
    """A model from its file; one for other signs than these is refused."""
    try:
        members = json.loads(text)
        if not isinstance(members, dict) or members.get("model") != "rewriter":
            raise DataError("this is no rewriter model of schema 1", file=file)
        if members.get("readmark") != SCHEMA:
            raise DataError("this is no rewriter model of schema 1", file=file)
        styles, note = members["styles"], members.get("note", {})
        if not isinstance(styles, dict) or not isinstance(note, dict) or not styles:
            raise ValueError("styles and note have members with names")
        found = {style: _regression(styles[style], file) for style in styles if style in STYLES}
    except KeyError as error:
        raise DataError(f"the rewriter model lacks {error}", file=file) from None
    except (ValueError, TypeError, IndexError, RecursionError) as error:
        raise DataError(f"the rewriter model cannot be read: {error}", file=file) from None
    return Confidence(found, note)


def _regression(members: Mapping[str, Any], file: str) -> SignRegression:
    if tuple(members["signs"]) != SIGNS:
        raise DataError("it was made for other signs; train it again", file=file)
    bias = float(members["bias"])
    numbers = {
        name: (float(row[0]), float(row[1]), float(row[2]))
        for name, row in members["signs"].items()
    }
    finite = all(math.isfinite(number) for row in numbers.values() for number in (*row, bias))
    if not finite or any(spread <= 0 for _, spread, _ in numbers.values()):
        raise ValueError("a number is not finite, or a spread not above 0")
    return SignRegression(bias, numbers)


def fingerprint(model: Confidence) -> str:
    """Which weights these are."""
    return hashlib.sha256(to_json(model).encode()).hexdigest()[:12]


@functools.lru_cache(maxsize=4)
def load_confidence(path: str | None = None) -> Confidence:
    """The model in a file, or the one that ships."""
    if path is not None:
        try:
            return from_json(read_bytes(path).decode("utf-8"), file=path)
        except UnicodeDecodeError as error:
            raise DataError(f"the model cannot be read ({error})", file=path) from None
    shipped = files("readmark.series.learned") / "data" / "confidence.json"
    return from_json(shipped.read_text(encoding="utf-8"), file=str(shipped))
