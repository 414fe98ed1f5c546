"""``readmark set``: the verbs that make a test. Each is imported only when it is called."""

from __future__ import annotations

from importlib import import_module

import click

from readmark.corpus.errors import did_you_mean

VERBS = {
    "wiki": "Cut Wikipedia, HTML or plain text into passages.",
    "screen": "Keep the passages that are fit for a test; list the others with reasons.",
    "annotate": "Store the layers of an analyser: sentences, tokens, noun phrases, entities.",
    "blind": "Write answer sheets for second and third answers, without the key.",
    "merge": "Take people's answers into the key of a test.",
    "levels": "Label each question by the reasoning that it needs, 1 to 4, with reasons.",
    "challenge": "Find or check questions that one sentence does not answer.",
    "split": "Split by article into train, dev and test.",
    "translate": "Compare two translators' questions and keys; adjudicate.",
    "crosscheck": "Compare two annotators' layers, place by place.",
    "adjudicate": "Make one gold annotation of two, by decisions.",
    "agree": "Agreement of annotators: labels, spans, words, coreference.",
    "export": "Write a test with its data card, ready to publish.",
}
"""Every verb with its one line; ``readmark.cli.set.NAME`` has it as ``NAME_command``."""


class Verbs(click.Group):
    """A group that knows its verbs' lines without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        command: click.Command = getattr(
            import_module(f"readmark.cli.set.{cmd_name}"), f"{cmd_name}_command"
        )
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in VERBS:
            raise click.UsageError(f"set has no verb {args[0]!r}; {did_you_mean(args[0], VERBS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))


@click.group("set", cls=Verbs)
def set_command() -> None:
    """Make a test; each verb takes a TEST or a source and writes OUT."""
