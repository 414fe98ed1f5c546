"""Tokens and where they stand in a text."""

from pathlib import Path

import pytest

pytest.importorskip("tokenizers", reason="tokenizers is not installed")

from readmark.comprehension.span.tokens import Tokenizer, load_tokenizer
from readmark.core.errors import DataError
from span_encoder import write_tokenizer

TEXT = "The mill stands in the north. Anna keeps 12 goats."


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    folder = write_tokenizer(tmp_path_factory.mktemp("tokenizer"))
    return load_tokenizer(folder, simplify=False)


def test_tokens_point_into_the_text(tokenizer: Tokenizer) -> None:
    (tokens,) = tokenizer.cut([TEXT])
    pieces = [TEXT[start:end] for start, end in zip(tokens.starts, tokens.ends, strict=True)]
    assert pieces[:4] == ["The", "mill", "stands", "in"]
    start = TEXT.index("12 goats")
    first, last = tokens.covering(start, start + len("12 goats")) or (0, 0)
    assert TEXT[tokens.starts[first] : tokens.ends[last]] == "12 goats"
    assert tokens.covering(3, 4) is None


def test_a_folder_without_a_usable_tokenizer_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="offsets"):
        load_tokenizer(tmp_path, simplify=False)
    (tmp_path / "tokenizer.json").write_text("{", "utf-8")
    with pytest.raises(DataError, match="cannot be read"):
        load_tokenizer(tmp_path, simplify=False)
