"""Scoring profiles: the rules by which published evaluations score one answer."""
