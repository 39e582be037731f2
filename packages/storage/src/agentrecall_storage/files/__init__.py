"""The files around the database: spool, log, transcripts, git and host settings."""
