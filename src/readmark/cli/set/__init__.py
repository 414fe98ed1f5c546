"""``readmark set``: the verbs that make a test. Each is imported only when it is called."""

from __future__ import annotations

import click

from readmark.cli.verbs import CommandGroup
from readmark.corpus.registry import Entry, Registry

VERBS = Registry(
    "verb",
    "readmark.set_commands",
    {
        "wiki": Entry(
            "readmark.cli.set.wiki:wiki_command",
            "Cut Wikipedia, HTML or plain text into passages.",
        ),
        "screen": Entry(
            "readmark.cli.set.screen:screen_command",
            "Keep the passages that are fit for a test; list the others with reasons.",
        ),
        "annotate": Entry(
            "readmark.cli.set.annotate:annotate_command",
            "Store the layers of an analyser: sentences, tokens, noun phrases, entities.",
        ),
        "blind": Entry(
            "readmark.cli.set.blind:blind_command",
            "Write answer sheets for second and third answers, without the key.",
        ),
        "merge": Entry(
            "readmark.cli.set.merge:merge_command",
            "Take people's answers into the key of a test.",
        ),
        "levels": Entry(
            "readmark.cli.set.levels:levels_command",
            "Label each question by the reasoning that it needs, 1 to 4, with reasons.",
        ),
        "challenge": Entry(
            "readmark.cli.set.challenge:challenge_command",
            "Find or check questions that one sentence does not answer.",
        ),
        "split": Entry(
            "readmark.cli.set.split:split_command",
            "Split by article into train, dev and test.",
        ),
        "translate": Entry(
            "readmark.cli.set.translate:translate_command",
            "Compare two translators' questions and keys; adjudicate.",
        ),
        "crosscheck": Entry(
            "readmark.cli.set.crosscheck:crosscheck_command",
            "Compare two annotators' layers, place by place.",
        ),
        "adjudicate": Entry(
            "readmark.cli.set.adjudicate:adjudicate_command",
            "Make one gold annotation of two, by decisions.",
        ),
        "agree": Entry(
            "readmark.cli.set.agree:agree_command",
            "Agreement of annotators: labels, spans, words, coreference.",
        ),
        "export": Entry(
            "readmark.cli.set.export:export_command",
            "Write a test with its data card, ready to publish.",
        ),
    },
)


@click.group("set", cls=CommandGroup, registry=VERBS)
def set_command() -> None:
    """Make a test; each verb takes a TEST or a source and writes OUT."""
