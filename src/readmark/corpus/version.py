"""The version, where every layer can reach it."""

__version__ = "0.1.0"
