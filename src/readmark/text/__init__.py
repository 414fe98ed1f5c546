"""English and Chinese text: normalisation and, later, every other analyser of language."""
