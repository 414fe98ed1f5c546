"""Formats that hold question series only."""
