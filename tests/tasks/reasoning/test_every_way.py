"""A probability of several ways is explained by all of them."""

from pathlib import Path

from readmark.tasks.explaining import explain_statements
from readmark.tasks.knowledge_base import Reasoning

GRAPH = "((Pump age old) (Pump state dirty) (Pump hasPart A) (Pump hasPart B))"


def explained(folder: Path, rules: str, statement: str = "(Pump likelyWear true)") -> list[str]:
    (folder / "pump.graph").write_text(GRAPH, encoding="utf-8")
    (folder / "wear.dsrs").write_text(f"(:theory Wear)\n{rules}", encoding="utf-8")
    reasoning = Reasoning(rules=[str(folder / "wear.dsrs")], seconds=60)
    explained = explain_statements([str(folder / "pump.graph")], statement, reasoning)
    return str(explained).splitlines()[1:]


def test_every_independent_way_is_named_with_its_probability(tmp_path: Path) -> None:
    rules = """
    (:rule old :probability 0.7 :comment "7 of 10 cases"
     :if (?p age old) :then (?p likelyWear true))
    (:rule dirty :probability 0.5 :if (?p state dirty) :then (?p likelyWear true))
    """
    # 1 - 0.3 * 0.5
    assert explained(tmp_path, rules) == [
        "(Pump likelyWear true)  probability 0.85  in 2 ways: "
        "with probability 0.7 by old: 7 of 10 cases",
        "  (Pump age old)  asserted",
        "  or with probability 0.5 by dirty",
        "    (Pump state dirty)  asserted",
    ]


def test_a_way_through_the_statement_itself_is_not_named(tmp_path: Path) -> None:
    rules = """
    (:rule old :probability 0.7 :if (?p age old) :then (?p likelyWear true))
    (:rule leak :if (?p likelyWear true) :then (?p leaks true))
    (:rule wear :probability 0.9 :if (?p leaks true) :then (?p likelyWear true))
    """
    assert explained(tmp_path, rules) == [
        "(Pump likelyWear true)  probability 0.7  by old",
        "  (Pump age old)  asserted",
    ]


def test_what_is_certain_has_one_way(tmp_path: Path) -> None:
    rules = "(:rule parts :if (?p hasPart ?part) :then (?p likelyWear true))"
    assert explained(tmp_path, rules) == [
        "(Pump likelyWear true)  by parts",
        "  (Pump hasPart A)  asserted",
    ]


def test_a_step_without_the_irrelevant_variable_counts_it_once(tmp_path: Path) -> None:
    twice = """
    (:rule parts :probability 0.5
     :if (?p hasPart ?part) (?p state dirty) :then (?p likelyWear true))
    """
    assert explained(tmp_path, twice)[0].startswith(
        "(Pump likelyWear true)  probability 0.75  in 2 ways: with probability 0.5 by parts"
    )
    once = """
    (:rule has-parts :if (?p hasPart ?part) :then (?p hasParts true))
    (:rule parts :probability 0.5
     :if (?p hasParts true) (?p state dirty) :then (?p likelyWear true))
    """
    assert explained(tmp_path, once)[0] == "(Pump likelyWear true)  probability 0.5  by parts"
