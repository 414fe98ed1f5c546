"""What people do in the hall on reading tasks: mark documents, and judge answers of systems."""
