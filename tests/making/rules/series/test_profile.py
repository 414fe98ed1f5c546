"""The profile of series: through ``check``, with severities of one's own, and for series alone."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from readmark.core.errors import DataError
from readmark.making.rules.examiner import Examiner
from readmark.making.rules.profiles import profile_named

RECORD: dict[str, Any] = {
    "id": "s",
    "target": "Nissan Corp",
    "questions": [
        {
            "id": "a",
            "text": "What was Nissan formerly known as?",
            "key": {"rewrites": [{"text": "What was Nissan formerly known as?"}]},
        },
        {
            "id": "b",
            "text": "Who founded it?",
            "key": {"rewrites": [{"text": "Who established it?"}]},
        },
        {"id": "c", "text": "Anything else?", "category": "OTHER"},
    ],
}


def saved(path: Path, record: dict[str, Any], **header: Any) -> Path:
    lines = [{"readmark": 1, "kind": "series", "language": "en", **header}, record]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def codes(path: Path, config: Path | None = None) -> list[tuple[str, str]]:
    examiner = Examiner(profile_named("series", config=config))
    return [(problem.code, problem.severity) for problem in examiner.examine(str(path))]


def test_a_question_with_several_faulty_golds_counts_once(tmp_path: Path) -> None:
    golds = [{"text": "Who established it?"}, {"text": "Who erected it?"}]
    record = {
        **RECORD,
        "questions": [{"id": "b", "text": "Who founded it?", "key": {"rewrites": golds}}],
    }
    examiner = Examiner(profile_named("series"))
    list(examiner.examine(str(saved(tmp_path / "t.jsonl", record))))
    [examination] = examiner.as_json()["examinations"]
    assert examination["codes"]["foreign_word"] == 2
    assert examination["broken_by"]["foreign_word"] == 1
    assert re.search(r"foreign_word +warning +2 +100\.0%", examiner.as_text())


def test_warnings(tmp_path: Path) -> None:
    assert codes(saved(tmp_path / "t.jsonl", RECORD)) == [
        ("unresolved_pronoun", "warning"),
        ("foreign_word", "warning"),
        ("short_target", "warning"),
    ]


def test_severities_of_ones_own(tmp_path: Path) -> None:
    config = tmp_path / "mine.toml"
    config.write_text('short_target.severity = "error"\nforeign_word.severity = "off"\n')
    assert codes(saved(tmp_path / "t.jsonl", RECORD), config) == [
        ("unresolved_pronoun", "warning"),
        ("short_target", "error"),
    ]


def test_rules_of_another_kind_are_refused(tmp_path: Path) -> None:
    config = tmp_path / "mine.toml"
    config.write_text('no_key.severity = "error"\n')
    with pytest.raises(DataError, match="no_key: the rule is for comprehension tests"):
        profile_named("series", config=config)


def test_tests_of_another_kind_are_told(tmp_path: Path) -> None:
    path = saved(tmp_path / "t.jsonl", {"text": "x"}, kind="comprehension")
    assert codes(path) == [("profile", "error")]


def test_other_languages_are_not_ruled(tmp_path: Path) -> None:
    path = saved(tmp_path / "t.jsonl", RECORD, language="fr")
    examiner = Examiner(profile_named("series"))
    assert list(examiner.examine(str(path))) == []
    assert examiner.examinations[0].unruled == (
        "unresolved_pronoun",
        "foreign_word",
        "short_target",
    )


def test_through_the_command(
    tmp_path: Path, readmark_cli: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    path = saved(tmp_path / "t.jsonl", RECORD)
    done = readmark_cli("check", "--profile", "series", str(path))
    assert done.returncode == 0
    assert f"{path}:2: foreign_word: warning: b: 'established' stands neither" in done.stdout
    assert "1 series, 3" in done.stderr
    done = readmark_cli("check", "--profile", "series", "--json", str(path))
    assert json.loads(done.stdout)["codes"] == {
        "unresolved_pronoun": 1,
        "foreign_word": 1,
        "short_target": 1,
    }
