"""Taking a test: papers are handed out, and answers are journalled as they come.

`sit` runs a candidate, resumes, and uses workers or a cluster; `plan` estimates what that takes,
and `ask` puts one question. A room with a candidate of its own builds others with `build_candidate`
and gets their answers to records (`Ask`) from `answers`; `map_with_workers` is for other work on
many items. A `RemotePaper` is sat from elsewhere: lines go out, and rows come in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from readmark.core.doors import door

if TYPE_CHECKING:
    from readmark.sitting.candidates import (
        CANDIDATES,
        CandidateInput,
        answer_in_batches,
        build_candidate,
        declared,
        make_ready,
    )
    from readmark.sitting.cluster import Cluster, map_with_workers
    from readmark.sitting.journal_paths import is_stream
    from readmark.sitting.kind_extras import HasParts
    from readmark.sitting.one_question import DEFAULT_READER, ReaderAnswers, ask
    from readmark.sitting.outcome import plan_outcome
    from readmark.sitting.planning import SittingPlan, plan
    from readmark.sitting.remarks import UnitCount
    from readmark.sitting.remote import RemotePaper
    from readmark.sitting.requests import Ask, answers
    from readmark.sitting.results import RunProgress, SatResult, Watch
    from readmark.sitting.runner import sit
    from readmark.sitting.settings import ENGINES, PlanSettings, SitSettings
    from readmark.sitting.transforms import header_members

__all__ = [
    "CANDIDATES",
    "DEFAULT_READER",
    "ENGINES",
    "Ask",
    "CandidateInput",
    "Cluster",
    "HasParts",
    "PlanSettings",
    "ReaderAnswers",
    "RemotePaper",
    "RunProgress",
    "SatResult",
    "SitSettings",
    "SittingPlan",
    "UnitCount",
    "Watch",
    "answer_in_batches",
    "answers",
    "ask",
    "build_candidate",
    "declared",
    "header_members",
    "is_stream",
    "make_ready",
    "map_with_workers",
    "plan",
    "plan_outcome",
    "sit",
]

__getattr__ = door(
    __name__,
    {
        "candidates": "CANDIDATES CandidateInput answer_in_batches build_candidate declared "
        "make_ready",
        "cluster": "Cluster map_with_workers",
        "journal_paths": "is_stream",
        "kind_extras": "HasParts",
        "one_question": "DEFAULT_READER ReaderAnswers ask",
        "outcome": "plan_outcome",
        "planning": "SittingPlan plan",
        "remarks": "UnitCount",
        "remote": "RemotePaper",
        "requests": "Ask answers",
        "results": "RunProgress SatResult Watch",
        "runner": "sit",
        "settings": "ENGINES PlanSettings SitSettings",
        "transforms": "header_members",
    },
)
