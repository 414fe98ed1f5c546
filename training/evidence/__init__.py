"""How the evidence reader's model is trained: the ranker first, then the pooling."""
