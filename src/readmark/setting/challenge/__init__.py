"""The challenge set of CMRC 2018: questions that no single sentence answers, found or checked."""

from readmark.setting.challenge.deduction import Limits
from readmark.setting.challenge.judge import SHORT, Judge
from readmark.setting.challenge.selection import FIELD, Selection, selected
from readmark.setting.challenge.verdict import CRITERIA, Verdict

__all__ = ["CRITERIA", "FIELD", "SHORT", "Judge", "Limits", "Selection", "Verdict", "selected"]
