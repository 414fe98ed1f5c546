"""Tables among the marks that are no metrics: option positions, and no-answer thresholds."""
