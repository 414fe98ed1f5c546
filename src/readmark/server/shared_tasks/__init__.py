"""Shared tasks: a published test, teams that submit to it, and a board."""
