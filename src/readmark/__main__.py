"""``python -m readmark``."""

from __future__ import annotations

from readmark.cli.main import main

if __name__ == "__main__":
    main()
