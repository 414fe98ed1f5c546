"""Rules in the document's form: values, a grammar with checks, and the order in which they run."""
