"""How alike two short texts are: the measures of the question series document, from 0 to 1.

Measures of words (``jaccard``, ``dice``, ``cosine``, ``block``, ``euclidean``) are formulas over
what two texts share (``shared``); measures of characters take the plain forms of two texts. Each
has a way for one pair and a way for many pairs at once, which gives the same numbers.
"""
