"""Takes the pictures of docs/hall-tutorials.md, and puts what its commands print in place.

The tutorials' own test does both while it follows them in a browser. Needs Playwright, a Chromium
and Pillow. Run: python docs/hall_screenshots.py
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
PICTURES = DOCS / "images" / "hall"
TEST = DOCS.parent / "tests" / "server" / "test_tutorials.py"
LARGEST = 90_000
"""Bytes of a picture."""


def shrink(path: Path) -> None:
    """Reduce the colours of a picture until it is small enough."""
    from PIL import Image

    with Image.open(path) as picture:
        whole = picture.convert("RGB")
    for colours in (128, 64, 32, 16):
        whole.quantize(colours, dither=Image.Dither.NONE).save(path, optimize=True)
        if path.stat().st_size <= LARGEST:
            return
    raise SystemExit(f"{path.name} is still larger than {LARGEST:,} bytes")


def main() -> int:
    """Follow the tutorials, and keep the pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(TEST)],
        env={**os.environ, "READMARK_PICTURES": str(PICTURES)},
        check=False,
    )
    for path in sorted(PICTURES.glob("*.png")):
        shrink(path)
        print(f"{path.relative_to(DOCS)}: {path.stat().st_size:,} bytes")
    return done.returncode


if __name__ == "__main__":
    raise SystemExit(main())
