"""brat standoff: texts (``.txt``) with their annotations next to them (``.ann``)."""
