"""Ontology, rules, inference, provenance and decompositions for formal reading tasks."""
