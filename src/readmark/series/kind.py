"""Structural checks of gold rewrites: how many, what stands for earlier answers, brackets.

The rules are the guidelines of "A gold standard of question reformulations for TREC question
series"; what needs a language stands in ``setting.series_rules``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.core.kinds import Finding
from readmark.core.records import Answer, Labelled, Unit, without_key, without_questions
from readmark.core.spans import clip, layer_findings, misplaced_layers
from readmark.series.records import (
    MOST_GOLDS,
    OTHER,
    OTHER_GUIDELINES,
    PREVIOUS_ANSWER,
    REPEATS,
    Bracketed,
    Series,
    SeriesQuestion,
    SeriesQuestionKey,
    bracketed,
    is_conversation,
    misspelt_variables,
    unmatched_bracket,
)

if TYPE_CHECKING:
    from readmark.core.question_rules import QuestionRules
    from readmark.core.sitting import Row
    from readmark.core.test import Facts, Header, Test
    from readmark.formats.tables.columns import TableRows
    from readmark.llm import LlmForm
    from readmark.marking import DerivedField


_WORD = re.compile(r"[\u3400-\u9fff]+|[^\W_\u3400-\u9fff]+")
_UNSPACED = re.compile(r"[\u3400-\u9fff]+")
_SHORT = 3
"""Words of so few letters are mostly articles and prepositions; no list of any language is here."""
_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)


def series_findings(series: Series) -> Iterator[Finding]:
    """What the guidelines do not allow, whatever the language."""
    if unmatched_bracket(series.target):
        said = f"a bracket of the target is not matched: {clip(series.target)!r}"
        yield series.id, "target_brackets", said
    forms = bracketed(series.target)
    for index, question in enumerate(series.questions):
        yield from _pointers(series.questions[:index], question)
        for person, golds in _by_person(question):
            whose = f"{person}: " if person is not None else ""
            if len(golds) > MOST_GOLDS:
                said = f"{whose}{len(golds)} golds, expected {MOST_GOLDS} at most"
                yield question.id, "too_many_golds", said
            for gold in golds:
                for wrong in misspelt_variables(gold):
                    said = f"{whose}{wrong!r} in {clip(gold)!r}, expected {PREVIOUS_ANSWER}"
                    yield question.id, "misspelt_variable", said
            leaning = [gold for gold in golds if PREVIOUS_ANSWER in gold]
            if leaning:
                for code, said in _leaning(series.questions[:index], question, golds):
                    yield question.id, code, whose + said
            elif forms is not None and _by_these_rules(question):
                for said in _bracket_faults(forms, question.text, golds):
                    yield question.id, "bracket_variants", whose + said


def _pointers(earlier: Sequence[SeriesQuestion], question: SeriesQuestion) -> Iterator[Finding]:
    """Members that name a question must name one that was asked before."""
    asked = {series_question.id for series_question in earlier}
    refers = question.key.refers if question.key is not None else None
    for member, id in (("previous_of", question.previous_of), ("refers", refers)):
        if id is not None and id not in asked:
            text = f"{member} names {id!r}, which is not an earlier question of the series"
            yield question.id, "no_such_question", text


def _by_person(question: SeriesQuestion) -> Iterator[tuple[str | None, list[str]]]:
    people: dict[str | None, list[str]] = {}
    for answer in question.key.rewrites if question.key is not None else ():
        people.setdefault(answer.annotator, []).append(answer.text)
    yield from people.items()


def _by_these_rules(question: SeriesQuestion) -> bool:
    return question.key is None or question.key.guidelines not in OTHER_GUIDELINES


def _leaning(
    earlier: Sequence[SeriesQuestion], question: SeriesQuestion, golds: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Golds with PREVIOUS_ANSWER: who can supply it, and a gold that does without."""
    asked = [series_question for series_question in earlier if series_question.category != OTHER]
    if not asked:
        yield "no_earlier_question", f"{PREVIOUS_ANSWER} where no earlier question can supply it"
        return
    without = [gold for gold in golds if PREVIOUS_ANSWER not in gold]
    if not any(_embeds(gold, question, asked) for gold in without):
        yield (
            "no_embedding_gold",
            f"{PREVIOUS_ANSWER} without a second gold that embeds an earlier question",
        )


