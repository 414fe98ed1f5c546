"""Making a test: sources, screening, question rules, levels, splits, cross-checks, publishing."""
