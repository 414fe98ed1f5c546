"""The confidence in a rewrite: its signs, its odds worked by hand, and models that are refused."""

import json
import math

import pytest

from readmark.core.errors import DataError
from readmark.series.guided.edits import Edit, Rewrite
from readmark.series.learned import (
    SIGNS,
    Confidence,
    RewriteLesson,
    Setting,
    SignRegression,
    from_json,
    learn,
    load_confidence,
    signs_of,
    to_json,
)

ZERO = dict.fromkeys(SIGNS, 0.0)


def flat(**weights: float) -> SignRegression:
    own = {name.replace("_", " "): weight for name, weight in weights.items()}
    return SignRegression(0.5, {name: (0.0, 1.0, own.get(name, 0.0)) for name in SIGNS})


def test_the_signs_of_a_rewrite() -> None:
    asked = ["Who built the Vell mill?", "When did he die?"]
    edit = Edit(9, 11, "he", "PREVIOUS_ANSWER", "he: a person", "Pronouns (1)", 0.8, 0)
    made = [Rewrite(asked[0]), Rewrite("When did PREVIOUS_ANSWER die?", (edit,), sure=0.8)]
    first = signs_of(Setting("Vell mill", "thing"), asked, made, 0)
    second = signs_of(Setting("Vell mill", "thing"), asked, made, 1)
    assert tuple(first) == tuple(second) == SIGNS
    assert (first["first question"], first["nothing was changed"]) == (1, 1)
    told = {name for name, value in second.items() if value == 1}
    assert told >= {"he or she", "an earlier answer", "rule: a pronoun", "target: thing"}
    assert told.isdisjoint({"nothing was changed", "a pronoun is left", "far back"})
    assert second["sure by the rules"] == pytest.approx(-math.log(0.8))


def test_the_odds_are_the_sum_of_the_pulls() -> None:
    model = flat(they=-1.5, it=0.25)
    signs = {**ZERO, "they": 1.0}
    assert model.probability(signs) == pytest.approx(1 / (1 + math.exp(1.0)))
    assert model.reasons(signs) == {"against": ["they"]}
    assert model.reasons({**ZERO, "it": 1.0}) == {"for": ["it"]}


def test_a_sign_of_wrong_rewrites_is_learnt() -> None:
    judged = [RewriteLesson({**ZERO, "they": float(n % 2)}, n % 2 == 0, 1.0) for n in range(200)]
    model = learn(judged)
    assert model.probability({**ZERO, "they": 1.0}) < 0.2 < 0.8 < model.probability(ZERO)


def test_a_model_is_read_as_it_was_written() -> None:
    model = load_confidence()
    assert from_json(to_json(model), file="model") == model


def series(**change: object) -> dict[str, object]:
    signs = {name: [0, 1, 1] for name in SIGNS}
    return {"styles": {"series": {"bias": 0, "signs": signs, **change}}}


def test_a_conversation_has_its_own_weights() -> None:
    one, other = flat(), flat(they=1.0)
    both = Confidence({"series": one, "conversation": other})
    assert both.of(Setting("Vell")) is one
    assert both.of(Setting("", conversation=True)) is other
    assert Confidence({"series": one}).of(Setting("", conversation=True)) is one


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"model": "rater"}, "no rewriter model"),
        ({"readmark": 2}, "newer_schema: made for schema 2"),
        (series(signs={"they": [0, 1, 1]}), "other signs"),
        ({"styles": None}, "cannot be read"),
        ({"styles": {"series": {}}}, "lacks 'signs'"),
        (series(bias="much"), "cannot be read"),
        (series(signs={name: [0, 0, 1] for name in SIGNS}), "spread"),
        (series(signs={name: [0] for name in SIGNS}), "cannot be read"),
    ],
)
def test_other_files_are_refused(change: dict[str, object], message: str) -> None:
    members = {**json.loads(to_json(load_confidence())), **change}
    with pytest.raises(DataError, match=message):
        from_json(json.dumps(members), file="model")
