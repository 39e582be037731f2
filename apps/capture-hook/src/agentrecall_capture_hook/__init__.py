"""Transport of new transcript lines into the memory."""
