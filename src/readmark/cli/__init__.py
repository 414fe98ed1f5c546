"""The command line: parses, calls workflows, prints. One file a verb."""
