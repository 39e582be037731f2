"""Text as memory sees it: words, secrets, private spans."""
