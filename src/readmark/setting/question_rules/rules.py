"""Every rule by its code. Two look at whole tests and have no function of a passage."""

from __future__ import annotations

from collections.abc import Iterator

from readmark.setting.question_rules.agreement import DISAGREE
from readmark.setting.question_rules.arithmetic import ARITHMETIC
from readmark.setting.question_rules.copying import COPIED
from readmark.setting.question_rules.labels import (
    NO_ANSWER_SENTENCE,
    NO_LEVEL,
    NO_TYPE,
    UNKNOWN_TYPE,
)
from readmark.setting.question_rules.limits import FEW_ANSWERS, LONG, TOO_MANY
from readmark.setting.question_rules.rule import Page, Rule, Said, Settings
from readmark.setting.question_rules.series import (
    FOREIGN_WORD,
    SHORT_TARGET,
    UNRESOLVED_PRONOUN,
)
from readmark.setting.question_rules.spans import NO_KEY, NOT_A_SPAN
from readmark.setting.question_rules.wording import DUPLICATE, GIVEN_AWAY, NO_QUESTION


def _nothing(page: Page, settings: Settings) -> Iterator[Said]:
    return iter(())


MISSING_TYPES = Rule(
    "missing_types",
    "a test without any question of a type that is asked for",
    _nothing,
    {"types": ["Who", "When", "Where", "Why", "How"], "least": 20},
    of_questions=False,
    needs_language=True,
)
NO_PARALLEL = Rule(
    "no_parallel",
    "a passage or question that the other language does not have",
    _nothing,
    of_questions=False,
)

RULES: dict[str, Rule] = {
    rule.code: rule
    for rule in (
        *(TOO_MANY, NO_KEY, NOT_A_SPAN, LONG, FEW_ANSWERS, NO_LEVEL, NO_ANSWER_SENTENCE),
        *(UNKNOWN_TYPE, NO_TYPE, ARITHMETIC, COPIED, DUPLICATE, NO_QUESTION, GIVEN_AWAY),
        *(DISAGREE, MISSING_TYPES, NO_PARALLEL),
        *(UNRESOLVED_PRONOUN, FOREIGN_WORD, SHORT_TARGET),
    )
}