def _embeds(gold: str, question: SeriesQuestion, earlier: Iterable[SeriesQuestion]) -> bool:
    """Whether a gold has a word of an earlier question, or of its golds, that its own lacks."""
    new = _words(gold) - _words(question.text)
    for series_question in earlier:
        rewrites = series_question.key.rewrites if series_question.key is not None else ()
        if any(
            new & _words(text) for text in (series_question.text, *(each.text for each in rewrites))
        ):
            return True
    return False


def _words(text: str) -> set[str]:
    """Words of some length; of text without spaces every two characters."""
    found = set()
    for word in _WORD.findall(text.casefold()):
        if _UNSPACED.fullmatch(word):
            found |= {word[index : index + 2] for index in range(len(word) - 1)}
        elif len(word) > _SHORT:
            found.add(word)
    return found


def _bracket_faults(forms: Bracketed, question: str, golds: Sequence[str]) -> Iterator[str]:
    """If one gold has the target in one of its forms, others must have the other forms."""
    texts = [_folded(gold) for gold in golds]
    whole, outer = _folded(forms.full), _folded(forms.outer)
    inner = [_folded(one) for one in forms.inner]
    bare = [text.replace(whole, " ") for text in texts]
    with_it = any(whole in text for text in texts)
    without = any(_is_separate_word(outer, text) for text in bare)
    inside = any(
        _is_separate_word(one, text) and not _is_separate_word(outer, text)
        for one in inner
        for text in bare
    )
    # Words in brackets that the question itself has may be no name of the target there.
    own = [
        one
        for one in inner
        if not _is_separate_word(one, _folded(question)) or _is_short_for(one, outer)
    ]
    if not (
        with_it or without or any(_is_separate_word(one, text) for one in own for text in bare)
    ):
        return
    if not with_it:
        yield f"no gold has the target with its brackets, {forms.full!r}"
    if not without:
        yield f"no gold has the target without its brackets, {forms.outer!r}"
    if not inside:
        shown = " or ".join(map(repr, forms.inner))
        yield f"no gold has what stands in the target's brackets, {shown}"


def _is_short_for(part: str, name: str) -> bool:
    """Whether a part is made of first letters: SPE of Sony Pictures Entertainment."""
    first = "".join(word[0] for word in _WORD.findall(name))
    letters = iter(first)
    return part.isalnum() and all(letter in letters for letter in part)


def _folded(text: str) -> str:
    return _ARTICLE.sub("", " ".join(text.casefold().split()))


def _is_separate_word(part: str, text: str) -> bool:
    """Whether a text contains a part as a separate word; Han characters always separate."""
    edge = r"[^\W\u3400-\u9fff]"
    before = rf"(?<!{edge})" if re.match(edge, part) else ""
    after = rf"(?!{edge})" if re.search(rf"{edge}$", part) else ""
    return re.search(rf"{before}{re.escape(part)}{after}", text) is not None


# Series: a unit is a question in a series, the answer the question rewritten to stand alone.


