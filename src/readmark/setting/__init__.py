"""Making a test; for now, the tables that describe one."""
