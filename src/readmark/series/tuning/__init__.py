"""Which weights of words, pairs and triples tell two strategies apart, or agree with people.

"Further work ... modifying these weightings using machine learning techniques", as the question
series document proposes: a search under its requirements, and a linear regression.
"""
