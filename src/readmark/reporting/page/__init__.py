"""The parts of a section, one a file, in the order of the page."""
