"""Voices: what several features measure together, such as how common the words are.

Training gives the features of a voice one weight to share, and an explanation adds up their points.
"""

from __future__ import annotations

from readmark.readability.raters.features.feature import Feature

VOICES = {
    "words": (
        "syllables",
        "letters",
        "polysyllables",
        "long_words",
        "frequency",
        "frequency_all",
        "rarest",
        "rare_words",
        "uncommon_words",
        "unfamiliar",
        "band_1",
        "band_2",
        "band_3",
        "variety",
        "density",
        "abstract",
        "word_length",
        "strokes",
        "rare_characters",
        "literary",
    ),
    "sentences": (
        "sentence_length",
        "longest_sentence",
        "long_sentences",
        "commas",
        "heavy_signs",
        "depth",
        "distance",
        "before_verb",
        "clauses",
        "subordinate",
        "relative",
        "noun_weight",
        "compounds",
        "noun_phrases",
        "prepositions",
        "prepositional_chains",
        "passives",
        "coordination",
        "adjectives",
        "clause_length",
        "noun_runs",
        "linked",
    ),
    "levels": ("level_words",),
    "narrativity": (
        "spoken_signs",
        "figures",
        "story_words",
        "pronouns",
        "pronoun_share",
        "verbs",
        "nouns",
        "past",
        "temporal",
        "assertion_density",
        "particles",
        "proper_names",
    ),
    "cohesion": (
        "overlap",
        "content_overlap",
        "chained",
        "chain_length",
        "new_nouns",
        "names",
        "adversative",
        "additive",
    ),
}
"""The features of each voice; one that is not here has the voice of its family."""
_VOICE_OF = {name: voice for voice, names in VOICES.items() for name in names}


def voice_of(feature: Feature) -> str:
    """The voice of a feature."""
    return _VOICE_OF.get(feature.name, feature.family)
