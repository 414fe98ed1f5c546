"""Annotation categories: what annotators mark, close to the text, and the statements it yields."""
