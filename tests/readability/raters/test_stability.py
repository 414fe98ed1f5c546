"""What a reader does not notice does not move a rating, and easy genres are no broken text."""

import unicodedata

import pytest

from readmark.readability.raters.parses import parse_all
from readmark.readability.raters.rater_files import load_rater

STORY = (
    "A small girl lived by the sea with her aunt. Each day she went to the café and asked for "
    "bread. One day the door was shut. She knocked, but nobody came. So she sat down on the step "
    "and waited. After a while an old man came by. He had a key, and he let her in."
)
COMMANDS = (
    "Fill the pot with water. Put it on the stove. Wait until it is hot. Then add the beans and a "
    "bit of salt. Do not stir too much. Take the pot off the heat after ten minutes. Give some to "
    "everyone. Eat it while it is warm."
)
STATEMENTS = (
    "You fill the pot with water. You put it on the stove. You wait until it is hot. Then you add "
    "the beans and a bit of salt. You do not stir too much. You take the pot off the heat after "
    "ten minutes. You give some to everyone. You eat it while it is warm."
)
HOURS = (
    "The library opens at 8 a.m. each day and shuts at 7 p.m. in the week. On Sunday it opens at "
    "11 a.m. and shuts at 3 p.m. so that the staff can rest. You can read books, papers, etc. and "
    "you can use the desks."
)


def ratings(*texts: str) -> list[float]:
    return [load_rater().rate(passage).rating for passage in parse_all(texts)]


@pytest.mark.parametrize(
    "seen",
    [
        unicodedata.normalize("NFD", STORY),
        STORY.replace(" ", " \u200b"),
        STORY.replace("bread", "bre\u00adad"),
        "".join(chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter for letter in STORY),
        STORY.replace(". ", ".[1] "),
        STORY.replace(". ", ". \U0001f600 "),
    ],
    ids=["decomposed", "zero width", "soft hyphen", "full width", "footnotes", "emoji"],
)
def test_what_readers_do_not_notice(seen: str) -> None:
    plain, other = ratings(STORY, seen)
    assert other == pytest.approx(plain, abs=0.05)


def test_commands_read_as_easily_as_statements() -> None:
    commands, statements = ratings(COMMANDS, STATEMENTS)
    assert commands > 3.5
    assert commands == pytest.approx(statements, abs=0.6)  # less by its pronouns alone


def test_abbreviations_are_words() -> None:
    short, long = ratings(HOURS, HOURS.replace("a.m.", "am").replace("p.m.", "pm"))
    assert short == pytest.approx(long, abs=0.4)
