"""Names that run from right to left leave the rest of a sentence alone."""

from markupsafe import Markup, escape

from readmark.reporting.page.isolation import isolated
from readmark.reporting.page.words import phrase_html


def test_a_name_that_runs_the_other_way_leaves_the_rest_alone() -> None:
    turned = isolated("\u202elead\u2069")
    assert escape(turned) == Markup("<bdi>\u202elead</bdi>")
    assert f"{turned}!" == "\u2068\u202elead\u2069!"
    assert f"{isolated('lead')}, {isolated('שלום')}" == "lead, \u2068שלום\u2069"
    sentence = phrase_html("summary.undefined", first=turned, metric="F1")
    assert "<bdi>\u202elead</bdi> in F1" in sentence.en
