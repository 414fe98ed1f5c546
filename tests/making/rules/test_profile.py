"""Profiles: what ships, and what a file of one's own may change."""

from pathlib import Path

import pytest

from readmark.core.errors import DataError, UsageError
from readmark.making.rules.profiles import profile_named, profile_names, rules_by_code


def severities(name: str) -> dict[str, str]:
    return {code: rule.severity for code, rule in profile_named(name).rules.items()}


def test_what_the_documents_ask_for() -> None:
    errors = {
        name: {code for code, severity in severities(name).items() if severity == "error"}
        for name in profile_names()
    }
    assert errors == {
        "cmrc": {"too_many_questions", "no_key", "not_a_span"},
        "smart": {"no_key", "not_a_span", "no_level"},
        "brcc": {"no_key", "no_answer_sentence", "unknown_type", "unknown_ability", "no_parallel"},
        "series": set(),
    }
    assert severities("cmrc")["long_answer"] == severities("smart")["arithmetic"] == "warning"
    assert "too_many_questions" not in severities("smart")


def test_the_files_repeat_the_defaults() -> None:
    for name in profile_names():
        for code, rule in profile_named(name).rules.items():
            assert rule.settings == rules_by_code()[code].settings


def changed(tmp_path: Path, text: str, name: str = "cmrc") -> dict[str, object]:
    (tmp_path / "own.toml").write_text(text, "utf-8")
    rules = profile_named(name, config=tmp_path / "own.toml").rules
    return {code: (rule.severity, dict(rule.settings)) for code, rule in rules.items()}


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    rules = changed(
        tmp_path,
        '[long_answer]\nseverity = "error"\nmost.zh = 40\n'
        '[copied_wording]\nleast_share = 1\n[no_question]\nseverity = "off"\n[no_level]\n',
    )
    assert rules["long_answer"] == ("error", {"most": {"zh": 40, "en": 20}})
    assert rules["copied_wording"][1]["least_share"] == {"zh": 1, "en": 1}  # type: ignore[index]
    assert "no_question" not in rules
    assert rules["no_level"] == ("warning", {"levels": [1, 2, 3, 4]})  # added to the profile
    assert rules["too_many_questions"] == ("error", {"most": 5})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[long_anser]\n", "own.toml: no rule 'long_anser'; did you mean long_answer?"),
        ("[long_answer]\nmots = 3\n", "own.toml:long_answer: no setting 'mots'; did you mean most"),
        ('[long_answer]\nseverity = "fatal"\n', "severity is 'fatal', expected one of error"),
        ('[long_answer]\nmost = "many"\n', "long_answer.most: is 'many', expected a whole number"),
        ("[long_answer]\nmost.fr = 3\n", "long_answer.most: no 'fr'; known: zh, en"),
        ("[too_many_questions]\nmost = -1\n", "is -1, expected a whole number"),
        ("[too_many_questions]\nmost = true\n", "is True, expected a whole number"),
        ("[no_level]\nlevels = 4\n", "is 4, expected a list"),
        ('[no_level]\nlevels = ["a"]\n', "expected a list like [1, 2, 3, 4]"),
        ("long_answer = 3\n", "long_answer: expected a table of settings, found 3"),
        ("[long_answer\n", "own.toml: not valid TOML"),
    ],
)
def test_what_a_file_gets_wrong(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DataError) as refusal:
        changed(tmp_path, text)
    assert message in str(refusal.value)


def test_unknown_profiles_and_files(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no profile 'cmcr'; did you mean cmrc"):
        profile_named("cmcr")
    with pytest.raises(DataError, match="no such file"):
        profile_named("cmrc", config=tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_bytes(b"\xff")
    with pytest.raises(DataError, match="not valid UTF-8"):
        profile_named("cmrc", config=tmp_path / "bad.toml")
