"""The version, where every layer can reach it."""

from __future__ import annotations

__version__ = "0.5.0"
