"""Readmark sets, sits and marks machine reading tests, in English and Chinese."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from readmark.core.version import __version__

if TYPE_CHECKING:
    from readmark.cli.check import Findings, check
    from readmark.cli.run.results import RunResult
    from readmark.cli.run.runner import run
    from readmark.client import (
        Client,
        ClientError,
        ClientLimits,
        HallBoard,
        HallSitting,
        HallSubmission,
        HallTask,
    )
    from readmark.core.errors import DataError, ReadmarkError, UsageError
    from readmark.core.extras import MissingExtra
    from readmark.core.pictures import Picture
    from readmark.core.records import Answer, Passage, Question, QuestionKey, Unit
    from readmark.core.sitting import Row, Sitting, SittingHeader
    from readmark.core.test import Header, Test, in_memory
    from readmark.core.traffic import Traffic
    from readmark.formats.conversion import Conversion, convert
    from readmark.formats.inputs import load, save
    from readmark.formats.seen_texts import training_record
    from readmark.hooks import Kind
    from readmark.making.stats import Statistics, stats
    from readmark.marking import (
        Comparison,
        Comparisons,
        Mark,
        Marks,
        MarkSettings,
        PeopleMarks,
        Score,
        compare,
        mark,
        people,
        score,
    )
    from readmark.reporting import Part, Report, Standings, plot, report, table
    from readmark.sitting import (
        Cluster,
        PlanSettings,
        ReaderAnswers,
        SatResult,
        SitSettings,
        SittingPlan,
        ask,
        plan,
        sit,
    )
    from readmark.text.training_record import TrainingRecord

__all__ = [
    "Answer",
    "Client",
    "ClientError",
    "ClientLimits",
    "Cluster",
    "Comparison",
    "Comparisons",
    "Conversion",
    "DataError",
    "Findings",
    "HallBoard",
    "HallSitting",
    "HallSubmission",
    "HallTask",
    "Header",
    "Kind",
    "Mark",
    "MarkSettings",
    "Marks",
    "MissingExtra",
    "Part",
    "Passage",
    "PeopleMarks",
    "Picture",
    "PlanSettings",
    "Question",
    "QuestionKey",
    "ReaderAnswers",
    "ReadmarkError",
    "Report",
    "Row",
    "RunResult",
    "SatResult",
    "Score",
    "SitSettings",
    "Sitting",
    "SittingHeader",
    "SittingPlan",
    "Standings",
    "Statistics",
    "Test",
    "Traffic",
    "TrainingRecord",
    "Unit",
    "UsageError",
    "__version__",
    "ask",
    "check",
    "compare",
    "convert",
    "in_memory",
    "load",
    "mark",
    "people",
    "plan",
    "plot",
    "report",
    "run",
    "save",
    "score",
    "sit",
    "stats",
    "table",
    "training_record",
]

_HOMES = {
    "cli.check": "check Findings",
    "cli.run.results": "RunResult",
    "cli.run.runner": "run",
    "client": "Client ClientError ClientLimits HallBoard HallSitting HallSubmission HallTask",
    "core.errors": "DataError ReadmarkError UsageError",
    "core.extras": "MissingExtra",
    "core.pictures": "Picture",
    "core.records": "Answer Passage Question QuestionKey Unit",
    "core.sitting": "Row Sitting SittingHeader",
    "core.test": "Header Test in_memory",
    "core.traffic": "Traffic",
    "formats.conversion": "Conversion convert",
    "formats.inputs": "load save",
    "formats.seen_texts": "training_record",
    "hooks": "Kind",
    "making.stats": "Statistics stats",
    "marking": "Comparison Comparisons Mark MarkSettings Marks PeopleMarks Score compare mark "
    "people score",
    "reporting": "Part Report Standings plot report table",
    "sitting": "Cluster PlanSettings ReaderAnswers SatResult SitSettings SittingPlan ask plan sit",
    "text.training_record": "TrainingRecord",
}
"""Where the public names live: imported on first use, so that commands start quickly."""

REMOVED_NAMES: dict[str, str] = {
    "convert(other_side)": "pass both tests as `source`",
    **dict.fromkeys(
        (
            "hooks.CandidateHooks.take_traffic",
            "hooks.CandidateHooks.take_materials",
            "hooks.CandidateHooks.recall",
            "hooks.CandidateHooks.resume_budget",
        ),
        "use begin(run), which has it: traffic and journal, materials, before, spent",
    ),
    "hooks.CandidateHooks.probe": "ask in prepare if the run of begin(run) says may_ask",
    "hooks.CandidateHooks.recorded": "put it into the fields of begin(run) in prepare",
    "hooks.CandidateHooks.overhead": "put it into the overhead of begin(run)",
    "hooks.CandidateHooks.cross_signature": "signature(), by the languages of begin(run)",
    "hooks.CandidateHooks.layers": "use requires",
    "hooks.CandidateHooks.needs_options": 'use requires = ("options",)',
    **dict.fromkeys(
        (
            "hooks.Metric.scale",
            "hooks.Metric.width",
            "hooks.MetricHooks.kinds",
            "hooks.MetricHooks.best",
            "hooks.MetricHooks.worst",
            "hooks.MetricHooks.quantity",
            "hooks.MetricHooks.uncounted",
        ),
        "declare it in facts, a hooks.MetricFacts",
    ),
    "hooks.Metric.additive": "a metric that is no function of sums has score(rows)",
    "hooks.Metric.resolve": "it is optional now: hooks.MetricHooks.resolve",
    "hooks.MetricHooks.lower_is_better": "declare best below worst in facts",
    "hooks.MetricHooks.ratio": 'declare quantity="difference" in facts',
    "hooks.MetricHooks.unneeded": "declare from_people in facts",
    "hooks.MetricHooks.unmarked": "declare from_people in facts",
    "hooks.MetricHooks.plot": "a report section looks itself for the metrics that it shows",
    "hooks.MetricHooks.profile": "name the profile in signature()",
    **dict.fromkeys(
        (
            "hooks.MetricHooks.remarks",
            "hooks.MetricHooks.failed",
            "hooks.MetricHooks.provisional",
            "hooks.MetricHooks.unjudged",
        ),
        "return it from report(rows), in a hooks.MetricReport",
    ),
    "hooks.MetricHooks.refusal": "raise a readmark.ReadmarkError in report(rows)",
    "hooks.MetricHooks.lead": "raise a readmark.UsageError in begin(run) if it leads",
    "hooks.MetricHooks.take_traffic": "use begin(run), which has the traffic",
    "hooks.MetricHooks.take_watch": "use begin(run), which has what to watch with",
    "hooks.BatchMetric": "use hooks.MetricHooks.statistics_of_many",
    **{
        f"hooks.KindHooks.{name}": f"readmark.{room} declares it"
        for name, room in {
            "llm_form": "llm",
            "table_rows": "formats.tables.columns",
            "question_rules": "core.question_rules",
            "error_classes": "marking.kind_extras",
            "derived_fields": "marking.kind_extras",
            "extra_tables": "marking.kind_extras, as a method",
            "notes": "marking.kind_extras",
            "record_of": "marking.kind_extras",
            "materials": "sitting.kind_extras",
            "other_files": "formats.kind_extras",
            "test_findings": "formats.kind_extras",
        }.items()
    },
    "hooks.KindHooks": "readmark.hooks.Kind names the rooms that declare what a kind may have",
    "hooks.KindHooks.panel_notes": "use answer_notes(..., of_person=True)",
    "hooks.Kind.parts": "readmark.sitting.kind_extras declares it",
    "hooks.Kind.leave_out": "readmark.sitting.kind_extras declares it",
    "hooks.CandidateHooks.earlier": "the candidate keyed alone takes its answers from a sitting",
    "hooks.PaperTransform.header": "signature() says all of a transform",
    "hooks.Analyser.language": "an analyser is registered under its language",
    "hooks.TestFormat": "use hooks.Format",
    "hooks.SittingFormat": "use hooks.Format",
    "hooks.FormatHooks": "use hooks.Format; read_languages and write_languages replace sides",
    "hooks.DerivedField": "it is in readmark.marking",
    "hooks.ErrorClassifier": "it is in readmark.marking",
    "hooks.ExtraTable": "it is in readmark.marking",
    "hooks.TableCounter": "it is in readmark.marking.kind_extras",
    "hooks.LlmForm": "it is in readmark.llm",
    "hooks.LlmRecordForm": "it is in readmark.llm",
    "hooks.RecordAnswers": "it is in readmark.llm",
    "hooks.TableRows": "it is in readmark.formats.tables.columns",
    "hooks.TransformHooks.open_test": "a transform gets the test that is sat",
    "table(layout)": "leave it out; `by`, such as by='level', gives a row for each of its values",
    "people(method)": "leave it out; sittings are a panel's, without them the key's answers count",
    "convert(compress)": "end `target`, the folder of parts, in .gz or .zst",
    "check(profile_config)": "use `profile` with the file, which names the profile that it changes",
    **dict.fromkeys(
        ("Row(text)", "Row(rewrite)", "Row(rating)", "Row(bindings)"),
        "pass the answer, whatever the kind of test, as `answer`",
    ),
    "Marks.unanswered": "use marks.coverage.unanswered",
    "Marks.refused": "use marks.coverage.refused",
    "Marks.errors": "use marks.coverage.errors",
    "Marks.unknown": "use marks.coverage.unknown",
    "Marks.elsewhere": "use marks.coverage.elsewhere",
    "Marks.unkeyed": "use marks.coverage.unkeyed",
    "Marks.covers": "use marks.coverage.covers",
    "Marks.not_sat": "use marks.coverage.not_sat",
    "Marks.missing": "use marks.coverage.missing",
    "Marks.metrics": "use marks.scores.metrics",
    "Marks.main_metric": "use marks.scores.main",
    "Marks.counted": "use marks.scores.counted, which is no function",
    "Marks.uncounted": "use marks.scores.counted",
    "Marks.failed": "use marks.scores.failed",
    "Marks.repeats": "use marks.scores.repeats",
    "Marks.interval_notes": "use marks.scores.interval_notes",
    "Marks.unmet": "use marks.scores.unmet",
    "Marks.trends": "use marks.slices.trends",
    "Marks.derived": "use marks.slices.derived",
    "Marks.slice_fields": "use marks.slices.offered",
    "Marks.ids": "use marks.unit_vectors.ids",
    "Marks.vectors": "use marks.unit_vectors.by_metric",
    "Marks.count_seen": "use marks.may_lead",
    "HallSubmissions": "Client.submissions returns it: go through it for readmark.HallSubmission",
    "HallTasks": "Client.tasks returns it: go through it for readmark.HallTask",
    "Settings": "use readmark.MarkSettings, or its fields as keyword arguments",
}
"""Public names of 0.5 that are gone, and what to use instead. "Settings" is a name, "sit(timeout)"
an argument, "Marks.errors" an attribute, "hooks.TestFormat" a protocol,
"hooks.TransformHooks.open_test" a hook and "hooks.Kind.paper(record)" an argument of one."""

_MODULES = {
    name: f"readmark.{module}" for module, names in _HOMES.items() for name in names.split()
}


def __getattr__(name: str) -> Any:
    if name in REMOVED_NAMES:
        raise AttributeError(f"readmark.{name} is gone: {REMOVED_NAMES[name]}")
    if name not in _MODULES:
        raise AttributeError(f"module 'readmark' has no attribute {name!r}")
    value = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
