"""`readmark train span`: options that would do nothing, and settings of the configuration."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from readmark.cli.main import cli
from readmark.comprehension.span import training
from readmark.comprehension.span.settings import SpanSettings
from readmark.core.configuration import load_configuration
from readmark.core.errors import UsageError
from span_training import save_question


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "there is nothing to learn from"),
        (
            ["--scores", "t.jsonl"],
            "--scores without a TEST only fits the scores of a trained reader",
        ),
    ],
)
def test_options_that_would_do_nothing_are_refused(
    tmp_path: Path, options: list[str], message: str
) -> None:
    out = tmp_path / "out"
    result = CliRunner().invoke(
        cli, ["train", "span", "--encoder", "none", *options, "-o", str(out)]
    )
    assert isinstance(result.exception, UsageError)
    assert str(result.exception).startswith(message)
    assert not out.exists()


def test_rare_settings_are_in_the_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_question(tmp_path / "t.jsonl", "anna")
    (tmp_path / "readmark.toml").write_text("[train.span]\nlayers = 8\naverage = 0.99\n")
    monkeypatch.chdir(tmp_path)
    passed: list[SpanSettings] = []

    def keep_settings(*_: Any, settings: SpanSettings, **__: Any) -> Any:
        passed.append(settings)
        raise UsageError("enough")

    monkeypatch.setattr(training, "train_span", keep_settings)
    set_here = ("--set", "train.span.masked=0.15")
    CliRunner().invoke(
        cli, [*set_here, "train", "span", "t.jsonl", "--encoder", "none", "-o", "out"]
    )
    [settings] = passed
    assert settings.plan is not None
    assert (settings.layers, settings.masked, settings.plan.average) == (8, 0.15, 0.99)
    assert (settings.dropout, settings.plan.distil, settings.export) == (None, 0.7, True)
    for setting, message in (
        ("train.span.masked=1.5", "1.5 is not a number from 0, below 1"),
        ("train.span.laiers=2", "did you mean layers"),
    ):
        with pytest.raises(UsageError, match=message):
            load_configuration("readmark.toml", [setting])
