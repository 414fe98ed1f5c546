"""The rules for formatting, one by one: what goes, and what looks alike and stays."""

import pytest

from readmark.readability.panels.formatting.rules import BY_GENRE, RULES, rules_for, standardise

STORY = "The river rose two metres overnight. Nobody was hurt."

CASES = [
    ("html", "<p>One &amp;\ntwo.</p><p>Three.</p>", "One & two.\n\nThree."),
    ("html", "<h1>Soil</h1><script>x()</script><p>It is <b>clay</b>.</p>", "It is clay."),
    ("html", "One &amp; two.\n\nIt is <b>clay</b>.", "One & two.\n\nIt is clay."),
    ("html", "<p></p>", ""),
    ("html", "If a < b and b > c, stop.", "If a < b and b > c, stop."),
    ("html", "If a<b and c>d then stop.", "If a<b and c>d then stop."),
    ("html", "If a<b\nand c>d then stop.", "If a<b\nand c>d then stop."),
    ("html", "It is <b>clay</b> if a<b and c>d.", "It is clay if a<b and c>d."),
    (
        "html",
        "<p>If a<b and c>d, stop.</p><p>If a<b stop.</p>",
        "If a<b and c>d, stop.\n\nIf a<b stop.",
    ),
    ("html", "Say a<b>c of it.", "Say a<b>c of it."),
    ("html", "Is a<b &amp; c?", "Is a<b & c?"),
    ("html", "One<br>two <a href=x.html>three</a>.", "One\n\ntwo three."),
    ("html", "<font size = 2 color='red'>Clay</font>", "Clay"),
    (
        "wiki_markup",
        "'''Loam''' is a [[soil|kind of soil]].<ref>x</ref>",
        "Loam is a kind of soil.",
    ),
    ("wiki_markup", "== Use ==\nIt holds water.", "It holds water."),
    ("wiki_markup", "''One.''\n\nTwo.", "One.\n\nTwo."),
    ("wiki_markup", "<div>''One''</div>", "<div>''One''</div>"),
    ("wiki_markup", "Loam is a soil.", "Loam is a soil."),
    ("headline", f"River Floods Village\n\n{STORY}", STORY),
    ("headline", f"River Floods Village\nHundreds flee\n\n{STORY}", STORY),
    ("headline", f"{STORY}\nMore rain is due.", f"{STORY}\nMore rain is due."),
    ("headline", "The river rose two\nmetres overnight.", "The river rose two\nmetres overnight."),
    (
        "headline",
        "It was crossed by\nAda Merrow at noon.",
        "It was crossed by\nAda Merrow at noon.",
    ),
    ("headline", f"River Floods Village\n{STORY}", STORY),
    ("headline", f"river floods village\nMARLOW (Agency) - {STORY}", f"MARLOW (Agency) - {STORY}"),
    ("headline", "A title and nothing else", "A title and nothing else"),
    ("byline", f"By Ada Merrow\n{STORY}", STORY),
    (
        "byline",
        "By noon the rain had stopped.\nIt was warm.",
        "By noon the rain had stopped.\nIt was warm.",
    ),
    ("dateline", f"MARLOW, March 3 (Agency) -- {STORY}", STORY),
    ("dateline", f"PORT ASHBY — {STORY}", STORY),
    ("dateline", f"Port Ashby, Oct. 12, 2019 (AP) - {STORY}", STORY),
    ("dateline", "Rain - and more rain - fell.", "Rain - and more rain - fell."),
    ("dateline", "NASA - the agency - said so.", "NASA - the agency - said so."),
    ("dateline", "NASA — it said — agreed.", "NASA — it said — agreed."),
    ("dateline", f"MARLOW, Vt., July 4 - {STORY}", STORY),
    ("dateline", "河口社3月3日电 河水上涨。", "河水上涨。"),
    ("speaker_labels", "MS. BELL: Good evening.\nQ: Why?", "Good evening.\nWhy?"),
    ("speaker_labels", "JON REED, HOST: Welcome back.", "Welcome back."),
    ("speaker_labels", "Interviewer: And then?", "And then?"),
    ("speaker_labels", "主持人：大家好。", "大家好。"),
    ("speaker_labels", "He had one rule: never hurry.", "He had one rule: never hurry."),
    ("speaker_labels", "THANK YOU.\nANCHOR: AND NOW RAIN.", "THANK YOU.\nAND NOW RAIN."),
    ("speaker_labels", "HERE IS THE NEWS: IT RAINS.", "HERE IS THE NEWS: IT RAINS."),
    ("speaker_labels", ">> JON REED: IT RAINS.", "IT RAINS."),
    ("stage_directions", "Thank you. (APPLAUSE) Thank you.", "Thank you. Thank you."),
    ("stage_directions", "It rained (a little) today.", "It rained (a little) today."),
    ("caption_marks", ">> AND NOW THE NEWS. >>> GOOD EVENING.", "AND NOW THE NEWS. GOOD EVENING."),
    ("caption_marks", "♪ oh my ♪", "oh my "),
    ("caption_marks", "3 > 2 holds.", "3 > 2 holds."),
    ("cue_times", "1\n00:00:01,000 --> 00:00:03,000\nHello there.", "Hello there."),
    ("cue_times", "[00:12] Hello there.", "Hello there."),
    ("cue_times", "We met at\n12:30 sharp.", "We met at\n12:30 sharp."),
    ("cue_times", "We met at 12:30 sharp.", "We met at 12:30 sharp."),
    ("message_header", "From: ada\nSubject: soil\n\nMine is clay.", "Mine is clay."),
    ("message_header", "Note: mine is clay.", "Note: mine is clay."),
    ("quoting", "On Monday, ada wrote:\n> mine is clay\nSo is mine.", "So is mine."),
    ("quoting", "ada wrote:\n> mine is clay\nSo is mine.", "So is mine."),
    ("quoting", "My doctor said:\nrest a week.", "My doctor said:\nrest a week."),
    ("quoting", "[quote=ada]clay[/quote] So is mine.", "So is mine."),
    ("quoting", "x > y holds.", "x > y holds."),
    ("signature", "So is mine.\n-- \nada, keeper of hens", "So is mine."),
    ("signature", "It is -- I think -- clay.", "It is -- I think -- clay."),
    ("board_marks", "It is [b]clay[/b].", "It is clay."),
    ("board_marks", "It [the soil] is clay.", "It [the soil] is clay."),
    ("post_furniture", "Posted by ada at noon\nIt is clay.", "It is clay."),
    ("post_furniture", "It is clay.\n3 comments", "It is clay.\n"),
    ("post_furniture", "Posted to Rome\nhe wrote home.", "Posted to Rome\nhe wrote home."),
    ("white_space", "One  two\r\nthree.\n\n\n\nFour.", "One two three.\n\nFour."),
    ("white_space", "河水\n上涨。", "河水上涨。"),
]


