"""Levels: what reasoning a question needs, by "SMART: A Stratified Machine Reading Test"."""

from readmark.setting.levels.decision import levelled
from readmark.setting.levels.values import LEVELS, REASONS, TYPES, Levelled, level_of

__all__ = ["LEVELS", "REASONS", "TYPES", "Levelled", "level_of", "levelled"]
