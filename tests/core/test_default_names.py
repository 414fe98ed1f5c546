"""What a test is called whose file does not say."""

from pathlib import Path

import pytest

from readmark.core.source import default_name

NAMES = {
    "mill/kettles.json": "kettles",
    "mill/p.csv": "mill",
    "mill/data.csv": "mill",
    "mill/dev.csv": "mill-dev",
    "xquad/en.json": "xquad-en",
    "xquad/zh.json": "xquad-zh",
    "mill/data/dev.csv": "mill-dev",
    "mill/data/out.csv": "mill",
}


@pytest.mark.parametrize("path", NAMES)
def test_a_name_that_says_nothing_is_the_folder_s(path: str) -> None:
    assert default_name(Path(path).stem, f"/shelf/{path}") == NAMES[path]
