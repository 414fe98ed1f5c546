"""Formal reading tasks: ontology, rules, reasoning, provenance, gold and marks."""
