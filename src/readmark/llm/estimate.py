"""What requests would take before they are sent: tokens by rules of thumb, and their cost."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from readmark.core.spent import Usage
from readmark.core.traffic import Estimate
from readmark.llm.client import Asker
from readmark.llm.endpoint import Request

_BATCH = 256  # requests that are looked up in the cache at a time
_REPLY_TOKENS = 60
"""Tokens of a reply: a short answer and a sentence of evidence."""
_TOKENS_A_MESSAGE = 8
"""Tokens around each message."""


def about_tokens(text: str) -> float:
    """A quarter of a token per ASCII character, and one token per other character.

    Tokenizers differ by a factor of two: this is what common ones need for English and Chinese.
    """
    ascii_characters = sum(character.isascii() for character in text)
    return ascii_characters / 4 + (len(text) - ascii_characters)


def estimate_requests(asker: Asker, requests: Iterable[Request]) -> Estimate:
    """What requests would take. Replies in the cache cost nothing, and correct the rules.

    The figures of replies in the cache are real: the same model's other replies are taken to be
    as long, and its tokens to be as many.
    """
    asked = cached = 0
    guessed = known_guessed = 0.0
    known_input = known_output = 0
    waiting = iter(requests)
    while batch := list(islice(waiting, _BATCH)):
        replies = asker.known(batch)
        for request in batch:
            tokens = sum(
                about_tokens(each.content) + _TOKENS_A_MESSAGE for each in request.messages
            )
            reply = replies.get(request.unit)
            if reply is None:
                asked += 1
                guessed += tokens
                continue
            cached += 1
            if reply.usage.counted:
                known_guessed += tokens
                known_input += reply.usage.input
                known_output += reply.usage.output
    scale = known_input / known_guessed if known_guessed and known_input else 1.0
    reply_tokens = known_output / cached if cached and known_output else _REPLY_TOKENS
    most_output = asked * asker.endpoint.max_tokens
    about = Usage(round(guessed * scale), min(round(asked * reply_tokens), most_output))
    price = asker.budget.price
    return Estimate(
        requests=asked,
        cached=cached,
        input=about.input,
        output=about.output,
        most_output=most_output,
        cost=price.of(about) if price is not None else None,
        most_cost=price.of(Usage(about.input, most_output)) if price is not None else None,
        currency=price.currency if price is not None else "",
    )
