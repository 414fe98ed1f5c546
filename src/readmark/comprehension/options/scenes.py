"""Places, people and moods by what is typically said there, by them and in them."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Sequence
from importlib.resources import files


def typical_of_scenes(text: str, options: Sequence[str]) -> list[float]:
    """How much of what is typical of each option the text has; zeros if fewer than two are known.

    A cue counts less the more scenes have it, and a scene's hits less the more cues it has.
    """
    scenes, spread = _scenes()
    figures: list[float | None] = []
    for option in options:
        of_scenes = [
            math.fsum(spread[cue] ** -0.5 for cue in cues if cue in text) / math.sqrt(len(cues))
            for names, cues in scenes
            if any(name in option and 2 * len(name) >= len(option) for name in names)
        ]
        figures.append(max(of_scenes, default=None))
    if len(options) - figures.count(None) < 2:
        return [0.0] * len(options)
    return [figure or 0.0 for figure in figures]


@functools.cache
def _scenes() -> tuple[list[tuple[list[str], list[str]]], Counter[str]]:
    """The names and cues of each scene, and in how many scenes each cue is."""
    source = files("readmark.comprehension").joinpath("data", "scenes.zh.txt").read_text("utf-8")
    lines = [line.split(":") for line in source.splitlines() if not line.startswith("#")]
    scenes = [(names.split(), cues.split()) for names, cues in lines]
    return scenes, Counter(cue for _, cues in scenes for cue in cues)
