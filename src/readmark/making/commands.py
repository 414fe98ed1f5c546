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
            "Select the passages that are suitable for a test, with reasons.",
        ),
        "annotate": Entry(
            "readmark.making.annotate:annotate_command",
            "Add layers: sentences, tokens, noun phrases, entities.",
        ),
        "blind": Entry(
            "readmark.making.blind.plan:blind_command",
            "Write sheets for second and third answers, without the key.",
        ),
        "merge": Entry(
            "readmark.making.blind.merge:merge_command",
            "Merge people's answers into the key of a test.",
        ),
        "levels": Entry(
            "readmark.making.levels:levels_command",
            "Label each question from 1 to 4 by the reasoning that it needs.",
        ),
        "challenge": Entry(
            "readmark.making.challenge.command:challenge_command",
            "Find or check questions that no single sentence answers.",
        ),
        "split": Entry(
            "readmark.making.splits.command:split_command",
            "Split a test by article into train, dev and test.",
        ),
        "translate": Entry(
            "readmark.making.translation.command:translate_command",
            "Compare two translators' questions and keys, and adjudicate.",
        ),
        "crosscheck": Entry(
            "readmark.making.crosscheck.command:crosscheck_command",
            "Compare two annotators' layers and list the disagreements.",
        ),
        "adjudicate": Entry(
            "readmark.making.crosscheck.adjudicate:adjudicate_command",
            "Make one gold annotation from two and the decisions.",
        ),
        "agree": Entry(
            "readmark.making.agreement.command:agree_command",
            "Measure agreement of annotators: labels, spans, words, coreference.",
        ),
        "export": Entry(
            "readmark.making.export.command:export_command",
            "Write a test with its data card, ready to publish.",
        ),
    },
)


@click.group("set", cls=CommandGroup, registry=VERBS)
def set_command() -> None:
    """Make a test. Each verb reads a TEST or a source and writes OUT."""
