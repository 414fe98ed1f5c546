"""Thresholds from a file: what is changed, and what is refused in one line."""

from pathlib import Path

import pytest

from readmark.core.errors import DataError, UsageError
from readmark.making.screening.config import load_config


def test_a_file_changes_only_what_it_names(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text("[zh.topic]\nmost = 0.2\n[zh.terms]\non = false\n[zh.length]\non = true\n")
    mine, default = load_config(file).languages, load_config().languages
    assert mine["zh"]["topic"] == {"most": 0.2, "words": 4}
    assert "terms" not in mine["zh"]
    assert mine["zh"]["length"] == {"least": 50, "most": 5000}
    assert mine["zh"]["symbols"] == default["zh"]["symbols"]
    assert mine["en"] == default["en"]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("profile = 'smrt'", "profile: no profile 'smrt'; did you mean smart?"),
        ("profile = 3", "profile: no profile 3; known: cmrc, smart"),
        ("[zn.topic]", "no language named 'zn'; known: zh, en"),
        ("[zh.topics]", "no check for zh named 'topics'; did you mean topic?"),
        ("[en.topic]\nmost = 1", "no check for en named 'topic'"),
        ("[zh.topic]\nmots = 1", "no threshold of zh.topic named 'mots'; did you mean most?"),
        ('[zh.topic]\nmost = "high"', "zh.topic.most is 'high', expected a number"),
        ("[zh.topic]\nmost = true", "zh.topic.most is True, expected a number"),
        ("[zh.topic]\nmost = nan", "expected a number"),
        ("[zh.topic]\non = 1", "zh.topic.on is 1, expected true or false"),
        ("zh = 3", "zh is not a table"),
        ("[zh]\ntopic = 3", "zh.topic is not a table"),
        ("[zh.near_duplicates]\nresemblance = 0", "expected more than 0, at most 1"),
        ("[zh.near_duplicates]\nshingle = 2.5", "expected a whole number from 1"),
        ("[zh.topic", "not valid TOML"),
        ("[zh.topic]\nmost = -1", "zh.topic.most is -1, expected a share, 0 to 1"),
        ("[zh.non_chinese]\nmost = 30", "zh.non_chinese.most is 30, expected a share, 0 to 1"),
        ("[zh.topic]\nwords = 2.5", "expected a whole number from 0"),
        ("[zh.symbols]\nleftover = -4", "zh.symbols.leftover is -4, expected 0 or more"),
        (
            "[zh.length]\nleast = 100\nmost = 50",
            "zh.length.least is 100, above its most, 50",
        ),
        ("[zh.length]\nleast = 6000", "zh.length.least is 6000, above its most, 5000"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path: Path, content: str, line: str) -> None:
    file = tmp_path / "own.toml"
    file.write_text(content)
    with pytest.raises(DataError) as caught:
        load_config(file)
    assert line in str(caught.value)
    assert "own.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_language_without_checks() -> None:
    with pytest.raises(
        UsageError, match=r"t\.jsonl:p1: no checks for language 'fr'; known: zh, en"
    ):
        load_config().of("fr", file="t.jsonl", where="p1")
    assert load_config().of("zh-Hant", file="x") is not None


@pytest.mark.parametrize(
    ("profile", "checks"),
    [
        ("cmrc", {"non_chinese", "terms", "topic", "symbols", "classical"}),
        ("smart", {"non_chinese", "topic"}),
    ],
)
def test_a_profile_has_the_rules_of_its_document_and_only_those(
    tmp_path: Path, profile: str, checks: set[str]
) -> None:
    config = load_config(profile)
    assert set(config.of("zh", file="t")) == checks
    assert config.of("zh", file="t")["non_chinese"] == {"most": 0.30}  # both documents' bound
    with pytest.raises(UsageError, match="no checks for language 'en'; known: zh"):
        config.of("en", file="t.jsonl")
    file = tmp_path / "own.toml"
    file.write_text(f"profile = '{profile}'\n[zh.holes]\non = true\n[zh.topic]\nmost = 0.2\n")
    mine = load_config(file).of("zh", file="t")
    assert set(mine) == {*checks, "holes"}
    assert mine["topic"]["most"] == 0.2


def test_an_unknown_profile() -> None:
    with pytest.raises(
        UsageError, match=r"no profile 'smrt', and no \.toml file; did you mean smart"
    ):
        load_config("smrt")
