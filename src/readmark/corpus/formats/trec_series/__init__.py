"""TREC's question series, 2004 to 2007: XML, and the files of types and patterns beside it."""
