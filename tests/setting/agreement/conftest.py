"""What tests of agreement share: annotators' files."""

from pathlib import Path
from typing import Any

import pytest

from readmark.corpus.formats import save_test
from readmark.corpus.test import Header, in_memory
from readmark.corpus.values import Passage


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def to_file(name: str, *records: Passage) -> str:
        path = tmp_path / name
        save_test(in_memory(Header(language="zh"), records), path)
        return str(path)

    return to_file
