"""What tests of agreement share: annotators' files."""

from pathlib import Path
from typing import Any

import pytest

from readmark.core.records import Passage
from readmark.core.test import Header, in_memory
from readmark.formats.registry import save_test


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def to_file(name: str, *records: Passage) -> str:
        path = tmp_path / name
        save_test(in_memory(Header(language="zh"), records), path)
        return str(path)

    return to_file
