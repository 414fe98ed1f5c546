"""The documents' rules for questions: how many, how long, a span, no copy, a level, a key.

A rule is a function of a passage; profiles (cmrc, smart, brcc) are data that say which rules a
document asks for and by which thresholds. What is structural stands in ``corpus.checks``.
"""

from __future__ import annotations

from readmark.making.rules.examination import Examination, Examiner
from readmark.making.rules.profiles import PROFILES, Profile, profile_named

__all__ = ["PROFILES", "Examination", "Examiner", "Profile", "profile_named"]
