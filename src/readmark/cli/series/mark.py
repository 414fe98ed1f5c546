"""``readmark series mark``: ``readmark mark`` by another name."""

from __future__ import annotations

from readmark.cli.mark import mark_command

__all__ = ["mark_command"]
