"""What a person should look at in gold rewrites: pronouns, words from nowhere, half a target.

After the guidelines of "A gold standard of question reformulations for TREC question series". The
rules are wired as the profile ``series`` of ``question_rules``; what needs no language is told by
every check, from ``corpus.series_findings``.
"""
