"""What everything speaks: tests, passages, questions, answers, sittings, marksheets."""
