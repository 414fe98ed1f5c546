"""Analysers: sentences, words, phrases and entities of English and Chinese text."""
