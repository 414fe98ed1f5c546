"""The domains of reading tasks that ship: an ontology, rules, quantities and guidelines each."""
