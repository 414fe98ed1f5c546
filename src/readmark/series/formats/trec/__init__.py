"""TREC's own files of question series: XML, with types of targets and patterns next to it."""
