"""Any question-answering model of transformers, from a folder or from the hub, as a reader."""
