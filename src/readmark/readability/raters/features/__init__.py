"""Features of a passage, a module for each family; `families` has the table of all English ones."""
