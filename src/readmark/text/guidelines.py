"""Guidelines for annotating noun phrases and entities, which analysers follow and checks enforce.

They are those of "Design and Development of a Bilingual Reading Comprehension Corpus", sections
4.3 and 4.4.
"""

from __future__ import annotations

ENTITY_TYPES = ("PERSON", "TIME", "LOCATION", "NUM", "ORGANIZATION")
"""What ``NE=`` may say. The document annotates the first four and keeps the last for later."""

ENDINGS = frozenset({"NOUN", "PROPN", "PRON", "ADJ", "NUM", "SYM"})
"""What a noun phrase ends in. Numbers stand for nouns, as in "the year 1066"."""
ALONE = ENDINGS | {"DET"}
"""What may be a noun phrase by itself: taggers call "some" and "this" determiners."""
