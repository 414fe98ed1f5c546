"""Lists of Chinese words."""

import pytest

from readmark.text.wording import word_list


def test_list_is_found_by_its_name() -> None:
    assert {"他", "她们"} <= word_list("pronouns")
    with pytest.raises(KeyError):
        word_list("verbs")
