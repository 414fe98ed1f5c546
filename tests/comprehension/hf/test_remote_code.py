"""A model that brings Python code of its own: it is refused, and nobody is asked about it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from installed import require
from readmark.comprehension.hf.loading import load
from readmark.comprehension.span.network import copy_tokenizer, load_network
from readmark.core.errors import DataError

pytestmark = pytest.mark.torch
require("torch", "transformers")

_CODE = """
from pathlib import Path
from transformers import BertConfig, BertModel, BertTokenizerFast
Path({mark!r}).write_text("executed")
class Config(BertConfig):
    model_type = "own"
class Model(BertModel):
    config_class = Config
class Tokenizer(BertTokenizerFast):
    pass
"""
LOADERS: dict[str, Callable[[Path], object]] = {
    "a candidate": lambda folder: load(str(folder)),
    "an encoder to train": lambda folder: load_network(str(folder)),
    "a tokenizer": lambda folder: copy_tokenizer(str(folder), folder),
}


@pytest.mark.parametrize("loader", LOADERS)
def test_code_of_a_model_is_never_executed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loader: str
) -> None:
    """Whatever stands on standard input: the library would take a y for consent."""
    folder, mark = tmp_path / "model", tmp_path / "mark"
    folder.mkdir()
    monkeypatch.setenv("HF_MODULES_CACHE", str(tmp_path / "modules"))
    with_code = {
        "AutoConfig": "own.Config",
        "AutoModel": "own.Model",
        "AutoModelForQuestionAnswering": "own.Model",
    }
    (folder / "own.py").write_text(_CODE.format(mark=str(mark)), "utf-8")
    config = {"model_type": "own", "auto_map": with_code}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    tokenizer = {"tokenizer_class": "Own", "auto_map": {"AutoTokenizer": ["own.Tokenizer", None]}}
    (folder / "tokenizer_config.json").write_text(json.dumps(tokenizer), "utf-8")
    answers = io.StringIO("y\n" * 9)
    monkeypatch.setattr("sys.stdin", answers)
    with pytest.raises(DataError):
        LOADERS[loader](folder)
    assert answers.tell() == 0
    assert not mark.exists()
