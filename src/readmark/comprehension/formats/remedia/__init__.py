"""Remedia: remedial reading sheets, as MITRE annotated them for "Deep Read" (Hirschman 1999).

A sheet has a story with title and dateline, questions, and answer keys if there are any. As Table 1
of "Design and Development of a Bilingual Reading Comprehension Corpus" shows it, its parts may have
headings.
"""
