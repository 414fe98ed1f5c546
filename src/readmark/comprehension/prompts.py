"""How a question on a passage is put to a language model, and what the reply means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from readmark.comprehension.chosen_option import chosen_option, letters_for
from readmark.core.records import Answer, Offsets, Unit
from readmark.llm import TEXT_MEMBER, fence, one_line, unquoted
from readmark.text.answers.places import answer_places
from readmark.text.answers.sentences import chosen_sentence, passage_sentences
from readmark.text.word_edges import is_whole

_MAY_BE_EMPTY = {
    "en": 'If the passage does not answer the question, the answer is "".\n',
    "zh": '如果篇章没有回答这个问题，答案写作 ""。\n',
}


class PassageForm:
    """Prompts for questions on passages: answered in the passage's words, freely or by an option.

    `readmark.llm.LlmForm` says what each member is for.
    """

    places = frozenset({"passage", "question", "options", "fence", "none"})
    needed = frozenset({"passage", "question"})
    member = "answer"

    def prompts(self, answer_in: str) -> Sequence[str]:
        return answer_in, "choice"

    def prompt_name(self, unit: Unit, *, free: bool) -> str:
        if unit.item.options:
            return "choice"
        return "free" if free else "span"

    def fill(self, unit: Unit, language: str, *, none: bool) -> dict[str, str]:
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
            "none": _MAY_BE_EMPTY["zh" if language == "zh" else "en"] if none else "",
        }

    def members(self, unit: Unit) -> dict[str, Any]:
        if unit.item.options:
            letters = list(letters_for(unit.item.options))
            return {"answer": {"type": "string", "enum": letters}, "evidence": TEXT_MEMBER}
        return {"answer": TEXT_MEMBER, "evidence": TEXT_MEMBER}

    def example(self, unit: Unit, answer: Answer, language: str, *, blank: bool) -> dict[str, Any]:
        """The answer, or its letter, and the sentence that it is in."""
        options = unit.item.options
        text = letters_for(options)[options.index(answer.text)] if options else answer.text
        if blank:
            return {"answer": text, "evidence": ""}
        passage = unit.record.text
        sentences = passage_sentences(unit.record, language)
        index = chosen_sentence(answer, passage, sentences)
        evidence = "" if index is None else passage[slice(*sentences[index])]
        return {"answer": text, "evidence": evidence}

    def text(self, unit: Unit) -> str:
        text: str = unit.record.text
        return text

    def may_be_empty(self, unit: Unit) -> bool:
        return not unit.item.options

    def read(
        self, unit: Unit, text: str, quote: str, evidence: dict[str, Any], *, free: bool
    ) -> tuple[str, Offsets | None, dict[str, Any]]:
        """The chosen option, or the words of the passage with their place.

        What the model itself said is kept in the evidence where the answer differs from it.
        """
        options = unit.item.options
        if options:
            index = chosen_option(text, options)
            if index is None:
                return text, None, {**evidence, "in_options": False}
            if text != options[index]:
                evidence = {**evidence, "said": text}
            return options[index], None, evidence
        if free:
            return text, None, evidence
        passage = unit.record.text
        for words in dict.fromkeys((text, unquoted(text), text.rstrip(".。").strip())):
            place = _place(passage, words, quote)
            if place is not None:
                answer = passage[slice(*place)]
                if answer != text:
                    evidence = {**evidence, "said": text}
                return answer, place, evidence
        return text, None, {**evidence, "in_passage": False}


PASSAGES = PassageForm()


def _place(passage: str, words: str, quote: str) -> Offsets | None:
    """Where an answer is: inside the quoted evidence if it occurs there, else its first place."""
    place = _exact_place(passage, words, quote)
    if place is not None:
        return place
    places = answer_places(passage, Answer(text=words))
    if len(places) > 1 and quote:
        quotes = answer_places(passage, Answer(text=quote))
        for start, end in places:
            if any(quote_start <= start and end <= quote_end for quote_start, quote_end in quotes):
                return start, end
    return places[0] if places else None


def _exact_place(passage: str, words: str, quote: str) -> Offsets | None:
    """The answer's first place inside the quote, if the passage has both letter by letter.

    `answer_places` would find it too, but folds the whole passage for it. Most replies are exact.
    """
    quote_start = passage.find(quote) if words and quote else -1
    while quote_start >= 0:
        quote_end = quote_start + len(quote)
        if is_whole(passage, (quote_start, quote_end)):
            start = passage.find(words, quote_start, quote_end)
            while start >= 0:
                if is_whole(passage, (start, start + len(words))):
                    return start, start + len(words)
                start = passage.find(words, start + 1, quote_end)
        quote_start = passage.find(quote, quote_start + 1)
    return None
