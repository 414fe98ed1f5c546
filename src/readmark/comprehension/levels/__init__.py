"""Levels: what reasoning a question needs, by "SMART: A Stratified Machine Reading Test".

`decision` gives a question its level: `matching` finds a string match (1), `wording` says how the
words differ (2), `references` and `relations` find reasoning (3 and 4). They look at `questions`
and `passages` that are taken apart, and at the statement that answers, `facts`. `judging` levels a
whole test, with people's `labels`.
"""
