"""An encoder to train, for tests that need torch."""

from pathlib import Path

import pytest


@pytest.fixture
def encoder(tmp_path: Path) -> Path:
    for name in ("torch", "transformers", "tokenizers"):
        pytest.importorskip(name, reason=f"{name} is not installed")
    from span_encoder import write_encoder

    return write_encoder(tmp_path / "encoder")
