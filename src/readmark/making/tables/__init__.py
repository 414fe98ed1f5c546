"""`readmark stats`: corpus tables of tests, side by side."""
