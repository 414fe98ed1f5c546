"""The learned rewriter: candidate edits of a question, ranked by a small trained network."""
