"""Bag-of-words readers of "Design and Development of a Bilingual Reading Comprehension Corpus".

`reader` has BOW, alone or with NEF (named entity filtering) and PR (pronoun resolution);
`dependency` the next step that the document proposes, which matches verbs and their arguments too.
"""
