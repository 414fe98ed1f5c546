"""What a scoring rule sees of an answer: one file a rule, text in, normal form or tokens out."""
