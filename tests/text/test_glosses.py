"""English words in the glosses of Chinese ones."""

import numpy as np
import pytest

from readmark.text.glosses import translations


def test_earlier_gloss_counts_more_and_a_part_of_a_gloss_less() -> None:
    by_gloss = translations("大学")  # university, college
    assert by_gloss["university"] == 1.0 > by_gloss["college"] > 0.5
    by_word = translations("成吉思汗")  # Genghis Khan: two words
    assert by_word["khan"] == pytest.approx(1 / np.sqrt(2))
