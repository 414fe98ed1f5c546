"""Two translators' questions and keys compared, adjudicated and adopted.

After section 4.1 of "Design and Development of a Bilingual Reading Comprehension Corpus".
"""
