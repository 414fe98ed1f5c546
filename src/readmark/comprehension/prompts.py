"""How a language model is asked a question on a passage, and what its reply means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from readmark.comprehension.chosen_option import chosen_option, letters_for
from readmark.core.records import Answer, Offsets, Unit
from readmark.llm import TEXT_MEMBER, fence, one_line, unquoted
from readmark.text.answers.places import answer_places, chosen_sentence, passage_sentences
from readmark.text.word_edges import is_whole

_NONE = {
    "en": 'If the passage does not answer the question, the answer is "".\n',
    "zh": '如果篇章没有回答这个问题，答案写作 ""。\n',
}


class PassageForm:
    """A question on a passage: answered by its words, an option, or freely."""

    places = frozenset({"passage", "question", "options", "fence", "none"})
    needed = frozenset({"passage", "question"})
    member = "answer"

    def prompts(self, answer_in: str) -> Sequence[str]:
        """For questions as the user wants them answered, and for those with options."""
        return answer_in, "choice"

    def prompt_name(self, unit: Unit, *, free: bool) -> str:
        """By whether there are options."""
        if unit.item.options:
            return "choice"
        return "free" if free else "span"

    def fill(self, unit: Unit, language: str, *, none: bool) -> dict[str, str]:
        """Passage, question and lettered options."""
        record, item = unit.record, unit.item
        options = "\n".join(
            f"{letter}. {one_line(option)}"
            for letter, option in zip(letters_for(item.options), item.options, strict=True)
        )
        return {
            "passage": record.text,
            "question": item.text,
            "options": options,
            "fence": fence(record.text, item.text, options),
            "none": _NONE["zh" if language == "zh" else "en"] if none else "",
        }

    def members(self, unit: Unit) -> dict[str, Any]:
        """The answer, one of the letters where there are options, and its evidence."""
        if unit.item.options:
            letters = list(letters_for(unit.item.options))
            return {"answer": {"type": "string", "enum": letters}, "evidence": TEXT_MEMBER}
        return {"answer": TEXT_MEMBER, "evidence": TEXT_MEMBER}

    def example(self, unit: Unit, answer: Answer, language: str, *, blank: bool) -> dict[str, Any]:
        """The answer, or its letter, and the sentence that it is in."""
        options = unit.item.options
        said = letters_for(options)[options.index(answer.text)] if options else answer.text
        return {"answer": said, "evidence": "" if blank else _sentence(unit, answer, language)}

    def text(self, unit: Unit) -> str:
        """The passage."""
        text: str = unit.record.text
        return text

    def may_be_empty(self, unit: Unit) -> bool:
        """A question may have no answer, a choice always has one."""
        return not unit.item.options

    def read(
        self, unit: Unit, text: str, quote: str, evidence: dict[str, Any], *, free: bool
    ) -> tuple[str, Offsets | None, dict[str, Any]]:
        """The option that is meant, or the place of the words in the passage."""
        if unit.item.options:
            return _option(unit, text, evidence)
        return (text, None, evidence) if free else _placed(unit.record.text, text, quote, evidence)


PASSAGES = PassageForm()


def _sentence(unit: Unit, answer: Answer, language: str) -> str:
    among = passage_sentences(unit.record, language)
    at = chosen_sentence(answer, unit.record.text, among)
    return unit.record.text[slice(*among[at])] if at is not None else ""


def _option(
    unit: Unit, said: str, evidence: dict[str, Any]
) -> tuple[str, Offsets | None, dict[str, Any]]:
    at = chosen_option(said, unit.item.options)
    if at is None:
        return said, None, {**evidence, "in_options": False}
    chosen = unit.item.options[at]
    return chosen, None, evidence if said == chosen else {**evidence, "said": said}


def _placed(
    text: str, said: str, quote: str, evidence: dict[str, Any]
) -> tuple[str, Offsets | None, dict[str, Any]]:
    """Where the answer is: inside the quoted evidence if it can, else at its first place.

    One that is not in the passage stays as it was said, and that is noted.
    """
    for words in dict.fromkeys((said, unquoted(said), said.rstrip(".。").strip())):
        place = _place(text, words, quote)
        if place is not None:
            placed = text[slice(*place)]
            return placed, place, evidence if placed == said else {**evidence, "said": said}
    return said, None, {**evidence, "in_passage": False}


def _place(text: str, words: str, quote: str) -> Offsets | None:
    place = _as_quoted(text, words, quote)
    if place is not None:
        return place
    places = answer_places(text, Answer(text=words))
    if len(places) > 1 and quote:
        quotes = answer_places(text, Answer(text=quote))
        for start, end in places:
            if any(first <= start and end <= last for first, last in quotes):
                return start, end
    return places[0] if places else None


def _as_quoted(text: str, words: str, quote: str) -> Offsets | None:
    """An answer's first place inside the quote, where the passage has both as they were said.

    What all places would tell, too, but most answers are of this kind, and this takes no time.
    """
    first = text.find(quote) if words and quote else -1
    while first >= 0:
        last = first + len(quote)
        start = text.find(words, first, last) if is_whole(text, (first, last)) else -1
        while start >= 0:
            if is_whole(text, (start, start + len(words))):
                return start, start + len(words)
            start = text.find(words, start + 1, last)
        first = text.find(quote, first + 1)
    return None
