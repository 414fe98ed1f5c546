"""Systems that read: extractors, which turn documents into statements."""
