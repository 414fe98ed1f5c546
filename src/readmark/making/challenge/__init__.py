"""The challenge set of CMRC 2018: questions that no single sentence answers, found or checked."""
