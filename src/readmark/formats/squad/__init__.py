"""SQuAD 1.1, SQuAD 2.0, DRCD and SMART: four formats of one JSON shape."""
