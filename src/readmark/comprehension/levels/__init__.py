"""Levels: what reasoning a question needs, by "SMART: A Stratified Machine Reading Test"."""

from __future__ import annotations

from readmark.comprehension.levels.cues import LEVELS, REASONS, TYPES, Levelled, level_of
from readmark.comprehension.levels.decision import levelled

__all__ = ["LEVELS", "REASONS", "TYPES", "Levelled", "level_of", "levelled"]