class SeriesKind:
    """Questions in a series with a target."""

    name = "series"
    record = Series
    record_noun = "series"
    unit_noun = "question"
    answer = "rewrite"
    answer_type = str
    parts = ("target", "question")
    people_from_key = True
    main_metric = "jaccard"

    def metrics(self, header: Header, facts: Facts) -> Sequence[str]:
        """The question series document's choice, and equality with a gold rewrite."""
        return ("jaccard", "exact")

    def paper(self, record: Series) -> Series:
        """The series as a candidate may see it."""
        return without_key(record)

    def leave_out(self, record: Series, part: str) -> Series:
        """The target, or every question, left blank."""
        if part == "target":
            return msgspec.structs.replace(record, target="", layers={})
        return without_questions(record)

    def units(self, record: Series) -> Iterator[Unit]:
        """A unit a question; the cluster is the series."""
        for question in record.questions:
            yield Unit(question.id, record.id, record, question)

    def references(self, unit: Unit) -> Sequence[Sequence[Answer]]:
        """A list a person; unnamed golds are alternatives of one."""
        key: SeriesQuestionKey | None = unit.key
        if key is None:
            return ()
        people: dict[str | None, list[Answer]] = {}
        for rewrite in key.rewrites:
            people.setdefault(rewrite.annotator, []).append(rewrite)
        return tuple(map(tuple, people.values()))

    def record_of(self, references: Sequence[str]) -> Series:
        """A series with one question that has these gold rewrites."""
        key = SeriesQuestionKey(rewrites=tuple(Answer(text=text) for text in references))
        question = SeriesQuestion(id="rewrite", text=references[0], key=key)
        return Series(id="series", target="", questions=(question,))

    def unit_facts(self, unit: Unit) -> Collection[str]:
        """Nothing is counted."""
        return ()

    def read_answer(self, row: Row) -> Answer:
        """The rewrite of a row."""
        return Answer(text=row.text, score=row.score)

    def paper_part(self, record: Series) -> Any:
        """Ids, target and questions."""
        questions: list[tuple[Any, ...]] = [
            (q.id, q.text, q.previous, *_of(q)) for q in record.questions
        ]
        return record.id, record.target, sorted(questions)

    def key_part(self, record: Series) -> Any:
        """Every question's key, in the order of ids."""
        keyed = [(q.id, q.key) for q in record.questions if q.key is not None]
        return record.id, sorted(keyed, key=lambda part: part[0])

    def texts(self, record: Series) -> Iterator[str]:
        """Target and questions."""
        yield record.target
        for question in record.questions:
            yield question.text

    def findings(self, record: Series) -> Iterator[Finding]:
        """Empty texts, keys that say nothing, golds that the guidelines do not allow."""
        if not record.target.strip() and not is_conversation(record):
            yield record.id, "empty_text", "the series has no target"
        yield from misplaced_layers(record.id, record.layers)
        yield from layer_findings(record.id, record.target, record.layers)
        for question in record.questions:
            if not question.text.strip():
                yield question.id, "empty_text", "the question has no text"
            yield from misplaced_layers(question.id, question.layers)
            yield from layer_findings(question.id, question.text, question.layers)
            key = question.key
            bare = key is not None and not key.rewrites and not key.fields
            if bare and question.category != OTHER:
                yield question.id, "no_answer", "has a key without rewrites"
            if key is not None and any(not answer.text.strip() for answer in key.rewrites):
                yield question.id, "empty_answer", "a gold rewrite has no text"
        yield from series_findings(record)

    def unkeyed_words(self, test: Test) -> str:
        """Turns of several conversations of a tree are marked once."""
        repeated = sum(unit.key is None and REPEATS in unit.item.fields for unit in test.units())
        return (
            f"{repeated:,} of them repeat a turn of an earlier conversation, which is marked there"
            if repeated
            else ""
        )

    def derived_fields(self, test: Test) -> Mapping[str, DerivedField]:
        """The question word, in languages with rules for it."""
        from readmark.marking import DerivedField
        from readmark.text.questions.types import RULED, RULES, wh_word

        if test.language not in RULED:
            return {}
        word = DerivedField(
            lambda unit: wh_word(unit.item.text, test.language), f"question words:{RULES}"
        )
        return {"question_word": word}

    def table_rows(self) -> TableRows:
        """A question a row, with its series and target."""
        from readmark.series.formats.rows import ROWS

        return ROWS

    def llm_form(self) -> LlmForm:
        """A question, its target and the questions before it."""
        from readmark.series.prompts import SERIES_FORM

        return SERIES_FORM

    def question_rules(self) -> QuestionRules:
        """The rules that ``check --profile`` applies."""
        from readmark.series.question_rules import QUESTION_RULES

        return QUESTION_RULES

    def show_record(self, record: Series) -> Sequence[Labelled]:
        """The target."""
        return (Labelled("target", record.target),)

    def show(self, unit: Unit) -> Sequence[Labelled]:
        """The question as it was asked."""
        return (Labelled("question", unit.item.text),)


def _of(question: SeriesQuestion) -> tuple[str, ...]:
    """The question that the known answers belong to; None if unknown, as in older files."""
    return () if question.previous_of is None else (question.previous_of,)


SERIES = SeriesKind()
