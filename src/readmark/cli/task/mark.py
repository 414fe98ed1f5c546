"""``readmark task mark``: an alias of ``mark``."""

from __future__ import annotations

from readmark.cli.mark import mark_command

__all__ = ["mark_command"]
