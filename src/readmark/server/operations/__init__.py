"""Running a hall: logs, metrics, readiness, chores, retention, backups."""
