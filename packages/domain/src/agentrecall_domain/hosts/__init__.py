"""What the settings of each host look like, as text."""
