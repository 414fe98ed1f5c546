"""``readmark set``: the verbs that make a test. Each is imported only when it is called."""

from __future__ import annotations

import click

from readmark.console import CommandGroup
from readmark.core.registry import Entry, Registry

VERBS = Registry(
    "verb",
    "readmark.set_commands",
    {
        "wiki": Entry(
            "readmark.making.sources.command:wiki_command",
            "Cut Wikipedia, HTML or plain text into passages.",
        ),
        "screen": Entry(
            "readmark.making.screening.command:screen_command",
            "Keep the passages that are fit for a test; list the others with reasons.",
        ),
        "annotate": Entry(
            "readmark.making.annotate:annotate_command",
            "Store the layers of an analyser: sentences, tokens, noun phrases, entities.",
        ),
        "blind": Entry(
            "readmark.making.blind.command:blind_command",
            "Write answer sheets for second and third answers, without the key.",
        ),
        "merge": Entry(
            "readmark.making.blind.command:merge_command",
            "Take people's answers into the key of a test.",
        ),
        "levels": Entry(
            "readmark.making.levels.command:levels_command",
            "Label each question by the reasoning that it needs, 1 to 4, with reasons.",
        ),
        "challenge": Entry(
            "readmark.making.challenge.command:challenge_command",
            "Find or check questions that one sentence does not answer.",
        ),
        "split": Entry(
            "readmark.making.splits.command:split_command",
            "Split by article into train, dev and test.",
        ),
        "translate": Entry(
            "readmark.making.translation.command:translate_command",
            "Compare two translators' questions and keys; adjudicate.",
        ),
        "crosscheck": Entry(
            "readmark.making.crosscheck.command:crosscheck_command",
            "Compare two annotators' layers, place by place.",
        ),
        "adjudicate": Entry(
            "readmark.making.crosscheck.adjudicate:adjudicate_command",
            "Make one gold annotation of two, by decisions.",
        ),
        "agree": Entry(
            "readmark.making.agreement.command:agree_command",
            "Agreement of annotators: labels, spans, words, coreference.",
        ),
        "export": Entry(
            "readmark.making.export.command:export_command",
            "Write a test with its data card, ready to publish.",
        ),
    },
)


@click.group("set", cls=CommandGroup, registry=VERBS)
def set_command() -> None:
    """Make a test; each verb takes a TEST or a source and writes OUT."""
