"""The level is a function of the reasons."""

import pytest

from readmark.comprehension.levels.scale import REASONS, TYPES, level_of


@pytest.mark.parametrize(
    ("reasons", "level"),
    [
        (["match"], 1),
        (["paraphrase"], 2),
        (["reorder"], 2),
        (["paraphrase", "reorder"], 2),
        (["pronoun"], 3),
        (["zero_pronoun"], 3),
        (["nominal_reference"], 3),
        (["pronoun", "zero_pronoun"], 3),
        (["pronoun", "zero_pronoun", "nominal_reference"], 3),
        (["temporal"], 3),
        (["causal"], 3),
        (["multi_sentence"], 3),
        (["comparison"], 3),
        (["pronoun", "causal"], 4),
        (["zero_pronoun", "temporal"], 4),
        (["causal", "comparison"], 4),
        (["paraphrase", "pronoun"], 3),
    ],
)
def test_level_of(reasons: list[str], level: int) -> None:
    assert level_of(reasons) == level
    assert level_of(reversed(reasons)) == level


def test_every_reason_of_the_document_is_known() -> None:
    assert REASONS == (
        "match",
        "paraphrase",
        "reorder",
        "pronoun",
        "zero_pronoun",
        "nominal_reference",
        "temporal",
        "causal",
        "multi_sentence",
        "comparison",
    )
    assert len(set(TYPES.values())) == 5
