"""What both readers and metrics call: model runtimes and the weights that ship."""
