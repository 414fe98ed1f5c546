"""Readability: passages rated by how easily they read, by formulas, trained raters and panels of people."""
