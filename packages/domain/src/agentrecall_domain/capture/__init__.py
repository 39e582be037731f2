"""From a verdict or a person's words to a rule."""
