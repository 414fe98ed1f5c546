"""Pure functions on values: overlap, resampling, randomisation; no files, no registry."""
