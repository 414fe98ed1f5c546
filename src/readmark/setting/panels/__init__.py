"""Readability panels: a pool of passages, rounds for judges, their sheets, what they said.

After section 2 of the DARPA Machine Reading evaluation: two panels, experts and novices, rate every
passage from 1 to 5 stars, in rounds of ten, and put each round in order.
"""

EXPERT, NOVICE = "expert", "novice"
PANELS = (EXPERT, NOVICE)
DEFINITION = (
    "a subjective judgment of how easily a reader can extract the information the writer or "
    "speaker intended to convey"
)
"""What readability is, in the words of the document."""