@pytest.mark.parametrize(("rule", "text", "expected"), CASES)
def test_a_rule_takes_its_mark_and_no_more(rule: str, text: str, expected: str) -> None:
    assert RULES[rule](text) == expected


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_text_that_it_changes(rule: str) -> None:
    assert any(name == rule and text != expected for name, text, expected in CASES)


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_leaves_plain_prose_and_nothing_as_they_are(rule: str) -> None:
    assert RULES[rule](STORY) == STORY
    assert RULES[rule]("") == ""


def test_rules_that_changed_a_text_are_named_and_find_no_more() -> None:
    story = standardise(f"River Floods Village\n\nMARLOW, March 3 (Agency) -- {STORY}", "newswire")
    assert story.text == STORY
    assert story.rules == ("headline", "dateline")
    assert standardise(story.text, "newswire").rules == ()
    assert standardise(STORY, "newswire").rules == ()


def test_notes_of_a_wiki_go_with_their_tags() -> None:
    entry = "''Loam'' is a [[soil]].<ref>A book.</ref> It holds water &amp; air.\n\nIt is old."
    standard = standardise(entry, "wikipedia")
    assert standard.text == "Loam is a soil. It holds water & air.\n\nIt is old."
    assert standard.rules == ("wiki_markup",)


def test_genres_by_other_names_have_the_same_rules() -> None:
    assert rules_for("Closed Captions") == rules_for("caption")
    assert rules_for("wikipedia") == rules_for("encyclopaedia")
    assert rules_for("diary") == ("html", "white_space")
    assert {rule for rules in BY_GENRE.values() for rule in rules} | {"html", "white_space"} == set(
        RULES
    )


ODD = ("A ", "A\n", "a.\n", "[", "<a ", "> ", "On ", "AB. ", "wrote: ", "(", "[[", "00:01 ")


@pytest.mark.parametrize("rule", RULES)
def test_long_odd_texts_come_to_an_end(rule: str) -> None:
    """A rule that goes back over what it has read again and again would not."""
    for piece in ODD:
        RULES[rule](piece * 4000)
