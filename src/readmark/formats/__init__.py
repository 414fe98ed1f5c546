"""Formats of tests and sittings that serve several kinds of test."""
