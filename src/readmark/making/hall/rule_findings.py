"""What the library's rules say of questions in progress, in the languages of the pages."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from readmark.comprehension import rule_explanation
from readmark.core.errors import did_you_mean
from readmark.core.problems import WarningCode
from readmark.core.records import Passage
from readmark.core.test import Header, in_memory
from readmark.formats.checks import record_findings
from readmark.making.rules.examiner import Examiner
from readmark.making.rules.profiles import RuleProfile, profile_named, profile_names
from readmark.works import Configuration, WorkFinding
from readmark.works.forms import fields_of, form_faults, form_findings

_LATER = ("few_answers",)
"""Rules that only other people's work can satisfy."""
_UNFINISHED = {
    "empty_text": "question",
    "no_key": "answer",
    "no_answer": "answer",
    "no_level": "level",
    "no_type": "type",
    "no_answer_sentence": "sentence",
}
"""Rules that a form breaks as long as a field is empty."""
_NEEDED = {"no_level": "level", "no_type": "type", "no_answer_sentence": "sentence"}
"""Rules that ask for a field, which a project may not have."""


@functools.lru_cache(maxsize=8)
def _profile(name: str) -> RuleProfile:
    return profile_named(name)


def rule_findings(
    record: Passage,
    language: str,
    configuration: Configuration,
    entry: str,
    objects: Mapping[str, str],
) -> Iterator[WorkFinding]:
    """What `check` and the rules of the project's profile say of a passage with people's work.

    ``objects`` has the object of each question, by the question's id.
    """
    test = in_memory(Header(language=language), [record])
    declared = fields_of(configuration, entry)
    profile = configuration.options.get("profile")
    findings: list[tuple[str, str, str, str]] = []
    settings: dict[str, Mapping[str, Any]] = {}
    if profile is not None:
        rules = _profile(str(profile))
        settings = {code: rule.settings for code, rule in rules.rules.items()}
        for owner, code, message in Examiner(rules).findings(test):
            if code not in _LATER and _NEEDED.get(code, entry) in (*declared, entry):
                findings.append((owner, code, message, rules.rules[code].severity))
    without_key = {owner for owner, code, _, _ in findings if code == "no_key"}
    for owner, code, message in record_findings(test, record):
        # A rule of the profile has said already that the answer is missing.
        if not (code in ("no_answer", "no_sentence") and owner in without_key):
            severity = "warning" if isinstance(code, WarningCode) else "error"
            findings.append((owner, str(code), message, severity))
    for owner, code, message, severity in findings:
        if owner in objects or owner == record.id:
            yield explained(code, message, severity, objects.get(owner), settings.get(code, {}))


def explained(
    code: str,
    message: str,
    severity: str = "warning",
    object: str | None = None,
    settings: Mapping[str, Any] | None = None,
) -> WorkFinding:
    """A finding of the library with its explanation in both languages."""
    en, zh = (rule_explanation(code, language, settings or {}) for language in ("en", "zh"))
    if en is None or zh is None:
        return WorkFinding(code, message, severity, object)
    words = {"en": f"{en[0]}: {message}", "zh": zh[0]}
    return WorkFinding(code, words, severity, object, {"en": en[1], "zh": zh[1]})


def question_findings(
    findings: Iterable[WorkFinding],
    configuration: Configuration,
    entry: str,
    entries: Iterable[tuple[str, Mapping[str, Any]]],
) -> Iterator[WorkFinding]:
    """Findings of rules, then empty fields; a question without an answer needs no other field."""
    return form_findings(
        findings, configuration, entry, entries, unfinished=_UNFINISHED, closing="unanswerable"
    )


def question_faults(
    configuration: Configuration, entry: str, *needed: str
) -> Iterator[tuple[tuple[str, ...], str]]:
    """What a configuration lacks for a form on questions, a profile of rules included."""
    yield from form_faults(configuration, entry, *needed)
    profile = configuration.options.get("profile")
    if entry in configuration.entry and profile is not None and profile not in profile_names():
        hint = did_you_mean(str(profile), profile_names())
        yield ("options", "profile"), f"no profile {profile!r}; {hint}"
