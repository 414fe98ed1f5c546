"""Differences between versions of one piece of work: what differs, what was decided, what holds."""
