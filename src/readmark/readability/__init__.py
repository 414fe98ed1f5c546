"""Readability: passages rated by how easily they read, by formulas, raters and panels."""
